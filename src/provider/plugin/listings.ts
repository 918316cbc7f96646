import { type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import { isUnknown, type Properties, revealAll } from "../../shared/protocol/encoded-values.js";
import { identityOf } from "../../shared/protocol/identity.js";
import { problemOfUuid } from "../kind/fields.js";
import type { AnyKind } from "../kind/kind.js";
import { findImported } from "../lifecycle/imports/find-imported.js";
import { importName } from "../lifecycle/imports/import-name.js";
import { messageOf } from "../lifecycle/run/errors.js";
import type { RunService } from "../lifecycle/run/service.js";
import { decode } from "../lifecycle/values/codec.js";
import { listKindOf, parentKindOf } from "../lifecycle/values/kinds.js";
import { fromStruct } from "./protobuf.js";

interface Listed {
  /** What `import` and `read` take. */
  readonly id: string;
  readonly name: string;
}

/** A listing that may go on: its iterator, and what was read and not returned yet. */
interface Open {
  readonly pages: AsyncIterator<Listed[]>;
  readonly rest: Listed[];
}

/** Lists the objects of a kind page by page. A page of the API is one request, and so is a page of a listing. */
export class Listings {
  /** Listings that may go on, by where. One that this process doesn't know is read again from its beginning. */
  readonly #open = new Map<string, Open>();

  constructor(private readonly service: RunService) {}

  /** Returns the items of a page and where the next one begins. Numbers below 1 are no limits. */
  async page(kind: AnyKind, request: ListRequest): Promise<ListResponse[]> {
    const query = fromStruct(request.getQuery());
    if (isUnknown(query)) {
      const unknown = new ListResponse();
      unknown.setComputed(new ListResponse.Computed());
      return [unknown];
    }
    const limit = request.getLimit();
    const pageSize = request.getPageSize();
    const continuation = request.getContinuationToken();
    const [done = 0, firstLimit] = continuation === "" ? [] : continuation.split("/").map(Number);
    // The protocol repeats the first limit with each page; the command line sends what is left of it.
    const left = limit < 1 ? Number.POSITIVE_INFINITY : limit === firstLimit ? limit - done : limit;
    const size = pageSize < 1 ? left : Math.min(left, pageSize);
    const keyAt = (at: number) => JSON.stringify([kind.name, query, at]);
    const { pages, rest } = this.#open.get(keyAt(done)) ?? (await this.#from(kind, query, done));
    this.#open.delete(keyAt(done));
    let isLast = false;
    while (rest.length === 0 && !isLast) {
      const { value, done: ended = false } = await pages.next();
      isLast = ended;
      if (!ended) rest.push(...value);
    }
    const responses = rest.splice(0, size).map(({ id, name }) => {
      const response = new ListResponse();
      response.setResult(new ListResponse.Result().setId(id).setName(name.toWellFormed()));
      return response;
    });
    if (isLast || responses.length === left) return responses;
    const next = done + responses.length;
    this.#open.set(keyAt(next), { pages, rest });
    const token = `${next}/${firstLimit ?? limit}`;
    const last = new ListResponse();
    last.setContinuation(new ListResponse.Continuation().setContinuationToken(token));
    return [...responses, last];
  }

  async #from(kind: AnyKind, query: Properties, skipped: number): Promise<Open> {
    const pages = await this.#pages(kind, query);
    const rest: Listed[] = [];
    for (let left = skipped; left > 0; ) {
      const { value, done } = await pages.next();
      if (done) break;
      rest.push(...value.slice(left));
      left -= value.length;
    }
    return { pages, rest };
  }

  async #pages(kind: AnyKind, query: Properties): Promise<AsyncIterator<Listed[]>> {
    // The objects of some kinds are properties of others, which have the list.
    const listed = listKindOf(kind);
    const { organization } = this.service.settings;
    const place = await this.#placeOf(organization, listed, query);
    const list = listed.behavior.list?.(this.service.context(organization), { parent: place });
    const label = kind.words.label ?? listed.words.label ?? "";
    const seen = new Set<string>();
    // An object that moves to a later page while the pages are read comes twice.
    const isNew = ({ id }: Listed) => !seen.has(id) && seen.add(id);
    const itemOf = (entity: object) => ({
      id: importName(place, kind.identify(entity)),
      name: String(decode(listed, entity)[label] ?? (kind.isSetting ? kind.importing?.names(entity)[0] : "")),
    });
    async function* pages() {
      for await (const page of list?.pages() ?? [])
        yield page
          .filter((entity) => kind.view?.exists(entity) !== false)
          .map(itemOf)
          .filter(isNew);
    }
    return pages();
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
    if (problemOfUuid(given) === undefined) return identityOf(given);
    const ofParent = { organization, kind: parentKind, name: given, from: "command" } as const;
    const { id } = await findImported(this.service, ofParent).catch((error: unknown) => {
      throw new Error(
        messageOf(error).replace(`${parentKind.name}.import:`, () => `${kind.name}.${parent.argument}:`),
        { cause: error },
      );
    });
    return id;
  }
}
