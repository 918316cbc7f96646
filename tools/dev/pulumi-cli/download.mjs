// The official download. The SDK's `PulumiCommand.install` is no use here: it pipes a script from the download's own
// origin into a shell, without a checksum.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EnvHttpProxyAgent, fetch } from "undici";
import { mustRun, Problem } from "../command.mjs";
import { COMPANIONS, OFFICIAL_SHA256, PROVIDED_VERSION, platform } from "./release.mjs";

/** The official download is not to be had here: no network, or no archive for this platform. Something else may work. */
export class NotDownloadable extends Error {}

/** Where this platform's archive is published, and what it has to be. */
export const official = {
  directory: "https://get.pulumi.com/releases/sdk",
  /** @type {string | undefined} Absent: this platform has no pinned archive, and nothing is downloaded. */
  sha256: OFFICIAL_SHA256[platform],
};

/**
 * Downloads the CLI and its companions into `directory`/bin. What does not have the pinned checksum is neither unpacked
 * nor kept.
 *
 * @param {string} directory An empty directory.
 * @param {{ directory: string, sha256: string | undefined }} [source]
 * @throws {NotDownloadable} when the archive cannot be had
 * @throws {Problem} when what came is not what was pinned
 */
export async function download(directory, source = official) {
  if (source.sha256 === undefined) throw new NotDownloadable(`no archive is pinned for ${platform}`);
  const archive = `pulumi-v${PROVIDED_VERSION}-${platform}.tar.gz`;
  const address = `${source.directory}/${archive}`;
  const file = join(directory, archive);
  try {
    await fetchInto(address, file);
  } catch (error) {
    throw new NotDownloadable(`${address}: ${reason(error)}`);
  }
  const actual = createHash("sha256").update(readFileSync(file)).digest("hex");
  if (actual !== source.sha256) {
    rmSync(file);
    throw new Problem(
      [
        `${address} is not the archive that this project expects: its SHA-256 is`,
        `  ${actual}, not`,
        `  ${source.sha256}.`,
        "Nothing of it was run. Something between here and there may have changed it. Install Pulumi yourself",
        "(https://www.pulumi.com/docs/install/) and try again.",
      ].join("\n"),
    );
  }
  const wanted = ["pulumi", ...COMPANIONS].map((name) => `pulumi/${name}`);
  await mustRun("Unpacking Pulumi", "tar", ["-xzf", file, "-C", directory, ...wanted]);
  renameSync(join(directory, "pulumi"), join(directory, "bin"));
  rmSync(file);
}

/** Fetches through the proxy that the environment names. An offline machine must not wait. @param {string} address @param {string} file */
async function fetchInto(address, file) {
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: 8_000 },
    headersTimeout: 8_000,
    bodyTimeout: 30_000,
  });
  const response = await fetch(address, { dispatcher });
  if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
  await writeFile(file, response.body);
}

/** @param {unknown} error */
function reason(error) {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
