import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import type { TlsOptions } from "node:tls";
import { onTestFinished } from "vitest";
import {
  BuildPipelineClient,
  type BuildPipelineClientOptions,
  type ClientEvent,
  type Clock,
} from "../../src/client/index.js";

/** A request as it arrived. */
export interface Seen {
  method: string;
  /** Path and query, as on the wire. */
  target: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

type ClientOptions = Partial<BuildPipelineClientOptions>;

/** Answers a request; `turn` counts from 1. */
export type Respond = (request: Seen, response: ServerResponse, turn: number) => unknown;

export const ACCESS_TOKEN = "bkua_0123456789abcdef0123456789abcdef";

/** A real HTTP server on loopback, or with a certificate an HTTPS server, that lives as long as the test. */
export async function serve(respond: Respond, tls?: TlsOptions) {
  const seen: Seen[] = [];
  const listen = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = "", url: target = "", headers } = incoming;
    const { pathname: path, searchParams: query } = new URL(target, "http://service");
    const request = { method, target, path, query, headers, body: await text(incoming) };
    seen.push(request);
    respond(request, response, seen.length);
  };
  const server = tls === undefined ? createServer(listen) : createTlsServer(tls, listen);
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A TCP server's address is an object; only one on a pipe has a string.
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  return { url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`, seen, stop };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
  response.end(JSON.stringify(body));
}

/** Gives the same JSON to every request. */
export function answer(status: number, body?: unknown, headers: Record<string, string> = {}): Respond {
  return (_, response) => json(response, status, body, headers);
}

/** Gives the same bytes to every request. */
export function raw(status: number, body: string | Buffer, type = "application/json", headers = {}): Respond {
  return (_, response) => response.writeHead(status, { "content-type": type, ...headers }).end(body);
}

export const hangUp: Respond = (_, response) => response.destroy();

/** Closes the connection in the middle of an answer. */
export function cutOff(status: number, begin: string): Respond {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", "content-length": "500" });
    response.write(begin, () => response.destroy());
  };
}

/** Answers each request in another way, and all that follow in the last one. */
export function inTurn(...answers: Respond[]): Respond {
  return (request, response, turn) => answers[Math.min(turn, answers.length) - 1]?.(request, response, turn);
}

/** A clock on which every wait is over at once, those that begin together too; it remembers them, in milliseconds. */
export function instantClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  let time = 0;
  return {
    waits,
    now: () => time,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      const end = time + ms;
      await setImmediate();
      signal?.throwIfAborted();
      time = Math.max(time, end);
    },
  };
}

/** A client of the service, closed when the test ends. */
export function connect(url: string, options: ClientOptions = {}): BuildPipelineClient {
  const settings = { accessToken: ACCESS_TOKEN, organization: "acme", baseUrl: url };
  const client = new BuildPipelineClient({ ...settings, clock: instantClock(), ...options });
  onTestFinished(() => client.close());
  return client;
}

/** A service that answers like this, and a client of it whose waits take no time. */
export async function start(respond: Respond, options: ClientOptions = {}) {
  const service = await serve(respond);
  const clock = instantClock();
  const events: ClientEvent[] = [];
  const onEvent = (event: ClientEvent) => void events.push(event);
  const client = connect(service.url, { clock, onEvent, ...options });
  return { ...service, waits: clock.waits, events, client };
}

/** A service that answers only when it is released, and a client that sends one request at a time. */
export async function startHeld(options: ClientOptions = {}) {
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const respond: Respond = async (_, response) => {
    arrived.resolve();
    await released.promise;
    json(response, 200, CLUSTER);
  };
  const started = await start(respond, { concurrency: 1, ...options });
  return { ...started, arrived: arrived.promise, release: released.resolve };
}

export type Call = (client: BuildPipelineClient) => Promise<unknown>;
export const get: Call = (client) => client.clusters.get("c-1");
export const list: Call = (client) => client.clusters.list().all();
export const create: Call = (client) => client.clusters.create({ name: "x" });
export const remove: Call = (client) => client.clusters.delete("c-1");

/** What a call fails with when the service answers like this. */
export async function failure(respond: Respond, call: Call, options: ClientOptions = {}): Promise<unknown> {
  const { client } = await start(respond, options);
  return rejection(call(client));
}

export async function rejection(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("the call was expected to fail");
}

export const CLUSTER = { id: "c-1", name: "Linux" };
export const QUEUE = { id: "q-1", key: "default", dispatch_paused: false };
export const BUILD = { id: "b-1", number: 42, state: "running" };
