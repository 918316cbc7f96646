// The official Node of a platform, from npm's registry, checked against the pinned integrity.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { mustRun, Problem } from "../dev/command.mjs";
import { addToCache, cached } from "../dev/pulumi-cli/cache.mjs";
import { NODE_VERSION, PLATFORMS } from "./platforms.mjs";

/**
 * Returns the path of a platform's Node.
 *
 * @param {import("./platforms.mjs").Platform} platform
 */
export async function nodeBinary(platform) {
  const isWindows = platform.host.startsWith("win32");
  return fileOf(platform, isWindows ? /(?:^|[\\/])node\.exe$/ : /(?:^|\/)bin\/node$/);
}

/** Returns the path of Node's license, which not every platform's package has: it is the same on each. */
export async function nodeLicense() {
  const linux = PLATFORMS.find(({ host }) => host === "linux-x64");
  if (linux === undefined) throw new Problem("Node's license comes with its package for Linux.");
  return fileOf(linux, /(?:^|[\\/])LICENSE$/);
}

/** @param {import("./platforms.mjs").Platform} platform @param {RegExp} pattern */
async function fileOf({ nodePackage, integrity }, pattern) {
  const key = `${nodePackage}-${NODE_VERSION}`;
  const directory =
    cached(key) ?? (await addToCache(key, (unfinished) => unpack(nodePackage, integrity, unfinished)));
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const file = files.find((path) => pattern.test(path));
  if (file === undefined) throw new Problem(`${nodePackage} ${NODE_VERSION} has no file ${pattern}.`);
  return join(directory, file);
}

/** @param {string} name @param {string} integrity @param {string} directory */
async function unpack(name, integrity, directory) {
  const packed = ["pack", `${name}@${NODE_VERSION}`, "--pack-destination", directory, "--silent"];
  await mustRun(`Downloading ${name}`, "npm", packed);
  const tarball = `${name}-${NODE_VERSION}.tgz`;
  const found = `sha512-${createHash("sha512")
    .update(readFileSync(join(directory, tarball)))
    .digest("base64")}`;
  if (found !== integrity) {
    throw new Problem(`${name}@${NODE_VERSION} isn't the pinned package: its integrity is ${found}.`);
  }
  await mustRun(`Unpacking ${name}`, "tar", ["-xzf", tarball, "--strip-components", "1"], { cwd: directory });
  rmSync(join(directory, tarball));
}
