import type { Variations } from "../variations.js";
import type { Listing } from "./operation.js";

const usualPageSize = 30;

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
export function cutPage(all: Listing, request: PagedRequest, variations: Variations): Page {
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
