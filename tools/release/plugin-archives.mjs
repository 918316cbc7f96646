// The plugin as one executable for each platform, in archives with the names that Pulumi downloads.
//
//   node tools/release/plugin-archives.mjs [--out <folder>] [<platform>...]     default: all platforms
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkout, leftovers } from "../dev/checkout.mjs";
import { mustRun, Problem, run, runMain, step } from "../dev/command.mjs";
import { bundlePlugin } from "./bundle.mjs";
import { nodeBinary, nodeLicense } from "./node-binary.mjs";
import { thirdPartyNotices } from "./notices.mjs";
import { hostPlatform, NODE_VERSION, PLATFORMS } from "./platforms.mjs";
import { npmPart, writeSbom } from "./sbom.mjs";
import { writeTarball } from "./tarball.mjs";
import { version } from "./version.mjs";

/**
 * @typedef {object} Archive
 * @property {string} file its path
 * @property {string} platform
 * @property {boolean} ready users can run it; one for macOS has to be signed, which only macOS does
 */

/**
 * Builds the archives.
 *
 * @param {string} out the folder for them
 * @param {readonly import("./platforms.mjs").Platform[]} platforms
 * @returns {Promise<Archive[]>}
 */
export async function pluginArchives(out, platforms = PLATFORMS) {
  const host = hostPlatform();
  if (host === undefined) {
    throw new Problem(`The plugin can't be built on ${process.platform} with ${process.arch}.`);
  }
  mkdirSync(leftovers, { recursive: true });
  const work = mkdtempSync(join(leftovers, "plugin-build-"));
  mkdirSync(out, { recursive: true });
  try {
    return await buildIn(work, out, platforms, host);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * @param {string} work a folder of this build
 * @param {string} out
 * @param {readonly import("./platforms.mjs").Platform[]} platforms
 * @param {import("./platforms.mjs").Platform} host
 */
async function buildIn(work, out, platforms, host) {
  const bundle = join(work, "plugin.cjs");
  const packages = await step("Bundling the plugin", () => bundlePlugin(bundle));
  const builder = await nodeBinary(host);
  const license = await nodeLicense();
  /** @type {Archive[]} */
  const archives = [];
  for (const platform of platforms) {
    const directory = join(work, platform.name);
    mkdirSync(directory);
    const node = await step(`Node for ${platform.name}`, () => nodeBinary(platform));
    const isWindows = platform.host.startsWith("win32");
    const name = `pulumi-resource-buildpipeline${isWindows ? ".exe" : ""}`;
    const executable = join(directory, name);
    await step(`Plugin for ${platform.name}`, () =>
      build({
        builder,
        node,
        bundle,
        executable,
        isHost: platform === host,
      }),
    );
    const ready = await sign(platform, executable);
    if (platform === host) await mustServe(executable);
    writeFileSync(join(directory, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(packages, license));
    copyFileSync(join(checkout, "LICENSE"), join(directory, "LICENSE"));
    const file = join(out, `pulumi-resource-buildpipeline-v${version}-${platform.name}.tar.gz`);
    await step(`Archive for ${platform.name}`, () =>
      writeTarball(file, directory, [name, "LICENSE", "THIRD-PARTY-NOTICES.txt"]),
    );
    writeSbom(file, `pkg:generic/pulumi-resource-buildpipeline@${version}?platform=${platform.name}`, [
      ...packages.map(npmPart),
      { type: "platform", name: "Node.js", version: NODE_VERSION, purl: `pkg:generic/node@${NODE_VERSION}` },
    ]);
    archives.push({ file, platform: platform.name, ready });
  }
  return archives;
}

/** @param {{ builder: string, node: string, bundle: string, executable: string, isHost: boolean }} options */
async function build({ builder, node, bundle, executable, isHost }) {
  const settings = `${executable}.json`;
  writeFileSync(
    settings,
    JSON.stringify({
      // A relative path, because the executable contains it.
      main: basename(bundle),
      output: executable,
      executable: node,
      disableExperimentalSEAWarning: true,
      // Compiled code fits only the platform that compiled it.
      useCodeCache: isHost,
    }),
  );
  // V8's compiled code depends on the seed, so that with another one each build would be other bytes.
  await mustRun("Building the executable", builder, ["--random-seed=1", "--build-sea", settings], {
    cwd: dirname(bundle),
  });
  chmodSync(executable, 0o755);
}

/** Signs what needs it. @param {import("./platforms.mjs").Platform} platform @param {string} executable */
async function sign({ host }, executable) {
  if (!host.startsWith("darwin")) return true;
  if (process.platform !== "darwin") return false;
  await mustRun("Signing", "codesign", ["--force", "--sign", "-", executable]);
  return true;
}

/** The executable has to print its port without Node on the PATH; without its engine it ends. @param {string} executable */
async function mustServe(executable) {
  const ended = await run(executable, ["127.0.0.1:1"], { env: {}, timeout: 60_000 });
  if (!/^\d+\n$/.test(ended.stdout)) {
    throw new Problem(`${executable} doesn't start:\n${ended.output}`);
  }
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    const { values, positionals } = parseArgs({
      options: { out: { type: "string", default: "release" } },
      allowPositionals: true,
    });
    const unknown = positionals.filter((name) => !PLATFORMS.some((platform) => platform.name === name));
    if (unknown.length > 0) {
      const names = PLATFORMS.map(({ name }) => name).join(", ");
      throw new Problem(`Unknown platform ${unknown.join(", ")}. The platforms are ${names}.`);
    }
    const chosen = PLATFORMS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    for (const { file, ready } of await pluginArchives(resolve(values.out), chosen)) {
      const megabytes = (statSync(file).size / 1e6).toFixed(1);
      process.stdout.write(`${file} ${megabytes} MB${ready ? "" : ", not signed: build it on macOS"}\n`);
    }
  });
}
