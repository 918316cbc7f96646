import type { Variations } from "../variations.js";
import type { Listing, Operation } from "./operation.js";
import type { Query } from "./query.js";
import type { Refusal } from "./refusals.js";

/** Response to the caller: the text of the body, or null. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

const usualPageSize = 30;
const json = "application/json; charset=utf-8";

/** Returns an answer with a body of JSON. */
export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "Content-Type": json, ...headers }, body: JSON.stringify(body) };
}

/** Returns the answer of an operation that did its work. */
export function success(
  operation: Operation,
  result: unknown,
  request: {
    readonly url: string;
    readonly query: Query;
    readonly variations: Variations;
    /** Returns the list, without new objects that it doesn't show yet. */
    readonly settled: (list: Listing) => Listing;
  },
): Answer {
  const { status, list } = operation;
  if (status === 204) return { status, headers: {}, body: null };
  if (list === undefined) return jsonAnswer(status, result);
  // An operation that answers with a list returns one.
  const listed = request.settled(result as Listing);
  const { query, variations } = request;
  const asked = query.one("page") !== undefined || query.one("per_page") !== undefined;
  const inPages =
    list === "paged" ||
    variations.undocumentedPages === "always" ||
    (variations.undocumentedPages === "on-request" && asked);
  if (!inPages) return jsonAnswer(status, listed.slice(0, listed.length));
  const page = cutPage(
    listed,
    { url: request.url, query: query.text, page: query.one("page"), perPage: query.one("per_page") },
    variations,
  );
  return jsonAnswer(status, page.items, page.link === undefined ? {} : { Link: page.link });
}

/**
 * Returns the answer to a request that is refused; suites may word it in their own way: none is documented.
 */
export function failure(refusal: Refusal, operation: Operation | undefined, variations: Variations): Answer {
  const { status, body, message } = refusal;
  const ofSuites = operation?.section === "4.6" || operation?.section === "4.7";
  switch (ofSuites && status === 422 ? variations.suiteErrorBody : "message") {
    case "message":
      return jsonAnswer(status, body);
    case "errors":
      return jsonAnswer(status, { errors: [{ detail: message }] });
    case "empty":
      return jsonAnswer(status, {});
    case "text":
      return { status, headers: { "Content-Type": "text/plain; charset=utf-8" }, body: message };
  }
}

/** The part of a list that a request asks for, and the `Link` header that goes with it. */
interface Page {
  readonly items: readonly unknown[];
  readonly link: string | undefined;
}

/** The parts of a request that select the page: its address and its query text. */
interface PagedRequest {
  /** Address without the query. */
  readonly url: string;
  /** The query as it was sent, without `?`. */
  readonly query: string;
  readonly page: string | undefined;
  readonly perPage: string | undefined;
}

/** Cuts one page out of a list. */
function cutPage(all: Listing, request: PagedRequest, variations: Variations): Page {
  const perPage = Math.min(variations.largestPage, positive(request.perPage) ?? usualPageSize);
  const page = positive(request.page) ?? 1;
  const last = Math.max(1, Math.ceil(all.length / perPage));
  const items = all.slice((page - 1) * perPage, page * perPage);
  if (last === 1 && page === 1) {
    return { items, link: variations.linkHeaderOnSinglePage === "empty" ? "" : undefined };
  }
  const relations: [string, number][] = [];
  if (page > 1) relations.push(["first", 1], ["prev", Math.min(page - 1, last)]);
  if (page < last) relations.push(["next", page + 1], ["last", last]);
  const shown =
    variations.linkRelations === "all" ? relations : relations.filter(([relation]) => relation === "next");
  if (shown.length === 0) return { items, link: undefined };
  return {
    items,
    link: shown.map(([rel, target]) => `<${addressOf(request, target, perPage)}>; rel="${rel}"`).join(", "),
  };
}

/** Returns an integer from 1; anything else counts as not given, `page=0` among it. */
function positive(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= 1 ? number : undefined;
}

/**
 * Returns the request's address with another page: its parameters keep their order and spelling, and `page` is never
 * the last one.
 */
function addressOf(request: PagedRequest, page: number, perPage: number): string {
  const parameters = request.query === "" ? [] : request.query.split("&");
  const target = `page=${page}`;
  const replaced = parameters.map((parameter) => (/^page(=|$)/.test(parameter) ? target : parameter));
  const others = replaced.filter((parameter) => parameter !== target);
  const keepsItsPlace = replaced.includes(target) && replaced.at(-1) !== target;
  if (keepsItsPlace) return `${request.url}?${replaced.join("&")}`;
  if (others.length === 0) others.push(`per_page=${perPage}`);
  return `${request.url}?${[target, ...others].join("&")}`;
}
