import { describe, expect, test } from "vitest";
import { mayHaveBeenCarriedOut, ServerError } from "../../../src/client/index.js";
import {
  ACCESS_TOKEN,
  answer,
  BUILD,
  type Call,
  CLUSTER,
  create,
  cutOff,
  failure,
  get,
  hangUp,
  inTurn,
  list,
  QUEUE,
  type Respond,
  raw,
  rejection,
  remove,
  start,
} from "../service.js";

const TEMPLATE = { uuid: "t-1", name: "Upload", configuration: "" };

/** Requests that come to the same if they are carried out twice. */
const repeatable: [string, unknown, Call][] = [
  ["GET", CLUSTER, get],
  ["GET of a list", [CLUSTER], list],
  ["PUT", CLUSTER, (c) => c.clusters.update("c-1", { name: "Linux" })],
  ["PATCH", TEMPLATE, (c) => c.pipelineTemplates.update("t-1", { available: true })],
  ["DELETE", undefined, remove],
  ["PUT cancel", BUILD, (c) => c.builds.cancel("storefront", 42)],
];

/** Requests that would do something a second time. */
const once: [string, unknown, Call][] = [
  ["POST", CLUSTER, create],
  ["POST pause", QUEUE, (c) => c.queues.pauseDispatch("c-1", "q-1")],
  ["POST resume", QUEUE, (c) => c.queues.resumeDispatch("c-1", "q-1")],
  ["PUT rebuild", BUILD, (c) => c.builds.rebuild("storefront", 42)],
];

const lost = { name: "ConnectionError", delivered: "unknown" };
/** Ways of a service to fail, and the error of a request that is sent once. */
const failures: [string, Respond, object][] = [
  ["closes the connection", hangUp, lost],
  ["cuts the answer off", cutOff(200, '{"id":"c-'), lost],
  ["answers broken JSON", raw(200, '{"id":"c-1","na'), { name: "UnexpectedResponseError", field: "body" }],
  // A load balancer's 408 ended a whole run elsewhere. It says as little about the request as a 502.
  ...[408, 500, 502, 503, 504].map((status): [string, Respond, object] => [
    `answers ${status}`,
    answer(status, { message: "oops" }),
    { name: status === 408 ? "UnexpectedStatusError" : "ServerError", status, serviceMessage: "oops" },
  ]),
];

describe.each(failures)("a service that %s", (_, fail, expected) => {
  test.each(repeatable)("gets a %s again", async (_method, body, call) => {
    const { client, seen } = await start(inTurn(fail, fail, answer(200, body)));
    await call(client);
    expect(seen).toHaveLength(3);
  });

  test.each(once)("does not get a %s again", async (_method, body, call) => {
    const { client, seen } = await start(inTurn(fail, answer(200, body)));
    const error = await rejection(call(client));
    expect(error).toMatchObject({ ...expected, attempts: 1 });
    expect(mayHaveBeenCarriedOut(error)).toBe(true);
    expect(seen).toHaveLength(1);
  });
});

const BUSY = "Cluster is currently busy, please try again";
/** Refusals for the moment. Elsewhere, the first one ended a deployment. */
const passing: [string, Respond][] = [
  ["409", answer(409, { message: "Conflict" })],
  ["423", answer(423, {})],
  ["425", raw(425, "Too Early", "text/plain")],
  ["422 and that it is busy", answer(422, { message: BUSY })],
  [
    "422 and that a field is locked",
    answer(422, { errors: { base: ["Queue is locked by another request"] } }),
  ],
  ["422 and when to come back", answer(422, { message: "Please try again later." })],
];

describe.each(passing)("a service that refuses for the moment with %s", (_, refuse) => {
  test.each([...repeatable, ...once.filter(([method]) => method.startsWith("POST"))])(
    "gets a %s again, because nothing was done",
    async (_method, body, call) => {
      const { client, seen } = await start(inTurn(refuse, refuse, answer(200, body)));
      await call(client);
      expect(seen).toHaveLength(3);
    },
  );

  test("does not get a change again whose address may belong to another object by then", async () => {
    const { client, seen } = await start(refuse);
    await rejection(client.suites.update("mobile", { name: "x" }));
    expect(seen).toHaveLength(1);
  });

  test("and goes on refusing is not called a mistake of the request", async () => {
    const error = await failure(refuse, create);
    expect(error).toMatchObject({
      attempts: 5,
      message: expect.not.stringMatching(/Correct|doesn't use this/),
    });
    expect(mayHaveBeenCarriedOut(error)).toBe(false);
  });
});

test.each([
  { message: 'Name "busy" has already been taken' },
  { name: ["'locked' is reserved"] },
  { message: "Branch is blocked" },
  { message: "Correct the key and try again" },
])("a final refusal is not repeated because of a name in it: %j", async (body) => {
  const error = await failure(answer(422, body), create);
  expect(error).toMatchObject({ attempts: 1, message: expect.stringContaining("Correct the fields") });
});

test.each([...repeatable, ...once])(
  "where nobody listens, a %s surely did not arrive: it is tried again for a second and a half at most",
  async (_, _body, call) => {
    const { client, stop, waits, events } = await start(hangUp, { random: () => 0.999 });
    await stop();
    const error = await rejection(call(client));
    const refused = { name: "ConnectionError", delivered: "no", systemCode: "ECONNREFUSED" };
    expect(error).toMatchObject({ ...refused, attempts: 5 });
    expect(mayHaveBeenCarriedOut(error)).toBe(false);
    expect(waits).toHaveLength(4);
    expect(waits.reduce((sum, wait) => sum + wait)).toBeLessThanOrEqual(1_500);
    expect(events.map(({ type, waitMs }) => [type, waitMs])).toEqual(waits.map((wait) => ["retry", wait]));
  },
);

test("a refusal whose body is lost keeps its status", async () => {
  const error = await failure(cutOff(422, '{"message":"Val'), create);
  expect(error).toMatchObject({ name: "ValidationError", status: 422, serviceMessage: "" });
});

test("an early try that may have arrived is not forgotten over later ones that did not", async () => {
  const { client, stop } = await start((_, response) => {
    response.destroy();
    void stop();
  });
  const error = await rejection(remove(client));
  expect(error).toMatchObject({ name: "ConnectionError", attempts: 5, delivered: "unknown" });
  expect(error).toMatchObject({ message: expect.stringContaining(" failed 5 times: ") });
});

test("a deletion that is answered 404 only after a lost answer says how often it was sent", async () => {
  const error = await failure(inTurn(hangUp, answer(404, { message: "No cluster found" })), remove);
  expect(error).toMatchObject({ name: "NotFoundError", attempts: 2 });
  expect(mayHaveBeenCarriedOut(error)).toBe(true);
});

describe("waits", () => {
  test("grow, and are reported", async () => {
    const { client, waits, events } = await start(answer(503, { message: "down" }), { maxRetries: 7 });
    expect(await rejection(get(client))).toMatchObject({ attempts: 8 });
    const longest = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000];
    expect(waits).toHaveLength(longest.length);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual((longest[index] ?? 0) / 2);
      expect(wait).toBeLessThanOrEqual(longest[index] ?? 0);
    }
    const path = "/v2/organizations/acme/clusters/c-1";
    const failed = { method: "GET", path, attempt: 1, reason: "status", status: 503 };
    expect(events[0]).toEqual({ type: "retry", ...failed, waitMs: waits[0] });
    expect(JSON.stringify(events)).not.toContain(ACCESS_TOKEN);
  });

  const date = "Wed, 02 Jan 2030 03:04:05 GMT";
  test.each([
    ["7", 7],
    ["90", 90],
    ["Wed, 02 Jan 2030 03:04:12 GMT", 7],
    ["Wednesday, 02-Jan-30 03:05:35 GMT", 90],
    ["Wed Jan  2 03:05:35 2030", 90],
  ])("are as long as the service asks: %s", async (asked, seconds) => {
    for (const status of [503, 423]) {
      const busy = answer(status, {}, { "retry-after": asked, date });
      const { client, waits, events } = await start(inTurn(busy, answer(200, CLUSTER)));
      await get(client);
      expect(waits).toEqual([seconds * 1000]);
      expect(events).toMatchObject([{ type: "retry", status, waitMs: seconds * 1000 }]);
    }
  });

  test("for a date that is over are no longer than others, also if it lies before 2001", async () => {
    const asked = "Sat, 01 Jan 2000 00:00:00 GMT";
    const { client, waits } = await start(answer(503, {}, { "retry-after": asked, date }));
    const error = await rejection(get(client));
    expect(Math.max(...waits)).toBeLessThanOrEqual(4_000);
    expect(error).toMatchObject({ attempts: 5, message: expect.stringContaining("Try again later.") });
    const limited = await failure(answer(429, "", { "retry-after": asked, date }), get, { maxRetries: 0 });
    expect(limited).toMatchObject({ reset: 0 });
  });

  test("that would be too long end the call, which names the time and asks no more", async () => {
    const busy = answer(503, { message: "Maintenance" }, { "retry-after": "3600" });
    const { client, waits, seen } = await start(busy);
    const message = expect.stringContaining("Try again in 3600 seconds, as the service asks.");
    expect(await rejection(get(client))).toMatchObject({ name: "ServerError", attempts: 1, message });
    expect(await rejection(remove(client))).toMatchObject({
      message: expect.stringContaining("It asks to wait 3600 seconds."),
    });
    expect([waits, seen.length]).toEqual([[], 2]);
  });

  test("of one second are said in the singular", async () => {
    const says = async (status: number, call: Call) =>
      String(await failure(answer(status, {}, { "retry-after": "1" }), call, { maxRetries: 0 }));
    expect(await says(503, get)).toContain("Try again in 1 second, as the service asks.");
    expect(await says(423, remove)).toContain("Try again in 1 second, as the service asks.");
    expect(await says(503, remove)).toContain("It asks to wait 1 second.");
    expect(await says(429, remove)).toContain("Try again in 1 second, with fewer requests at a time.");
  });

  test("of one call are no longer together than those for a rate limit", async () => {
    const { client, waits } = await start(answer(503, {}, { "retry-after": "400" }));
    expect(await rejection(get(client))).toMatchObject({ attempts: 3 });
    expect(waits).toEqual([400_000, 400_000]);
  });

  test("go by the randomness that is handed in", async () => {
    const service = inTurn(answer(503, {}), answer(429, { reset: 3 }), answer(200, CLUSTER));
    const { client, waits } = await start(service, { random: () => 0.5 });
    await get(client);
    expect(waits).toEqual([375, 3_550]);
  });
});

describe("retries of all calls together", () => {
  test("are limited when many fail at once", async () => {
    const { client, seen } = await start(answer(503, {}), { concurrency: 8, maxRetries: 4 });
    const errors = await Promise.all(Array.from({ length: 300 }, () => rejection(get(client))));
    for (const error of errors) expect(error).toBeInstanceOf(ServerError);
    expect(seen).toHaveLength(300 + 8 * 4);
  });

  test("are allowed again as requests succeed", async () => {
    let respond = answer(503, {});
    const { client } = await start((...request) => respond(...request), { concurrency: 1, maxRetries: 10 });
    expect(await rejection(get(client))).toMatchObject({ attempts: 11 });
    expect(await rejection(get(client))).toMatchObject({ attempts: 1 });
    respond = answer(200, CLUSTER);
    for (let index = 0; index < 10; index += 1) await get(client);
    respond = answer(503, {});
    expect(await rejection(get(client))).toMatchObject({ attempts: 3 });
  });

  test("are not used up by full limits", async () => {
    const [limited, found] = [answer(429, { reset: 1 }), answer(200, CLUSTER)];
    const respond: Respond = (...request) => (request[2] % 2 === 1 ? limited : found)(...request);
    const { client, seen } = await start(respond, { concurrency: 1, maxRetries: 1 });
    for (let index = 0; index < 40; index += 1) await get(client);
    expect(seen).toHaveLength(80);
  });
});
