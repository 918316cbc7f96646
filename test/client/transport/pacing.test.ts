import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  BuildPipelineClient,
  type BuildPipelineClientOptions,
  type ClientEvent,
  ConnectionError,
} from "../../../src/client/index.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../src/emulator/index.js";
import { Simulation } from "../simulation.js";

type Limits = NonNullable<EmulatorOptions["limits"]>;

/** A service with limits and a client on it. Further clients of the same user share nothing but the time. */
async function limited(limits: Limits, options: Partial<BuildPipelineClientOptions> = {}) {
  const time = new Simulation();
  const emulator = await startEmulator({ limits, clock: time.date, seed: false });
  const { accessToken, organization, url: baseUrl } = emulator;
  const connection = { accessToken, organization, baseUrl, clock: time, dispatcher: time.dispatcher };
  const connect = () => new BuildPipelineClient({ ...connection, ...options });
  onTestFinished(async () => {
    await time.close();
    await emulator.close();
  });
  return { emulator, time, connect, client: connect() };
}

function refusals(emulator: Emulator): number {
  return emulator.requests.filter(({ status }) => status === 429).length;
}

async function readOften(client: BuildPipelineClient, times: number): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => client.accessToken.get()));
}

describe("the requests of one client", () => {
  test("are all carried out, none refused once the limits are known, in as few windows as they fit in", async () => {
    const cases = fc.record({
      requests: fc.integer({ min: 1, max: 80 }),
      concurrency: fc.integer({ min: 1, max: 32 }),
      userPerMinute: fc.integer({ min: 5, max: 60 }),
      organizationPerMinute: fc.integer({ min: 5, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ requests, concurrency, ...limits }) => {
        const options = { concurrency, maxRateLimitWaitMs: 3_600_000 };
        const { emulator, client, time } = await limited(limits, options);
        const start = time.now();
        await readOften(client, requests);
        const least = Math.min(limits.userPerMinute, limits.organizationPerMinute);
        // Before the first response nobody knows the limit.
        expect(refusals(emulator)).toBeLessThanOrEqual(Math.max(0, Math.min(concurrency, requests) - least));
        // A lost place would slow all later calls down, or end them.
        const windows = Math.ceil(requests / least) - 1;
        expect(time.now() - start).toBeLessThanOrEqual(windows * 62_000);
      }),
      { numRuns: 15 },
    );
  });

  test("wait before they are sent, and report how long and for whose limit", async () => {
    const events: ClientEvent[] = [];
    const onEvent = (event: ClientEvent) => events.push(event);
    const limits = { userPerMinute: 5, organizationPerMinute: 50 };
    const { client, emulator } = await limited(limits, { onEvent, random: () => 0.5 });
    for (let index = 0; index < 6; index += 1) await client.accessToken.get();
    const call = { method: "GET", path: "/v2/access-token", attempt: 0 };
    expect(events).toEqual([{ type: "rateLimit", ...call, scope: "user", limit: 5, waitMs: 60_550 }]);
    expect(refusals(emulator)).toBe(0);
  });
});

test("several processes with one access token come to an end together, with few refusals", async () => {
  const { emulator, connect, time } = await limited("real");
  const clients = Array.from({ length: 4 }, connect);
  const start = time.now();
  await Promise.all(clients.map((client) => readOften(client, 75)));
  const succeeded = emulator.requests.filter(({ status }) => status === 200).length;
  expect(succeeded).toBe(300);
  expect(refusals(emulator)).toBeLessThanOrEqual(60);
  // Six windows of 50 are five waits; what was refused counts, too.
  expect(time.now() - start).toBeLessThanOrEqual(8 * 62_000);
});

describe("whatever fails or is given up", () => {
  const fates = fc.constantFrom("read", "not sent", "aborted early", "aborted waiting", "aborted when sent");
  const cases = fc.record({
    calls: fc.array(fates, { minLength: 1, maxLength: 60 }),
    userPerMinute: fc.integer({ min: 2, max: 20 }),
    concurrency: fc.integer({ min: 1, max: 8 }),
    failures: fc.integer({ min: 0, max: 5 }),
  });

  test("all calls come to an end, and the places of none are lost", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ calls, userPerMinute, concurrency, failures }) => {
        const atSending: (() => void)[] = [];
        const atWaiting: (() => void)[] = [];
        const hooks = { beforeSend: () => atSending.shift()?.(), onEvent: () => atWaiting.shift()?.() };
        const options = { ...hooks, concurrency, maxRateLimitWaitMs: 7_200_000 };
        const { emulator, client, time } = await limited({ userPerMinute }, options);
        const start = time.now();
        const read = (signal?: AbortSignal) => client.accessToken.get({ signal });
        if (failures > 0) emulator.fault({ action: "drop", times: failures });
        const outcomes = await Promise.allSettled(
          calls.map((fate) => {
            const abort = new AbortController();
            const giveUp = () => abort.abort(new Error(fate));
            const refuse = () => {
              throw new Error(fate);
            };
            if (fate === "not sent") atSending.push(refuse);
            if (fate === "aborted early") queueMicrotask(giveUp);
            if (fate === "aborted waiting") atWaiting.push(giveUp);
            if (fate === "aborted when sent") atSending.push(giveUp);
            return read(abort.signal);
          }),
        );
        const ends = outcomes.map((outcome) =>
          outcome.status === "fulfilled" ? "read" : String(outcome.reason.message),
        );
        for (const [index, end] of ends.entries()) {
          if (Object(outcomes[index]).reason instanceof ConnectionError) expect(failures).toBeGreaterThan(0);
          // Who gives up ends alone; a request that can't be sent may be another call's.
          else if (end !== "read" && end !== "not sent") expect(end).toBe(calls[index]);
        }
        const notSent = (all: readonly string[]) => all.filter((one) => one === "not sent").length;
        expect(notSent(ends)).toBeLessThanOrEqual(notSent(calls));
        atSending.length = 0;
        await Promise.all(Array.from({ length: 2 * concurrency + failures }, () => read()));
        // A lost place would slow all later calls down, or end them.
        const windows = Math.ceil(emulator.requests.length / userPerMinute);
        expect(time.now() - start).toBeLessThanOrEqual(windows * 62_000);
      }),
      { numRuns: 25 },
    );
  });
});
