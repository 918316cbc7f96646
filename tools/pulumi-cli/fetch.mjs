// Fetches an address into a file, through the proxy that the environment names (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
//
//   node tools/pulumi-cli/fetch.mjs <address> <file>      on the project's Node, with the dependencies installed
//
// Standard output says how far it is; the last line of standard error, why it failed.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { EnvHttpProxyAgent, fetch } from "undici";

/** An offline machine must not wait. */
const ANSWER_WITHIN_MS = 8_000;
const SILENCE_AT_MOST_MS = 30_000;

const [address = "", file = ""] = process.argv.slice(2);
try {
  await fetchInto(address, file);
} catch (error) {
  process.stderr.write(`${reason(error)}\n`);
  process.exitCode = 1;
}

/** @param {string} address @param {string} file */
async function fetchInto(address, file) {
  const dispatcher = new EnvHttpProxyAgent({ bodyTimeout: SILENCE_AT_MOST_MS });
  const stop = new AbortController();
  const timer = setTimeout(
    () => stop.abort(new Error(`no answer within ${ANSWER_WITHIN_MS / 1000} s`)),
    ANSWER_WITHIN_MS,
  );
  const response = await fetch(address, { dispatcher, signal: stop.signal }).finally(() =>
    clearTimeout(timer),
  );
  if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
  const size = Number(response.headers.get("content-length") ?? 0);
  let received = 0;
  await pipeline(
    Readable.fromWeb(response.body),
    async function* (chunks) {
      for await (const chunk of chunks) {
        received += chunk.length;
        console.log(`${megabytes(received)}${size > 0 ? ` of ${megabytes(size)}` : ""} MB`);
        yield chunk;
      }
    },
    createWriteStream(file),
  );
  await dispatcher.close();
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
