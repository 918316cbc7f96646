import { isUnknown, type Properties, revealAll } from "../../shared/protocol/encoded-values.js";
import { problemOfUuid } from "../kind/fields.js";
import type { AnyKind } from "../kind/kind.js";
import { findImported } from "../lifecycle/imports/find-imported.js";
import { importName } from "../lifecycle/imports/import-name.js";
import { messageOf } from "../lifecycle/run/errors.js";
import type { Service } from "../lifecycle/run/service.js";
import { decode } from "../lifecycle/values/codec.js";
import { kindNamed, parentKindOf } from "../lifecycle/values/kinds.js";

/** What the engine asks for. Numbers below 1 are no limits. */
export interface ListQuery {
  readonly kind: AnyKind;
  readonly query: Properties;
  readonly limit: number;
  readonly pageSize: number;
  /** Where to go on, as the page before returned it. "" for the first page. */
  readonly continuation: string;
}

interface Listed {
  /** What `import` and `read` take. */
  readonly id: string;
  readonly name: string;
}

/** A page, and where the next one begins; "" for the last one. */
export interface ListedPage {
  readonly items: readonly Listed[];
  readonly continuation: string;
}

/** Entries of a page where the engine asks for no number: as many as one of the API has. */
const PAGE = 100;

/** Lists the objects of a kind page by page. */
export class Listings {
  readonly #service: Service;
  /** Lists that were begun. What this process didn't begin is read again. */
  readonly #lists = new Map<string, readonly Listed[]>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** @returns undefined if the query has an unknown value */
  async page({ kind, query, limit, pageSize, continuation }: ListQuery): Promise<ListedPage | undefined> {
    if (isUnknown(query)) return undefined;
    const [done = 0, firstLimit] = continuation === "" ? [] : continuation.split("/").map(Number);
    // The protocol repeats the first limit with each page; the command line sends what is left of it.
    const left = limit < 1 ? Number.POSITIVE_INFINITY : limit === firstLimit ? limit - done : limit;
    const size = Math.min(left, pageSize < 1 ? PAGE : pageSize);
    const key = JSON.stringify([kind.name, query]);
    const all = (done > 0 ? this.#lists.get(key) : undefined) ?? (await this.#list(kind, query));
    this.#lists.set(key, all);
    const items = all.slice(done, done + size);
    const next = done + items.length;
    const isLast = next >= all.length || items.length === left;
    return { items, continuation: isLast ? "" : `${next}/${firstLimit ?? limit}` };
  }

  async #list(kind: AnyKind, query: Properties): Promise<Listed[]> {
    // The objects of some kinds are properties of others, which have the list.
    const listed = (kind.listedWith === undefined ? undefined : kindNamed(kind.listedWith)) ?? kind;
    const { organization } = this.#service.settings;
    const place = await this.#placeOf(organization, listed, query);
    const label = kind.words.label ?? listed.words.label ?? "";
    const list = listed.calls.list?.(this.#service.context(organization), { parent: place });
    const entities = ((await list?.all()) ?? []).filter((entity) => kind.exists?.(entity) !== false);
    const items = entities.map((entity) => ({
      id: importName(place, kind.identify(entity)),
      name: String(decode(listed, entity)[label] ?? ""),
    }));
    // An object that moves to a later page while the pages are read comes twice.
    return [...new Map(items.map((item) => [item.id, item])).values()];
  }

  /** Returns the id of what the objects are in; "" for a kind without a parent. A name costs a list, an id nothing. */
  async #placeOf(organization: string, kind: AnyKind, query: Properties): Promise<string> {
    const { parent, arguments: fields } = kind;
    const parentKind = parentKindOf(kind);
    if (parent === undefined || parentKind === undefined) return "";
    const given = revealAll(query[parent.argument]);
    if (typeof given !== "string" || given === "") {
      const words = `${kind.name}.${parent.argument}: is missing; give ${fields[parent.argument]?.expected}, or its name.`;
      throw new Error(`${words} A list has the ${kind.words.noun}s of one ${parentKind.words.noun}.`);
    }
    if (problemOfUuid(given) === undefined) return given.toLowerCase();
    const named = { organization, kind: parentKind, name: given, from: "command" } as const;
    const { id } = await findImported(this.#service, named).catch((error: unknown) => {
      throw new Error(
        messageOf(error).replace(`${parentKind.name}.import:`, `${kind.name}.${parent.argument}:`),
      );
    });
    return id;
  }
}
