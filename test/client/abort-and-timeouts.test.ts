import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Clock, mayHaveBeenCarriedOut, systemClock, TimeoutError } from "../../src/client/index.js";
import { CLUSTER, connect, instantClock, json, latch, rejection, serve } from "./service.js";

describe("an aborted signal", () => {
  test("that was aborted before: nothing is sent", async () => {
    const service = await serve((_, response) => json(response, 200, CLUSTER));
    const reason = new Error("changed my mind");
    const signal = AbortSignal.abort(reason);
    const client = connect(service.url);
    expect(await rejection(client.clusters.get("c-1", { signal }))).toBe(reason);
    expect(await rejection(client.clusters.list({ signal }).all())).toBe(reason);
    expect(service.seen).toEqual([]);
  });

  test("while the answer is awaited: the call ends with the reason, and the connection is closed", async () => {
    const abort = new AbortController();
    const closed = latch();
    const service = await serve((_, response) => {
      response.on("close", closed.open);
      abort.abort();
    });
    const error = await rejection(
      connect(service.url).clusters.create({ name: "x" }, { signal: abort.signal }),
    );
    expect(error).toBe(abort.signal.reason);
    expect(error).toMatchObject({ name: "AbortError" });
    expect(mayHaveBeenCarriedOut(error)).toBe(true);
    await closed.opened;
    expect(service.seen).toHaveLength(1);
  });

  test("while the body arrives", async () => {
    const abort = new AbortController();
    const service = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("[", () => abort.abort());
    });
    expect(await rejection(connect(service.url).clusters.list({ signal: abort.signal }).all())).toBe(
      abort.signal.reason,
    );
  });

  test("during a wait: it ends at once", async () => {
    const abort = new AbortController();
    const service = await serve((_, response) => json(response, 503, {}));
    const clock: Clock = {
      now: systemClock.now,
      sleep(_, signal) {
        abort.abort();
        return systemClock.sleep(3_600_000, signal);
      },
    };
    const error = await rejection(
      connect(service.url, { clock }).clusters.get("c-1", { signal: abort.signal }),
    );
    expect(error).toBe(abort.signal.reason);
    expect(service.seen).toHaveLength(1);
  });

  test("while waiting for a turn: the others go on", async () => {
    const abort = new AbortController();
    const release = latch();
    const arrived = latch();
    const service = await serve(async (_, response) => {
      arrived.open();
      await release.opened;
      json(response, 200, CLUSTER);
    });
    const client = connect(service.url, { concurrency: 1 });
    const first = client.clusters.get("c-1");
    await arrived.opened;
    const second = rejection(client.clusters.get("c-2", { signal: abort.signal }));
    const third = client.clusters.get("c-3");
    abort.abort();
    expect(await second).toBe(abort.signal.reason);
    release.open();
    await Promise.all([first, third]);
    expect(service.seen.map(({ path }) => path.at(-1))).toEqual(["1", "3"]);
  });
});

describe("a time-out", () => {
  test("a request that may be repeated is", async () => {
    const service = await serve((_, response, turn) => {
      if (turn >= 2) json(response, 200, CLUSTER);
    });
    expect(await connect(service.url, { timeoutMs: 100 }).clusters.get("c-1")).toEqual(CLUSTER);
    expect(service.seen.length).toBeGreaterThan(1);
  });

  test("a POST is not: it may have been carried out", async () => {
    const service = await serve(() => {});
    const error = await rejection(connect(service.url, { timeoutMs: 50 }).clusters.create({ name: "x" }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ delivered: "unknown", attempts: 1, timeoutMs: 50, method: "POST" });
    expect(mayHaveBeenCarriedOut(error)).toBe(true);
    expect(service.seen).toHaveLength(1);
  });

  test("covers the body", async () => {
    const service = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("[");
    });
    const error = await rejection(
      connect(service.url, { timeoutMs: 50, maxRetries: 1 }).clusters.list().all(),
    );
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ attempts: 2 });
  });

  test("while connecting: the request surely did not arrive, so even a POST is sent again", async () => {
    // Nothing after the TCP handshake: TLS never gets ready.
    const mute = createServer((socket) => socket.on("error", () => {}));
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void mute.close());
    const address = mute.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const clock = instantClock();
    const client = connect(`https://127.0.0.1:${port}`, { timeoutMs: 50, maxRetries: 1, clock });
    const error = await rejection(client.clusters.create({ name: "x" }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ delivered: "no", attempts: 2 });
    expect(mayHaveBeenCarriedOut(error)).toBe(false);
  });
});

test("at most `concurrency` requests are on their way at once", async () => {
  let now = 0;
  let most = 0;
  const service = await serve((_, response) => {
    now += 1;
    most = Math.max(most, now);
    setImmediate(() => {
      now -= 1;
      json(response, 200, CLUSTER);
    });
  });
  const client = connect(service.url, { concurrency: 3 });
  await Promise.all(Array.from({ length: 30 }, (_, index) => client.clusters.get(`c-${index}`)));
  expect(service.seen).toHaveLength(30);
  expect(most).toBeLessThanOrEqual(3);
});
