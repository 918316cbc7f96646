import { describe, expect, test } from "vitest";
import {
  ArgumentError,
  type ClientEvent,
  ConnectionError,
  type IncomingResponse,
  type OutgoingRequest,
  ServerError,
  TimeoutError,
} from "../../src/client/index.js";
import { BUILD, CLUSTER, connect, instantClock, json, latch, rejection, serve } from "./service.js";

describe("beforeSend", () => {
  const path = "/v2/organizations/acme/clusters";

  test("is called before each try, after the wait for it", async () => {
    const happened: unknown[] = [];
    const service = await serve((_, response, turn) => {
      happened.push("arrived");
      if (turn === 1) json(response, 503, {});
      else if (turn === 2) json(response, 429, { reset: 7 });
      else json(response, 200, CLUSTER);
    });
    const clock = instantClock();
    const client = connect(service.url, {
      clock: { ...clock, sleep: async () => void happened.push("waited") },
      beforeSend: (request) => void happened.push(request),
    });
    await client.clusters.get("c-1");
    const request = (attempt: number): OutgoingRequest => ({ method: "GET", path: `${path}/c-1`, attempt });
    expect(happened).toEqual([
      request(1),
      "arrived",
      "waited",
      request(2),
      "arrived",
      "waited",
      request(3),
      "arrived",
    ]);
  });

  test("is called after the turn among other requests has come", async () => {
    const [arrived, release] = [latch(), latch()];
    const service = await serve(async (_, response) => {
      arrived.open();
      await release.opened;
      json(response, 200, CLUSTER);
    });
    const announced: string[] = [];
    const client = connect(service.url, {
      concurrency: 1,
      beforeSend: ({ path }) => void announced.push(path.slice(-3)),
    });
    const calls = ["c-1", "c-2", "c-3"].map((id) => client.clusters.get(id));
    await arrived.opened;
    expect(announced).toEqual(["c-1"]);
    release.open();
    await Promise.all(calls);
    expect(announced).toEqual(["c-1", "c-2", "c-3"]);
  });

  test.each([
    [
      "throws",
      (gone: Error) => {
        throw gone;
      },
    ],
    ["rejects", (gone: Error) => Promise.reject(gone)],
  ])("that %s ends the call with its error, and nothing is sent", async (_, fail) => {
    const gone = new Error("nobody waits for this any more");
    const service = await serve((_request, response) => json(response, 201, CLUSTER));
    const client = connect(service.url, { concurrency: 1, beforeSend: () => fail(gone) });
    expect(await rejection(client.clusters.create({ name: "x" }))).toBe(gone);
    expect(await rejection(client.clusters.list().all())).toBe(gone);
    expect(service.seen).toEqual([]);
  });

  test("that rejects after a wait for a limit keeps a POST from being sent again", async () => {
    const gone = new Error("nobody waits for this any more");
    const service = await serve((_, response) => json(response, 429, { reset: 30 }));
    const beforeSend = ({ attempt }: OutgoingRequest) => (attempt === 1 ? undefined : Promise.reject(gone));
    const client = connect(service.url, { beforeSend });
    expect(await rejection(client.clusters.create({ name: "x" }))).toBe(gone);
    expect(service.seen).toHaveLength(1);
  });
});

describe("one call", () => {
  test("may have a time-out of its own", async () => {
    const service = await serve(() => {});
    const client = connect(service.url, { timeoutMs: 600_000 });
    const error = await rejection(client.accessToken.get({ timeoutMs: 50, maxRetries: 0 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ attempts: 1, timeoutMs: 50 });
  });

  test("may have retries of its own", async () => {
    const service = await serve((_, response) => json(response, 503, {}));
    const client = connect(service.url, { maxRetries: 1 });
    expect(await rejection(client.clusters.get("c-1", { maxRetries: 3 }))).toMatchObject({ attempts: 4 });
    expect(await rejection(client.clusters.get("c-1"))).toMatchObject({ attempts: 2 });
    expect(await rejection(client.clusters.list({ maxRetries: 0 }).all())).toMatchObject({ attempts: 1 });
  });

  test.each([{ timeoutMs: 0 }, { timeoutMs: 2 ** 31 }, { maxRetries: -1 }, { maxRetries: Number.NaN }])(
    "is refused with %j",
    async (options) => {
      const service = await serve((_, response) => json(response, 200, CLUSTER));
      const error = await rejection(connect(service.url).clusters.get("c-1", options));
      expect(error).toBeInstanceOf(ArgumentError);
      expect(error).toMatchObject({ argument: Object.keys(options)[0] });
      expect(service.seen).toEqual([]);
    },
  );
});

describe("retries of all calls together", () => {
  test("are limited when many fail at once", async () => {
    const service = await serve((_, response) => json(response, 503, {}));
    const client = connect(service.url, { concurrency: 8, maxRetries: 4 });
    const errors = await Promise.all(
      Array.from({ length: 300 }, (_, index) => rejection(client.clusters.get(`c-${index}`))),
    );
    for (const error of errors) expect(error).toBeInstanceOf(ServerError);
    expect(service.seen).toHaveLength(300 + 8 * 4);
  });

  test("are allowed again as requests succeed", async () => {
    let down = true;
    const service = await serve((_, response) =>
      down ? json(response, 503, {}) : json(response, 200, CLUSTER),
    );
    const client = connect(service.url, { concurrency: 1, maxRetries: 10 });
    expect(await rejection(client.clusters.get("c-1"))).toMatchObject({ attempts: 11 });
    expect(await rejection(client.clusters.get("c-1"))).toMatchObject({ attempts: 1 });
    down = false;
    for (let index = 0; index < 10; index += 1) await client.clusters.get("c-1");
    down = true;
    expect(await rejection(client.clusters.get("c-1"))).toMatchObject({ attempts: 3 });
  });

  test("are not used up by full limits", async () => {
    const service = await serve((_, response, turn) =>
      turn % 2 === 1 ? json(response, 429, { reset: 1 }) : json(response, 200, CLUSTER),
    );
    const client = connect(service.url, { concurrency: 1, maxRetries: 1 });
    for (let index = 0; index < 40; index += 1) await client.clusters.get("c-1");
    expect(service.seen).toHaveLength(80);
  });
});

describe("onResponse", () => {
  test("is called after each response, whatever its status, and not for a try without one", async () => {
    const service = await serve((_, response, turn) => {
      if (turn === 1) response.destroy();
      else if (turn === 2) json(response, 503, {});
      else json(response, 200, CLUSTER, { "x-request": "3" });
    });
    const responses: IncomingResponse[] = [];
    const onResponse = (response: IncomingResponse) => void responses.push(response);

    await connect(service.url, { onResponse }).clusters.get("c-1");

    const path = "/v2/organizations/acme/clusters/c-1";
    expect(responses.map(({ headers: _, ...rest }) => rest)).toEqual([
      { method: "GET", path, attempt: 2, status: 503 },
      { method: "GET", path, attempt: 3, status: 200 },
    ]);
    expect(responses[1]?.headers).toMatchObject({ "x-request": "3", date: expect.any(String) });
  });

  test("ends the call if it throws", async () => {
    const service = await serve((_, response) => json(response, 200, CLUSTER));
    const gone = new Error("gone");
    const onResponse = () => {
      throw gone;
    };
    expect(await rejection(connect(service.url, { onResponse }).clusters.get("c-1"))).toBe(gone);
  });
});

describe("a service where nobody listens", () => {
  test("is given up after a second and a half at most, and retries are reported", async () => {
    const service = await serve((_, response) => response.end());
    await service.stop();
    for (const random of [0, 0.999]) {
      const clock = instantClock();
      const events: ClientEvent[] = [];
      const client = connect(service.url, {
        clock,
        random: () => random,
        onEvent: (event) => events.push(event),
      });
      const error = await rejection(client.clusters.create({ name: "x" }));
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ code: "ECONNREFUSED", delivered: "no", attempts: 5 });
      expect(clock.now()).toBeLessThanOrEqual(1_500);
      expect(events.map(({ type, waitMs }) => [type, waitMs])).toEqual(
        clock.waits.map((wait) => ["retry", wait]),
      );
      expect(events).toHaveLength(4);
    }
  });
});

test("waits go by the randomness that is handed in", async () => {
  const service = await serve((_, response, turn) =>
    turn === 1
      ? json(response, 503, {})
      : turn === 2
        ? json(response, 429, { reset: 3 })
        : json(response, 200, BUILD),
  );
  const clock = instantClock();
  const client = connect(service.url, { clock, random: () => 0.5 });
  await client.builds.get("storefront", 42);
  expect(clock.waits).toEqual([375, 3_550]);
});
