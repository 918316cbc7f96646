import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { registerAgent } from "./agents.js";
import { type Answer, json, jsonAnswer } from "./http/answer.js";
import { carryOutFault, needsAnswer } from "./http/faults.js";
import type { Operation } from "./http/operation.js";
import { readBody } from "./http/request-body.js";
import { answerTo, type EmulatedService, tokenOf } from "./http/service.js";
import { renderOpenApi } from "./openapi.js";
import { renderPage } from "./page/page.js";
import { operations } from "./sections.js";

type Bindings = { Bindings: HttpBindings };

export async function listen(host: string, port: number) {
  const closing = new AbortController();
  const server = createServer();
  // Longer than clients keep a connection, so that none is closed while a request is on its way.
  server.keepAliveTimeout = 120_000;
  server.listen(port, host);
  await once(server, "listening");
  // A server that listens on a host and port has an address of that kind.
  const { port: actual } = server.address() as AddressInfo;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${actual}`;
  return {
    url,
    serve: (service: EmulatedService, pageKey: string) => {
      const { fetch } = appOf(service, pageKey, url, closing.signal);
      // The adapter would otherwise put its own Request and Response in the place of the process's own.
      server.on("request", getRequestListener(fetch, { overrideGlobalObjects: false }));
    },
    close: async () => {
      closing.abort();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function appOf(
  service: EmulatedService,
  pageKey: string,
  ownUrl: string,
  closing: AbortSignal,
): Hono<Bindings> {
  const app = new Hono<Bindings>({ strict: false });
  app.use((c, next) => (isForeign(c.env.incoming) ? refuseVisitor(c, foreign) : next()));
  app.get("/", async (c) => {
    if (!maySeePage(c, pageKey, c.env.incoming.socket.localPort)) return refuseVisitor(c, withoutKey);
    const page = String(await renderPage(service, baseOf(c)));
    return c.body(page, 200, { "Content-Type": "text/html; charset=utf-8" });
  });
  app.get("/openapi.json", (c) => c.body(renderOpenApi(baseOf(c)), 200, { "Content-Type": json }));
  // Addresses of entities in the web interface lead to the emulator's only page.
  app.get("/organizations/*", (c) => c.redirect(`/#${anchorOf(c.req.path)}`));
  app.post("/v3/register", async (c) => {
    const { json } = await readBody(c.env.incoming);
    return send(registerAgent(service, c.req.header("authorization"), json));
  });
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    const methods = [operation.method, ...(operation.alsoBy ? [operation.alsoBy] : [])];
    app.on(methods, path, (c) => serve(c, operation));
  }
  app.notFound((c) => serve(c, undefined));
  app.onError((error) => send(jsonAnswer(500, { message: `The emulator failed: ${error.message}` })));

  async function serve(c: Context<Bindings>, operation: Operation | undefined): Promise<Response> {
    const { limiter, requests, faults, listeners, clock } = service;
    const { incoming } = c.env;
    const [path = "", query = ""] = (incoming.url ?? "/").split(/\?(.*)/s);
    const token = tokenOf(service, /^Bearer\s+(\S+)\s*$/i.exec(incoming.headers.authorization ?? "")?.[1]);
    const limited = token && limiter?.take(token.user_id);
    const body = await readBody(incoming, token !== undefined);
    const target = { method: c.req.method, path, operation: operation?.id, body: body.recorded };
    faults.catchUp();
    if (token !== undefined) for (const listener of listeners) listener(target);
    const answered = requests.add({ ...target, query, at: clock().toISOString() }, body.size);
    const call = {
      operation,
      // A route's placeholders are all there once it matches.
      params: operation === undefined ? {} : (c.req.param() as Record<string, string>),
      base: baseOf(c),
      path,
      query,
      token,
      json: body.json,
      from: service.callerAddress,
      refusal: limited?.refusal ?? body.refusal,
    };
    const work = (now?: Date) => answerTo(service, call, now);
    const admitted = (answer: Answer): Answer => ({
      ...answer,
      // By the emulator's clock, as `created_at` is: Node's own header would show this machine's time.
      headers: { Date: clock().toUTCString(), ...limited?.headers, ...answer.headers },
    });
    // A request beyond the limit meets no fault: nothing is done for it.
    const rule = limited?.refusal === undefined ? faults.hit(target, token !== undefined) : undefined;
    if (rule === undefined) return send(admitted(work()), answered);
    const { action } = rule;
    const isDone = rule.when === "after" || needsAnswer(action);
    const answer = isDone ? admitted(work()) : undefined;
    if (!isDone && typeof action === "object" && "workAfterMs" in action) {
      faults.postpone(action.workAfterMs, work);
    }
    const faulty = await carryOutFault(c.env, action, answer, closing);
    if (faulty === "nothing") return RESPONSE_ALREADY_SENT;
    return send(admitted(faulty ?? answer ?? work()), answered);
  }

  function baseOf(c: Context<Bindings>): string {
    const host = c.req.header("host");
    return host === undefined ? ownUrl : `http://${host}`;
  }

  return app;
}

const foreign =
  "This emulator answers only under this machine's own names (127.0.0.1, localhost), and no pages of others.";
const withoutKey =
  "Open this page with the address that has its key: the emulator's command prints it on a terminal and with --json, " +
  "and startEmulator returns it as pageUrl.";

async function refuseVisitor(c: Context<Bindings>, message: string): Promise<Response> {
  await readBody(c.env.incoming, false);
  return send(jsonAnswer(403, { message }));
}

function send({ status, body, ...answer }: Answer, answered?: (status: number) => void): Response {
  // The headers of a fault replace others, however they are capitalized.
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, value);
  const response = new Response(body, { status, headers });
  answered?.(status);
  return response;
}

/** `/organizations/acme/clusters/<id>` is the page's part `clusters-<id>`. */
function anchorOf(path: string): string {
  return path.split("/").slice(3).map(encodeURIComponent).join("-");
}

/** A foreign page in a browser may let its own name lead to this machine, or send requests across origins. */
function isForeign({ headers }: IncomingMessage): boolean {
  const { host, origin } = headers;
  // The emulator listens on loopback addresses only, so these are all the names it can have.
  if (host !== undefined && !/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)) return true;
  return origin !== undefined && origin.toLowerCase() !== `http://${host?.toLowerCase()}`;
}

/**
 * The secret in the page's address: every user of the machine can connect, over IPv4 or IPv6, and only the user who
 * started the emulator knows the address. With the same data it stays, because its access token does.
 */
export function pageKeyOf(accessToken: string): string {
  return createHmac("sha256", accessToken).update("page").digest("base64url");
}

/** The first time the key is in the address. A cookie repeats it for web addresses of objects, which have no key. */
function maySeePage(c: Context, key: string, port: number | undefined): boolean {
  const matches = (text = "") => {
    const [expected, given] = [Buffer.from(key), Buffer.from(text)];
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  // Browsers send a cookie to every port of a host.
  const cookie = `page-${port}`;
  if (!matches(c.req.query("key"))) return matches(getCookie(c, cookie));
  setCookie(c, cookie, key, { httpOnly: true, sameSite: "Strict" });
  return true;
}
