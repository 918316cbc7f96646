import type { Dispatcher } from "undici";
import * as z from "zod";
import { oneLine } from "../../shared/messages/foreign-text.js";
import { describeType } from "../../shared/messages/quoted.js";
import { apiErrorOfStatus } from "../errors/api-errors.js";
import { ArgumentError } from "../errors/invalid-input.js";
import {
  ConnectionError,
  type Mismatch,
  type RequestDetails,
  TimeoutError,
  UnexpectedResponseError,
} from "../errors/transmission-errors.js";
import { DEEPEST } from "../transport/body.js";
import { LARGEST_BODY } from "../transport/dispatch.js";
import { type HttpResponse, header, type Method, type ResponseBody } from "../transport/exchange.js";
import { type CheckedOptions, integerProblem } from "../transport/options.js";
import { readRateLimit } from "../transport/rate-limit.js";
import { Redactor } from "../transport/redaction.js";
import { retrying, type Send } from "../transport/retry.js";
import { ServiceClock } from "../transport/service-clock.js";
import { validate } from "./entity.js";
import { type List, nextAddress, pagedList } from "./list.js";
import { nothing, type Operation, type OperationFacts } from "./operation.js";
import { fillPath, type PathIds } from "./path.js";
import { encodeQuery, type Query } from "./query.js";
import { readServiceMessage } from "./service-message.js";

/** The largest page that the API returns; its default is 30 items. */
const PER_PAGE = 100;
/** A million items. A list with more pages than this is a fault of the API. */
const MOST_PAGES = 10_000;
const LONGEST_WORD = 200;

/** Last argument of every method. */
export interface RequestOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Longest time for one attempt of a request of this call, in milliseconds. Default: the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** Maximum number of times that each request is repeated; 0 also disables waits. Default: the client's `maxRetries`. */
  maxRetries?: number | undefined;
}

/** Body or query of a request. In a body, undefined is left out and null is sent. */
export interface Payload {
  query?: Query | undefined;
  body?: object | undefined;
  /** Sends the JSON content type without a body, where the API document requires that. */
  jsonType?: boolean;
  /** Returns a response that is no success, too. */
  anyStatus?: boolean;
}

interface Received {
  readonly request: RequestDetails;
  readonly target: string;
  readonly response: HttpResponse;
}

/** Turns operations into requests, and responses into results or errors. Every method of the client calls it once. */
export class Api {
  /** Estimates the service's clock by all responses. */
  readonly serviceClock = new ServiceClock();
  readonly #options: CheckedOptions;
  readonly #origin: string;
  /** Path in front of `/v2`, without a slash at its end. */
  readonly #prefix: string;
  readonly #redactor: Redactor;
  readonly #exchange: Send;

  constructor(options: CheckedOptions, dispatcher: Dispatcher) {
    const { origin, pathname } = new URL(options.baseUrl);
    const redactor = new Redactor([options.accessToken]);
    this.#options = options;
    this.#origin = origin;
    this.#prefix = pathname.replace(/\/$/, "");
    this.#redactor = redactor;
    const network = { dispatcher, origin, redactor, clock: options.clock };
    this.#exchange = retrying(network, this.serviceClock, options);
  }

  async call<Path extends string, Result>(
    operation: Operation<Path, Result>,
    ids: PathIds<Path>,
    payload: Payload,
    options: RequestOptions | undefined,
  ): Promise<Result> {
    const target = this.#target(operation, ids, payload.query);
    return this.#result(operation.result, await this.#send(operation, target, payload, options));
  }

  list<Path extends string, Item>(
    operation: Operation<Path, Item>,
    ids: PathIds<Path>,
    query: Query,
    options: RequestOptions | undefined,
  ): List<Item> {
    return pagedList(() => this.#walk(operation, ids, query, options));
  }

  /** Sends a request to a path, once if it writes, and returns any response as it came. */
  async request(method: Method, path: string, body?: object): Promise<HttpResponse> {
    const operation = { method, scope: null, resendable: method === "GET" };
    const jsonType = method !== "GET" && method !== "DELETE";
    return (await this.#send(operation, this.#prefix + path, { body, jsonType, anyStatus: true })).response;
  }

  async *#walk<Path extends string, Item>(
    operation: Operation<Path, Item>,
    ids: PathIds<Path>,
    query: Query,
    options: RequestOptions | undefined,
  ): AsyncGenerator<Item[]> {
    const page = z.array(operation.result);
    const seen = new Set<string>();
    let target: string | undefined = this.#target(operation, ids, { ...query, per_page: PER_PAGE });
    while (target !== undefined) {
      seen.add(target);
      const received = await this.#send(operation, target, {}, options);
      // Reads the link before it yields the items, so that no page with an invalid link
      // is mistaken for the last page.
      target = this.#nextTarget(received, seen);
      yield this.#result(page, received);
    }
  }

  #target(
    operation: OperationFacts,
    ids: Readonly<Record<string, string | number | undefined>>,
    query: Query = {},
  ) {
    const parameters = encodeQuery(query);
    const path = fillPath(operation.path, { ...ids, org_slug: ids.org_slug ?? this.#options.organization });
    return `${this.#prefix}${path}${parameters && "?"}${parameters}`;
  }

  async #send(
    { method, scope, resendable }: Pick<Operation<string, unknown>, "method" | "scope" | "resendable">,
    target: string,
    { body, jsonType = body !== undefined, anyStatus = false }: Payload,
    options: RequestOptions = {},
  ): Promise<Received> {
    const headers = {
      authorization: `Bearer ${this.#options.accessToken}`,
      accept: "application/json",
      "user-agent": this.#options.userAgent,
      ...(jsonType ? { "content-type": "application/json" } : {}),
    };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const timeoutMs = integer("timeoutMs", options.timeoutMs ?? this.#options.timeoutMs, 1);
    const maxRetries = integer("maxRetries", options.maxRetries ?? this.#options.maxRetries, 0);
    const { outcome, attempts, requestOutcome } = await this.#exchange(
      { method, target, headers, body: text, resendable, timeoutMs, maxRetries },
      options.signal,
    );
    // The path without the query, because the query contains the caller's values.
    const path = this.#redactor.text(target.split("?")[0] ?? target);
    const request = { method, path, attempts, outcome: requestOutcome };
    const failed = (error: Error) => this.serviceClock.stamped(error, outcome);
    if (outcome.kind === "lost") throw failed(new ConnectionError(request, outcome.cause));
    if (outcome.kind === "timedOut") throw failed(new TimeoutError(request, timeoutMs));
    if (!anyStatus && (outcome.status < 200 || outcome.status >= 300)) {
      const requestId = header(outcome.headers, "x-request-id") ?? header(outcome.headers, "request-id");
      const { scope: limited, ...rateLimit } = readRateLimit(outcome);
      throw failed(
        apiErrorOfStatus({
          ...request,
          ...readServiceMessage(outcome.body, this.#redactor),
          status: outcome.status,
          requestId: requestId === undefined ? undefined : this.#word(requestId),
          scope,
          rateLimit: { ...rateLimit, scope: limited && this.#redactor.text(limited) },
          maxRateLimitWaitMs: maxRetries === 0 ? undefined : this.#options.maxRateLimitWaitMs,
        }),
      );
    }
    if (outcome.cutOff) throw failed(new ConnectionError(request, outcome.cutOff));
    return { request, target, response: outcome };
  }

  #result<T>(schema: z.ZodType<T>, received: Received): T {
    const { body } = received.response;
    const hasResult = schema !== (nothing as z.ZodType);
    const mismatch = unreadable(body, hasResult);
    if (mismatch !== undefined) throw this.#unexpected(received, { field: "body", ...mismatch });
    const given = hasResult && body.kind === "json" ? body.value : undefined;
    const validated = validate(schema, given, this.#options.dropsUnexpected);
    if ("value" in validated) return this.serviceClock.stamped(validated.value, received.response);
    throw this.#unexpected(received, validated.mismatch);
  }

  #nextTarget(received: Received, seen: ReadonlySet<string>): string | undefined {
    const origin = this.#origin;
    const next = nextAddress(header(received.response.headers, "link"));
    if (next === undefined) return undefined;
    const fail = (expected: string, what: string) =>
      this.#unexpected(received, { field: "Link header", expected, received: what });
    const url = URL.parse(next, `${origin}${received.target}`);
    if (url === null) throw fail("the address of the next page", "not an address");
    // Sends no request to another host, because it would receive the access token. Addresses such as
    // blob: also have an origin.
    if (!/^https?:$/.test(url.protocol)) throw fail(`an address of ${origin}`, `one with ${url.protocol}`);
    if (url.origin !== origin) throw fail(`an address of ${origin}`, `an address of ${url.origin}`);
    const target = `${url.pathname}${url.search}`;
    if (seen.has(target)) throw fail("a page not seen before", "the address of an earlier page");
    if (seen.size >= MOST_PAGES) throw fail(`at most ${MOST_PAGES} pages`, "the address of one more");
    return target;
  }

  #unexpected({ request, response }: Received, { field, expected, received }: Mismatch): Error {
    const mismatch = { field: this.#word(field), expected, received: this.#word(received) };
    const error = new UnexpectedResponseError(request, response.status, mismatch);
    return this.serviceClock.stamped(error, response);
  }

  /** Returns a name from the service as a message may contain it. */
  #word(text: string): string {
    return oneLine(this.#redactor.text(text), LONGEST_WORD);
  }
}

function integer(argument: string, value: number, least: number): number {
  const problem = integerProblem(value, least);
  if (problem !== undefined) throw new ArgumentError(argument, problem);
  return value;
}

/**
 * Describes a body that can't be read, and the expected one. An operation without a result succeeds with any JSON. An
 * HTML page may come from a proxy instead of the API.
 */
function unreadable({ kind }: ResponseBody, hasResult: boolean): Omit<Mismatch, "field"> | undefined {
  const expected = hasResult ? "JSON" : "no body or JSON";
  switch (kind) {
    case "json":
      return undefined;
    case "empty":
      return hasResult ? { expected, received: describeType("") } : undefined;
    case "text":
      return { expected, received: "not JSON" };
    case "broken":
      return { expected, received: "incomplete or broken JSON" };
    case "tooLarge":
      return { expected: `a body up to ${LARGEST_BODY / 1024 ** 2} MiB`, received: "larger" };
    case "tooDeep":
      return { expected: `JSON nested up to ${DEEPEST} levels`, received: "nested deeper" };
  }
}
