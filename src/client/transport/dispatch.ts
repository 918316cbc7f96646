import { Agent, type Dispatcher } from "undici";
import { oneLine } from "../../shared/messages/foreign-text.js";
import { noteOutcome } from "../errors/build-pipeline-error.js";
import { readBody } from "./body.js";
import type { Clock } from "./clock.js";
import { type HttpRequest, type HttpResponse, header, type Outcome, type ResponseBody } from "./exchange.js";
import type { CheckedOptions } from "./options.js";
import type { Redactor } from "./redaction.js";

/** No result of the API comes near this; more of it would only fill the memory. */
export const LARGEST_BODY = 64 * 1024 * 1024;
/** Refusals are short. */
const LARGEST_REFUSAL = 64 * 1024;

const PERMANENT =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|UND_ERR_(?:INVALID_ARG|DESTROYED|CLOSED)$)/;

const IN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name could not be looked up",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
};

/** Longest time that a connection may be idle and still be used again. */
const LONGEST_IDLE_MS = 1_000;

/** Returns connections on which it is certain whether a request was sent, and that none is sent twice. */
export function connections({ concurrency, timeoutMs }: CheckedOptions): Agent {
  return new Agent({
    connections: concurrency,
    // HTTP/1.1 without pipelining ensures that a request that has not started was not sent.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: timeoutMs },
    // If the API has closed an idle connection, a creation sent on it would look like a lost response.
    keepAliveTimeout: LONGEST_IDLE_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
  });
}

export interface Network {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly redactor: Redactor;
  readonly clock: Clock;
}

/** Sends a request once, by undici, which follows no redirects. Rejects only with the reason of an aborted signal. */
export async function dispatch(
  network: Network,
  request: HttpRequest,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  signal?.throwIfAborted();
  const call = new Call(network, request);
  const abort = () => call.cancel(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await call.send();
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** One request on its way: undici reports here, and whatever settles it first counts. */
class Call implements Dispatcher.DispatchHandler {
  readonly #network: Network;
  readonly #request: HttpRequest;
  readonly #outcome = Promise.withResolvers<Outcome>();
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #sentAt: number | undefined;
  #head: { status: number; headers: HttpResponse["headers"] } | undefined;
  #settled = false;

  constructor(network: Network, request: HttpRequest) {
    this.#network = network;
    this.#request = request;
  }

  send(): Promise<Outcome> {
    const { dispatcher, origin } = this.#network;
    const { method, target, headers, body, timeoutMs } = this.#request;
    this.#timer = setTimeout(() => {
      this.#settle({ kind: "timedOut", ...this.#onTheWay() });
      this.#stop();
    }, timeoutMs);
    try {
      // The timer above covers connection, headers and body: undici's own ones are coarser.
      dispatcher.dispatch(
        { origin, path: target, method, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 },
        this,
      );
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error("the request could not be sent"));
    }
    return this.#outcome.promise;
  }

  /** Gives the request up for a reason, which tells its outcome if it was on its way. */
  cancel(reason: unknown): void {
    if (this.#settled) return;
    // undici says "start" right before the first byte goes out; a request that never got there was surely not sent.
    if (this.#sentAt !== undefined) noteOutcome(reason, "unknown");
    this.#finish();
    this.#stop();
    this.#outcome.reject(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sentAt = this.#network.clock.now();
    // Given up while it waited for a connection: it must not go out any more.
    if (this.#settled) this.#stop();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpResponse["headers"]): void {
    if (status < 200) return;
    this.#head = { status, headers };
    if (Number(header(headers, "content-length")) > this.#largest) this.#refuse();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#largest) this.#refuse();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle(this.#response());
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #onTheWay() {
    return { sentAt: this.#sentAt, endedAt: this.#network.clock.now() };
  }

  #fail(error: Error): void {
    const cause = failureCause(error, this.#network.redactor);
    if (this.#head !== undefined) this.#settle({ ...this.#response(), cutOff: cause });
    else this.#settle({ kind: "lost", ...this.#onTheWay(), cause, permanent: isPermanent(error) });
  }

  #response(body?: ResponseBody): HttpResponse {
    const { status, headers } = this.#head ?? { status: 0, headers: {} };
    const contentType = header(headers, "content-type") ?? "";
    const read = () => readBody(Buffer.concat(this.#chunks), contentType);
    return { kind: "response", ...this.#onTheWay(), status, headers, body: body ?? read() };
  }

  get #largest(): number {
    const status = this.#head?.status ?? 0;
    return status >= 200 && status < 300 ? LARGEST_BODY : LARGEST_REFUSAL;
  }

  /** Takes the response without its body, which is too large. */
  #refuse(): void {
    this.#settle(this.#response({ kind: "tooLarge" }));
    this.#stop();
  }

  #settle(outcome: Outcome): void {
    if (this.#settled) return;
    this.#finish();
    this.#outcome.resolve(outcome);
  }

  #finish(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
  }

  #stop(): void {
    this.#controller?.abort(new Error("the request was given up"));
  }
}

/** Returns a printable error of the network: a message and a code, without parts of the request. */
function failureCause(error: Error, redactor: Redactor): Error & { code?: string } {
  const code = codeOf(error);
  const words = code === undefined ? undefined : IN_WORDS[code];
  const own = oneLine(redactor.text(error.message), 500);
  const message = [words, own === words ? "" : own].filter(Boolean).join(": ") || code || error.name;
  // A new error, since the original may hold the request's headers in its fields.
  const cause: Error & { code?: string } = new Error(message);
  if (code !== undefined) cause.code = code;
  return cause;
}

/** Checks whether the same request would fail in the same way again. */
function isPermanent(error: Error): boolean {
  return PERMANENT.test(codeOf(error) ?? "");
}

function codeOf(error: Error): string | undefined {
  if ("code" in error && typeof error.code === "string") return error.code;
  // Several addresses were tried: the first failure stands for all.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return first instanceof Error ? codeOf(first) : undefined;
}
