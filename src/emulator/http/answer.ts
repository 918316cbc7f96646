import { Refusal } from "../model/refusals.js";
import type { Variations } from "../model/variations.js";
import type { StoredRecord } from "../store/collection.js";
import type { Call, Operation } from "./operation.js";

/** Response to the caller: the text of the body, or null. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

const usualPageSize = 30;
export const json = "application/json; charset=utf-8";

export function jsonAnswer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { "Content-Type": json, ...headers }, body: JSON.stringify(body) };
}

/** Returns the answer to a request that is refused; suites may word it in their own way: none is documented. */
export function failure(refusal: Refusal, operation: Operation | undefined, variations: Variations): Answer {
  const { status, body, message, headers } = refusal;
  const ofSuites = /^(?:suites|runs)\./.test(operation?.id ?? "");
  switch (ofSuites && status === 422 ? variations.suiteErrorBody : "message") {
    case "message":
      return jsonAnswer(status, body, headers);
    case "errors":
      return jsonAnswer(status, { errors: [{ detail: message }] });
    case "empty":
      return jsonAnswer(status, {});
    case "text":
      return { status, headers: { "Content-Type": "text/plain; charset=utf-8" }, body: message };
  }
}

/** Returns the answer of a list, with the asked page only. `url` is the request's address without the query. */
export function listAnswer(
  { status, list, response }: Operation,
  call: Call,
  records: readonly StoredRecord[],
  url: string,
): Answer {
  const { query, variations } = call;
  if (list === "cursor") return cursorAnswer(status, call, records, url, response);
  const show = (record: StoredRecord) => response?.show(call, record);
  const asked = query.one("page") !== undefined || query.one("per_page") !== undefined;
  const inPages =
    list === "paged" ||
    variations.undocumentedPages === "always" ||
    (variations.undocumentedPages === "on-request" && asked);
  if (!inPages) return jsonAnswer(status, records.map(show));
  const perPage = Math.min(variations.largestPage, positive(query.one("per_page")) ?? usualPageSize);
  const page = positive(query.one("page")) ?? 1;
  const last = Math.max(1, Math.ceil(records.length / perPage));
  const link = relationsOf(page, last, variations)
    .map(([relation, target]) => `<${url}?${queryWith(query.text, target, perPage)}>; rel="${relation}"`)
    .join(", ");
  const hasLink = link !== "" || (last === 1 && page === 1 && variations.linkHeaderOnSinglePage === "empty");
  const items = records.slice((page - 1) * perPage, page * perPage).map(show);
  return jsonAnswer(status, items, hasLink ? { Link: link } : {});
}

/** Returns a page of a list by cursor. A cursor names the entry before the page, or behind it. */
function cursorAnswer(
  status: Operation["status"],
  call: Call,
  records: readonly StoredRecord[],
  url: string,
  response: Operation["response"],
): Answer {
  const { query, variations } = call;
  const perPage = query.one("per_page") ?? String(usualPageSize);
  const size = /^\d{1,3}$/.test(perPage) ? Number(perPage) : 0;
  if (size < 1 || size > 100) throw new Refusal(400, "per_page must be between 1 and 100");
  const [after, before] = [query.one("after"), query.one("before")];
  if (after !== undefined && before !== undefined)
    throw new Refusal(400, "Only one of after and before can be given");
  const cursor = after ?? before;
  const place = records.findIndex((record) => cursorOf(record) === cursor);
  if (cursor !== undefined && place === -1) throw new Refusal(400, "The cursor is invalid");
  const start = before === undefined ? place + 1 : Math.max(0, place - size);
  const page = records.slice(start, before === undefined ? start + size : place);
  const last = page.at(-1);
  const isEnd = last === undefined || last === records.at(-1);
  const end = variations.lastCursorLink === null ? { next: null } : {};
  const next = isEnd ? end : { next: `${url}?after=${cursorOf(last)}&per_page=${size}` };
  const links = { self: `${url}${query.text && `?${query.text}`}`, ...next };
  return jsonAnswer(status, { items: page.map((record) => response?.show(call, record)), links });
}

function cursorOf({ id }: StoredRecord): string {
  return Buffer.from(JSON.stringify({ uuid: id })).toString("base64url");
}

function relationsOf(page: number, last: number, variations: Variations): [relation: string, page: number][] {
  const relations: [string, number][] = [];
  const isAll = variations.linkRelations === "all";
  if (page > 1 && isAll) relations.push(["first", 1], ["prev", Math.min(page - 1, last)]);
  if (page < last) relations.push(["next", page + 1]);
  if (page < last && isAll) relations.push(["last", last]);
  return relations;
}

/** Returns an integer from 1; anything else counts as not given, `page=0` among it. */
function positive(text = ""): number | undefined {
  return (/^\d{1,9}$/.test(text) && Number(text)) || undefined;
}

/** Returns a query for another page: its parameters keep their order and spelling, and `page` is never the last one. */
function queryWith(query: string, page: number, perPage: number): string {
  const parameters = query === "" ? [] : query.split("&");
  const target = `page=${page}`;
  const replaced = parameters.map((parameter) => (/^page(=|$)/.test(parameter) ? target : parameter));
  const others = replaced.filter((parameter) => parameter !== target);
  const keepsItsPlace = replaced.includes(target) && replaced.at(-1) !== target;
  if (keepsItsPlace) return replaced.join("&");
  if (others.length === 0) others.push(`per_page=${perPage}`);
  return [target, ...others].join("&");
}
