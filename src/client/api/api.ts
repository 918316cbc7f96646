import * as z from "zod";
import { oneLine } from "../../shared/messages/foreign-text.js";
import { apiErrorOfStatus, namedScope } from "../errors/api-errors.js";
import { ArgumentError, noted } from "../errors/build-pipeline-error.js";
import {
  ConnectionError,
  compressedBy,
  REPLACED,
  type RequestDetails,
  type ResponseMismatch,
  TimeoutError,
  UnexpectedResponseError,
} from "../errors/transmission-errors.js";
import { LARGEST_BODY } from "../transport/dispatch.js";
import { type HttpResponse, header, type Method, type OnTheWay, webPage } from "../transport/exchange.js";
import { type CheckedOptions, integerProblem } from "../transport/options.js";
import { isLimited, readRateLimit, readRetryAfter } from "../transport/rate-limit.js";
import { retrying } from "../transport/retry.js";
import { ServiceClock } from "../transport/service-clock.js";
import { readServiceMessage } from "../transport/service-message.js";
import { validate } from "./entity.js";
import { type List, nextAddress, pagedList, placesPage, withCount } from "./list.js";
import { nothing, type Operation } from "./operation.js";
import { encodeQuery, fillPath } from "./target.js";

/** The largest page that the API returns; its default is 30 items. */
const PER_PAGE = 100;
/** A million items. A list with more pages than this is a fault of the API. */
const MOST_PAGES = 10_000;
/** Pages in a row without a new object after which a list doesn't end. New objects may shift a page onto the next one. */
const MOST_OLD_PAGES = 4;
const LONGEST_WORD = 200;
/** What says that a deletion was carried out. Any other success only accepts it. */
const DELETED = [200, 203, 204, 205];
/** How long the scopes of the access token are taken to stay as they are. */
const SCOPES_KNOWN_MS = 60_000;

/** Says what a body is that can't be read, and what else than JSON was expected. */
function unreadable(
  body: Exclude<HttpResponse["body"], { kind: "json" }>,
): Partial<ResponseMismatch> & { received: string } {
  if (body.kind === "compressed") return { received: "compressed", advice: compressedBy(body.coding) };
  const page = webPage(body);
  if (page !== undefined) return { received: page, advice: REPLACED };
  return {
    empty: { received: "empty" },
    text: { received: "not JSON" },
    broken: { received: "incomplete or broken JSON" },
    tooLarge: { expected: `a body up to ${LARGEST_BODY / 1024 ** 2} MiB`, received: "larger" },
  }[body.kind];
}

/** Last argument of every method. */
export interface RequestOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Longest time for one attempt of a request of this call, in milliseconds. Default: the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** Maximum number of times that each request is repeated; 0 also disables waits. Default: the client's `maxRetries`. */
  maxRetries?: number | undefined;
  /** @internal Called when a request of this call ended, before its response is judged: with when it was on its way. */
  onEnd?: ((request: OnTheWay) => void) | undefined;
}

/** A group of methods, which one section of the API's documentation describes. */
export abstract class Section {
  /** @internal */
  protected readonly api: Api;

  /** @internal */
  constructor(api: Api) {
    this.api = api;
  }
}

/** Values for the placeholders of a path, in its order, without the organization's slug. */
type Ids = readonly (string | number)[];

interface Received {
  readonly request: RequestDetails;
  readonly target: string;
  readonly response: HttpResponse;
}

/** Turns operations into requests, and responses into results or errors. Every method of the client calls it once. */
export class Api {
  readonly serviceClock = new ServiceClock();
  readonly #options: CheckedOptions;
  readonly #exchange: ReturnType<typeof retrying>;
  #asked: { readonly at: number; readonly scopes: Promise<ReadonlySet<string> | undefined> } | undefined;

  constructor(options: CheckedOptions) {
    this.#options = options;
    this.#exchange = retrying(options, this.serviceClock);
  }

  /** @param payload the query of a GET, the body of another request: undefined is left out of it, and null is sent */
  async call<Result>(
    operation: Operation<Result>,
    ids: Ids,
    options?: RequestOptions,
    payload?: object,
  ): Promise<Result> {
    const isRead = operation.method === "GET";
    const target = this.#target(operation.path, ids, isRead ? payload : {});
    const received = await this.#send(operation, target, options, isRead ? undefined : payload);
    return this.#result(operation.result, received);
  }

  list<Item>(operation: Operation<Item>, ids: Ids, options?: RequestOptions, query?: object): List<Item> {
    return pagedList(() => this.#walk(operation, ids, options, query));
  }

  async request(method: Method, path: string, body?: object): Promise<HttpResponse> {
    const jsonType = method !== "GET" && method !== "DELETE";
    const operation = { method, scope: null, resendable: method === "GET", jsonType, anyStatus: true };
    return (await this.#send(operation, this.#options.prefix + path, {}, body)).response;
  }

  async *#walk<Item>(
    operation: Operation<Item>,
    ids: Ids,
    options: RequestOptions | undefined,
    query: object | undefined,
  ): AsyncGenerator<Item[]> {
    const items = z.array(operation.result);
    const pageOfCursor = z.object({ items, links: z.object({ next: z.string().nullish() }) });
    const seen = new Set<string>();
    const objects = new Set<unknown>();
    let old = 0;
    let isGuess = false;
    const first = this.#target(operation.path, ids, { ...query, per_page: PER_PAGE });
    let target: string | undefined = first;
    while (target !== undefined) {
      seen.add(target);
      const received = await this.#send(operation, target, options);
      const link = header(received.response.headers, "link");
      const cursor = operation.isByCursor ? this.#result(pageOfCursor, received) : undefined;
      const page = cursor?.items ?? withCount(this.#result(items, received), link);
      const before = objects.size;
      for (const item of page) objects.add(recognized(item));
      old = objects.size > before ? 0 : old + 1;
      if (isGuess && old > 0) return;
      const told = cursor ? cursor.links.next : nextAddress(link);
      isGuess = cursor === undefined && page.length === PER_PAGE && !placesPage(link);
      const next = isGuess ? `${first}&page=${seen.size + 1}` : told;
      // Read before the items are yielded, so that no page with an invalid link is mistaken for the last page.
      const field = cursor ? "links.next" : "Link header";
      target = this.#nextTarget(received, seen, field, next ?? undefined);
      if (target !== undefined && old >= MOST_OLD_PAGES) {
        const mismatch = {
          expected: "a page with new objects",
          received: "one more after pages without any",
        };
        throw this.#unexpected(received, { field, ...mismatch });
      }
      yield page;
    }
  }

  /** Returns the path without secrets, and without the query, because that has the caller's values. */
  #shownPath(target: string, template = ""): string {
    const { prefix, redactor } = this.#options;
    const [path = ""] = target.split("?");
    const literals = `${prefix}${template}`.split("/");
    return path
      .split("/")
      .map((part, at) => (part === literals[at] ? part : redactor.text(part)))
      .join("/");
  }

  #target(path: string, ids: Ids, query: object = {}): string {
    const { prefix, organization } = this.#options;
    const placeholders = path.match(/\{\w+\}/g) ?? [];
    // The first placeholder is the client's organization, except where any organization can be read.
    const values = (placeholders.length > ids.length ? [organization, ...ids] : ids).values();
    return prefix + fillPath(path, () => values.next().value) + encodeQuery(query);
  }

  async #send(
    operation: Pick<Operation<unknown>, "method" | "scope" | "resendable" | "jsonType" | "secret"> & {
      readonly path?: string;
      /** Returns a response that is no success, too. */
      readonly anyStatus?: boolean;
    },
    target: string,
    options: RequestOptions = {},
    body?: object,
  ): Promise<Received> {
    const { method, scope, resendable = false, jsonType = body !== undefined } = operation;
    const headers = {
      authorization: `Bearer ${this.#options.accessToken}`,
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": this.#options.userAgent,
      ...(jsonType ? { "content-type": "application/json" } : {}),
    };
    const timeoutMs = integer("timeoutMs", options.timeoutMs ?? this.#options.timeoutMs, 1);
    const maxRetries = integer("maxRetries", options.maxRetries ?? this.#options.maxRetries, 0);
    const text = body && JSON.stringify(body);
    const { outcome, attempts, requestOutcome } = await this.#exchange(
      { method, target, headers, body: text, resendable, timeoutMs, maxRetries },
      options.signal,
    );
    options.onEnd?.(outcome);
    if (outcome.kind === "ended") throw noted(outcome.reason, requestOutcome);
    const { secret: hidden = () => undefined } = operation;
    const secret: unknown = typeof hidden === "string" ? Object(body)[hidden] : hidden({ ...body });
    const redactor = this.#options.redactor.andHiding(secret);
    const path = this.#shownPath(target, operation.path);
    const request = { method, path, attempts, outcome: requestOutcome };
    if (outcome.kind === "lost") throw new ConnectionError(request, outcome.cause);
    if (outcome.kind === "timedOut") throw new TimeoutError(request, timeoutMs);
    const { status, body: said } = outcome;
    if (!operation.anyStatus && (status < 200 || status >= 300)) {
      const requestId = header(outcome.headers, "x-request-id") ?? header(outcome.headers, "request-id");
      const { scope: limited, ...rateLimit } = readRateLimit(outcome);
      const reason = readServiceMessage(said, redactor);
      const accepted = wordsIn(header(outcome.headers, "x-accepted-oauth-scopes")) ?? alternatives(scope);
      const isRateLimited = isLimited(outcome);
      const isAsked = status === 403 && !isRateLimited && scope !== null && namedScope(reason) === undefined;
      throw apiErrorOfStatus({
        ...request,
        ...reason,
        status,
        requestId: requestId && this.#word(requestId),
        accepted,
        held: await this.#scopes(outcome, isAsked),
        retryAfter: readRetryAfter(outcome.headers),
        isRateLimited,
        rateLimit: { ...rateLimit, scope: limited && redactor.text(limited) },
        maxRateLimitWaitMs: maxRetries === 0 ? undefined : this.#options.maxRateLimitWaitMs,
      });
    }
    if (outcome.cutOff) throw new ConnectionError(request, outcome.cutOff);
    return { request, target, response: outcome };
  }

  /** Returns the scopes of the access token, as a refusal shows them, or else the API if it may be asked. */
  async #scopes({ headers }: HttpResponse, isAsked: boolean): Promise<ReadonlySet<string> | undefined> {
    const shown = wordsIn(header(headers, "x-oauth-scopes"));
    if (shown !== undefined || !isAsked) return shown && new Set(shown);
    const now = this.#options.clock.now();
    if (this.#asked === undefined || now - this.#asked.at > SCOPES_KNOWN_MS)
      this.#asked = { at: now, scopes: this.#askScopes().catch(() => undefined) };
    return this.#asked.scopes;
  }

  async #askScopes(): Promise<ReadonlySet<string> | undefined> {
    const operation = { method: "GET", scope: null, resendable: true } as const;
    const { response } = await this.#send(operation, `${this.#options.prefix}/v2/access-token`, {
      maxRetries: 0,
    });
    const parsed = z
      .object({ scopes: z.array(z.string()) })
      .safeParse(response.body.kind === "json" ? response.body.value : undefined);
    return parsed.data && new Set(parsed.data.scopes);
  }

  #result<T>(schema: z.ZodType<T>, received: Received): T {
    const { body, status } = received.response;
    const hasResult = schema !== (nothing as z.ZodType);
    if (!hasResult && received.request.method === "DELETE" && !DELETED.includes(status))
      throw this.#unexpected(received, {
        field: "status",
        expected: "204",
        received: `${status}`,
        advice: "The deletion may be carried out later, or never: check the service.",
      });
    // An operation without a result succeeds with any JSON. An HTML page may come from a proxy instead of the API.
    if (body.kind !== "json" && (hasResult || body.kind !== "empty")) {
      const expected = hasResult ? "JSON" : "no body or JSON";
      throw this.#unexpected(received, { field: "body", expected, ...unreadable(body) });
    }
    const given = hasResult && body.kind === "json" ? body.value : undefined;
    const validated = validate(schema, given);
    if ("value" in validated) return validated.value;
    throw this.#unexpected(received, validated.mismatch);
  }

  #nextTarget(
    received: Received,
    seen: ReadonlySet<string>,
    field: string,
    next: string | undefined,
  ): string | undefined {
    const { origin, prefix } = this.#options;
    if (next === undefined) return undefined;
    const fail = (expected: string, what: string) =>
      this.#unexpected(received, { field, expected, received: what });
    const url = URL.parse(next, `${origin}${received.target}`);
    if (url === null) throw fail("the address of the next page", "not an address");
    if (!/^https?:$/.test(url.protocol)) throw fail(`an address of ${origin}`, `one with ${url.protocol}`);
    const [path = ""] = received.target.split("?");
    // Behind a proxy, the service may name its own address, and a gateway may spell the path in another way. Only the page
    // counts: the access token goes to the list that was asked for, and never to another host or organization.
    if (url.origin !== origin && !url.pathname.endsWith(path.slice(prefix.length)))
      throw fail(`an address of ${origin}`, `an address of ${url.origin}`);
    const target = path + url.search;
    if (seen.has(target)) throw fail("a page not seen before", "the address of an earlier page");
    if (seen.size >= MOST_PAGES) throw fail(`at most ${MOST_PAGES} pages`, "the address of one more");
    return target;
  }

  #unexpected(
    { request, response }: Received,
    { field, expected, received, advice }: ResponseMismatch,
  ): Error {
    const mismatch = {
      field: this.#word(field),
      expected,
      received: this.#word(received),
      ...(advice && { advice: this.#word(advice) }),
    };
    return new UnexpectedResponseError(request, response.status, mismatch);
  }

  /** Returns a name from the service as a message may contain it. */
  #word(text: string): string {
    return oneLine(this.#options.redactor.text(text), LONGEST_WORD);
  }
}

/** What tells an object from those of other pages: a pair has no id of its own. */
function recognized(item: unknown): unknown {
  const { id, uuid }: { id?: unknown; uuid?: unknown } = Object(item);
  return id ?? uuid ?? JSON.stringify(item);
}

function integer(argument: string, value: number, least: number): number {
  const problem = integerProblem(value, least);
  if (problem !== undefined) throw new ArgumentError(argument, problem);
  return value;
}

/** Returns the names in a header that lists them; undefined if the response doesn't have it. */
function wordsIn(list: string | undefined): string[] | undefined {
  return list?.split(/[\s,]+/).filter((word) => /^\w{1,50}$/.test(word));
}

/** Returns scopes of which one is enough: Buildkite has two for reading teams, and a document names one of them. */
function alternatives(scope: string | null): string[] {
  return scope === null ? [] : [scope, scope.replace(/^read_/, "view_"), scope.replace(/^view_/, "read_")];
}
