import * as z from "zod";
import { ApiError } from "../../client/index.js";
import { kindNamed, parentKindOf } from "../../provider/for-commands/kinds.js";
import { importName, NamedObjects } from "../../provider/for-commands/objects.js";
import { typeToken } from "../../shared/protocol/type-token.js";
import type { StateResource } from "../pulumi/stack-export.js";
import { objectKey } from "../pulumi/state.js";
import type { Listing } from "./listing.js";
import type { LiveObject } from "./live-object.js";

/** An object of the service that no stack owns. */
export interface PlacedUnmanaged {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /** ISO 8601, UTC. Null if the service doesn't return it. */
  readonly createdAt: string | null;
  /** As the resources' output `createdBy`. Null if the service doesn't return it. */
  readonly createdBy: z.infer<typeof userOrNull>;
  /** The value of the option `import` that adopts it. */
  readonly import: string;
  /** The name of the object that it lives in. Undefined if that is the organization. */
  readonly inside: string | undefined;
}

type Missing = Pick<StateResource, "type" | "id" | "urn">;

/** What the service has and the stacks lack, and the reverse. */
export interface Ownership {
  readonly unmanaged: readonly PlacedUnmanaged[];
  readonly gone: readonly Missing[];
  /** Resources that the service doesn't show, without confirmation that they are gone. */
  readonly unproven: readonly (Missing & { readonly reason: string })[];
  /** Resources of the stacks that live in other organizations, which were not looked at. */
  readonly elsewhere: readonly StateResource[];
}

/** @throws when nothing that the stacks own is there and it came from another service: then the settings are wrong */
export function compareOwnership(
  listing: Listing,
  resources: readonly StateResource[],
  origin: string,
): Ownership {
  const here = resources.filter((resource) => !resource.external && isIn(listing, resource));
  const owned = new Set(here.map(({ key }) => key));
  const live = new Set(listing.objects.map(({ key }) => key));
  if (!here.some(({ key }) => live.has(key))) requireSameService(here, origin);

  const importNameOf = importNames(listing.objects);
  const missing = here
    .filter(({ key, pendingDeletion }) => !pendingDeletion && !live.has(key))
    .map(({ type, id, urn, ...resource }) => ({ type, id, urn, reason: doubtOfAbsence(listing, resource) }));
  return {
    unmanaged: listing.objects
      .filter(({ key, kind }) => !owned.has(key) && !kind.isSetting)
      .map((object) => describe(object, importNameOf(object))),
    gone: missing.flatMap(({ reason, ...one }) => (reason === undefined ? [one] : [])),
    unproven: missing.flatMap(({ reason, ...one }) => (reason === undefined ? [] : [{ ...one, reason }])),
    elsewhere: resources.filter((resource) => !resource.external && !isIn(listing, resource)),
  };
}

/** Returns the function that names an object for the option `import`: as people do (`Linux/small`), or by ids. */
function importNames(objects: readonly LiveObject[]): (object: LiveObject) => string {
  // A name has to be the only one in what its object lives in, or in the organization.
  const placeOf = ({ kind, parent }: LiveObject) => `${kind.name} ${parent?.id}`;
  const named = new Map(
    [...Map.groupBy(objects, placeOf)].flatMap(([place, siblings]) => {
      const entities = siblings.map(({ entity }) => entity);
      return siblings.slice(0, 1).map(({ kind }) => [place, new NamedObjects(kind, entities)] as const);
    }),
  );
  const importNameOf = (object: LiveObject): string => {
    const { kind, parent, viewOf, entity } = object;
    if (viewOf !== undefined) return importNameOf(viewOf);
    // Objects that were not asked for have siblings that nobody knows, so they go by their ids.
    const among = named.get(placeOf(object)) ?? new NamedObjects(kind, []);
    return importName(parent === undefined ? "" : importNameOf(parent), among.importNameOf(entity));
  };
  return importNameOf;
}

export function isIn(
  { organization }: Pick<Listing, "organization">,
  { properties }: StateResource,
): boolean {
  return properties.organization === undefined || properties.organization === organization;
}

const textOrNull = z.string().nullable().catch(null);
const userOrNull = z.object({ id: textOrNull, name: textOrNull, email: textOrNull }).nullable().catch(null);

function describe(
  { kind, id, label, observed, parent, viewOf }: LiveObject,
  importValue: string,
): PlacedUnmanaged {
  return {
    type: typeToken(kind.name),
    id,
    name: label,
    createdAt: textOrNull.parse(observed.createdAt),
    createdBy: userOrNull.parse(observed.createdBy),
    import: importValue,
    inside: viewOf === parent ? undefined : parent?.label,
  };
}

/** Returns why the list that lacks a resource doesn't confirm its deletion; undefined when it does. */
export function doubtOfAbsence(
  listing: Listing,
  { kind: name, key, properties }: Pick<StateResource, "kind" | "properties"> & { readonly key?: string },
): string | undefined {
  if (key !== undefined && listing.refused.has(key)) return "the API refuses to show it (403)";
  const kind = kindNamed(name);
  const above = kind && parentKindOf(kind);
  const parent = above && objectKey(above.name, String(properties[kind?.parent?.argument ?? ""]));
  const place = listing.refused.get(parent ?? "");
  if (place !== undefined) return `the API refuses to show the ${place} that it is in (403)`;
  const unread = listing.unread.get(name);
  if (unread !== undefined)
    return `its list cannot be read (${unread.error instanceof ApiError ? unread.error.status : unread.reason})`;
  const hidden = kind?.hidden;
  if (hidden === undefined || !hidden.when(properties)) return undefined;
  const isShownAll =
    hidden.evidence?.is === "enough" &&
    listing.objects.some(({ kind, entity }) => kind.name === name && hidden.evidence?.of(entity));
  return isShownAll ? undefined : hidden.words;
}

function requireSameService(here: readonly StateResource[], origin: string): void {
  const urls = here.map(({ properties }) => properties.url).filter((url) => typeof url === "string");
  const other = urls.map((url) => URL.parse(url)?.origin).find((found) => found && found !== origin);
  if (other === undefined) return;
  throw new Error(
    `The stacks' resources came from ${other}, and none of them is at ${origin}, where the settings lead. ` +
      "Check buildpipeline:baseUrl or BUILDPIPELINE_BASE_URL.",
  );
}
