// Which Pulumi CLI the project provides, and which ones it accepts.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The version that is downloaded or built. from-source/go/go.mod names the same one. */
export const PROVIDED_VERSION = "3.259.0";

/**
 * SHA-256 of that version's official archives (`pulumi-v<version>-<platform>.tar.gz`), by platform. They were taken from
 * Formula/pulumi.rb of github.com/pulumi/homebrew-tap, which is not where the archives come from.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const OFFICIAL_SHA256 = {
  "darwin-arm64": "57c27f179e527e2cf9f62b841a448af72a020e44b2fb4ee0d9bd85556c00c864",
  "darwin-x64": "eaca4c3b8277bfa3ab061fa3b270d1c66358a0b2e613da8c5587a04b7226c534",
  "linux-arm64": "edc8327463a72160bb36cf82cf5062da9c8a244290a706d9980988e7bf486853",
  "linux-x64": "94ba357acac23d01474084c4b00098dc0f7bc70ce13f34c777459254a5f718e5",
};

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
