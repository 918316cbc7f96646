// The official download. The SDK's `PulumiCommand.install` is no use here: it pipes a script from the download's own
// origin into a shell, without a checksum.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { projectNode } from "../checkout.mjs";
import { mustRun, run } from "../child.mjs";
import { Problem } from "../problem.mjs";
import { COMPANIONS, OFFICIAL_SHA256, PROVIDED_VERSION, platform } from "./release.mjs";

const fetcher = fileURLToPath(new URL("fetch.mjs", import.meta.url));

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
 * @param {(detail: string) => void} report
 * @param {{ directory: string, sha256: string | undefined }} [source]
 * @throws {NotDownloadable} when the archive cannot be had
 * @throws {Problem} when what came is not what was pinned
 */
export async function download(directory, report, source = official) {
  if (source.sha256 === undefined) throw new NotDownloadable(`no archive is pinned for ${platform}`);
  const archive = `pulumi-v${PROVIDED_VERSION}-${platform}.tar.gz`;
  const address = `${source.directory}/${archive}`;
  const file = join(directory, archive);
  const fetched = await run(projectNode(), [fetcher, address, file], { onLine: report });
  if (fetched.code !== 0) {
    throw new NotDownloadable(`${address}: ${fetched.output.trimEnd().split("\n").at(-1)}`);
  }
  const actual = await sha256Of(file);
  if (actual !== source.sha256) {
    await rm(file);
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
  report("unpacking");
  const wanted = ["pulumi", ...COMPANIONS].map((name) => `pulumi/${name}`);
  await mustRun("Unpacking Pulumi", "tar", ["-xzf", file, "-C", directory, ...wanted]);
  await rename(join(directory, "pulumi"), join(directory, "bin"));
  await rm(file);
}

/** @param {string} file @returns {Promise<string>} In hexadecimal digits. */
async function sha256Of(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
