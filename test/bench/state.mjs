// The same deployment with its state in a directory and in a bucket.
import { s3Server, startBucket } from "../s3-bucket.mjs";
import { program } from "./engine.mjs";
import { dynamic, makeStack, openScene } from "./stack.mjs";

/**
 * @typedef {keyof typeof places} Place
 * @typedef {Record<Place, number>} OfPlaces
 * @typedef {{ resources: number, bucketRequests: OfPlaces, seconds: Record<"create" | "unchanged up" | "destroy", OfPlaces> }}
 *   StateFigures
 */

/** Milliseconds of each request to a bucket; undefined for a directory. */
const places = { directory: undefined, bucket: 0, "bucket, 30 ms a request": 30 };
/** The fastest of so many rounds counts, the places in turns, because other work on the machine only adds time. */
const ROUNDS = 2;

const commands = /** @type {const} */ ({
  create: (/** @type {import("@pulumi/pulumi/automation/index.js").Stack} */ stack) => stack.up(),
  "unchanged up": (/** @type {import("@pulumi/pulumi/automation/index.js").Stack} */ stack) =>
    stack.up({ expectNoChanges: true }),
  destroy: (/** @type {import("@pulumi/pulumi/automation/index.js").Stack} */ stack) => stack.destroy(),
});

/** @param {readonly number[]} sizes @returns {Promise<StateFigures[]>} */
export async function measureState(sizes) {
  if (s3Server === undefined)
    throw new Error("Run `node tools/provided-commands.mjs versitygw` first, which installs an S3 server.");
  const figures = [];
  for (const size of sizes) figures.push(await measureSize(size, s3Server));
  return figures;
}

/** @param {number} resources @param {string} server @returns {Promise<StateFigures>} */
async function measureSize(resources, server) {
  const stacks = [];
  for (const [place, delayMs] of /** @type {[Place, number | undefined][]} */ (Object.entries(places))) {
    const scene = await openScene();
    const bucket = delayMs === undefined ? undefined : await startBucket(server);
    const counted = { requests: 0 };
    if (bucket !== undefined) {
      bucket.delayMs = delayMs ?? 0;
      bucket.fault = () => {
        counted.requests += 1;
        return undefined;
      };
    }
    const run = async () => program(resources, dynamic);
    const stack = await makeStack(scene, run, bucket?.environment);
    stacks.push({ place, scene, bucket, counted, stack });
  }
  const none = { directory: Infinity, bucket: Infinity, "bucket, 30 ms a request": Infinity };
  /** @type {StateFigures} */
  const figures = {
    resources,
    bucketRequests: { directory: 0, bucket: 0, "bucket, 30 ms a request": 0 },
    seconds: { create: { ...none }, "unchanged up": { ...none }, destroy: { ...none } },
  };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of /** @type {(keyof typeof commands)[]} */ (Object.keys(commands))) {
        for (const { place, counted, stack } of round % 2 === 0 ? stacks : stacks.toReversed()) {
          counted.requests = 0;
          const start = performance.now();
          await commands[name](stack);
          const seconds = (performance.now() - start) / 1000;
          if (name === "create") figures.bucketRequests[place] = counted.requests;
          figures.seconds[name][place] = Math.min(figures.seconds[name][place], seconds);
        }
      }
    }
  } finally {
    for (const { scene, bucket } of stacks) {
      await scene.close();
      bucket?.close();
    }
  }
  return figures;
}
