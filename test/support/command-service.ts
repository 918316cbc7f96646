import { afterEach, beforeEach } from "vitest";
import type { BuildPipelineClient } from "../../src/client/index.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";
import { clientOf, Scratch } from "./command.js";

/** The empty service of a test, a client of it, and a directory for the test's files. */
export let emulator: Emulator;
export let client: BuildPipelineClient;
export let scratch: Scratch;

export function serviceForEach(): void {
  beforeEach(async () => {
    scratch = new Scratch();
    await open({});
  });
  afterEach(async () => {
    scratch.remove();
    await close();
  });
}

export async function restart(options: EmulatorOptions): Promise<void> {
  await close();
  await open(options);
}

async function open(options: EmulatorOptions): Promise<void> {
  emulator = await startEmulator({ seed: false, ...options });
  client = clientOf(emulator);
}

async function close(): Promise<void> {
  await client.close();
  await emulator.close();
}
