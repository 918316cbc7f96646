import { createRequire } from "node:module";
import type * as undici from "undici";
import { Agent, type Dispatcher, MockAgent } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { type IncomingResponse, type OutgoingRequest, outcomeOf } from "../../../src/client/index.js";
import { TLS } from "../../support/proxy.js";
import {
  ACCESS_TOKEN,
  answer,
  type Call,
  CLUSTER,
  connect,
  create,
  failure,
  get,
  hangUp,
  instantClock,
  inTurn,
  list,
  rejection,
  serve,
  start,
  startHeld,
} from "../service.js";

const path = "/v2/organizations/acme/clusters";
const gone = new Error("nobody waits for this any more");
const refuse = () => {
  throw gone;
};

describe("beforeSend", () => {
  test("is called before each try, after the wait for it", async () => {
    const happened: unknown[] = [];
    const answers = inTurn(answer(503, {}), answer(429, { reset: 7 }), answer(200, CLUSTER));
    const { client } = await start(
      (...request) => {
        happened.push("arrived");
        answers(...request);
      },
      {
        clock: { ...instantClock(), sleep: async () => void happened.push("waited") },
        beforeSend: (request) => void happened.push(request),
      },
    );
    await get(client);
    const request = (attempt: number): OutgoingRequest => ({ method: "GET", path: `${path}/c-1`, attempt });
    const tries = [1, 2, 3].flatMap((attempt) => ["waited", request(attempt), "arrived"]);
    expect(happened).toEqual(tries.slice(1));
  });

  test("is called after the turn among other requests has come", async () => {
    const announced: string[] = [];
    const beforeSend = ({ path }: OutgoingRequest) => void announced.push(path.slice(-3));
    const { client, arrived, release } = await startHeld({ beforeSend });
    const calls = ["c-1", "c-2", "c-3"].map((id) => client.clusters.get(id));
    await arrived;
    expect(announced).toEqual(["c-1"]);
    release();
    await Promise.all(calls);
    expect(announced).toEqual(["c-1", "c-2", "c-3"]);
  });

  test.each([
    ["throws", refuse],
    ["rejects", () => Promise.reject(gone)],
  ])("that %s ends the call with its error, and nothing is sent", async (_, beforeSend) => {
    const { client, seen } = await start(answer(201, CLUSTER), { concurrency: 1, beforeSend });
    expect(await rejection(create(client))).toBe(gone);
    expect(await rejection(list(client))).toBe(gone);
    expect(outcomeOf(gone)).toBe("not sent");
    expect(seen).toEqual([]);
  });

  test("that rejects after a wait for a limit keeps a POST from being sent again", async () => {
    const beforeSend = ({ attempt }: OutgoingRequest) => (attempt === 1 ? undefined : Promise.reject(gone));
    const { client, seen } = await start(answer(429, { reset: 30 }), { beforeSend });
    expect(await rejection(create(client))).toBe(gone);
    expect(seen).toHaveLength(1);
  });
});

describe("one call", () => {
  test("may have a time-out of its own", async () => {
    const call: Call = (c) => c.accessToken.get({ timeoutMs: 50, maxRetries: 0 });
    const error = await failure(() => {}, call, { timeoutMs: 600_000 });
    expect(error).toMatchObject({ name: "TimeoutError", attempts: 1, timeoutMs: 50 });
  });

  test("may have retries of its own", async () => {
    const { client } = await start(answer(503, {}), { maxRetries: 1 });
    expect(await rejection(client.clusters.get("c-1", { maxRetries: 3 }))).toMatchObject({ attempts: 4 });
    expect(await rejection(get(client))).toMatchObject({ attempts: 2 });
    expect(await rejection(client.clusters.list({ maxRetries: 0 }).all())).toMatchObject({ attempts: 1 });
  });
});

describe("onResponse", () => {
  test("is called after each response, whatever its status, and not for a try without one", async () => {
    const responses: IncomingResponse[] = [];
    const { client } = await start(
      inTurn(hangUp, answer(503, {}), answer(200, CLUSTER, { "x-request": "3" })),
      { onResponse: (response) => void responses.push(response) },
    );
    await get(client);
    expect(responses.map(({ headers: _, ...rest }) => rest)).toEqual([
      { method: "GET", path: `${path}/c-1`, attempt: 2, status: 503 },
      { method: "GET", path: `${path}/c-1`, attempt: 3, status: 200 },
    ]);
    expect(responses[1]?.headers).toMatchObject({ "x-request": "3", date: expect.any(String) });
  });

  test("ends the call if it throws", async () => {
    expect(await failure(answer(200, CLUSTER), get, { onResponse: refuse })).toBe(gone);
  });
});

test("the network can be handed in, and stays open when the client is closed", async () => {
  const service = await serve(answer(200, CLUSTER));
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.close());
  const there = dispatcher.compose(
    (dispatch) => (options, handler) => dispatch({ ...options, origin: service.url }, handler),
  );
  const client = connect("http://127.0.0.1:1", { dispatcher: there });
  expect(await get(client)).toEqual(CLUSTER);
  await client.close();
  expect(await get(client)).toEqual(CLUSTER);
});

test("an error of the network that quotes the request does not show the access token", async () => {
  const dispatcher = new MockAgent();
  onTestFinished(() => dispatcher.close());
  const quoting = new Error(`refused: {"authorization":"Bearer ${ACCESS_TOKEN}"}`);
  dispatcher.get("https://service.example.com").intercept({ path: /.*/ }).replyWithError(quoting).persist();
  const client = connect("https://service.example.com", { dispatcher });
  const error = await rejection(get(client));
  expect(error).toMatchObject({ name: "ConnectionError", message: expect.stringContaining("refused: ") });
  expect(error).toMatchObject({ message: expect.not.stringContaining(ACCESS_TOKEN) });
  expect(error).toMatchObject({ cause: { message: expect.not.stringContaining(ACCESS_TOKEN) } });
});

describe("an error of the network is in words", () => {
  test.each([
    ["ECONNREFUSED", "the connection was refused: "],
    ["ECONNRESET", "the connection was reset: "],
    ["EPIPE", "the connection was closed: "],
    ["ETIMEDOUT", "no connection in time: "],
    ["ENETUNREACH", "the network can't be reached: "],
    ["EHOSTUNREACH", "the host can't be reached: "],
    ["ENOTFOUND", "the host name is unknown: "],
    ["EAI_AGAIN", "the host name could not be looked up: "],
  ])("for %s", async (code, words) => {
    const dispatcher = new MockAgent();
    onTestFinished(() => dispatcher.close());
    const own = Object.assign(new Error(`connect ${code} 192.0.2.1:443`), { code });
    dispatcher.get("https://service.example.com").intercept({ path: /.*/ }).replyWithError(own).persist();
    const error = await rejection(get(connect("https://service.example.com", { dispatcher })));
    const message = expect.stringContaining(`${words}${own.message}.`);
    expect(error).toMatchObject({ name: "ConnectionError", systemCode: code, attempts: 5, message });
  });

  test("where the address has https and the server only http, and not in those of OpenSSL's source", async () => {
    const { url, seen } = await serve(answer(201, CLUSTER));
    const error = await rejection(create(connect(url.replace("http:", "https:"))));
    const message = expect.stringContaining(
      "failed: the server doesn't use TLS there: the address may need http",
    );
    expect(error).toMatchObject({ name: "ConnectionError", attempts: 1, delivered: "no", message });
    expect(error).toMatchObject({ message: expect.not.stringMatching(/openssl|\.c:\d/i) });
    expect(seen).toEqual([]);
  });

  test("where the server refuses each version of TLS that the client knows", async () => {
    const { url } = await serve(answer(201, CLUSTER), {
      ...TLS,
      maxVersion: "TLSv1.1",
      minVersion: "TLSv1.1",
    });
    const error = await rejection(create(connect(url)));
    expect(error).toMatchObject({
      attempts: 1,
      delivered: "no",
      message: expect.stringContaining("TLS failed: "),
    });
    expect(error).toMatchObject({ message: expect.not.stringMatching(/openssl|\.c:\d/i) });
  });
});

describe("a dispatcher of undici 6, which Pulumi's SDK brings along, is refused when the client is made", () => {
  /** A package that the SDK installs uses it. */
  const undici6: typeof undici = createRequire(createRequire(__filename).resolve("node-gyp"))("undici");
  const all = (agent: Agent): [string, Dispatcher][] => [
    ["Agent", agent],
    ["Pool", new undici6.Pool("https://api.example.com")],
    ["ProxyAgent", new undici6.ProxyAgent("http://127.0.0.1:1")],
    ["MockAgent", new undici6.MockAgent()],
    ["agent with an interceptor", agent.compose((dispatch) => dispatch)],
  ];

  test.each(all(new undici6.Agent()))("%s", (_, dispatcher) => {
    expect(() => connect("https://api.example.com", { dispatcher })).toThrow(
      /^dispatcher was made by undici 6 or older.* Make it with undici 7 or 8/,
    );
  });

  test("an agent that only shows itself when it sends something names them then", async () => {
    const dispatcher = new undici6.RetryAgent(new undici6.Agent());
    const error = await rejection(create(connect("https://api.example.com", { dispatcher })));
    expect(error).toMatchObject({
      attempts: 1,
      delivered: "no",
      message: expect.stringContaining("undici 7 or 8"),
    });
  });

  test.each([{}, { dispatch: 1 }])("so is an object that is no dispatcher: %j", (dispatcher) => {
    expect(() => connect("https://api.example.com", { dispatcher: dispatcher as never })).toThrow(
      /^dispatcher is not a dispatcher of undici/,
    );
  });
});
