import { describe, expect, test } from "vitest";
import { mayHaveBeenCarriedOut, outcomeOf } from "../../src/client/index.js";
import { CLUSTER, connect, json, latch, rejection, serve } from "./service.js";

describe("The outcome of a failed creation", () => {
  test.each([400, 401, 403, 404, 408, 409, 422, 429])("is rejected after a %i", async (status) => {
    const service = await serve((_, response) => json(response, status, { message: "no" }));
    const error = await rejection(connect(service.url, { maxRetries: 0 }).clusters.create({ name: "x" }));
    expect(outcomeOf(error)).toBe("rejected");
    expect(mayHaveBeenCarriedOut(error)).toBe(false);
  });

  test.each([302, 500, 502, 503, 504])("is unknown after a %i", async (status) => {
    const service = await serve((_, response) => json(response, status, { message: "no" }));
    const error = await rejection(connect(service.url).clusters.create({ name: "x" }));
    expect(outcomeOf(error)).toBe("unknown");
    expect(mayHaveBeenCarriedOut(error)).toBe(true);
  });

  test.each([
    ["the connection is refused", "http://127.0.0.1:1"],
    ["the host name is unknown", "https://service.invalid"],
  ])("is not sent where %s", async (_, url) => {
    const error = await rejection(connect(url, { maxRetries: 0 }).clusters.create({ name: "x" }));
    expect(outcomeOf(error)).toBe("not sent");
    expect(error).toMatchObject({ message: expect.stringContaining("did not reach the service") });
  });

  test("is not sent where an id is none", async () => {
    const error = await rejection(connect("http://127.0.0.1:1").queues.create("", { key: "x" }));
    expect(outcomeOf(error)).toBe("not sent");
  });

  test("is not sent where TLS fails", async () => {
    const service = await serve((_, response) => json(response, 201, CLUSTER));
    const url = service.url.replace("http:", "https:");
    const error = await rejection(connect(url, { maxRetries: 0 }).clusters.create({ name: "x" }));
    expect(outcomeOf(error)).toBe("not sent");
  });

  test("is not sent where beforeSend refuses it, or a wait for the rate limit is aborted", async () => {
    const service = await serve((_, response) => json(response, 429, { reset: 30 }));
    const refusal = new Error("read-only");
    const beforeSend = () => Promise.reject(refusal);
    expect(outcomeOf(await rejection(connect(service.url, { beforeSend }).clusters.list().all()))).toBe(
      "not sent",
    );
    const abort = new AbortController();
    const clock = {
      now: () => 0,
      sleep: async (_: number, signal?: AbortSignal) => {
        abort.abort();
        signal?.throwIfAborted();
      },
    };
    const client = connect(service.url, { clock });
    const error = await rejection(client.clusters.create({ name: "x" }, { signal: abort.signal }));
    expect(error).toBe(abort.signal.reason);
    expect(mayHaveBeenCarriedOut(error)).toBe(false);
  });
});

describe("A read that fails", () => {
  test.each([
    ["no complete response", { timeoutMs: 50, maxRetries: 0 }, () => {}],
    ["the connection was closed", { maxRetries: 0 }, (response: { destroy(): void }) => response.destroy()],
  ])("with %s changed nothing, and says so", async (words, options, respond) => {
    const service = await serve((_, response) => respond(response));
    const error = await rejection(connect(service.url, options).accessToken.get());
    expect(mayHaveBeenCarriedOut(error)).toBe(false);
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
    expect(error).toMatchObject({ message: expect.stringContaining("Nothing was changed.") });
    expect(error).toMatchObject({ message: expect.not.stringContaining("carried out") });
  });
});

test("A connection that was idle for a second is closed, so that no creation uses it", async () => {
  const closed = latch();
  const sockets = new Set<unknown>();
  const service = await serve((_, response) => {
    sockets.add(response.socket);
    response.socket?.once("close", closed.open);
    json(response, 201, CLUSTER, { connection: "keep-alive", "keep-alive": "timeout=600" });
  });
  const client = connect(service.url);
  await client.clusters.create({ name: "one" });
  const from = performance.now();
  await closed.opened;
  expect(performance.now() - from).toBeLessThan(3_000);
  await client.clusters.create({ name: "two" });
  expect(sockets.size).toBe(2);
});
