import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect } from "vitest";
import type { EmulatorOptions, FaultAction } from "../../../src/emulator/index.js";
import { BusyOrganization } from "../../support/busy-organization.js";
import { buildpipeline, type Ended, Scratch, settingsOf } from "../../support/command.js";

/** The organization of a test, and a directory for the test's files. */
export let organization: BusyOrganization;
export let scratch: Scratch;

/** Gives each test of a file an organization and a directory. */
export function organizationForEach(options: EmulatorOptions = {}): void {
  beforeEach(async () => {
    scratch = new Scratch();
    organization = await BusyOrganization.start(options);
  });
  afterEach(async () => {
    await organization.close();
    scratch.remove();
  });
}

export function drain(...args: readonly string[]): Promise<Ended> {
  return buildpipeline(["drain", ...args, "--interval", "0.02"], { env: settingsOf(organization.emulator) });
}

export async function drainEnds(args: readonly string[], code: number, words: string | RegExp) {
  const ended = await drain(...args);
  expect(ended).toMatchObject({
    code,
    stderr: typeof words === "string" ? expect.stringContaining(words) : expect.stringMatching(words),
  });
  return ended;
}

export function fileWith(content: string, name = "file"): string {
  const file = scratch.path(name);
  writeFileSync(file, content);
  return file;
}

export function always(operation: string, action: FaultAction) {
  organization.emulator.fault({ operation, times: Number.POSITIVE_INFINITY, action });
}

/** Ends a job each time the drain looks again. */
export function endJobsAsItLooks(): void {
  organization.emulator.onRequest(({ operation }) => {
    if (operation === "queues.get") organization.emulator.finishJobs({ atMost: 1 });
  });
}
