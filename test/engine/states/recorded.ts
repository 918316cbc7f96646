import { readFileSync } from "node:fs";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";

/** The services that a program deploys to: the settings name the first. */
export interface Services {
  readonly main: Emulator;
  readonly second: Emulator;
}

/** A program, and what exists or goes wrong before its first deployment. */
export interface Recorded {
  readonly prepare: (services: Services) => Promise<void>;
  readonly program: (services: Services) => PulumiFn;
  /** Where the settings come from: what the stack's configuration says is part of the state. */
  readonly settings: "environment" | "configuration";
}

/** Makes a data file of the emulator with what was recorded of a service. */
export async function writeDataFile(recordedFile: string, data: string): Promise<void> {
  const emulator = await startEmulator({ seed: false, data });
  emulator.restore(JSON.parse(readFileSync(recordedFile, "utf8")));
  await emulator.close();
}
