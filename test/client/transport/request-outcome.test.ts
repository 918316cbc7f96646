import { describe, expect, test } from "vitest";
import { mayHaveBeenCarriedOut, outcomeOf } from "../../../src/client/index.js";
import {
  answer,
  type Call,
  CLUSTER,
  connect,
  create,
  failure,
  hangUp,
  json,
  rejection,
  serve,
  start,
} from "../service.js";

describe("A creation is not sent", () => {
  const createQueue: Call = (c) => c.queues.create("", { key: "x" });

  test.each<[string, (url: string) => string, Call]>([
    ["the connection is refused", () => "http://127.0.0.1:1", create],
    ["the host name is unknown", () => "https://service.invalid", create],
    ["TLS fails", (url) => url.replace("http:", "https:"), create],
    ["an id is none", (url) => url, createQueue],
  ])("where %s", async (_, addressOf, call) => {
    const { url, seen } = await serve(answer(201, CLUSTER));
    const error = await rejection(call(connect(addressOf(url), { maxRetries: 0 })));
    expect(outcomeOf(error)).toBe("not sent");
    const words = call === create ? "did not reach the service" : "No request was sent";
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
    expect(seen).toEqual([]);
  });

  test("where a wait for the rate limit is aborted", async () => {
    const abort = new AbortController();
    const clock = {
      now: () => 0,
      sleep: async (_: number, signal?: AbortSignal) => {
        abort.abort();
        signal?.throwIfAborted();
      },
    };
    const { client } = await start(answer(429, { reset: 30 }), { clock });
    const error = await rejection(client.clusters.create({ name: "x" }, { signal: abort.signal }));
    expect(error).toBe(abort.signal.reason);
    expect(mayHaveBeenCarriedOut(error)).toBe(false);
  });
});

test.each([
  ["no complete response", () => {}],
  ["the connection was closed", hangUp],
])("A read that fails with %s changed nothing, and says so", async (words, respond) => {
  const error = await failure(respond, (c) => c.accessToken.get(), { timeoutMs: 500, maxRetries: 0 });
  expect(mayHaveBeenCarriedOut(error)).toBe(false);
  expect(error).toMatchObject({ message: expect.stringContaining(words) });
  expect(error).toMatchObject({ message: expect.stringContaining("Nothing was changed.") });
  expect(error).toMatchObject({ message: expect.not.stringContaining("carried out") });
});

test("A connection that was idle for a second is closed, so that no creation uses it", async () => {
  const closed = Promise.withResolvers<void>();
  const sockets = new Set<unknown>();
  const { client } = await start((_, response) => {
    sockets.add(response.socket);
    response.socket?.once("close", closed.resolve);
    json(response, 201, CLUSTER, { connection: "keep-alive", "keep-alive": "timeout=600" });
  });
  await create(client);
  const from = performance.now();
  await closed.promise;
  expect(performance.now() - from).toBeLessThan(3_000);
  await create(client);
  expect(sockets.size).toBe(2);
});
