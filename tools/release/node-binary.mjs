// The official Node of a platform, from npm's registry, checked against the pinned integrity.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { leftovers } from "../dev/checkout.mjs";
import { mustRun, Problem } from "../dev/command.mjs";
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
  const directory = join(leftovers, "node", `${nodePackage}-${NODE_VERSION}`);
  if (!existsSync(directory)) await unpack(nodePackage, integrity, directory);
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const file = files.find((path) => pattern.test(path));
  if (file === undefined) throw new Problem(`${nodePackage} ${NODE_VERSION} has no file ${pattern}.`);
  return join(directory, file);
}

/** @param {string} name @param {string} integrity @param {string} directory */
async function unpack(name, integrity, directory) {
  const partial = `${directory}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    const packed = ["pack", `${name}@${NODE_VERSION}`, "--pack-destination", partial, "--silent"];
    await mustRun(`Downloading ${name}`, "npm", packed);
    const tarball = `${name}-${NODE_VERSION}.tgz`;
    const found = `sha512-${createHash("sha512")
      .update(readFileSync(join(partial, tarball)))
      .digest("base64")}`;
    if (found !== integrity) {
      throw new Problem(`${name}@${NODE_VERSION} isn't the pinned package: its integrity is ${found}.`);
    }
    await mustRun(`Unpacking ${name}`, "tar", ["-xzf", tarball, "--strip-components", "1"], { cwd: partial });
    renameSync(partial, directory);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
