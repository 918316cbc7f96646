import { describe, expect, test } from "vitest";
import { mayHaveBeenCarriedOut } from "../../../src/client/index.js";
import { ACCESS_TOKEN, answer, CLUSTER, create, get, inTurn, rejection, start } from "../service.js";

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

// The response's own time applies, so that a machine with another clock waits as long.
const date = "Wed, 02 Jan 2030 03:04:05 GMT";
const end = Date.parse(date) / 1000 + 37;
const over = "Wed, 02 Jan 2030 03:00:00 GMT";
const text = "slow down";

test.each<[number, string, unknown, Record<string, string>]>([
  [37, "as the body says", { message: "Too many requests", scope: "rest", limit: 200, reset: 37 }, {}],
  [12, "for the organization's full window", {}, { ...organization(0, 12), ...user(20, 50) }],
  [21, "for the user's full window", {}, { ...organization(100, 50), ...user(0, 21) }],
  // Buildkite counts on below zero. Elsewhere, that was taken for no number, and the shorter wait for the right one.
  [
    21,
    "for the later of two windows with less than nothing",
    {},
    { ...organization(0, 12), ...user(-3, 21) },
  ],
  [12, "for a window with less than nothing", {}, { ...organization(-1, 12), ...user(20, 50) }],
  [21, "for the later of two full windows", {}, { ...organization(0, 12), ...user(0, 21) }],
  [12, "for a full window after the body's", { reset: 5 }, { ...organization(0, 12), ...user(30, 40) }],
  [21, "for the later window where none is full", {}, { ...organization(3, 12), ...user(4, 21) }],
  [8, "as a proxy asks where the service says nothing", text, { "Retry-After": "8" }],
  [37, "by Retry-After with a date", text, { "Retry-After": "Wed, 02 Jan 2030 03:04:42 GMT" }],
  [37, "by Retry-After with seconds since 1970", text, { "Retry-After": String(end) }],
  [37, "for a window that ends at seconds since 1970", text, organization(0, end)],
  [37, "for a window that ends at milliseconds since 1970", text, organization(0, end * 1000)],
  [37, "for a user's window that ends at seconds since 1970", text, user(0, end)],
  [37, "as the body says in seconds since 1970", { reset: end }, {}],
  [0, "by Retry-After with a date that is over", text, { "Retry-After": over }],
  [0, "for a window that is over", {}, organization(0, end - 60)],
  ...["soon", "5 apples", "-3", "NaN"].map((asked): [number, string, unknown, Record<string, string>] => [
    10,
    `where a gateway asks for ${asked}`,
    text,
    { "Retry-After": asked },
  ]),
  [10, "where nobody says anything", {}, {}],
])("after a 429 the client waits %i seconds %s", async (seconds, _, body, headers) => {
  const limited = answer(429, body, { Date: date, ...headers });
  const { client, waits } = await start(inTurn(limited, answer(200, CLUSTER)));
  await get(client);
  expect(waits.map((wait) => Math.floor(wait / 1000))).toEqual([seconds]);
});

test.each<[string, unknown, Record<string, string>, number[]]>([
  ["that says when to try again", "no", { "Retry-After": "7", ...organization(50, 40) }, [7]],
  ["that names a rate limit", { message: "You have exceeded a secondary rate limit." }, {}, [10]],
  ["of too many requests", { message: "Too many requests" }, {}, [10]],
  [
    "for a limit that no time ends",
    { message: "The limit of 50 queues is reached" },
    organization(0, 40),
    [],
  ],
  ["that quotes the words", { message: 'The team "rate limit" says no' }, {}, []],
])("after a 403 %s the client waits as after a 429, or not at all", async (_, body, headers, seconds) => {
  const limited = answer(403, body, { Date: date, ...headers });
  const { client, waits } = await start(inTurn(limited, answer(200, CLUSTER)));
  const got = get(client);
  if (seconds.length > 0) await got;
  else expect(await rejection(got)).toMatchObject({ name: "PermissionError" });
  expect(waits.map((wait) => Math.floor(wait / 1000))).toEqual(seconds);
});

test("A 403 for a limit that lasts is an error of the rate limit, which advises nothing about scopes", async () => {
  const limited = answer(
    403,
    { message: "You have exceeded a secondary rate limit." },
    { "Retry-After": "9000" },
  );
  const { client } = await start(limited);
  const error = await rejection(get(client));
  expect(error).toMatchObject({ name: "RateLimitError", status: 403, outcome: "rejected" });
  expect(String(error)).not.toContain("scope");
});

test("an event doesn't show a token that a gateway gives as the name of the limit", async () => {
  const limited = answer(429, { scope: ACCESS_TOKEN, reset: 1 });
  const { client, events } = await start(inTurn(limited, answer(200, CLUSTER)));
  await get(client);
  expect(events).toMatchObject([{ type: "rateLimit", scope: "[redacted]" }]);
});

test("a POST is sent again after a 429: it was not carried out", async () => {
  const { client, seen } = await start(inTurn(answer(429, { reset: 1 }), answer(201, CLUSTER)));
  expect(await create(client)).toEqual(CLUSTER);
  expect(seen.map(({ body }) => body)).toEqual(['{"name":"x"}', '{"name":"x"}']);
});

test("waits for the limit do not use up the retries", async () => {
  const limited = Array.from({ length: 6 }, () => answer(429, { reset: 30 }));
  const { client } = await start(inTurn(...limited, answer(200, CLUSTER)), { maxRetries: 1 });
  expect(await get(client)).toEqual(CLUSTER);
});

describe("a RateLimitError", () => {
  test("comes when the wait would be unreasonable, at once", async () => {
    const limit = { scope: "rest", limit: 200, current: 201, reset: 86_400 };
    const { client, waits } = await start(answer(429, { message: "Too many requests", ...limit }));
    const error = await rejection(create(client));
    expect(error).toMatchObject({ name: "RateLimitError", ...limit, attempts: 1 });
    expect(error).toMatchObject({ message: expect.stringContaining("Try again in 86400 seconds") });
    expect(mayHaveBeenCarriedOut(error)).toBe(false);
    expect(waits).toEqual([]);
  });

  test.each<[string, number, Record<string, string>, number]>([
    ["stays full", 60, user(0, 60), 15],
    ["is over each time", 0, user(0, 0), 75],
    ["was over long ago each time", 0, { Date: date, "Retry-After": over }, 75],
  ])("comes in the end when the limit %s", async (_, reset, headers, most) => {
    const { client, waits } = await start(answer(429, {}, headers));
    const longest = "A call waits no longer than 900 seconds for limits (maxRateLimitWaitMs).";
    const error = await rejection(get(client));
    const message = expect.stringContaining(longest);
    expect(error).toMatchObject({ name: "RateLimitError", reset, message, attempts: waits.length + 1 });
    const minutes = waits.reduce((sum, wait) => sum + wait, 0) / 60_000;
    expect(minutes).toBeGreaterThan(10);
    expect(minutes).toBeLessThanOrEqual(15);
    expect(waits.length).toBeLessThanOrEqual(most);
  });
});

describe("a call whose waits are longer than its bound", () => {
  test("counts what it waited before it was sent", async () => {
    const { client, waits } = await start(
      inTurn(answer(200, CLUSTER, organization(0, 50)), answer(429, { reset: 60 }, organization(0, 50))),
      { maxRateLimitWaitMs: 90_000 },
    );
    await get(client);
    expect(await rejection(get(client))).toMatchObject({ name: "RateLimitError", attempts: 1 });
    expect(waits).toHaveLength(1);
  });

  test("asks the service itself where the headers of other responses tell of the wait", async () => {
    const { client, seen, waits } = await start(answer(200, CLUSTER, organization(0, 86_400)));
    await get(client);
    await get(client);
    expect(seen).toHaveLength(2);
    expect(waits).toEqual([]);
  });
});
