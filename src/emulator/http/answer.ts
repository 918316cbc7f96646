import type { Variations } from "../variations.js";
import type { Listing, Operation } from "./operation.js";
import { cutPage } from "./pagination.js";
import type { Query } from "./query.js";
import type { Refusal } from "./refusals.js";

/** Response to the caller: the text of the body, or null. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

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
