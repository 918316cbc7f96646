// Finds a Pulumi CLI for this checkout, or provides one. In this order: the one the checkout uses already, a recent one
// on the PATH, the official download, a build from source. Run by tools/dev/setup.mjs, on the project's Node.
import { existsSync, mkdirSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { checkout, installedCommands } from "../checkout.mjs";
import { Problem, run, runMain, say, step } from "../command.mjs";
import { onInterruption } from "../interruption.mjs";
import { isAtLeast } from "../versions.mjs";
import { addToCache, cached } from "./cache.mjs";
import { download, NotDownloadable, official } from "./download.mjs";
import { buildCli, builtKey, hasGo, isBuilt } from "./from-source/build.mjs";
import { commandLink } from "./locate.mjs";
import { COMPANIONS, cacheDirectory, LEAST_VERSION, PROVIDED_VERSION, platform } from "./release.mjs";

/** Named after the archive's checksum, so that nothing that came by another way stands in its place. */
const downloadedKey = `pulumi-${PROVIDED_VERSION}-${platform}-${official.sha256?.slice(0, 12)}`;

await runMain(async () => {
  if (isCurrent()) return;
  const unwatch = onInterruption(() => process.exit(1));
  const command = (await onPath()) ?? (await downloaded()) ?? (await built());
  unwatch();
  if (command === undefined) {
    throw new Problem(
      [
        `Pulumi ${LEAST_VERSION} or later is needed and could not be provided: the official download cannot be used`,
        "here, and there is no Go to build it with. Any one of these helps:",
        "  - install Pulumi (https://www.pulumi.com/docs/install/) so that `pulumi version` works in this shell;",
        "  - install Go (https://go.dev/doc/install) for a build from source, which takes some minutes once;",
        "  - give this machine access to get.pulumi.com, or name its proxy in HTTPS_PROXY.",
      ].join("\n"),
    );
  }
  mkdirSync(dirname(commandLink), { recursive: true });
  const temporary = `${commandLink}.${process.pid}`;
  rmSync(temporary, { force: true });
  symlinkSync(command, temporary);
  renameSync(temporary, commandLink);
  say(`Using Pulumi: ${command}`);
});

/** Whether the link leads to a command, and to the current one if it was provided. */
function isCurrent() {
  if (!existsSync(commandLink)) return false;
  const command = readlinkSync(commandLink);
  const provided = [downloadedKey, builtKey()].map((key) => join(cacheDirectory(), key, "bin", "pulumi"));
  return !command.startsWith(cacheDirectory()) || provided.includes(command);
}

/** Returns the CLI on the PATH. The launcher among the dependencies would download one without a checksum. */
async function onPath() {
  /** @type {typeof import("../../../src/cli/pulumi/executable.js")} */
  const { findPulumi } = createRequire(import.meta.url)(
    join(checkout, "dist", "cli", "pulumi", "executable.js"),
  );
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== installedCommands);
  const found = findPulumi({ ...process.env, PATH: path.join(delimiter) });
  if ("missing" in found) return undefined;
  const command = found.file;
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const { stdout } = await run(command, ["version"], { env, timeout: 30_000 });
  const folders = [dirname(realpathSync(command)), ...path];
  const has = (/** @type {string} */ name) =>
    folders.some((folder) => ["", ".exe", ".cmd"].some((ending) => existsSync(join(folder, name + ending))));
  if (!isAtLeast(stdout.trim(), LEAST_VERSION)) {
    say(`Not using ${command}: its version is ${stdout.trim() || "unknown"}, older than ${LEAST_VERSION}.`);
  } else if (!COMPANIONS.every(has)) {
    say(`Not using ${command}: it comes without ${COMPANIONS.join(" or ")}.`);
  } else {
    return command;
  }
  return undefined;
}

async function downloaded() {
  // What was built here once is as good, and needs no network.
  if (cached(downloadedKey) === undefined && isBuilt()) return undefined;
  try {
    const directory =
      cached(downloadedKey) ??
      (await step(`Downloading Pulumi ${PROVIDED_VERSION}`, () => addToCache(downloadedKey, download)));
    return join(directory, "bin", "pulumi");
  } catch (error) {
    if (!(error instanceof NotDownloadable)) throw error;
    say(`The official download cannot be used: ${error.message}`);
    return undefined;
  }
}

async function built() {
  if (!isBuilt() && !(await hasGo())) return undefined;
  return join(cached(builtKey()) ?? (await buildCli()), "bin", "pulumi");
}
