import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import type { RegisterAgent } from "../agent-registration.js";
import { type Answer, jsonAnswer } from "./answer.js";
import { carryOutFault, type LateWork, needsAnswer } from "./fault-actions.js";
import type { Faults, FaultTarget } from "./faults.js";
import type { Gateway } from "./gateway.js";
import type { Operation } from "./operation.js";
import { readBody, skipBody } from "./request-body.js";
import type { RequestLog } from "./request-log.js";
import { isForeign, type PageKey } from "./visitors.js";

type ServerContext = Context<{ Bindings: HttpBindings }>;

/** The parts that handle requests. */
export interface ServerParts {
  readonly operations: readonly Operation[];
  readonly gateway: Gateway;
  readonly faults: Faults;
  readonly lateWork: LateWork;
  /** Called when a request with a valid access token arrives, before anything is done for it. */
  readonly arrived: (request: FaultTarget) => void;
  readonly requests: RequestLog;
  readonly clock: () => Date;
  /** Lets an agent start, or refuses it. */
  readonly registerAgent: RegisterAgent;
  /** Returns the page of the organization. `base` is the address the browser used. */
  readonly renderPage: (base: string) => string | Promise<string>;
  /** Opens the page. */
  readonly pageKey: PageKey;
  /** Returns the description of the operations, which every user of the machine can read. */
  readonly renderOpenApi: (base: string) => string;
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
  app.use(async (c, next) => {
    if (isForeign(c.env.incoming)) return refuseVisitor(c, foreign);
    return next();
  });
  app.get("/", async (c) => {
    if (!parts.pageKey.opens(c, c.env.incoming.socket.localPort)) return refuseVisitor(c, withoutKey);
    return c.body(String(await parts.renderPage(baseOf(c))), 200, {
      "Content-Type": "text/html; charset=utf-8",
    });
  });
  app.get("/openapi.json", (c) =>
    c.body(parts.renderOpenApi(baseOf(c)), 200, { "Content-Type": "application/json; charset=utf-8" }),
  );
  // Addresses of entities in the web interface lead to the emulator's only page.
  app.get("/organizations/*", (c) => c.redirect(`/#${anchorOf(c.req.path)}`));
  app.post("/v3/register", async (c) => {
    const body = await readBody(c.env.incoming);
    return send(parts.registerAgent(c.req.header("authorization"), body.json));
  });
  for (const operation of parts.operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app.on([operation.method, ...(operation.alsoMethods ?? [])], path, (c) => serve(c, operation));
  }
  app.notFound((c) => serve(c, undefined));
  app.onError((error) => send(jsonAnswer(500, { message: `The emulator failed: ${error.message}` })));

  async function serve(c: ServerContext, operation: Operation | undefined): Promise<Response> {
    const { gateway, requests, faults, lateWork, clock } = parts;
    const { pathname: path, search: query } = splitUrl(c.env.incoming.url ?? "/");
    const base = baseOf(c);
    const admission = gateway.admit(c.req.header("authorization"), base);
    const isKnown = admission.token !== undefined;
    const body = await (isKnown ? readBody(c.env.incoming) : skipBody(c.env.incoming));
    const target = { method: c.req.method, path, operation: operation?.id, body: body.recorded };
    lateWork.catchUp();
    if (isKnown) parts.arrived(target);
    const answered = requests.add({ ...target, query, at: clock().toISOString() }, body.size);
    // A route's placeholders are all there once it matches.
    const params = operation === undefined ? {} : (c.req.param() as Record<string, string>);
    const call = { operation, params, base, path, query };
    const work = (now?: Date) => gateway.answer(call, admission, body, now);
    const admitted = (answer: Answer): Answer => ({
      ...answer,
      // By the emulator's clock, as `created_at` is: Node's own header would show this machine's time.
      headers: { Date: clock().toUTCString(), ...admission.headers, ...answer.headers },
    });
    // A request beyond the limit meets no fault: nothing is done for it.
    const rule = isKnown && admission.refusal !== undefined ? undefined : faults.hit(target, isKnown);
    if (rule === undefined) return send(admitted(work()), answered);
    const { action } = rule;
    const isDone = rule.when === "after" || needsAnswer(action);
    const answer = isDone ? admitted(work()) : undefined;
    if (!isDone && typeof action === "object" && "workAfterMs" in action) {
      lateWork.plan(action.workAfterMs, work);
    }
    const faulty = await carryOutFault(c.env, action, answer, closing.signal);
    if (faulty === "nothing") return RESPONSE_ALREADY_SENT;
    return send(admitted(faulty ?? answer ?? work()), answered);
  }

  // The adapter would otherwise put its own Request and Response in the place of the process's own.
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
    return named === undefined ? fallback : `http://${named}`;
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

const foreign =
  "This emulator answers only under this machine's own names (127.0.0.1, localhost), and no pages of others.";
const withoutKey =
  "Open this page with the address that has its key: the emulator's command prints it on a terminal and with --json, " +
  "and startEmulator returns it as pageUrl.";

/** Answers a request that is refused before anything is done for it. */
async function refuseVisitor(c: ServerContext, message: string): Promise<Response> {
  await skipBody(c.env.incoming);
  return send(jsonAnswer(403, { message }));
}

function send(answer: Answer, answered: (status: number) => void = () => {}): Response {
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
