import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import type { Answer } from "./answer.js";
import { carryOutFault } from "./fault-actions.js";
import type { Faults } from "./faults.js";
import type { Gateway } from "./gateway.js";
import type { Operation } from "./operation.js";
import { readBody, recordable } from "./request-body.js";
import type { RequestLog } from "./request-log.js";

type ServerContext = Context<{ Bindings: HttpBindings }>;

/** What the server passes requests to. */
export interface ServerParts {
  readonly operations: readonly Operation[];
  readonly gateway: Gateway;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly clock: () => Date;
  /** Pages for people, by path: HTML or JSON text. `base` is the address the browser used. */
  readonly pages: Readonly<
    Record<string, { type: string; render: (base: string) => string | Promise<string> }>
  >;
}

/** The emulator's HTTP server, listening. */
export interface ListeningServer {
  readonly url: string;
  /** Closes every connection at once. */
  close(): Promise<void>;
}

/** Serves the operations on a loopback address. @throws when the address is taken. */
export async function listen(parts: ServerParts, host: string, port: number): Promise<ListeningServer> {
  const closing = new AbortController();
  const app = new Hono<{ Bindings: HttpBindings }>({ strict: false });
  for (const [path, { type, render }] of Object.entries(parts.pages)) {
    app.get(path, async (c) => c.body(String(await render(baseOf(c))), 200, { "Content-Type": type }));
  }
  // What entities name as their place in the web interface is found on the one page there is.
  app.get("/organizations/*", (c) => c.redirect(`/#${anchorOf(c.req.path)}`));
  for (const operation of parts.operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app.on([operation.method, ...(operation.alsoMethods ?? [])], path, (c) => serve(c, operation));
  }
  app.notFound((c) => serve(c, undefined));

  async function serve(c: ServerContext, operation: Operation | undefined): Promise<Response> {
    const { pathname, search } = splitUrl(c.env.incoming.url ?? "/");
    const bodyText = await readBody(c.env.incoming);
    const target = { method: c.req.method, path: pathname, operation: operation?.id };
    const answered = parts.requests.add({
      ...target,
      at: parts.clock().toISOString(),
      query: search,
      body: recordable(bodyText ?? "[too large]"),
    });
    if (bodyText === undefined) return send(tooLarge, answered);
    const rule = parts.faults.hit(target);
    if (rule !== undefined && (rule.when ?? "before") === "before" && rule.action !== "truncate") {
      const faulty = await carryOutFault(c.env, rule.action, undefined, closing.signal);
      if (faulty !== undefined) return send(faulty, answered);
    }
    const answer = parts.gateway.answer({
      operation,
      // A route's placeholders are all there once it matches.
      params: operation === undefined ? {} : (c.req.param() as Record<string, string>),
      authorization: c.req.header("authorization"),
      base: baseOf(c),
      path: pathname,
      query: search,
      bodyText,
    });
    if (rule !== undefined && (rule.when === "after" || rule.action === "truncate")) {
      const faulty = await carryOutFault(c.env, rule.action, answer, closing.signal);
      if (faulty !== undefined) return send(faulty, answered);
    }
    return send(answer, answered);
  }

  // The adapter would otherwise put its own Request and Response in the place of the whole process's.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  // Longer than clients keep a connection, so that none is closed while a request is on its way.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  // A server that listens on a host and port has an address of that kind.
  const { port: actual } = server.address() as AddressInfo;
  const fallback = `http://${host.includes(":") ? `[${host}]` : host}:${actual}`;

  function baseOf(c: ServerContext): string {
    const named = c.req.header("host");
    return named !== undefined && /^[a-z0-9.:[\]-]+$/i.test(named) ? `http://${named}` : fallback;
  }

  return {
    url: fallback,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const tooLarge: Answer = {
  status: 413,
  headers: { "Content-Type": "application/json; charset=utf-8" },
  body: JSON.stringify({ message: "The request body is too large" }),
};

function send(answer: Answer | "nothing", answered: (status: number) => void): Response {
  if (answer === "nothing") return RESPONSE_ALREADY_SENT;
  answered(answer.status);
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}

/** `/organizations/acme/clusters/<id>` is the page's part `clusters-<id>`. */
function anchorOf(path: string): string {
  return path.split("/").slice(3).map(encodeURIComponent).join("-");
}

function splitUrl(url: string): { pathname: string; search: string } {
  const at = url.indexOf("?");
  return at === -1
    ? { pathname: url, search: "" }
    : { pathname: url.slice(0, at), search: url.slice(at + 1) };
}
