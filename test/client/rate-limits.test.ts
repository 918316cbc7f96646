import { describe, expect, test } from "vitest";
import { type ClientEvent, mayHaveBeenCarriedOut, RateLimitError } from "../../src/client/index.js";
import { CLUSTER, connect, instantClock, json, rejection, serve } from "./service.js";

/** How long the client waits, in whole seconds, after one 429 like this. */
async function waitAfter(body: unknown, headers: Record<string, string> = {}): Promise<number> {
  const service = await serve((_, response, turn) =>
    turn === 1 ? json(response, 429, body, headers) : json(response, 200, CLUSTER),
  );
  const clock = instantClock();
  await connect(service.url, { clock }).clusters.get("c-1");
  expect(clock.waits).toHaveLength(1);
  return Math.floor((clock.waits[0] ?? 0) / 1000);
}

const organization = (remaining: number, reset: number) => ({
  "RateLimit-Scope": "rest",
  "RateLimit-Remaining": String(remaining),
  "RateLimit-Limit": "200",
  "RateLimit-Reset": String(reset),
});
const user = (remaining: number, reset: number) => ({
  "RateLimit-User-Remaining": String(remaining),
  "RateLimit-User-Limit": "50",
  "RateLimit-User-Reset": String(reset),
});

describe("after a 429 the client waits", () => {
  test("as long as the body says", async () => {
    const body = { message: "Too many requests", scope: "rest", limit: 200, current: 201, reset: 37 };
    expect(await waitAfter(body)).toBe(37);
  });

  test("for the organization's window, when that is full", async () => {
    expect(await waitAfter({}, { ...organization(0, 12), ...user(20, 50) })).toBe(12);
  });

  test("for the user's window, when that is full", async () => {
    expect(await waitAfter({}, { ...organization(100, 50), ...user(0, 21) })).toBe(21);
  });

  test("for the later one, when both are full", async () => {
    expect(await waitAfter({}, { ...organization(0, 12), ...user(0, 21) })).toBe(21);
    expect(await waitAfter({ reset: 5 }, { ...organization(0, 12), ...user(30, 40) })).toBe(12);
  });

  test("for the later one, when nothing says which is full", async () => {
    expect(await waitAfter({}, { ...organization(3, 12), ...user(4, 21) })).toBe(21);
  });

  test("as a proxy asks, when the service says nothing", async () => {
    expect(await waitAfter("slow down", { "Retry-After": "8" })).toBe(8);
  });

  // The response's own time applies, so that a machine with another clock waits as long.
  const date = "Wed, 02 Jan 2030 03:04:05 GMT";
  const end = Date.parse(date) / 1000 + 37;

  test.each<[string, Record<string, string>, unknown?]>([
    ["Retry-After with a number", { "Retry-After": "37" }],
    ["Retry-After with a date", { "Retry-After": "Wed, 02 Jan 2030 03:04:42 GMT" }],
    ["Retry-After with seconds since 1970", { "Retry-After": String(end) }],
    ["a window that ends in seconds", organization(0, 37)],
    ["a window with its end in seconds since 1970", organization(0, end)],
    ["a window with its end in milliseconds since 1970", organization(0, end * 1000)],
    ["a user's window with its end in seconds since 1970", user(0, end)],
    ["a body with the end in seconds since 1970", {}, { reset: end }],
  ])("as long as a gateway asks by %s", async (_, headers, body = "slow down") => {
    expect(await waitAfter(body, { Date: date, ...headers })).toBe(37);
  });

  test("no longer than a moment, when a gateway names one that is over", async () => {
    const over = { "Retry-After": "Wed, 02 Jan 2030 03:00:00 GMT" };
    expect(await waitAfter("slow down", { Date: date, ...over })).toBe(0);
    expect(await waitAfter({}, { Date: date, ...organization(0, end - 60) })).toBe(0);
  });

  test.each(["soon", "5 apples", "-3", "NaN"])("some seconds, when a gateway asks for %j", async (text) => {
    expect(await waitAfter("slow down", { "Retry-After": text })).toBe(10);
  });

  test("some seconds, when nobody says anything", async () => {
    expect(await waitAfter({})).toBeGreaterThanOrEqual(1);
  });
});

test("a POST is sent again after a 429: it was not carried out", async () => {
  const service = await serve((_, response, turn) =>
    turn === 1 ? json(response, 429, { reset: 1 }) : json(response, 201, CLUSTER),
  );
  expect(await connect(service.url).clusters.create({ name: "Linux" })).toEqual(CLUSTER);
  expect(service.seen.map(({ body }) => body)).toEqual(['{"name":"Linux"}', '{"name":"Linux"}']);
});

test("waits for the limit do not use up the retries", async () => {
  const service = await serve((_, response, turn) =>
    turn <= 6 ? json(response, 429, { reset: 30 }) : json(response, 200, CLUSTER),
  );
  expect(await connect(service.url, { maxRetries: 1 }).clusters.get("c-1")).toEqual(CLUSTER);
});

test("waits are reported", async () => {
  const service = await serve((_, response, turn) =>
    turn === 1 ? json(response, 429, { scope: "user", limit: 50, reset: 9 }) : json(response, 200, CLUSTER),
  );
  const events: ClientEvent[] = [];
  const clock = instantClock();
  await connect(service.url, { clock, onEvent: (event) => events.push(event) }).clusters.get("c-1");
  expect(events).toEqual([
    {
      type: "rateLimit",
      method: "GET",
      path: "/v2/organizations/acme/clusters/c-1",
      attempt: 1,
      scope: "user",
      limit: 50,
      waitMs: clock.waits[0],
    },
  ]);
});

describe("a RateLimitError", () => {
  test("comes when the wait would be unreasonable, at once", async () => {
    const body = { message: "Too many requests", scope: "rest", limit: 200, current: 201, reset: 86_400 };
    const service = await serve((_, response) => json(response, 429, body));
    const clock = instantClock();
    const error = await rejection(connect(service.url, { clock }).clusters.create({ name: "Linux" }));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ scope: "rest", limit: 200, current: 201, reset: 86_400, attempts: 1 });
    expect(error).toMatchObject({ message: expect.stringContaining("Try again in 86400 seconds") });
    expect(mayHaveBeenCarriedOut(error)).toBe(false);
    expect(clock.waits).toEqual([]);
  });

  test("comes in the end when the limit stays full", async () => {
    const service = await serve((_, response) => json(response, 429, {}, user(0, 60)));
    const clock = instantClock();
    const error = await rejection(connect(service.url, { clock }).clusters.get("c-1"));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      limit: 50,
      reset: 60,
      attempts: clock.waits.length + 1,
      message: expect.stringContaining(
        "A call waits no longer than 900 seconds for limits (maxRateLimitWaitMs).",
      ),
    });
    const minutes = clock.waits.reduce((sum, wait) => sum + wait, 0) / 60_000;
    expect(minutes).toBeGreaterThan(10);
    expect(minutes).toBeLessThanOrEqual(15);
  });
});
