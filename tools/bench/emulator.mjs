// How fast `buildpipeline emulator` answers single reads with its data file on: one process serves, this one asks.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Pool } from "undici";
import { checkout } from "../dev/checkout.mjs";
import { fill } from "./organization.mjs";
import { startEmulator } from "./stack.mjs";

const MOST_QUEUES_OF_A_CLUSTER = 50;
const CONNECTIONS = 16;
const ROUNDS = 3;

/**
 * @typedef {{ readsPerSecond: number, medianMs: number, slowestOfHundredMs: number }} Speed
 * @typedef {{ baseUrl: string, accessToken: string, paths: string[], end: () => Promise<void> }} Service
 * @typedef {{ few: number, many: number, kinds: Record<string, Speed>, single: { few: Speed, many: Speed },
 *   throughputRatio: number, latencyRatio: number }} EmulatorFigures
 */

/**
 * @param {number} seconds length of each round.
 * @returns {Promise<EmulatorFigures>}
 */
export async function measureEmulator(seconds) {
  const [few, many] = [10, 10_000];
  const directory = mkdtempSync(join(tmpdir(), "buildpipeline-bench-"));
  const small = await serve(join(directory, "few.db"), few);
  const large = await serve(join(directory, "many.db"), many);
  try {
    /** @type {Record<string, Speed>} */
    const kinds = {};
    for (const [name, paths] of Object.entries(readsOf(small)))
      kinds[name] = await rounds(small, paths, CONNECTIONS, seconds);
    // In turns, so that what else the machine does meets both alike.
    /** @type {{ few: Speed[], many: Speed[], fewAlone: Speed[], manyAlone: Speed[] }} */
    const turns = { few: [], many: [], fewAlone: [], manyAlone: [] };
    for (let round = 0; round < ROUNDS; round++) {
      turns.few.push(await read(small, small.paths, CONNECTIONS, seconds));
      turns.many.push(await read(large, large.paths, CONNECTIONS, seconds));
      turns.fewAlone.push(await read(small, small.paths, 1, seconds));
      turns.manyAlone.push(await read(large, large.paths, 1, seconds));
    }
    const single = { few: middle(turns.few), many: middle(turns.many) };
    const [fewAlone, manyAlone] = [middle(turns.fewAlone), middle(turns.manyAlone)];
    return {
      few,
      many,
      kinds,
      single: {
        few: { ...single.few, medianMs: fewAlone.medianMs, slowestOfHundredMs: fewAlone.slowestOfHundredMs },
        many: {
          ...single.many,
          medianMs: manyAlone.medianMs,
          slowestOfHundredMs: manyAlone.slowestOfHundredMs,
        },
      },
      throughputRatio: single.many.readsPerSecond / single.few.readsPerSecond,
      latencyRatio: manyAlone.medianMs / fewAlone.medianMs,
    };
  } finally {
    await small.end();
    await large.end();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @param {Service} service @returns {Record<string, string[]>} */
function readsOf({ paths }) {
  const [queue = ""] = paths;
  const organization = queue.slice(0, queue.indexOf("/clusters/"));
  return {
    "access token": ["/v2/access-token"],
    organization: [organization],
    cluster: [queue.slice(0, queue.indexOf("/queues/"))],
    queue: paths,
    "page of queues": [`${queue.slice(0, queue.lastIndexOf("/"))}?per_page=100`],
  };
}

/**
 * A service with so many queues, in clusters of up to 50, on a file of its own.
 *
 * @param {string} file @param {number} queues @returns {Promise<Service>}
 */
async function serve(file, queues) {
  const paths = await prepare(file, queues);
  const main = join(checkout, "dist", "commands", "main.js");
  const child = spawn(process.execPath, [main, "emulator", "--json", "--data", file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { baseUrl, accessToken } = JSON.parse(line);
    const end = async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    };
    return { baseUrl, accessToken, paths, end };
  }
  throw new Error("The emulator ended before it said where it is.");
}

/** @param {string} file @param {number} queues @returns {Promise<string[]>} the path of every queue. */
async function prepare(file, queues) {
  const emulator = await startEmulator({ data: file });
  const inEach = Math.min(queues, MOST_QUEUES_OF_A_CLUSTER);
  const entries = fill(emulator, { clusters: queues / inEach, queues: inEach, tokens: 0 });
  const clusters = `/v2/organizations/${emulator.organization}/clusters`;
  await emulator.close();
  return entries
    .filter(({ type }) => type.endsWith(":Queue"))
    .map(({ id, inputs }) => `${clusters}/${inputs.clusterId}/queues/${id}`);
}

/** @param {Service} service @param {string[]} paths @param {number} connections @param {number} seconds */
async function rounds(service, paths, connections, seconds) {
  const speeds = [];
  for (let round = 0; round < ROUNDS; round++) speeds.push(await read(service, paths, connections, seconds));
  return middle(speeds);
}

/**
 * Reads for some time over some connections, one request at a time on each.
 *
 * @param {Service} service @param {string[]} paths @param {number} connections @param {number} seconds
 * @returns {Promise<Speed>}
 */
async function read({ baseUrl, accessToken }, paths, connections, seconds) {
  const pool = new Pool(baseUrl, { connections });
  const headers = { authorization: `Bearer ${accessToken}` };
  /** @type {number[]} */
  const times = [];
  const one = async () => {
    const path = paths[Math.floor(Math.random() * paths.length)] ?? "";
    const { statusCode, body } = await pool.request({ method: "GET", path, headers });
    await body.arrayBuffer();
    if (statusCode !== 200) throw new Error(`GET ${path} was answered with ${statusCode}.`);
  };
  // The first requests open the connections and warm the code up.
  for (let index = 0; index < 50; index++) await one();
  const start = performance.now();
  const end = start + seconds * 1000;
  const worker = async () => {
    for (let now = performance.now(); now < end; ) {
      await one();
      const later = performance.now();
      times.push(later - now);
      now = later;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const elapsed = (performance.now() - start) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => times[Math.floor(times.length * share)] ?? 0;
  return { readsPerSecond: times.length / elapsed, medianMs: at(0.5), slowestOfHundredMs: at(0.99) };
}

/** The round in the middle. @param {Speed[]} speeds @returns {Speed} */
function middle(speeds) {
  const sorted = speeds.toSorted((a, b) => a.readsPerSecond - b.readsPerSecond);
  const found = sorted[Math.floor(sorted.length / 2)];
  if (found === undefined) throw new Error("There was no round.");
  return found;
}
