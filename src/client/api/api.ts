import * as z from "zod";
import { describeType } from "../../messages/issue.js";
import { oneLine } from "../../messages/one-line.js";
import { apiErrorOfStatus } from "../errors/api-error-of-status.js";
import { ArgumentError } from "../errors/argument-error.js";
import { ConnectionError } from "../errors/connection-error.js";
import { TimeoutError } from "../errors/timeout-error.js";
import { UnexpectedResponseError } from "../errors/unexpected-response-error.js";
import { integerProblem } from "../integer.js";
import { nextAddress } from "../pages/link.js";
import { type List, PagedList } from "../pages/list.js";
import { DEEPEST } from "../responses/body.js";
import type { Redactor } from "../responses/redaction.js";
import { readServiceMessage } from "../responses/service-message.js";
import { validate } from "../responses/validation.js";
import { LARGEST_BODY } from "../transport/dispatch.js";
import { type Attempted, type HttpResponse, header, type ResponseBody } from "../transport/exchange.js";
import type { RetryingExchange } from "../transport/retry.js";
import { nothing, type Operation, type OperationFacts } from "./operation.js";
import { fillPath, type PathIds } from "./path.js";
import { encodeQuery, type Query } from "./query.js";

/** As many as the service gives at once (its own default is 30). */
const PER_PAGE = 100;
/** A million items: more than anybody has, so a service that goes on and on is broken. */
const MOST_PAGES = 10_000;
/** Longer names of fields and ids of requests are cut off. */
const LONGEST_FIELD = 200;

/** What every method takes last. */
export interface RequestOptions {
  /** Gives the call up; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds one try of this call's requests may take. Default: the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** How often this call's requests are sent again. Default: the client's `maxRetries`; 0 turns every wait off. */
  maxRetries?: number | undefined;
}

/** What a request carries besides its ids. In a body, undefined is left out and null is sent. */
export interface Payload {
  query?: Query | undefined;
  body?: object | undefined;
  /** The JSON content type although there is no body, where the document asks for it. */
  jsonType?: boolean;
}

/** What the interface to the service is made of. */
export interface ApiSettings {
  organization: string;
  /** Origin and path prefix of the service, without `/v2`. */
  base: { origin: string; prefix: string };
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  maxRetries: number;
  exchange: RetryingExchange;
  redactor: Redactor;
}

/** Turns operations into requests and answers into results or errors: every method of the client is one call of this. */
export class Api {
  readonly #settings: ApiSettings;

  constructor(settings: ApiSettings) {
    this.#settings = settings;
  }

  /** Carries out an operation that answers with one result. */
  async call<Path extends string, Result>(
    operation: Operation<Path, Result>,
    ids: PathIds<Path>,
    payload: Payload,
    options: RequestOptions | undefined,
  ): Promise<Result> {
    const target = this.#target(operation, ids, payload.query);
    const { attempted, answer } = await this.#send(operation, target, payload, options);
    return this.#result(operation, operation.result, attempted, answer, target);
  }

  /** A list operation, page by page. */
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
      const { attempted, answer } = await this.#send(operation, target, {}, options);
      // Looked at before the items are handed out, so that a page that cannot be followed is not taken for the last.
      const next = this.#nextTarget(operation, target, attempted, answer, seen);
      yield this.#result(operation, page, attempted, answer, target);
      target = next;
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
  ): Promise<{ attempted: Attempted; answer: HttpResponse }> {
    const headers = {
      ...this.#settings.headers,
      ...(jsonType ? { "content-type": "application/json" } : {}),
    };
    const { method, resendable } = operation;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const timeoutMs = integer("timeoutMs", options.timeoutMs ?? this.#settings.timeoutMs, 1);
    const maxRetries = integer("maxRetries", options.maxRetries ?? this.#settings.maxRetries, 0);
    const attempted = await this.#settings.exchange(
      { method, target, headers, body: text, resendable, timeoutMs, maxRetries },
      options.signal,
    );
    const { outcome } = attempted;
    const details = { method, path: this.#path(target), attempts: attempted.attempts };
    switch (outcome.kind) {
      case "lost":
        throw new ConnectionError({ ...details, delivered: attempted.delivered }, outcome.cause);
      case "timedOut":
        throw new TimeoutError({ ...details, delivered: attempted.delivered }, timeoutMs);
      case "response":
        if (outcome.status < 200 || outcome.status >= 300)
          throw this.#refusal(operation, target, attempted, outcome);
        if (outcome.cutOff) throw new ConnectionError({ ...details, delivered: "unknown" }, outcome.cutOff);
        return { attempted, answer: outcome };
    }
  }

  #refusal(
    operation: OperationFacts,
    target: string,
    { attempts, rateLimit }: Attempted,
    answer: HttpResponse,
  ): Error {
    const { redactor } = this.#settings;
    const { text, errors } = readServiceMessage(answer.body, redactor);
    const requestId = header(answer.headers, "x-request-id") ?? header(answer.headers, "request-id");
    const details = {
      method: operation.method,
      path: this.#path(target),
      status: answer.status,
      serviceMessage: text,
      attempts,
      requestId: requestId === undefined ? undefined : oneLine(redactor.text(requestId), LONGEST_FIELD),
    };
    return apiErrorOfStatus(details, { scope: operation.scope, errors, rateLimit });
  }

  #result<T>(
    operation: OperationFacts,
    schema: z.ZodType<T>,
    attempted: Attempted,
    { status, body }: HttpResponse,
    target: string,
  ): T {
    const fail = (field: string, expected: string, received: string) =>
      this.#unexpected(operation, target, attempted, status, field, expected, received);
    // An operation that answers with nothing is done, whatever else the service says.
    const given = schema === (nothing as z.ZodType) ? undefined : body;
    if (given !== undefined && given.kind !== "json") throw fail("body", ...unreadable(given.kind));
    const checked = validate(schema, given?.value);
    if ("value" in checked) return checked.value;
    const { field, expected, received } = checked.mismatch;
    throw fail(field, expected, received);
  }

  #nextTarget(
    operation: OperationFacts,
    target: string,
    attempted: Attempted,
    { status, headers }: HttpResponse,
    seen: ReadonlySet<string>,
  ): string | undefined {
    const { origin } = this.#settings.base;
    const next = nextAddress(header(headers, "link"));
    if (next === undefined) return undefined;
    const fail = (expected: string, received: string) =>
      this.#unexpected(operation, target, attempted, status, "Link header", expected, received);
    const url = URL.parse(next, `${origin}${target}`);
    if (url === null) throw fail("the address of the next page", "not an address");
    // Another host would get the access token, so nothing is asked of it. An address such as blob: has an origin, too.
    if (!/^https?:$/.test(url.protocol)) throw fail(`an address of ${origin}`, `one with ${url.protocol}`);
    if (url.origin !== origin) throw fail(`an address of ${origin}`, `an address of ${url.origin}`);
    const nextTarget = `${url.pathname}${url.search}`;
    if (seen.has(nextTarget)) throw fail("a page not seen before", "the address of an earlier page");
    if (seen.size >= MOST_PAGES) throw fail(`at most ${MOST_PAGES} pages`, "the address of one more");
    return nextTarget;
  }

  #unexpected(
    { method }: OperationFacts,
    target: string,
    { attempts }: Attempted,
    status: number,
    field: string,
    expected: string,
    received: string,
  ): UnexpectedResponseError {
    return new UnexpectedResponseError({
      method,
      path: this.#path(target),
      status,
      attempts,
      field: this.#settings.redactor.text(oneLine(field, LONGEST_FIELD)),
      expected,
      received,
    });
  }

  /** The path as errors show it: without the query, whose values are the caller's. */
  #path(target: string): string {
    return this.#settings.redactor.text(target.split("?")[0] ?? target);
  }
}

function integer(argument: string, value: number, least: number): number {
  const problem = integerProblem(value, least);
  if (problem !== undefined) throw new ArgumentError(argument, problem);
  return value;
}

/** What was expected of a body and what came instead. */
function unreadable(kind: Exclude<ResponseBody["kind"], "json">): [expected: string, received: string] {
  switch (kind) {
    case "empty":
      return ["JSON", describeType("")];
    case "text":
      return ["JSON", "not JSON"];
    case "broken":
      return ["JSON", "incomplete or broken JSON"];
    case "tooLarge":
      return [`a body up to ${LARGEST_BODY / 1024 ** 2} MiB`, "larger"];
    case "tooDeep":
      return [`JSON nested up to ${DEEPEST} levels`, "nested deeper"];
  }
}
