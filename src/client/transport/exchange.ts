import type { Dispatcher } from "undici";
import { quoted } from "../../shared/messages/quoted.js";
import type { RequestOutcome } from "../errors/build-pipeline-error.js";

export type HttpHeaders = Dispatcher.ResponseData["headers"];

/** How a request is made. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface HttpRequest {
  readonly method: Method;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly resendable: boolean;
  readonly timeoutMs: number;
  /** Most retries after failures. 0 also turns off waits for the rate limit. */
  readonly maxRetries: number;
}

/**
 * Body of a response. `broken`: not the JSON that its content type promises, such as a body cut off on its way.
 * `compressed`: by a coding that no request asks for.
 * `tooLarge`: larger than the client accepts.
 */
export type ResponseBody =
  | { readonly kind: "empty" }
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "text"; readonly value: string; readonly contentType: string }
  | { readonly kind: "compressed"; readonly coding: string }
  | { readonly kind: "broken" | "tooLarge" };

/** When a request was on its way, by this machine's clock. */
export interface OnTheWay {
  /** When its first byte left; undefined where it surely did not. */
  readonly sentAt: number | undefined;
  readonly endedAt: number;
}

export interface HttpResponse extends OnTheWay {
  readonly kind: "response";
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: ResponseBody;
  /** Why the body is not complete, when the connection was lost in the middle of it. */
  readonly cutOff?: Error & { code?: string };
}

interface Lost extends OnTheWay {
  readonly kind: "lost";
  readonly cause: Error & { code?: string };
  /** Trying again is pointless: a certificate that is not trusted stays so. */
  readonly permanent: boolean;
}

/** `ended`: from outside, by the signal of its caller or by a hook that threw. */
type Unheard = OnTheWay &
  ({ readonly kind: "timedOut" } | { readonly kind: "ended"; readonly reason: unknown });

export type ExchangeOutcome = HttpResponse | Lost | Unheard;

/** Classifies one try of a request that has no usable response. The one place that decides it. */
export function requestOutcome(outcome: ExchangeOutcome): RequestOutcome {
  if (outcome.kind !== "response") return outcome.sentAt === undefined ? "not sent" : "unknown";
  // Some gateways respond with 408 when the service, which has the request, takes too long.
  const isRefused = outcome.status >= 400 && outcome.status < 500 && outcome.status !== 408;
  return isRefused ? "rejected" : "unknown";
}

/** Returns the value of a header; several headers of the same name are joined by a comma. */
export function header(headers: HttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Names a web page, which a gateway or a sign-in shows in place of the API's response: `a web page ("Sign in")`. */
export function webPage(body: ResponseBody): string | undefined {
  if (body.kind !== "text" || !/^\s*<(?:!doctype html|html)\b/i.test(body.value)) return undefined;
  const [, title = ""] = /<title\b[^>]{0,99}>([^<]{1,300})/i.exec(body.value.slice(0, 20_000)) ?? [];
  return title.trim() === "" ? "a web page" : `a web page (${quoted(title.trim())})`;
}

export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeperThan(levels - 1, entry));
}

/** Returns a value with a text in the place of what is nested deeper. */
export function nestedUpTo(levels: number, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return "(nested deeper)";
  if (Array.isArray(value)) return value.map((entry) => nestedUpTo(levels - 1, entry));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, nestedUpTo(levels - 1, entry)]),
  );
}
