// Finds a Pulumi CLI for this checkout, or provides one. In this order: the one the checkout uses already, a recent one
// on the PATH, one in the cache, the official download, a build from source.
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkout } from "../checkout.mjs";
import { Problem } from "../problem.mjs";
import { say, step } from "../steps.mjs";
import { addToCache, cached } from "./cache.mjs";
import { download, NotDownloadable } from "./download.mjs";
import { buildFromModules, fetchModules, hasGo } from "./go-build.mjs";
import { commandLink, pulumiRoot } from "./locate.mjs";
import { findOnPath } from "./on-path.mjs";
import { LEAST_VERSION, PROVIDED_VERSION, platform } from "./release.mjs";

/**
 * @typedef {"path" | "download" | "build"} Origin
 * @typedef {{ command: string, origin: Origin, version: string }} Choice
 */

const officialKey = `pulumi-${PROVIDED_VERSION}-${platform}-official`;
const builtKey = `pulumi-${PROVIDED_VERSION}-${platform}-built`;
const choiceFile = join(pulumiRoot, "choice.json");

/** The parts that a CLI built from source gets from this checkout: name next to `pulumi`, and where it comes from. */
const companions = [
  {
    name: "pulumi-language-nodejs",
    source: join(dirname(fileURLToPath(import.meta.url)), "language-host.cjs"),
  },
  {
    name: "pulumi-resource-pulumi-nodejs",
    source: join(checkout, "node_modules", "@pulumi", "pulumi", "pulumi-resource-pulumi-nodejs"),
  },
];

/** Makes sure that this checkout has a Pulumi CLI; `locate.mjs` tells where. */
export async function provideCli() {
  if (isCurrent(readChoice())) return;
  const choice = (await onPath()) ?? (await official()) ?? (await built());
  if (choice === undefined) {
    throw new Problem(
      [
        `Pulumi ${LEAST_VERSION} or later is needed and could not be provided: the official download cannot be reached`,
        "from here, and there is no Go to build it with. Any one of these helps:",
        "  - install Pulumi (https://www.pulumi.com/docs/install/) so that `pulumi version` works in this shell;",
        "  - install Go (https://go.dev/doc/install) for a build from source, which takes some minutes once;",
        "  - give this machine access to get.pulumi.com.",
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
async function official() {
  // What was built here once is as good, and needs no network.
  if (cached(officialKey) === undefined && cached(builtKey) !== undefined) return undefined;
  try {
    const directory = cached(officialKey) ?? (await downloadOfficial());
    return { command: join(directory, "bin", "pulumi"), origin: "download", version: PROVIDED_VERSION };
  } catch (error) {
    if (!(error instanceof NotDownloadable)) throw error;
    say(`The official download cannot be used: ${error.message}`);
    return undefined;
  }
}

function downloadOfficial() {
  return step(`Downloading Pulumi ${PROVIDED_VERSION}`, (report) =>
    addToCache(officialKey, (unfinished) => download(unfinished, report)),
  );
}

/** @returns {Promise<Choice | undefined>} */
async function built() {
  if (cached(builtKey) === undefined && !(await hasGo())) return undefined;
  const engine = join(cached(builtKey) ?? (await buildEngine()), "bin", "pulumi");
  const key = `${builtKey}-${companionsHash()}`;
  const directory =
    cached(key) ??
    (await addToCache(key, (unfinished) => {
      const bin = join(unfinished, "bin");
      mkdirSync(bin);
      // A hard link, not a symbolic one: the engine looks for its companions next to its own resolved path.
      linkSync(engine, join(bin, "pulumi"));
      for (const { name, source } of companions) {
        copyFileSync(source, join(bin, name));
        chmodSync(join(bin, name), 0o755);
      }
    }));
  return { command: join(directory, "bin", "pulumi"), origin: "build", version: PROVIDED_VERSION };
}

async function buildEngine() {
  await step(`Fetching the source of Pulumi ${PROVIDED_VERSION}`, fetchModules);
  return step(`Building Pulumi ${PROVIDED_VERSION} from source (once, some minutes)`, (report) =>
    addToCache(builtKey, (unfinished) => buildFromModules(unfinished, report)),
  );
}

function companionsHash() {
  const hash = createHash("sha256");
  for (const { name, source } of companions) hash.update(`${name}\0`).update(readFileSync(source));
  return hash.digest("hex").slice(0, 12);
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
  if (choice.origin === "path") return true;
  if (choice.version !== PROVIDED_VERSION) return false;
  return choice.origin === "download" || choice.command.includes(`${builtKey}-${companionsHash()}`);
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
