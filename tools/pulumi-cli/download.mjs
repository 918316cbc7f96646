// The official download.
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { mustRun } from "../child.mjs";
import { Problem } from "../problem.mjs";
import { COMPANIONS, PROVIDED_VERSION, platform } from "./release.mjs";

const OFFICIAL = "https://get.pulumi.com/releases/sdk";
/** An offline machine must not wait. */
const ANSWER_WITHIN_MS = 8_000;
const SILENCE_AT_MOST_MS = 30_000;

/** The official download is not to be had here: no network, or no archive for this platform. Something else may work. */
export class NotDownloadable extends Error {}

/**
 * Downloads the CLI and its companions into `directory`/bin.
 *
 * @param {string} directory An empty directory.
 * @param {(detail: string) => void} report
 * @param {string} [from] The address that has the archives and their checksums.
 * @throws {NotDownloadable} when the address cannot be reached or has no such archive
 * @throws {Problem} when what came is not what was published
 */
export async function download(directory, report, from = OFFICIAL) {
  const archive = `pulumi-v${PROVIDED_VERSION}-${platform}.tar.gz`;
  const file = join(directory, archive);
  const checksum = await publishedChecksum(`${from}/pulumi-${PROVIDED_VERSION}-checksums.txt`, archive);
  const actual = await fetchInto(file, `${from}/${archive}`, report);
  if (checksum !== undefined && checksum !== actual) {
    throw new Problem(
      `The archive from ${from}/${archive} does not have the published checksum. Install Pulumi yourself (see https://www.pulumi.com/docs/install/) and try again.`,
    );
  }
  report("unpacking");
  const wanted = ["pulumi", ...COMPANIONS].map((name) => `pulumi/${name}`);
  await mustRun("Unpacking Pulumi", "tar", ["-xzf", file, "-C", directory, ...wanted]);
  await rename(join(directory, "pulumi"), join(directory, "bin"));
  await rm(file);
}

/**
 * @param {string} address @param {string} archive
 * @returns {Promise<string | undefined>} Absent when the publisher has no checksums for this version.
 */
async function publishedChecksum(address, archive) {
  const { response, settle } = await open(address);
  if (response === undefined) return undefined;
  try {
    const line = (await response.text()).split("\n").find((text) => text.trim().endsWith(archive));
    return line?.trim().split(/\s+/)[0];
  } catch (error) {
    throw new NotDownloadable(`${address}: ${reason(error)}`);
  } finally {
    settle();
  }
}

/**
 * @param {string} file @param {string} address @param {(detail: string) => void} report
 * @returns {Promise<string>} The SHA-256 of what came, in hexadecimal digits.
 */
async function fetchInto(file, address, report) {
  const { response, progress, settle } = await open(address);
  if (response?.body == null) throw new NotDownloadable(`${address} does not exist`);
  const size = Number(response.headers.get("content-length") ?? 0);
  const hash = createHash("sha256");
  let received = 0;
  try {
    await mkdir(join(file, ".."), { recursive: true });
    await pipeline(
      Readable.fromWeb(/** @type {import("node:stream/web").ReadableStream} */ (response.body)),
      async function* (chunks) {
        for await (const chunk of chunks) {
          progress();
          hash.update(chunk);
          received += chunk.length;
          report(size > 0 ? `${megabytes(received)} of ${megabytes(size)} MB` : `${megabytes(received)} MB`);
          yield chunk;
        }
      },
      createWriteStream(file),
    );
  } catch (error) {
    throw new NotDownloadable(`${address}: ${reason(error)}`);
  } finally {
    settle();
  }
  return hash.digest("hex");
}

/**
 * Requests an address and watches over the answer: it has to begin soon and must not fall silent.
 *
 * @param {string} address
 * @returns {Promise<{ response: Response | undefined, progress: () => void, settle: () => void }>} No response: not there.
 */
async function open(address) {
  const stop = new AbortController();
  let timer = setTimeout(
    () => stop.abort(new Error(`no answer within ${ANSWER_WITHIN_MS / 1000} s`)),
    ANSWER_WITHIN_MS,
  );
  const progress = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stop.abort(new Error("the connection fell silent")), SILENCE_AT_MOST_MS);
  };
  const settle = () => clearTimeout(timer);
  try {
    const response = await fetch(address, { signal: stop.signal });
    progress();
    if (response.ok) return { response, progress, settle };
    await response.body?.cancel();
    settle();
    // An object store says 403 for what is not there.
    if (response.status === 404 || response.status === 403) return { response: undefined, progress, settle };
    throw new Error(`status ${response.status}`);
  } catch (error) {
    settle();
    throw new NotDownloadable(`${address}: ${reason(error)}`);
  }
}

/** @param {unknown} error */
function reason(error) {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** @param {number} bytes */
function megabytes(bytes) {
  return Math.round(bytes / 1_000_000);
}
