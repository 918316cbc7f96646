import type { Variations } from "../variations.js";
import type { Refusal } from "./errors.js";
import type { Listing, Operation } from "./operation.js";
import { cutPage } from "./pages.js";
import type { Query } from "./query.js";

/** What goes back to the caller: the text of the body, null when there is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

const json = "application/json; charset=utf-8";

/** The answer of an operation that did its work. */
export function success(
  operation: Operation,
  result: unknown,
  request: { url: string; query: Query; variations: Variations },
): Answer {
  if (operation.status === 204) return { status: 204, headers: {}, body: null };
  if (operation.list === null) {
    return { status: operation.status, headers: { "Content-Type": json }, body: JSON.stringify(result) };
  }
  if (!isListing(result)) throw new Error(`${operation.id} must answer with a listing.`);
  const { query, variations } = request;
  const asked = query.one("page") !== undefined || query.one("per_page") !== undefined;
  const inPages =
    operation.list === "pages" ||
    variations.undocumentedPages === "always" ||
    (variations.undocumentedPages === "on-request" && asked);
  if (!inPages) {
    return {
      status: operation.status,
      headers: { "Content-Type": json },
      body: JSON.stringify(result.slice(0, result.length)),
    };
  }
  const page = cutPage(
    result,
    { url: request.url, query: query.text, page: query.one("page"), perPage: query.one("per_page") },
    variations,
  );
  return {
    status: operation.status,
    headers: { "Content-Type": json, ...(page.link === undefined ? {} : { Link: page.link }) },
    body: JSON.stringify(page.items),
  };
}

/** The answer to a request that is refused; suites may word it in their own way (section 4.6 shows none). */
export function failure(refusal: Refusal, operation: Operation | undefined, variations: Variations): Answer {
  const ofSuites = operation?.section === "4.6" || operation?.section === "4.7";
  const form = ofSuites && refusal.status === 422 ? variations.suiteErrorBody : "message";
  const answer = (body: string, type = json): Answer => ({
    status: refusal.status,
    headers: { "Content-Type": type },
    body,
  });
  switch (form) {
    case "message":
      return answer(JSON.stringify(refusal.body));
    case "errors":
      return answer(JSON.stringify({ errors: [{ detail: refusal.message }] }));
    case "empty":
      return answer("{}");
    case "text":
      return answer(refusal.message, "text/plain; charset=utf-8");
  }
}

function isListing(value: unknown): value is Listing<unknown> {
  return typeof value === "object" && value !== null && "length" in value && "slice" in value;
}
