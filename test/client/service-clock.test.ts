import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/client/index.js";
import { CLUSTER, connect, json, rejection, serve } from "./service.js";

/** The service's clock is this far ahead of this machine's. */
const AHEAD = Date.parse("2030-01-01T00:00:00Z");

/** A service with a clock of its own, and a client whose clock the test sets. Requests take no time. */
async function start(headers: () => Record<string, string> = () => ({})) {
  let now = 0;
  const clock: Clock = { now: () => now, sleep: async () => {} };
  const date = () => new Date(AHEAD + now).toUTCString();
  const service = await serve((request, response) => {
    if (request.method === "POST") response.destroy();
    else json(response, 200, CLUSTER, { date: date(), ...headers() });
  });
  const client = connect(service.url, { clock });
  return {
    client,
    /** Asks for something at a time, so that the client learns the service's clock. */
    lookAt: async (time: number) => {
      now = time;
      await client.clusters.get("c-1");
    },
    /** The error of a creation that is lost at a time. */
    loseAt: async (time: number) => {
      now = time;
      return Object(await rejection(client.clusters.create({ name: "Linux" })));
    },
    at: (time: number) => new Date(AHEAD + time).toISOString(),
  };
}

describe("Whether something happened while a request was on its way", () => {
  test("is known to a second from one response", async () => {
    const { client, lookAt, loseAt, at } = await start();
    await lookAt(10_400);
    const lost = await loseAt(20_000);
    expect(client.mayHaveHappenedDuring(lost, at(20_000))).toBe(true);
    expect(client.mayHaveHappenedDuring(lost, at(18_900))).toBe(false);
    expect(client.mayHaveHappenedDuring(lost, at(21_200))).toBe(false);
  });

  test("is known better from several, whose seconds end at other moments", async () => {
    const { client, lookAt, loseAt, at } = await start();
    const lost = await loseAt(5_000);
    await lookAt(10_990);
    expect(client.mayHaveHappenedDuring(lost, at(4_500))).toBe(true);
    await lookAt(11_010);
    expect(client.mayHaveHappenedDuring(lost, at(4_500))).toBe(false);
    expect(client.mayHaveHappenedDuring(lost, at(5_000))).toBe(true);
  });

  test("goes by a time in whole seconds as well", async () => {
    const { client, lookAt, loseAt } = await start();
    await lookAt(1_000);
    const lost = await loseAt(5_900);
    expect(client.mayHaveHappenedDuring(lost, "2030-01-01T00:00:05Z")).toBe(true);
    expect(client.mayHaveHappenedDuring(lost, "2030-01-01T00:00:03Z")).toBe(false);
  });

  test("is not misled by a response that a cache kept for an hour", async () => {
    const old = { date: new Date(AHEAD - 3_600_000).toUTCString(), age: "3600" };
    let cached = false;
    const { client, lookAt, loseAt, at } = await start(() => (cached ? old : {}));
    await lookAt(1_000);
    cached = true;
    await lookAt(2_000);
    const lost = await loseAt(5_000);
    expect(client.mayHaveHappenedDuring(lost, at(5_000))).toBe(true);
    expect(client.mayHaveHappenedDuring(lost, at(-1_800_000))).toBe(false);
  });

  test("is false for a request that never left, and for what is no time", async () => {
    const { client, lookAt, loseAt } = await start();
    await lookAt(1_000);
    const lost = await loseAt(5_000);
    expect(client.mayHaveHappenedDuring(lost, "yesterday")).toBe(false);
    const unreachable = connect("http://127.0.0.1:1", { maxRetries: 0 });
    const error = Object(await rejection(unreachable.clusters.create({ name: "Linux" })));
    expect(unreachable.mayHaveHappenedDuring(error, new Date().toISOString())).toBe(false);
  });
});

describe("A clock that is unknown matches nothing", () => {
  const HOUR = 3_600_000;

  test("without a Date", async () => {
    const service = await serve((request, response) => {
      response.sendDate = false;
      if (request.method === "POST") response.destroy();
      else json(response, 200, CLUSTER);
    });
    const client = connect(service.url, { clock: { now: () => AHEAD, sleep: async () => {} } });
    await client.clusters.get("c-1");
    const lost = Object(await rejection(client.clusters.create({ name: "Linux" })));
    expect(client.mayHaveHappenedDuring(lost, new Date(AHEAD).toISOString())).toBe(false);
  });

  test("after two that contradict each other, until the third one shows which was wrong", async () => {
    let wrong = true;
    const { client, lookAt, loseAt, at } = await start(() =>
      wrong ? { date: new Date(AHEAD - HOUR).toUTCString() } : {},
    );
    await lookAt(1_000);
    wrong = false;
    await lookAt(2_000);
    const lost = await loseAt(5_000);
    expect(client.mayHaveHappenedDuring(lost, at(5_000))).toBe(false);
    expect(client.mayHaveHappenedDuring(lost, at(5_000 - HOUR / 2))).toBe(false);
    await lookAt(6_000);
    expect(client.mayHaveHappenedDuring(lost, at(5_000))).toBe(true);
    expect(client.mayHaveHappenedDuring(lost, at(5_000 - HOUR / 2))).toBe(false);
  });

  test("and whatever one response says, what is twelve seconds older doesn't match", async () => {
    const times = fc.array(fc.nat({ max: 60_000 }), { minLength: 3, maxLength: 8 });
    const outlier = fc.record({
      at: fc.nat({ max: 7 }),
      ahead: fc.integer({ min: -10 * HOUR, max: 10 * HOUR }),
    });
    await fc.assert(
      fc.asyncProperty(times, outlier, async (looks, { at: wrong, ahead }) => {
        let look = 0;
        let now = 0;
        const service = await serve((request, response) => {
          if (request.method === "POST") return void response.destroy();
          const error = look++ === wrong ? ahead : 0;
          json(response, 200, CLUSTER, { date: new Date(AHEAD + now + error).toUTCString() });
        });
        const client = connect(service.url, { clock: { now: () => now, sleep: async () => {} } });
        for (const time of looks) {
          now += time;
          await client.clusters.get("c-1");
        }
        const lost = Object(await rejection(client.clusters.create({ name: "Linux" })));
        const old = new Date(AHEAD + now - 12_000).toISOString();
        expect(client.mayHaveHappenedDuring(lost, old)).toBe(false);
        if (Math.abs(ahead) > 12_000 || wrong >= looks.length)
          expect(client.mayHaveHappenedDuring(lost, new Date(AHEAD + now).toISOString())).toBe(true);
        await service.stop();
      }),
      { numRuns: 40 },
    );
  });
});
