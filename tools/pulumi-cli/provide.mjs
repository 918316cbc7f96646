// Finds a Pulumi CLI for this checkout, or provides one. In this order: the one the checkout uses already, a recent one
// on the PATH, one that was built here before, the official download, a build from source.
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Problem } from "../problem.mjs";
import { say, step } from "../steps.mjs";
import { addToCache, cached } from "./cache.mjs";
import { download, NotDownloadable, official } from "./download.mjs";
import { buildCli, builtKey, hasGo, isBuilt } from "./from-source/build.mjs";
import { commandLink, pulumiRoot } from "./locate.mjs";
import { findOnPath } from "./on-path.mjs";
import { cacheDirectory, LEAST_VERSION, PROVIDED_VERSION, platform } from "./release.mjs";

/** @typedef {{ command: string, origin: "path" | "download" | "build", version: string }} Choice */

/** Named after the archive's checksum, so that nothing that came by another way stands in its place. */
const downloadedKey = `pulumi-${PROVIDED_VERSION}-${platform}-${official.sha256?.slice(0, 12)}`;
const choiceFile = join(pulumiRoot, "choice.json");

/** Makes sure that this checkout has a Pulumi CLI; `locate.mjs` tells where. */
export async function provideCli() {
  if (isCurrent(readChoice())) return;
  const choice = (await onPath()) ?? (await downloaded()) ?? (await built());
  if (choice === undefined) {
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
  use(choice);
}

/** @returns {Promise<Choice | undefined>} */
async function onPath() {
  const found = await findOnPath();
  return found === undefined ? undefined : { ...found, origin: "path" };
}

/** @returns {Promise<Choice | undefined>} */
async function downloaded() {
  // What was built here once is as good, and needs no network.
  if (cached(downloadedKey) === undefined && isBuilt()) return undefined;
  try {
    const directory = cached(downloadedKey) ?? (await downloadToCache());
    return { command: join(directory, "bin", "pulumi"), origin: "download", version: PROVIDED_VERSION };
  } catch (error) {
    if (!(error instanceof NotDownloadable)) throw error;
    say(`The official download cannot be used: ${error.message}`);
    return undefined;
  }
}

function downloadToCache() {
  return step(`Downloading Pulumi ${PROVIDED_VERSION}`, (report) =>
    addToCache(downloadedKey, (unfinished) => download(unfinished, report)),
  );
}

/** @returns {Promise<Choice | undefined>} */
async function built() {
  if (!isBuilt() && !(await hasGo())) return undefined;
  const directory = cached(builtKey()) ?? (await buildCli());
  return { command: join(directory, "bin", "pulumi"), origin: "build", version: PROVIDED_VERSION };
}

/** @returns {Choice | undefined} */
function readChoice() {
  try {
    return JSON.parse(readFileSync(choiceFile, "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {Choice | undefined} choice */
function isCurrent(choice) {
  if (choice === undefined || !commandLink.exists()) return false;
  const provided = [downloadedKey, builtKey()].map((key) => join(cacheDirectory(), key, "bin", "pulumi"));
  return choice.origin === "path" || provided.includes(choice.command);
}

/** Records the choice: a link to the command, put in place in one step. @param {Choice} choice */
function use(choice) {
  mkdirSync(dirname(commandLink.path), { recursive: true });
  const temporary = `${commandLink.path}.${process.pid}`;
  rmSync(temporary, { force: true });
  symlinkSync(choice.command, temporary);
  renameSync(temporary, commandLink.path);
  writeFileSync(choiceFile, `${JSON.stringify(choice, undefined, 2)}\n`);
  say(`Using Pulumi ${choice.version}: ${choice.command}`);
}
