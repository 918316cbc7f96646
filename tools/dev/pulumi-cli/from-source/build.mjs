// The CLI, built from its Go modules where the official download cannot be had. go/go.mod and go/go.sum pin every module
// of the build. What such a build lacks comes from beside this file and from the SDK.
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, linkSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkout } from "../../checkout.mjs";
import { mustRun, run, say, step } from "../../command.mjs";
import { addToCache, cached } from "../cache.mjs";
import { PROVIDED_VERSION, platform } from "../release.mjs";

const modules = fileURLToPath(new URL("go", import.meta.url));
const PACKAGE = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const TAGS = "osusergo,grpcnotrace";
const LINKER_FLAGS = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${PROVIDED_VERSION}`;

const engineKey = `pulumi-${PROVIDED_VERSION}-${platform}-built`;

/** What stands next to `pulumi` to run Node programs: its name there, and where it comes from. */
const companions = [
  {
    name: "pulumi-language-nodejs",
    source: fileURLToPath(new URL("language-host.cjs", import.meta.url)),
  },
  {
    name: "pulumi-resource-pulumi-nodejs",
    source: join(checkout, "node_modules", "@pulumi", "pulumi", "pulumi-resource-pulumi-nodejs"),
  },
];

/** The cache's entry of the CLI with its companions, whose content is in the name. */
export function builtKey() {
  const hash = createHash("sha256");
  for (const { name, source } of companions) hash.update(`${name}\0`).update(readFileSync(source));
  return `${engineKey}-${hash.digest("hex").slice(0, 12)}`;
}

/** Whether the engine was built before: its companions are then added without Go and without a network. */
export function isBuilt() {
  return cached(engineKey) !== undefined;
}

/** Whether this machine has Go. */
export async function hasGo() {
  return (await run("go", ["version"], { timeout: 30_000 })).code === 0;
}

/** Builds the CLI, or what is not in the cache of it. @returns {Promise<string>} The directory that has bin/pulumi. */
export async function buildCli() {
  const engine = join(cached(engineKey) ?? (await buildEngine()), "bin", "pulumi");
  return addToCache(builtKey(), (unfinished) => {
    const bin = join(unfinished, "bin");
    mkdirSync(bin);
    // A hard link, not a symbolic one: the engine looks for its companions next to its own resolved path.
    linkSync(engine, join(bin, "pulumi"));
    for (const { name, source } of companions) {
      copyFileSync(source, join(bin, name));
      chmodSync(join(bin, name), 0o755);
    }
  });
}

function buildEngine() {
  return step(`Building Pulumi ${PROVIDED_VERSION} from source (once, some minutes)`, () =>
    addToCache(engineKey, async (unfinished) => {
      mkdirSync(join(unfinished, "bin"));
      const GOFLAGS = `${process.env.GOFLAGS ?? ""} -mod=readonly -buildvcs=false -tags=${TAGS}`.trim();
      const options = { cwd: modules, env: { ...process.env, GOFLAGS, GOWORK: "off" } };
      const go = (/** @type {string[]} */ args, onLine = (/** @type {string} */ _line) => {}) =>
        mustRun("Building Pulumi from source", "go", args, { ...options, onLine });
      say("  downloading its modules");
      const stale = await go(["list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}", PACKAGE]);
      const total = stale.split("\n").filter((line) => line !== "").length;
      const output = join(unfinished, "bin", "pulumi");
      let compiled = 0;
      // Prints the name of each package that it compiles. The last one, which it links, takes the longest.
      await go(["build", "-v", "-o", output, "-ldflags", LINKER_FLAGS, PACKAGE], () => {
        compiled += 1;
        if (compiled % 100 === 0 || compiled === total) say(`  ${compiled} of ${total} packages`);
      });
    }),
  );
}
