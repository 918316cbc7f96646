// The same deployment with its state in a directory and in a bucket.
import { s3Server, startBucket } from "../../test/support/s3-bucket.mjs";
import { program } from "./engine.mjs";
import { dynamic } from "./stack.mjs";
import { inTurns, openStack } from "./turns.mjs";

/**
 * @typedef {"directory" | "bucket" | "bucket, 30 ms a request"} Place
 * @typedef {{ resources: number, bucketRequests: Record<Place, number>, commands: import("./turns.mjs").Figures<Place> }}
 *   StateFigures
 */

/** Milliseconds of each request to a bucket. @type {readonly (readonly [Place, number])[]} */
const BUCKETS = [
  ["bucket", 0],
  ["bucket, 30 ms a request", 30],
];
const ROUNDS = 2;

/** @type {Parameters<typeof inTurns>[1]} */
const COMMANDS = {
  create: (stack) => stack.up(),
  "unchanged up": (stack) => stack.up({ expectNoChanges: true }),
  destroy: (stack) => stack.destroy(),
};

/** @param {readonly number[]} sizes @returns {Promise<StateFigures[]>} */
export async function measureState(sizes) {
  if (s3Server === undefined)
    throw new Error(
      "Run `node tools/dev/provided-commands.mjs versitygw` first, which installs an S3 server.",
    );
  const figures = [];
  for (const size of sizes) figures.push(await measureSize(size, s3Server));
  return figures;
}

/** @param {number} resources @param {string} server @returns {Promise<StateFigures>} */
async function measureSize(resources, server) {
  const run = () => program(resources, dynamic);
  /** @type {import("./turns.mjs").Subject<Place>[]} */
  const stacks = [await openStack("directory", run)];
  const buckets = [];
  let requests = 0;
  for (const [place, delayMs] of BUCKETS) {
    const bucket = await startBucket(server);
    bucket.delayMs = delayMs;
    bucket.fault = () => {
      requests += 1;
      return undefined;
    };
    buckets.push(bucket);
    stacks.push(await openStack(place, run, bucket.environment));
  }
  const bucketRequests = { directory: 0, bucket: 0, "bucket, 30 ms a request": 0 };
  try {
    requests = 0;
    const commands = await inTurns(stacks, COMMANDS, ROUNDS, (command, { name }) => {
      if (command === "create") bucketRequests[name] = requests;
      requests = 0;
    });
    return { resources, bucketRequests, commands };
  } finally {
    for (const bucket of buckets) bucket.close();
  }
}
