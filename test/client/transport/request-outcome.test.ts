import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ArgumentError, mayHaveBeenCarriedOut, outcomeOf, systemClock } from "../../../src/client/index.js";
import {
  answer,
  CLUSTER,
  connect,
  create,
  failure,
  get,
  hangUp,
  json,
  list,
  type Respond,
  rejection,
  serve,
  start,
  startHeld,
} from "../service.js";

/** Begins an answer and never ends it. */
const halfAnAnswer =
  (then = () => {}): Respond =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write("[", then);
  };

describe("an aborted signal", () => {
  test("that was aborted before: nothing is sent", async () => {
    const { client, seen } = await start(answer(200, CLUSTER));
    const reason = new Error("changed my mind");
    const signal = AbortSignal.abort(reason);
    expect(await rejection(client.clusters.get("c-1", { signal }))).toBe(reason);
    expect(await rejection(client.clusters.list({ signal }).all())).toBe(reason);
    expect(seen).toEqual([]);
  });

  test.each([
    ["its default", undefined],
    ["an error of the client", new ArgumentError("id", "is empty")],
  ])("while the answer is awaited: the reason, %s, may have been carried out", async (_, reason) => {
    const abort = new AbortController();
    const closed = Promise.withResolvers<void>();
    const { client, seen } = await start((_request, response) => {
      response.on("close", closed.resolve);
      abort.abort(reason);
    });
    const error = await rejection(client.clusters.create({ name: "x" }, { signal: abort.signal }));
    expect(error).toBe(abort.signal.reason);
    expect(mayHaveBeenCarriedOut(error)).toBe(true);
    await closed.promise;
    expect(seen).toHaveLength(1);
  });

  test("while the body arrives", async () => {
    const abort = new AbortController();
    const { client } = await start(halfAnAnswer(() => abort.abort()));
    const call = client.clusters.list({ signal: abort.signal }).all();
    expect(await rejection(call)).toBe(abort.signal.reason);
  });

  test.each([
    ["for a next try", 503, "unknown"],
    ["for the rate limit", 429, "rejected"],
  ])("during a wait %s: it ends at once", async (_, status, outcome) => {
    const abort = new AbortController();
    const sleep = (_: number, signal?: AbortSignal) => {
      abort.abort();
      return systemClock.sleep(3_600_000, signal);
    };
    const { client, seen } = await start(answer(status, {}), { clock: { now: systemClock.now, sleep } });
    const error = await rejection(client.clusters.delete("c-1", { signal: abort.signal }));
    expect(error).toBe(abort.signal.reason);
    expect(outcomeOf(error)).toBe(outcome);
    expect(seen).toHaveLength(1);
  });

  test("while waiting for a turn: the others go on", async () => {
    const abort = new AbortController();
    const { client, seen, arrived, release } = await startHeld();
    const first = get(client);
    await arrived;
    const second = rejection(client.clusters.get("c-2", { signal: abort.signal }));
    const third = client.clusters.get("c-3");
    abort.abort();
    expect(await second).toBe(abort.signal.reason);
    release();
    await Promise.all([first, third]);
    expect(seen.map(({ path }) => path.at(-1))).toEqual(["1", "3"]);
  });
});

describe("a time-out", () => {
  test("a request that may be repeated is", async () => {
    const respond: Respond = (_, response, turn) => turn >= 2 && json(response, 200, CLUSTER);
    const { client, seen } = await start(respond, { timeoutMs: 100 });
    expect(await get(client)).toEqual(CLUSTER);
    expect(seen.length).toBeGreaterThan(1);
  });

  test("is none of a process that was asleep while the response arrived", async () => {
    const asleep = new Int32Array(new SharedArrayBuffer(4));
    const service = spawn(process.execPath, [
      "--eval",
      `require("node:http").createServer((request, response) => request.resume().on("end", () => {
        console.log("asked");
        setTimeout(() => response.writeHead(201).end(${JSON.stringify(JSON.stringify(CLUSTER))}), 100);
      })).listen(0, "127.0.0.1", function () { console.log(this.address().port); })`,
    ]);
    onTestFinished(() => void service.kill());
    const [port] = await once(service.stdout, "data");
    const client = connect(`http://127.0.0.1:${String(port).trim()}`, { timeoutMs: 1_000 });
    const created = create(client);
    await once(service.stdout, "data");
    Atomics.wait(asleep, 0, 0, 1_500);
    expect(await created).toEqual(CLUSTER);
  });

  test("a POST is not: it may have been carried out", async () => {
    // On a busy machine, too, the request arrives within this time.
    const { client, seen } = await start(() => {}, { timeoutMs: 500 });
    const error = await rejection(create(client));
    const expected = { name: "TimeoutError", delivered: "unknown", attempts: 1 };
    expect(error).toMatchObject({ ...expected, timeoutMs: 500, method: "POST" });
    expect(mayHaveBeenCarriedOut(error)).toBe(true);
    expect(seen).toHaveLength(1);
  });

  test("covers the body", async () => {
    const error = await failure(halfAnAnswer(), list, { timeoutMs: 50, maxRetries: 1 });
    expect(error).toMatchObject({ name: "TimeoutError", attempts: 2 });
  });

  test("while connecting: the request surely did not arrive, so even a POST is sent again", async () => {
    // Nothing after the TCP handshake: TLS never gets ready.
    const mute = createServer((socket) => socket.on("error", () => {}));
    await once(mute.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void mute.close());
    // A TCP server's address is an object; only one on a pipe has a string.
    const { port } = mute.address() as AddressInfo;
    const client = connect(`https://127.0.0.1:${port}`, { timeoutMs: 50, maxRetries: 1 });
    const error = await rejection(create(client));
    expect(error).toMatchObject({ name: "TimeoutError", delivered: "no", attempts: 2 });
    expect(mayHaveBeenCarriedOut(error)).toBe(false);
  });
});

describe("A creation is not sent", () => {
  test.each<[string, (url: string) => string]>([
    ["the connection is refused", () => "http://127.0.0.1:1"],
    ["the host name is unknown", () => "https://service.invalid"],
    ["TLS fails", (url) => url.replace("http:", "https:")],
  ])("where %s", async (_, addressOf) => {
    const { url, seen } = await serve(answer(201, CLUSTER));
    const error = await rejection(create(connect(addressOf(url), { maxRetries: 0 })));
    expect(outcomeOf(error)).toBe("not sent");
    expect(error).toMatchObject({ message: expect.stringContaining("did not reach the service") });
    expect(seen).toEqual([]);
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
