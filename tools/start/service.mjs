// The emulator, in this process: when `npm start` ends, in whatever way, the emulator has ended too.
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { checkout, leftovers } from "../checkout.mjs";
import { Problem } from "../problem.mjs";
import { say } from "../steps.mjs";

/** Always the same where it is free, so that settings in other terminals stay right. */
const PORT = 8484;

/** Starts the emulator with its data in a file of the checkout and without the seeded examples. */
export async function startService() {
  mkdirSync(leftovers, { recursive: true });
  /** @type {typeof import("../../src/emulator/index.js")} */
  const { startEmulator } = createRequire(import.meta.url)(join(checkout, "dist", "emulator", "index.js"));
  const options = { data: join(leftovers, "emulator.jsonl"), seed: false };
  try {
    return await startEmulator({ ...options, port: PORT });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The emulator's own refusals, of data in use by another `npm start` for one, say what to do.
    if (!("code" in error && error.code === "EADDRINUSE")) throw new Problem(error.message);
  }
  say(`Port ${PORT} is taken by another program; using a free one this time.`);
  return startEmulator(options);
}
