import * as z from "zod";
import { describeType } from "../../messages/issue.js";
import { oneLine } from "../../messages/one-line.js";
import type { RateLimit } from "../errors/api-errors.js";
import { apiErrorOfStatus } from "../errors/api-errors.js";
import type { RequestOutcome } from "../errors/build-pipeline-error.js";
import { ArgumentError } from "../errors/invalid-input.js";
import { ConnectionError, TimeoutError, UnexpectedResponseError } from "../errors/transmission-errors.js";
import { integerProblem } from "../options.js";
import { type List, nextAddress, PagedList } from "../pages/list.js";
import { DEEPEST } from "../responses/body.js";
import { type Mismatch, validate } from "../responses/entity.js";
import type { Redactor } from "../responses/redaction.js";
import { readServiceMessage } from "../responses/service-message.js";
import { LARGEST_BODY } from "../transport/dispatch.js";
import { type HttpResponse, header, type ResponseBody } from "../transport/exchange.js";
import type { RetryingExchange } from "../transport/retry.js";
import type { ServiceClock } from "../transport/service-clock.js";
import { nothing, type Operation, type OperationFacts } from "./operation.js";
import { fillPath, type PathIds } from "./path.js";
import { encodeQuery, type Query } from "./query.js";

/** The largest page that the API returns; its default is 30 items. */
const PER_PAGE = 100;
/** A million items. A list with more pages than this is a fault of the API. */
const MOST_PAGES = 10_000;
/** Longer names from the API are cut off. */
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
}

/** Settings of the interface to the service. */
export interface ApiSettings {
  organization: string;
  /** Origin and path prefix of the service, without `/v2`. */
  base: { origin: string; prefix: string };
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  maxRetries: number;
  exchange: RetryingExchange;
  serviceClock: ServiceClock;
  redactor: Redactor;
}

/** A response of the API and its request. */
interface Received {
  readonly operation: OperationFacts;
  readonly target: string;
  readonly attempts: number;
  readonly requestOutcome: RequestOutcome;
  readonly response: HttpResponse;
}

/** Turns operations into requests, and responses into results or errors. Every method of the client calls it once. */
export class Api {
  readonly #settings: ApiSettings;

  constructor(settings: ApiSettings) {
    this.#settings = settings;
  }

  /** Carries out an operation that has one result. */
  async call<Path extends string, Result>(
    operation: Operation<Path, Result>,
    ids: PathIds<Path>,
    payload: Payload,
    options: RequestOptions | undefined,
  ): Promise<Result> {
    const target = this.#target(operation, ids, payload.query);
    return this.#result(operation.result, await this.#send(operation, target, payload, options));
  }

  /** Returns the results of a list operation, page by page. */
  list<Path extends string, Item>(
    operation: Operation<Path, Item>,
    ids: PathIds<Path>,
    query: Query,
    options: RequestOptions | undefined,
  ): List<Item> {
    return new PagedList(() => this.#walk(operation, ids, query, options));
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
    const { organization, base } = this.#settings;
    const parameters = encodeQuery(query);
    const path = fillPath(operation.path, { ...ids, org_slug: ids.org_slug ?? organization });
    return `${base.prefix}${path}${parameters && "?"}${parameters}`;
  }

  async #send(
    operation: Operation<string, unknown>,
    target: string,
    { body, jsonType = body !== undefined }: Payload,
    options: RequestOptions = {},
  ): Promise<Received> {
    const headers = {
      ...this.#settings.headers,
      ...(jsonType ? { "content-type": "application/json" } : {}),
    };
    const { method, resendable } = operation;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const timeoutMs = integer("timeoutMs", options.timeoutMs ?? this.#settings.timeoutMs, 1);
    const maxRetries = integer("maxRetries", options.maxRetries ?? this.#settings.maxRetries, 0);
    const { outcome, attempts, requestOutcome, rateLimit } = await this.#settings.exchange(
      { method, target, headers, body: text, resendable, timeoutMs, maxRetries },
      options.signal,
    );
    const details = { method, path: this.#path(target), attempts, outcome: requestOutcome };
    switch (outcome.kind) {
      case "lost":
        throw this.#settings.serviceClock.stamped(new ConnectionError(details, outcome.cause), outcome);
      case "timedOut":
        throw this.#settings.serviceClock.stamped(new TimeoutError(details, timeoutMs), outcome);
      case "response": {
        const received = { operation, target, attempts, requestOutcome, response: outcome };
        if (outcome.status < 200 || outcome.status >= 300) throw this.#refusal(received, rateLimit);
        if (outcome.cutOff)
          throw this.#settings.serviceClock.stamped(new ConnectionError(details, outcome.cutOff), outcome);
        return received;
      }
    }
  }

  #refusal(
    { operation, target, attempts, requestOutcome, response }: Received,
    rateLimit: RateLimit | undefined,
  ): Error {
    const { status, headers, body } = response;
    const { redactor } = this.#settings;
    const { text, errors, inServiceForm } = readServiceMessage(body, redactor);
    const requestId = header(headers, "x-request-id") ?? header(headers, "request-id");
    const details = {
      method: operation.method,
      path: this.#path(target),
      status,
      serviceMessage: text,
      attempts,
      outcome: requestOutcome,
      requestId: requestId === undefined ? undefined : oneLine(redactor.text(requestId), LONGEST_WORD),
    };
    const particulars = { scope: operation.scope, errors, inServiceForm, rateLimit };
    return this.#settings.serviceClock.stamped(apiErrorOfStatus(details, particulars), response);
  }

  #result<T>(schema: z.ZodType<T>, received: Received): T {
    const { body } = received.response;
    const hasResult = schema !== (nothing as z.ZodType);
    const mismatch = unreadable(body, hasResult);
    if (mismatch !== undefined) throw this.#unexpected(received, { field: "body", ...mismatch });
    const validated = validate(schema, hasResult && body.kind === "json" ? body.value : undefined);
    if ("value" in validated) return this.#settings.serviceClock.stamped(validated.value, received.response);
    throw this.#unexpected(received, validated.mismatch);
  }

  #nextTarget(received: Received, seen: ReadonlySet<string>): string | undefined {
    const { origin } = this.#settings.base;
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

  #unexpected({ operation, target, attempts, response }: Received, mismatch: Mismatch): Error {
    const shown = (text: string) => oneLine(this.#settings.redactor.text(text), LONGEST_WORD);
    const error = new UnexpectedResponseError({
      method: operation.method,
      path: this.#path(target),
      status: response.status,
      attempts,
      field: shown(mismatch.field),
      expected: mismatch.expected,
      received: shown(mismatch.received),
    });
    return this.#settings.serviceClock.stamped(error, response);
  }

  /** Returns the path for errors, without the query, because the query contains the caller's values. */
  #path(target: string): string {
    return this.#settings.redactor.text(target.split("?")[0] ?? target);
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
function unreadable(
  { kind }: ResponseBody,
  hasResult: boolean,
): { expected: string; received: string } | undefined {
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
