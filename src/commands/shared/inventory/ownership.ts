import { importName, NamedObjects } from "../../../provider/lifecycle/imports/import-name.js";
import { kindNamed } from "../../../provider/lifecycle/values/kinds.js";
import { typeToken } from "../../../shared/protocol/type-token.js";
import type { StateResource } from "../pulumi/stack-export.js";
import type { Listing, LiveObject } from "./listing.js";

/** An object of the service that no stack owns. */
export interface Unmanaged {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /** ISO 8601, UTC. Null if the service doesn't return it. */
  readonly createdAt: string | null;
  /** As the resources' output `createdBy`. Null if the service doesn't return it. */
  readonly createdBy: {
    readonly id: string | null;
    readonly name: string | null;
    readonly email: string | null;
  } | null;
  /** The value of the option `import` that adopts it. */
  readonly import: string;
}

/** An unmanaged object, and the name of the object that it lives in. Undefined if that is the organization. */
export type PlacedUnmanaged = Unmanaged & { readonly inside: string | undefined };

/** A resource of a stack. */
export type Gone = Pick<StateResource, "type" | "id" | "urn">;

/** A resource that the service doesn't show, without confirmation that it is gone. */
export interface Unproven extends Gone {
  readonly reason: string;
}

export interface Ownership {
  readonly unmanaged: readonly PlacedUnmanaged[];
  readonly gone: readonly Gone[];
  readonly unproven: readonly Unproven[];
  /** Resources of the stacks that live in other organizations, which were not looked at. */
  readonly elsewhere: readonly StateResource[];
}

/**
 * Compares what an organization has with what stacks own.
 *
 * @throws when nothing that the stacks own is there and it came from another service: then the settings are wrong
 */
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
  const missing = missingFrom(listing, resources).map((resource) => ({
    resource,
    reason: doubtOfAbsence(listing, resource),
  }));
  return {
    unmanaged: listing.objects
      .filter(({ key }) => !owned.has(key))
      .map((object) => describe(object, importNameOf(object))),
    gone: missing.flatMap(({ resource: { type, id, urn }, reason }) =>
      reason === undefined ? [{ type, id, urn }] : [],
    ),
    unproven: missing.flatMap(({ resource: { type, id, urn }, reason }) =>
      reason === undefined ? [] : [{ type, id, urn, reason }],
    ),
    elsewhere: resources.filter((resource) => !resource.external && !isIn(listing, resource)),
  };
}

/** Returns the function that names an object for the option `import`: as people do (`Linux/small`), or by ids. */
function importNames(objects: readonly LiveObject[]): (object: LiveObject) => string {
  // A name has to be the only one in what its object lives in, or in the organization.
  const placeOf = ({ kind, parent }: LiveObject) => `${kind.name} ${parent?.id}`;
  const inPlaces = Map.groupBy(objects, placeOf);
  const named = new Map<string, NamedObjects>();
  const nameOf = (object: LiveObject): string => {
    const { kind, parent, viewOf, entity } = object;
    if (viewOf !== undefined) return nameOf(viewOf);
    const place = placeOf(object);
    let among = named.get(place);
    if (among === undefined) {
      // Objects that were not asked for have siblings that nobody knows, so they go by their ids.
      const siblings = inPlaces.get(place) ?? [];
      among = new NamedObjects(
        kind,
        siblings.map((one) => one.entity),
      );
      named.set(place, among);
    }
    return importName(parent === undefined ? "" : nameOf(parent), among.nameOf(entity));
  };
  return nameOf;
}

function isIn({ organization }: Pick<Listing, "organization">, { properties }: StateResource): boolean {
  return properties.organization === undefined || properties.organization === organization;
}

/** Returns the resources that stacks manage in an organization and that its lists lack, except those to be deleted. */
function missingFrom(
  listing: Pick<Listing, "organization" | "objects">,
  resources: readonly StateResource[],
): StateResource[] {
  const live = new Set(listing.objects.map(({ key }) => key));
  return resources.filter(
    (resource) =>
      !resource.external && !resource.pendingDeletion && isIn(listing, resource) && !live.has(resource.key),
  );
}

function describe(object: LiveObject, importValue: string): PlacedUnmanaged {
  const { createdAt, createdBy } = object.observed;
  return {
    type: typeToken(object.kind.name),
    id: object.id,
    name: object.label,
    createdAt: textOrNull(createdAt),
    createdBy: isUser(createdBy)
      ? {
          id: textOrNull(createdBy.id),
          name: textOrNull(createdBy.name),
          email: textOrNull(createdBy.email),
        }
      : null,
    import: importValue,
    inside: object.viewOf === object.parent ? undefined : object.parent?.label,
  };
}

function isUser(value: unknown): value is { id?: unknown; name?: unknown; email?: unknown } {
  return typeof value === "object" && value !== null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Returns why the list that lacks a resource doesn't confirm its deletion; undefined when it does. */
export function doubtOfAbsence(
  listing: Listing,
  { kind: name, properties }: Pick<StateResource, "kind" | "properties">,
): string | undefined {
  const refusal = listing.refused.get(name);
  if (refusal !== undefined) return `its list cannot be read (${refusal.status})`;
  const hidden = kindNamed(name)?.hidden;
  if (hidden === undefined || !hidden.when(properties)) return undefined;
  const isShownAll =
    hidden.allOrNone === true &&
    listing.objects.some(({ kind, observed }) => kind.name === name && hidden.when(observed));
  return isShownAll ? undefined : hidden.words;
}

/** @throws if resources of which none is there came from another service */
function requireSameService(here: readonly StateResource[], origin: string): void {
  const urls = here.map(({ properties }) => properties.url).filter((url) => typeof url === "string");
  const other = urls.map((url) => URL.parse(url)?.origin).find((found) => found && found !== origin);
  if (other === undefined) return;
  throw new Error(
    `The stacks' resources came from ${other}, and none of them is at ${origin}, where the settings lead. ` +
      "Check buildpipeline:baseUrl or BUILDPIPELINE_BASE_URL.",
  );
}
