// Which Pulumi CLI the project provides, and which ones it accepts.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The version that is downloaded or built. tools/pulumi-cli/go/go.mod names the same one. */
export const PROVIDED_VERSION = "3.259.0";

/**
 * The oldest Pulumi on the PATH that is used. The package itself works with SDKs from 3.216 on (the first in which a
 * provider's `read` can return inputs); import files that carry inputs and outputs, which the tests and `buildpipeline
 * adopt` need, work from this CLI version on.
 */
export const LEAST_VERSION = "3.254.0";

/** The operating system and processor, as the official archives name them. */
export const platform = `${process.platform}-${process.arch}`;

/** What a Pulumi CLI needs next to it to run the programs of this project. */
export const COMPANIONS = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/** Where provided CLIs are kept: outside the checkout, so that every checkout shares them. */
export function cacheDirectory() {
  const configured = process.env.XDG_CACHE_HOME;
  const base = configured !== undefined && isAbsolute(configured) ? configured : join(homedir(), ".cache");
  return join(base, "pulumi-buildpipeline");
}

/** @param {string} version e.g. `v3.259.0` @param {string} least e.g. `3.254.0` */
export function isAtLeast(version, least) {
  const numbers = (/** @type {string} */ text) =>
    text.replace(/^v/, "").split(/[.+-]/).slice(0, 3).map(Number);
  const [own, wanted] = [numbers(version), numbers(least)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (own[index] ?? 0) - (wanted[index] ?? 0);
    if (Number.isNaN(difference)) return false;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
