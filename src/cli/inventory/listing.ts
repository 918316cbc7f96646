import { ApiError, type BuildPipelineClient, PermissionError } from "../../client/index.js";
import {
  type AnyKind,
  kinds,
  labelIn,
  missingScopes,
  scopesInWords,
} from "../../provider/for-commands/kinds.js";
import { type ListedObject, listedObject } from "../../provider/for-commands/objects.js";
import { withArticle } from "../../shared/messages/nouns.js";
import { isUuid } from "../../shared/protocol/identity.js";
import type { StateResource } from "../pulumi/stack-export.js";
import { objectKey } from "../pulumi/state.js";
import type { Progress } from "../terminal/connection.js";
import type { LiveObject } from "./live-object.js";
import { readList, type Unread } from "./reading.js";

/** The objects of an organization, as far as their lists could be read. */
export interface Listing {
  readonly organization: string;
  readonly objects: readonly LiveObject[];
  /** By the name of a kind, why not all of its objects could be read, and the kind whose list it is found through. */
  readonly unread: ReadonlyMap<string, Unread & { readonly of: AnyKind }>;
  /** Keys of objects that no list has and that the API refuses to show, with what people call each. */
  readonly refused: ReadonlyMap<string, string>;
}

interface ListingOptions {
  /** Names of the kinds to list. Default: all. */
  readonly kinds?: ReadonlySet<string>;
  /** Checks whether to read the objects of a kind in an object. Default: in all. */
  readonly within?: (object: LiveObject, kind: AnyKind) => boolean;
  /** Checks whether a kind costs too much to read, with a list in each of so many objects. Default: none does. */
  readonly isTooMuch?: (kind: AnyKind, lists: number) => boolean;
  /**
   * Resources of stacks that are read if no list has them, a request each, and so is what pairs name. No list has archived
   * pipelines. Default: nothing is.
   */
  readonly unlisted?: readonly StateResource[];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Reads an organization through its lists: one request for a page of each list of the organization, and one for each
 * list in an object. Kinds that are not asked for cost a request only if others are found through them. A list of several
 * pages is read again until two reads agree, so that no object is missing that moved to a page which was read already.
 */
export async function listOrganization(
  client: BuildPipelineClient,
  {
    kinds: wanted = new Set(kinds.keys()),
    within = () => true,
    isTooMuch = () => false,
    unlisted,
    onProgress = () => {},
    signal,
  }: ListingOptions = {},
): Promise<Listing> {
  const unread = new Map<string, Unread & { readonly of: AnyKind }>();
  const isNeeded = (kind: AnyKind) => foundThrough(kind).some(({ name }) => wanted.has(name));

  const objectsOf = async (kind: AnyKind, parent: LiveObject | undefined): Promise<LiveObject[]> => {
    const place = { parent: parent?.id ?? "", ...(parent && { shown: parent.observed }) };
    const list = kind.behavior.list?.({ client, signal }, place);
    const bounds = { noun: kind.words.noun, scope: kind.scopes.read[0]?.[0], idOf: kind.identify, signal };
    const reading = await (list && readList(list, bounds));
    if (reading?.unread !== undefined)
      for (const { name } of foundThrough(kind))
        if (wanted.has(name)) unread.set(name, { of: kind, ...reading.unread });
    return withContents(
      kind,
      (reading?.items ?? []).map((entity) => liveObject(kind, entity, parent)),
    );
  };

  const withContents = async (kind: AnyKind, found: readonly LiveObject[]): Promise<LiveObject[]> => {
    const needed = listedIn(kind).filter(isNeeded);
    const skipped = needed.filter((child) => isTooMuch(child, found.length));
    const reason = `there are ${found.length} ${kind.words.noun}s, each with a list of them`;
    for (const child of skipped) unread.set(child.name, { of: child, reason });
    const inside = needed.filter((child) => !skipped.includes(child));
    const lists = new Map(found.map((object) => [object, inside.filter((child) => within(object, child))]));
    const of = [...lists.values()].filter(({ length }) => length > 0).length;
    let done = 0;
    const report = () => onProgress({ kind, done, of, listsLeft: (of - done) * inside.length });
    if (of > 0) report();
    const trees = [...lists].map(async ([object, children]) => {
      const contents = await Promise.all(children.map((child) => objectsOf(child, object)));
      if (children.length > 0) {
        done += 1;
        report();
      }
      return [object, ...viewsOf(object), ...contents.flat()];
    });
    return (await Promise.all(trees)).flat();
  };

  const roots = listedIn(undefined).filter(isNeeded);
  const all = await Promise.all(roots.map((root) => objectsOf(root, undefined)));
  const listed = all.flat();
  const hidden = unlisted === undefined ? new Map<string, never>() : unlistedIn(listed, unlisted);
  const refused = new Map<string, string>();
  const found = [...hidden].map(async ([key, { kind, name }]) => {
    const holder = wanted.has(kind.name) && !unread.has(kind.name) ? kind.unique?.holder : undefined;
    const entity = await holder?.({ client, signal }, name).catch((error: unknown) => {
      if (!(error instanceof PermissionError)) throw error;
      refused.set(key, `${kind.words.noun} ${name}`);
    });
    const object = entity && liveObject(kind, entity);
    return object?.key === key ? withContents(kind, [object]) : [];
  });
  const objects = [...listed, ...(await Promise.all(found)).flat()].filter(({ kind }) =>
    wanted.has(kind.name),
  );
  return { organization: client.organization, objects: withLabels(objects), unread, refused };
}

/**
 * Returns objects that pairs name or stacks have, and that lists lack, by their keys, with the kinds that can find them by
 * these names.
 */
function unlistedIn(objects: readonly LiveObject[], resources: readonly StateResource[]) {
  const keys = new Set(objects.map(({ key }) => key));
  const named = [
    ...resources.map(({ kind, key, properties }) => {
      const name = properties[kinds.get(kind)?.unique?.argument ?? ""];
      return { of: kind, key, name: typeof name === "string" ? name : "" };
    }),
    ...objects.map(({ kind, observed, label: name }) => {
      const { refersTo: of = "" } = kind.arguments[kind.words.label ?? ""] ?? {};
      return { of, key: objectKey(of, String(observed[kind.words.label ?? ""])), name };
    }),
  ];
  return new Map(
    named.flatMap(({ of, key, name }) => {
      const kind = kinds.get(of);
      return kind?.unique?.holder === undefined || keys.has(key) ? [] : [[key, { kind, name }] as const];
    }),
  );
}

/** Calls objects that have no name of their own, such as the pairs of a team, after the other ones that they name. */
function withLabels(objects: readonly LiveObject[]): LiveObject[] {
  const labels = new Map(objects.map(({ key, label }) => [key, label]));
  return objects.map((object) => {
    const { kind, observed } = object;
    const { label = "", composed } = kind.words;
    const other = (argument: string) => {
      const { refersTo } = kind.arguments[argument] ?? {};
      return refersTo && labels.get(objectKey(refersTo, String(observed[argument])));
    };
    const name = composed?.((argument) => other(argument) ?? String(observed[argument])) ?? other(label);
    return name === undefined ? object : { ...object, label: name };
  });
}

/** Returns kinds whose lists the API refuses to this token, or on this plan. @throws why others could not be read */
export function refusals({ unread }: Listing): { readonly kind: AnyKind; readonly error: ApiError }[] {
  return [...kinds.values()].flatMap((kind) => {
    const error = unread.get(kind.name)?.error;
    if (error === undefined) return [];
    if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) throw error;
    return [{ kind, error }];
  });
}

/**
 * Returns a listing that lacks only the lists that the organization doesn't have, and a sentence for each of those.
 * @param isAsked returns whether the user needs the objects of a kind that the API got later
 * @throws where the access token can't read a list: its objects would seem not to exist
 */
export async function listReadable(
  client: BuildPipelineClient,
  options: ListingOptions,
  isAsked: (kind: AnyKind) => boolean = () => true,
) {
  const listing = await listOrganization(client, { unlisted: [], ...options });
  const skipped = [...listing.unread].flatMap(([name, { error, reason }]) =>
    error === undefined ? [`Not read: ${name}, because ${reason}. --only ${name} reads them.`] : [],
  );
  const lacked = await lackedKinds(client, listing);
  const refused = refusals(listing).filter(({ kind }) => !lacked.includes(kind));
  const hidden = [...listing.refused.values()].map(
    (object) => `Not read: the ${object}, because the API refuses to show it to this access token (403).`,
  );
  const ofService = [...skipped, ...hidden, ...lackedInWords(lacked)];
  if (refused.length === 0) return { listing, remarks: ofService, refusedInWords: [] };
  const scopes = new Set((await client.accessToken.get()).scopes);
  const remarks = refused.map(({ kind, error }) => {
    const { name, words, scopes: needed, requires } = kind;
    const missing = missingScopes(needed.read, scopes);
    if (missing.length > 0 && requires === "newer API" && !isAsked(kind))
      return `Not read: ${name}, because the access token lacks ${scopesInWords(missing)}.`;
    if (missing.length > 0) {
      throw new Error(
        `The ${words.noun}s cannot be listed: the access token lacks ${scopesInWords(missing)}. ` +
          `Give it that scope, or leave them out with --except ${name}.`,
      );
    }
    if (requires === "newer API" && error.status === 403)
      // Warning list-unread: The API refuses a list to the access token, so objects may be missing from the result.
      // Fix: Use an access token that may read the list, or leave the type out with `--except`.
      return `Not all read: ${name}, because the API refuses a list of ${words.noun}s to this access token.`;
    if (requires === undefined) throw error;
    return `The API refuses the list of ${words.noun}s, which need ${withArticle(requires)}. None were checked.`;
  });
  return { listing, remarks: [...ofService, ...remarks], refusedInWords: remarks };
}

/** Returns kinds that the service lacks: it answers 404 to each of their lists, although the organization answers. */
export async function lackedKinds(client: BuildPipelineClient, listing: Listing): Promise<AnyKind[]> {
  const found = new Set(listing.objects.map(({ kind }) => kind.name));
  const lacked = [...listing.unread].flatMap(([name, { error }]) => {
    const kind = kinds.get(name);
    const is404 = error instanceof ApiError && error.status === 404;
    return kind?.requires === "newer API" && is404 && !found.has(name) ? [{ kind, error }] : [];
  });
  const [first] = lacked;
  if (first === undefined) return [];
  const { scopes } = await client.accessToken.get();
  const readable = lacked.filter(({ kind }) => missingScopes(kind.scopes.read, new Set(scopes)).length === 0);
  if (found.size === 0)
    await client.organizations.get(client.organization).catch(() => {
      throw first.error;
    });
  return readable.map(({ kind }) => kind);
}

export function lackedInWords(lacked: readonly AnyKind[]): string[] {
  if (lacked.length === 0) return [];
  const nouns = lacked.map(({ words }) => `${words.noun}s`).join(", ");
  return [`The service lacks ${nouns}: it answers 404 to their lists. None were read.`];
}

/** Returns the kinds with a separate list in objects of a kind, or in the organization. */
function listedIn(parent: AnyKind | undefined): AnyKind[] {
  return [...kinds.values()].filter(
    ({ behavior, parent: above }) => behavior.list !== undefined && above?.kind === parent?.name,
  );
}

/** Returns the kinds with objects that the list of a kind leads to: its own, its views, and kinds that live in it. */
function foundThrough(kind: AnyKind): AnyKind[] {
  const views = [...kinds.values()].filter(({ view }) => view?.of === kind.name);
  return [kind, ...views, ...listedIn(kind).flatMap(foundThrough)];
}

function viewsOf(object: LiveObject): LiveObject[] {
  return [...kinds.values()]
    .filter(({ view }) => view?.of === object.kind.name && view.exists(object.entity))
    .map((view) => {
      const parent = view.parent?.kind === object.kind.name ? object : object.parent;
      return liveObject(view, object.entity, parent, object);
    });
}

function liveObject(kind: AnyKind, entity: object, parent?: LiveObject, viewOf?: LiveObject): LiveObject {
  const object = listedObject(kind, entity, parent?.id);
  const label = kind.words.label === undefined ? (viewOf?.label ?? "") : labelOf(object);
  return { ...object, key: objectKey(kind.name, object.id), label, parent, viewOf };
}

/** Returns the name of an object: where that would be an id, what an output calls its owner by name or address. */
function labelOf({ kind: { name: kind, words, outputs }, observed }: ListedObject): string {
  const label = labelIn(kind, observed);
  if (typeof label === "string" && !isUuid(label)) return label;
  const name = Object.keys(outputs).find((output) => outputs[output]?.spells === words.label);
  const spelled = String(observed[name ?? ""] ?? label ?? "");
  return /^https?:/.test(spelled) ? spelled.slice(spelled.lastIndexOf("/") + 1) : spelled;
}
