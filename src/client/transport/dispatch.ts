import type { Dispatcher } from "undici";
import { portable } from "../../shared/protocol/encoded-values.js";
import {
  type ExchangeOutcome,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  header,
  isDeeperThan,
  nestedUpTo,
  type ResponseBody,
} from "./exchange.js";
import { networkError } from "./network-errors.js";
import type { CheckedOptions } from "./options.js";

/** No result of the API comes near this; more of it would only fill the memory. */
export const LARGEST_BODY = 64 * 1024 * 1024;
/** A refusal may repeat what was sent. */
const LARGEST_REFUSAL = 4 * 1024 * 1024;
/** Only steps that somebody wrote are nested as deep as this. Code that goes down into them would run out of stack. */
const DEEPEST = 100;

/** Sends a request once, by undici, which follows no redirects. Rejects if the signal is aborted already. */
export async function dispatch(
  options: CheckedOptions,
  { method, target, headers, body, timeoutMs }: HttpRequest,
  signal: AbortSignal | undefined,
): Promise<ExchangeOutcome> {
  signal?.throwIfAborted();
  const { dispatcher, origin, clock } = options;
  const { promise, resolve } = Promise.withResolvers<ExchangeOutcome>();
  const chunks: Buffer[] = [];
  let size = 0;
  let sentAt: number | undefined;
  let head: Pick<HttpResponse, "status" | "headers"> | undefined;
  let controller: Dispatcher.DispatchController | undefined;
  // Whatever settles the request first counts.
  let isSettled = false;

  const settle = (outcome: ExchangeOutcome) => {
    isSettled = true;
    resolve(outcome);
  };
  const stop = () => controller?.abort(new Error("the request was given up"));
  const giveUp = (outcome: ExchangeOutcome) => {
    settle(outcome);
    stop();
  };
  const onTheWay = () => ({ sentAt, endedAt: clock.now() });
  const response = (whole?: ResponseBody): HttpResponse => {
    const { status, headers } = head ?? { status: 0, headers: {} };
    const read = () => readBody(Buffer.concat(chunks), headers);
    return { kind: "response", ...onTheWay(), status, headers, body: whole ?? read() };
  };
  const fail = (error: Error) => {
    const { cause, permanent, refusedByProxy } = networkError(error, options);
    if (refusedByProxy) sentAt = undefined;
    if (head !== undefined) settle({ ...response(), cutOff: cause });
    else settle({ kind: "lost", ...onTheWay(), cause, permanent });
  };
  // Takes the response without its body if that is too large.
  const limit = (bytes: number) => {
    const isSuccess = head !== undefined && head.status >= 200 && head.status < 300;
    if (bytes > (isSuccess ? LARGEST_BODY : LARGEST_REFUSAL)) giveUp(response({ kind: "tooLarge" }));
  };
  const abort = () => {
    if (!isSettled) giveUp({ kind: "ended", ...onTheWay(), reason: signal?.reason });
  };

  signal?.addEventListener("abort", abort, { once: true });
  const timeOut = () => {
    if (!isSettled) giveUp({ kind: "timedOut", ...onTheWay() });
  };
  // Of a process that was asleep, the timer is due before its sockets are read, in which the response may wait.
  const timer = setTimeout(() => setImmediate(() => setImmediate(timeOut)), timeoutMs);
  try {
    dispatcher.dispatch(
      // The timer above covers connection, headers and body: undici's own ones are coarser.
      { origin, path: target, method, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          controller = started;
          // Right before the first byte goes out: a request that never got here was surely not sent.
          sentAt = clock.now();
          // Given up while it waited for a connection: it must not go out any more.
          if (isSettled) stop();
        },
        onResponseStart(_, status, received) {
          if (status < 200) return;
          head = { status, headers: received };
          limit(Number(header(received, "content-length")));
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          chunks.push(chunk);
          limit(size);
        },
        onResponseEnd: () => settle(response()),
        onResponseError: (_, error) => fail(error),
      },
    );
  } catch (error) {
    fail(error instanceof Error ? error : new Error("the request could not be sent"));
  }
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  });
}

/** Reads the bytes of a response, all text in it well-formed. JSON is taken as such whatever the content type says. */
function readBody(bytes: Buffer, headers: HttpHeaders): ResponseBody {
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  if (text.trim() === "") return { kind: "empty" };
  try {
    const parsed: unknown = JSON.parse(text);
    // One pipeline with such steps must not keep anybody from the list of all.
    const value = isDeeperThan(DEEPEST, parsed) ? nestedUpTo(DEEPEST, parsed) : parsed;
    return { kind: "json", value: HALF_CHARACTER.test(text) ? portable(value) : value };
  } catch {
    // The parser's own error quotes the text, which may be secret: it goes no further.
    const coding = header(headers, "content-encoding");
    if (coding !== undefined && !/^(?:identity|utf-?8)?$/i.test(coding))
      return { kind: "compressed", coding };
    const contentType = header(headers, "content-type") ?? "";
    return /\bjson\b/i.test(contentType) ? { kind: "broken" } : { kind: "text", value: text, contentType };
  }
}

/** JSON can spell half a surrogate pair only as an escape: UTF-8 has no form for it. */
const HALF_CHARACTER = /\\u[dD][89a-fA-F]/;
