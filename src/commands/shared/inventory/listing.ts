import { cameInOnePage } from "../../../client/api/list.js";
import { MOST_READS, readUntilSteady } from "../../../client/api/steady.js";
import { ApiError, type BuildPipelineClient } from "../../../client/index.js";
import type { AnyKind } from "../../../provider/kind/kind.js";
import type { Observed } from "../../../provider/kind/value-roles.js";
import { observedOf } from "../../../provider/lifecycle/imports/find-imported.js";
import { kinds } from "../../../provider/lifecycle/values/kinds.js";
import { objectKey } from "../pulumi/object-key.js";

/** An object of the service that a stack can own. */
export interface LiveObject {
  readonly kind: AnyKind;
  /** Its id as a resource. */
  readonly id: string;
  /** Identifies it among all objects, as {@link objectKey} does. */
  readonly key: string;
  /** Its name for people. "" if it has no name. */
  readonly label: string;
  /** The object that it lives in; undefined where that is the organization. */
  readonly parent: LiveObject | undefined;
  /** The object with this one as a property, which the service lists in its place. */
  readonly viewOf: LiveObject | undefined;
  /** Arguments and outputs by their names in a program, as far as a list returns them. */
  readonly observed: Observed;
  /** The object as the client returns it. */
  readonly entity: object;
}

/** The objects of an organization, as its lists return them. */
export interface Listing {
  readonly organization: string;
  readonly objects: readonly LiveObject[];
  /** Kinds with a refused list: with 403, or with 404 although the organization exists. */
  readonly refused: ReadonlyMap<string, ApiError>;
}

/** Progress of reading the lists within objects of a kind. */
export interface Progress {
  readonly kind: AnyKind;
  readonly done: number;
  readonly of: number;
  /** Lists in the others, each at least one request. */
  readonly listsLeft: number;
}

export interface ListingOptions {
  /** Names of the kinds to list. Default: all. */
  readonly kinds?: ReadonlySet<string>;
  /** Checks whether to read the contents of an object. Default: of all. */
  readonly within?: (object: LiveObject) => boolean;
  /** Called whenever more was read. */
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Reads an organization through its lists: one request for a page of each list of the organization, and one for each
 * list in an object. Kinds that are not asked for cost a request only if others are found through them. A list of several
 * pages is read again until two reads agree, so that no object is missing that moved to a page which was read already.
 *
 * @throws what the client throws, except for a list that is refused to this access token or on this plan; and where a
 * list changed each time
 */
export async function listOrganization(
  client: BuildPipelineClient,
  { kinds: wanted = new Set(kinds.keys()), within = () => true, onProgress = () => {} }: ListingOptions = {},
): Promise<Listing> {
  const objects: LiveObject[] = [];
  const refused = new Map<string, ApiError>();
  const isNeeded = (kind: AnyKind) => foundThrough(kind).some(({ name }) => wanted.has(name));

  const objectsOf = async (kind: AnyKind, parent: LiveObject | undefined): Promise<LiveObject[]> => {
    const place = parent === undefined ? "" : parent.kind.identify(parent.entity);
    const entities = await steadyList(kind, async () => {
      return (await kind.calls.list?.({ client }, { parent: place }).all()) ?? [];
    });
    const inside = listedIn(kind).filter(isNeeded);
    // An object that moves to a later page while the pages are read comes twice.
    const distinct = new Map(entities.map((entity) => [kind.identify(entity), entity]));
    const found = [...distinct.values()].map((entity) => liveObject(kind, entity, parent, undefined));
    const of = found.filter(within).length;
    let done = 0;
    const report = () => onProgress({ kind, done, of, listsLeft: (of - done) * inside.length });
    if (inside.length > 0 && of > 0) report();
    const trees = found.map(async (object) => {
      if (!within(object)) return [object, ...viewsOf(object)];
      const contents = await Promise.all(inside.map((child) => objectsOf(child, object)));
      done += 1;
      if (inside.length > 0) report();
      return [object, ...viewsOf(object), ...contents.flat()];
    });
    return (await Promise.all(trees)).flat();
  };

  for (const root of listedIn(undefined).filter(isNeeded)) {
    try {
      const found = await objectsOf(root, undefined);
      objects.push(...found.filter(({ kind }) => wanted.has(kind.name)));
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) throw error;
      for (const { name } of foundThrough(root)) if (wanted.has(name)) refused.set(name, error);
    }
  }
  return { organization: client.organization, objects, refused };
}

async function steadyList(kind: AnyKind, list: () => Promise<object[]>): Promise<object[]> {
  const { read, isSteady } = await readUntilSteady(await list(), list, {
    isEnough: cameInOnePage,
    ids: (entities) => entities.map((entity) => kind.identify(entity)),
  });
  if (isSteady) return read;
  throw new Error(
    `The list of ${kind.words.noun}s changed during each of ${MOST_READS} reads. Run the command again.`,
  );
}

/** Returns the kinds with a separate list in objects of a kind, or in the organization. */
function listedIn(parent: AnyKind | undefined): AnyKind[] {
  return [...kinds.values()].filter(
    ({ calls, parent: above }) => calls.list !== undefined && above?.kind === parent?.name,
  );
}

/**
 * Returns the kinds with objects that the list of a kind leads to: its own, its views, and kinds that live in it.
 */
function foundThrough(kind: AnyKind): AnyKind[] {
  const views = [...kinds.values()].filter(({ listedWith }) => listedWith === kind.name);
  return [kind, ...views, ...listedIn(kind).flatMap(foundThrough)];
}

function viewsOf(object: LiveObject): LiveObject[] {
  return [...kinds.values()]
    .filter(({ listedWith, exists }) => listedWith === object.kind.name && exists?.(object.entity) !== false)
    .map((view) => {
      const parent = view.parent?.kind === object.kind.name ? object : object.parent;
      return liveObject(view, object.entity, parent, object);
    });
}

function liveObject(
  kind: AnyKind,
  entity: object,
  parent: LiveObject | undefined,
  viewOf: LiveObject | undefined,
): LiveObject {
  const observed = observedOf(kind, entity, parent?.kind.identify(parent.entity));
  const { label } = kind.words;
  const id = kind.identify(entity);
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
