import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BuildPipelineClient } from "../../../src/client/index.js";
import type { OnTheWay } from "../../../src/client/transport/exchange.js";
import { cases } from "../../support/cases.js";
import { answer, CLUSTER, connect, get, hangUp, inTurn, json, start } from "../service.js";

/** The service's clock is this far ahead of this machine's. */
const AHEAD = Date.parse("2030-01-01T00:00:00Z");
const at = (time: number) => new Date(AHEAD + time).toISOString();
const dateAt = (time: number) => new Date(AHEAD + time).toUTCString();

/** A service with a clock of its own, and a client whose clock the test sets. Requests take no time. */
async function startAhead(headersAt = (now: number): Record<string, string> => ({ date: dateAt(now) })) {
  let now = 0;
  const { client, stop } = await start(
    (request, response) => {
      response.sendDate = false;
      if (request.method === "POST") response.destroy();
      else json(response, 200, CLUSTER, headersAt(now));
    },
    { clock: { now: () => now, sleep: async () => {} } },
  );
  return {
    client,
    stop,
    /** Asks for something at a time, so that the client learns the service's clock. */
    lookAt: async (time: number) => {
      now = time;
      await get(client);
    },
    /** When a creation was on its way that is lost at a time. */
    loseAt: (time: number) => {
      now = time;
      return endOf(client);
    },
  };
}

/** Returns when a creation was on its way, with or without a result. */
async function endOf({ clusters }: BuildPipelineClient) {
  const ends: OnTheWay[] = [];
  const creation = clusters.create({ name: "x" }, { onEnd: (request) => ends.push(request) });
  await creation.catch(() => undefined);
  const [end = { sentAt: undefined, endedAt: 0 }, ...more] = ends;
  expect(more).toEqual([]);
  return end;
}

describe("Whether something happened while a request was on its way", () => {
  test.each<[how: string, looks: number[], lostAt: number, reported: string, expected: boolean]>([
    ["to a second from one response", [10_400], 20_000, at(20_000), true],
    ["to a second from one response, before", [10_400], 20_000, at(18_900), false],
    ["to a second from one response, after", [10_400], 20_000, at(21_200), false],
    ["roughly from a response at the end of a second", [10_990], 5_000, at(4_500), true],
    ["better with one at the beginning of a second", [10_990, 11_010], 5_000, at(4_500), false],
    ["better with one at the beginning of a second, meanwhile", [10_990, 11_010], 5_000, at(5_000), true],
    ["for a time in whole seconds as well", [1_000], 5_900, "2030-01-01T00:00:05Z", true],
    ["for a time in whole seconds as well, before", [1_000], 5_900, "2030-01-01T00:00:03Z", false],
  ])("is known %s", async (_, looks, lostAt, reported, expected) => {
    const { client, lookAt, loseAt } = await startAhead();
    const lost = await loseAt(lostAt);
    for (const time of looks) await lookAt(time);
    expect(client.serviceClock.mayHaveHappenedDuring(lost, reported)).toBe(expected);
  });

  test("is known beside responses without a Date, or with a broken one", async () => {
    let header: Record<string, string> | undefined;
    const { client, lookAt, loseAt } = await startAhead((now) => header ?? { date: dateAt(now) });
    await lookAt(1_000);
    for (header of [{}, { date: "today" }]) await lookAt(2_000);
    const lost = await loseAt(5_000);
    expect(client.serviceClock.mayHaveHappenedDuring(lost, at(5_000))).toBe(true);
  });

  test("is not misled by a response that a cache kept for an hour", async () => {
    const old = { date: dateAt(-3_600_000), age: "3600" };
    let cached = false;
    const { client, lookAt, loseAt } = await startAhead((now) => (cached ? old : { date: dateAt(now) }));
    await lookAt(1_000);
    cached = true;
    await lookAt(2_000);
    const lost = await loseAt(5_000);
    expect(client.serviceClock.mayHaveHappenedDuring(lost, at(5_000))).toBe(true);
    expect(client.serviceClock.mayHaveHappenedDuring(lost, at(-1_800_000))).toBe(false);
  });

  test("is false for a request that never left, and for what is no time", async () => {
    const { client, lookAt, loseAt } = await startAhead();
    await lookAt(1_000);
    const lost = await loseAt(5_000);
    expect(client.serviceClock.mayHaveHappenedDuring(lost, "yesterday")).toBe(false);
    const unreachable = connect("http://127.0.0.1:1", { maxRetries: 0 });
    const end = await endOf(unreachable);
    expect(unreachable.serviceClock.mayHaveHappenedDuring(end, new Date().toISOString())).toBe(false);
  });
});

describe("A clock that is unknown matches nothing", () => {
  const HOUR = 3_600_000;

  test("if no response has a Date", async () => {
    const { client, lookAt, loseAt } = await startAhead(() => ({}));
    await lookAt(0);
    expect(client.serviceClock.mayHaveHappenedDuring(await loseAt(0), at(0))).toBe(false);
  });

  test("after two that contradict each other, until the third one shows which was wrong", async () => {
    let wrong = true;
    const { client, lookAt, loseAt } = await startAhead((now) => ({ date: dateAt(wrong ? -HOUR : now) }));
    await lookAt(1_000);
    wrong = false;
    await lookAt(2_000);
    const lost = await loseAt(5_000);
    expect(client.serviceClock.mayHaveHappenedDuring(lost, at(5_000))).toBe(false);
    expect(client.serviceClock.mayHaveHappenedDuring(lost, at(5_000 - HOUR / 2))).toBe(false);
    await lookAt(6_000);
    expect(client.serviceClock.mayHaveHappenedDuring(lost, at(5_000))).toBe(true);
    expect(client.serviceClock.mayHaveHappenedDuring(lost, at(5_000 - HOUR / 2))).toBe(false);
  });

  test("and whatever one response says, what is twelve seconds older doesn't match", async () => {
    const times = fc.array(fc.nat({ max: 60_000 }), { minLength: 3, maxLength: 8 });
    const ahead = fc.integer({ min: -10 * HOUR, max: 10 * HOUR });
    const outlier = fc.record({ at: fc.nat({ max: 7 }), ahead });
    await fc.assert(
      fc.asyncProperty(times, outlier, async (looks, { at: wrong, ahead }) => {
        let look = 0;
        const { client, stop, lookAt, loseAt } = await startAhead((now) => ({
          date: dateAt(now + (look++ === wrong ? ahead : 0)),
        }));
        let now = 0;
        for (const time of looks) {
          now += time;
          await lookAt(now);
        }
        const lost = await loseAt(now);
        expect(client.serviceClock.mayHaveHappenedDuring(lost, at(now - 12_000))).toBe(false);
        if (Math.abs(ahead) > 12_000 || wrong >= looks.length)
          expect(client.serviceClock.mayHaveHappenedDuring(lost, at(now))).toBe(true);
        await stop();
      }),
      { numRuns: cases(40) },
    );
  });
});

test.each([
  ["succeeds", [answer(201, CLUSTER)], 1],
  ["succeeds with what can't be used", [answer(201, {})], 1],
  ["is refused", [answer(422, {})], 1],
  ["gets no response", [hangUp], 1],
  ["is sent again after a 423", [answer(423, {}), answer(201, CLUSTER)], 2],
])("A creation that %s says once when it was sent last, and when it ended", async (_, answers, tries) => {
  let now = 0;
  const clock = { now: () => ++now, sleep: async () => {} };
  const begun: number[] = [];
  const beforeSend = () => void begun.push(now);
  const { client } = await start(inTurn(...answers), { clock, beforeSend });
  const { sentAt = 0, endedAt } = await endOf(client);
  expect(begun).toHaveLength(tries);
  expect(begun.at(-1)).toBeLessThan(sentAt);
  expect(sentAt).toBeLessThan(endedAt);
  expect(endedAt).toBeLessThanOrEqual(now);
});
