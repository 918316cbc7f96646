import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import {
  type BuildPipelineClient,
  type ClientEvent,
  ConnectionError,
  mayHaveBeenCarriedOut,
  NotFoundError,
  ServerError,
} from "../../src/client/index.js";
import {
  ACCESS_TOKEN,
  BUILD,
  CLUSTER,
  connect,
  instantClock,
  json,
  QUEUE,
  rejection,
  serve,
} from "./service.js";

const wholeTeam = {
  name: "Platform",
  description: "",
  privacy: "visible",
  is_default_team: false,
  default_member_role: "member",
  members_can_create_pipelines: true,
} as const;

/** Requests that come to the same if they are carried out twice. */
const repeatable: [string, unknown, (client: BuildPipelineClient) => Promise<unknown>][] = [
  ["GET", CLUSTER, (c) => c.clusters.get("c-1")],
  ["GET of a list", [CLUSTER], (c) => c.clusters.list().all()],
  ["PUT", CLUSTER, (c) => c.clusters.update("c-1", { name: "Linux" })],
  ["PATCH", { id: "m-1" }, (c) => c.teams.update("m-1", wholeTeam)],
  ["DELETE", undefined, (c) => c.clusters.delete("c-1")],
  ["PUT cancel", BUILD, (c) => c.builds.cancel("storefront", 42)],
];

/** Requests that would do something a second time. */
const once: [string, unknown, (client: BuildPipelineClient) => Promise<unknown>][] = [
  ["POST", CLUSTER, (c) => c.clusters.create({ name: "Linux" })],
  ["POST pause", QUEUE, (c) => c.queues.pauseDispatch("c-1", "q-1")],
  ["POST resume", QUEUE, (c) => c.queues.resumeDispatch("c-1", "q-1")],
  ["PUT rebuild", BUILD, (c) => c.builds.rebuild("storefront", 42)],
];

/** Ways of a service to fail once. */
const lost: [string, (response: ServerResponse) => void][] = [
  ["closes the connection", (response) => response.destroy()],
  [
    "cuts the answer off",
    (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
      response.write('{"id":"c-', () => response.destroy());
    },
  ],
];

describe.each(lost)("a service that %s", (_, fail) => {
  test.each(repeatable)("gets a %s again", async (_method, answer, call) => {
    const service = await serve((_request, response, turn) =>
      turn < 3 ? fail(response) : json(response, 200, answer),
    );
    await call(connect(service.url));
    expect(service.seen).toHaveLength(3);
  });

  test.each(once)("does not get a %s again", async (_method, answer, call) => {
    const service = await serve((_request, response, turn) =>
      turn < 2 ? fail(response) : json(response, 200, answer),
    );
    const error = await rejection(call(connect(service.url)));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ delivered: "unknown", attempts: 1 });
    expect(mayHaveBeenCarriedOut(error)).toBe(true);
    expect(service.seen).toHaveLength(1);
  });
});

describe.each([500, 502, 503, 504])("a service that answers %i", (status) => {
  test.each(repeatable)("gets a %s again", async (_method, answer, call) => {
    const service = await serve((_request, response, turn) =>
      turn < 2 ? json(response, status, { message: "oops" }) : json(response, 200, answer),
    );
    await call(connect(service.url));
    expect(service.seen).toHaveLength(2);
  });

  test.each(once)("does not get a %s again", async (_method, _answer, call) => {
    const service = await serve((_request, response) => json(response, status, { message: "oops" }));
    const error = await rejection(call(connect(service.url)));
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ attempts: 1, status, serviceMessage: "oops" });
    expect(service.seen).toHaveLength(1);
  });
});

describe("an answer that is broken JSON", () => {
  const broken = (response: ServerResponse) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"id":"c-1","na');

  test("is asked for again", async () => {
    const service = await serve((_, response, turn) =>
      turn < 2 ? broken(response) : json(response, 200, CLUSTER),
    );
    expect(await connect(service.url).clusters.get("c-1")).toEqual(CLUSTER);
  });

  test("to a POST is an error that says it was carried out", async () => {
    const service = await serve((_, response) => broken(response));
    const error = await rejection(connect(service.url).clusters.create({ name: "Linux" }));
    expect(error).toMatchObject({ name: "UnexpectedResponseError", status: 200, field: "body", attempts: 1 });
    expect(service.seen).toHaveLength(1);
  });
});

test.each([400, 401, 403, 404, 409, 422])("a %i is not asked for again", async (status) => {
  const service = await serve((_, response) => json(response, status, { message: "no" }));
  await rejection(connect(service.url).clusters.get("c-1"));
  expect(service.seen).toHaveLength(1);
});

test("a refusal whose body is lost keeps its status", async () => {
  const service = await serve((_, response) => {
    response.writeHead(422, { "content-type": "application/json", "content-length": "500" });
    response.write('{"message":"Val', () => response.destroy());
  });
  const error = await rejection(connect(service.url).clusters.create({ name: "" }));
  expect(error).toMatchObject({ name: "ValidationError", status: 422, serviceMessage: "" });
});

describe("a service that cannot be reached", () => {
  test.each([...repeatable, ...once])(
    "%s: it surely did not arrive, so it is tried again",
    async (_, _answer, call) => {
      const service = await serve((_request, response) => response.end());
      await service.stop();
      const clock = instantClock();
      const error = await rejection(call(connect(service.url, { clock })));
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ delivered: "no", attempts: 5, code: "ECONNREFUSED" });
      expect(mayHaveBeenCarriedOut(error)).toBe(false);
      expect(clock.waits).toHaveLength(4);
    },
  );
});

test("an early try that may have arrived is not forgotten over later ones that did not", async () => {
  const service = await serve((_, response) => {
    response.destroy();
    void service.stop();
  });
  const error = await rejection(connect(service.url).clusters.delete("c-1"));
  expect(error).toMatchObject({ name: "ConnectionError", attempts: 5, delivered: "unknown" });
});

test("a deletion that is answered 404 only after a lost answer says how often it was sent", async () => {
  const service = await serve((_, response, turn) =>
    turn === 1 ? response.destroy() : json(response, 404, { message: "No cluster found" }),
  );
  const error = await rejection(connect(service.url).clusters.delete("c-1"));
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({ attempts: 2 });
  expect(mayHaveBeenCarriedOut(error)).toBe(true);
});

describe("waits", () => {
  test("grow, and are reported", async () => {
    const service = await serve((_, response) => json(response, 503, { message: "down" }));
    const clock = instantClock();
    const events: ClientEvent[] = [];
    const client = connect(service.url, { clock, maxRetries: 7, onEvent: (event) => events.push(event) });
    const error = await rejection(client.clusters.get("c-1"));
    expect(error).toMatchObject({ attempts: 8 });
    const longest = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000];
    expect(clock.waits).toHaveLength(longest.length);
    for (const [index, wait] of clock.waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual((longest[index] ?? 0) / 2);
      expect(wait).toBeLessThanOrEqual(longest[index] ?? 0);
    }
    expect(events[0]).toEqual({
      type: "retry",
      method: "GET",
      path: "/v2/organizations/acme/clusters/c-1",
      attempt: 1,
      reason: "status",
      status: 503,
      waitMs: clock.waits[0],
    });
    expect(JSON.stringify(events)).not.toContain(ACCESS_TOKEN);
  });

  test.each([["7"], ["Wed, 02 Jan 2030 03:04:12 GMT"]])(
    "are as long as the service asks, within bounds: %s",
    async (asked) => {
      const date = "Wed, 02 Jan 2030 03:04:05 GMT";
      const service = await serve((_, response) => json(response, 503, {}, { "retry-after": asked, date }));
      const clock = instantClock();
      await rejection(connect(service.url, { clock, maxRetries: 1 }).clusters.get("c-1"));
      expect(clock.waits).toEqual([7_000]);
    },
  );
});
