import { ApiError, type BuildPipelineClient } from "../../../client/index.js";
import type { AnyKind } from "../../../provider/kind/kind.js";
import { observedOf } from "../../../provider/lifecycle/imports/find-imported.js";
import { missingScopes, scopesInWords } from "../../../provider/lifecycle/run/access.js";
import { kinds } from "../../../provider/lifecycle/values/kinds.js";
import { idIn } from "../../../provider/lifecycle/values/state.js";
import { withArticle } from "../../../shared/messages/nouns.js";
import { objectKey } from "../pulumi/state.js";
import type { LiveObject } from "./live-object.js";
import { readList, type Unread } from "./reading.js";

export type Listing = Awaited<ReturnType<typeof listOrganization>>;

/** Progress of reading the lists within objects of a kind. */
export interface Progress {
  readonly kind: AnyKind;
  readonly done: number;
  readonly of: number;
  /** Lists in the others, each at least one request. */
  readonly listsLeft: number;
}

interface ListingOptions {
  /** Names of the kinds to list. Default: all. */
  readonly kinds?: ReadonlySet<string>;
  /** Checks whether to read the objects of a kind in an object. Default: in all. */
  readonly within?: (object: LiveObject, kind: AnyKind) => boolean;
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
    onProgress = () => {},
    signal,
  }: ListingOptions = {},
) {
  // By the name of a kind, why not all of its objects could be read, and the kind whose list it is found through.
  const unread = new Map<string, Unread & { readonly of: AnyKind }>();
  const isNeeded = (kind: AnyKind) => foundThrough(kind).some(({ name }) => wanted.has(name));

  const objectsOf = async (kind: AnyKind, parent: LiveObject | undefined): Promise<LiveObject[]> => {
    const list = kind.behavior.list?.({ client, signal }, { parent: parent?.id ?? "" });
    const bounds = { noun: kind.words.noun, scope: kind.scopes.read[0]?.[0], idOf: kind.identify, signal };
    const reading = await (list && readList(list, bounds));
    if (reading?.unread !== undefined)
      for (const { name } of foundThrough(kind))
        if (wanted.has(name)) unread.set(name, { of: kind, ...reading.unread });
    const found = (reading?.items ?? []).map((entity) => liveObject(kind, entity, parent));
    const inside = listedIn(kind).filter(isNeeded);
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
  const objects = all.flat().filter(({ kind }) => wanted.has(kind.name));
  return { organization: client.organization, objects, unread };
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
 * @returns a listing that lacks no list except those that the organization's plan doesn't have, and a sentence for each
 * @throws where the access token can't read a list: its objects would seem not to exist
 */
export async function listReadable(client: BuildPipelineClient, options: ListingOptions) {
  const listing = await listOrganization(client, options);
  const refused = refusals(listing);
  if (refused.length === 0) return { listing, remarks: [] };
  const scopes = new Set((await client.accessToken.get()).scopes);
  const remarks = refused.map(({ kind: { name, words, scopes: needed, plan }, error }) => {
    const missing = missingScopes(needed.read, scopes);
    if (missing.length > 0) {
      throw new Error(
        `The ${words.noun}s cannot be listed: the access token lacks ${scopesInWords(missing)}. ` +
          `Give it that scope, or leave them out with --except ${name}.`,
      );
    }
    if (plan === undefined) throw error;
    return `The API refuses the list of ${words.noun}s, which need ${withArticle(plan)} plan. None were checked.`;
  });
  return { listing, remarks };
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
  const observed = observedOf(kind, entity, parent?.id);
  const { label } = kind.words;
  const id = idIn({ kind, parent: parent?.id ?? "" }, entity);
  return {
    kind,
    id,
    key: objectKey(kind.name, id),
    label: label === undefined ? (viewOf?.label ?? "") : String(observed[label] ?? ""),
    parent,
    viewOf,
    observed,
    entity,
  };
}
