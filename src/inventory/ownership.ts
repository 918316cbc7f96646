import type { User } from "../client/index.js";
import { typeToken } from "../protocol/type-token.js";
import { importValues } from "./import-name.js";
import { type Listing, type LiveObject, labelOf } from "./listing.js";
import type { StateResource } from "./stack-export.js";

/** An object of the service that no stack owns. */
export interface Unmanaged {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /** ISO 8601, UTC; null where the service does not tell. */
  readonly createdAt: string | null;
  /** As the resources' output `createdBy`; null where the service does not tell. */
  readonly createdBy: {
    readonly id: string | null;
    readonly name: string | null;
    readonly email: string | null;
  } | null;
  /** The value of the option `import` that adopts it. */
  readonly import: string;
}

/** A resource of a stack. */
export interface Gone {
  readonly type: string;
  readonly id: string;
  readonly urn: string;
}

/** A resource that the service does not show, while nothing proves that it is gone. */
export interface Unproven extends Gone {
  readonly reason: string;
}

export interface Ownership {
  readonly unmanaged: readonly Unmanaged[];
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
  const managed = resources.filter(({ external }) => !external);
  const isHere = ({ properties }: StateResource) =>
    properties.organization === undefined || properties.organization === listing.organization;
  const here = managed.filter(isHere);
  const owned = new Set(here.map(keyOf));
  const live = new Map(listing.objects.map((object) => [keyOf(object), object]));
  requireSameService(here, live, origin);

  const values = importValues(listing.objects);
  const missing = here.filter((resource) => !resource.pendingDeletion && !live.has(keyOf(resource)));
  const gone: Gone[] = [];
  const unproven: Unproven[] = [];
  for (const resource of missing) {
    const { type, id, urn } = resource;
    const reason = doubt(listing, resource);
    if (reason === undefined) gone.push({ type, id, urn });
    else unproven.push({ type, id, urn, reason });
  }
  return {
    unmanaged: listing.objects
      .filter((object) => !owned.has(keyOf(object)))
      .map((object) => describe(object, values.get(object) ?? object.id)),
    gone,
    unproven,
    elsewhere: managed.filter((resource) => !isHere(resource)),
  };
}

function keyOf({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return `${kind} ${id.toLowerCase()}`;
}

function describe(object: LiveObject, importValue: string): Unmanaged {
  // A default queue is a property of its cluster: when it was set, and by whom, is not told.
  const { created_at, created_by }: { created_at?: string | null; created_by?: User | null } =
    object.kind === "ClusterDefaultQueue" || object.kind === "Suite" ? {} : object.entity;
  return {
    type: typeToken(object.kind),
    id: object.id,
    name: labelOf(object),
    createdAt: created_at ?? null,
    createdBy: created_by
      ? { id: created_by.id ?? null, name: created_by.name ?? null, email: created_by.email ?? null }
      : null,
    import: importValue,
  };
}

/** Why the list that lacks a resource does not prove that it is gone; nothing when it does. */
function doubt(listing: Listing, { kind, properties }: StateResource): string | undefined {
  const refusal = [...listing.refused].find(([name]) => name === kind)?.[1];
  if (refusal !== undefined) return `its list cannot be read (${refusal.status})`;
  if (
    kind === "PipelineTemplate" &&
    properties.available !== true &&
    !listing.objects.some(isHiddenTemplate)
  ) {
    return "a template that is not available is hidden from people who are not admins";
  }
  if (kind === "Team" && properties.privacy === "secret") {
    return "a secret team is hidden from people who are neither its members nor admins";
  }
  return undefined;
}

/** Whoever is shown one of these is shown all. */
function isHiddenTemplate(object: LiveObject): boolean {
  return object.kind === "PipelineTemplate" && object.entity.available === false;
}

function requireSameService(
  here: readonly StateResource[],
  live: ReadonlyMap<string, LiveObject>,
  origin: string,
): void {
  if (here.some((resource) => live.has(keyOf(resource)))) return;
  const urls = here.map(({ properties }) => properties.url).filter((url) => typeof url === "string");
  const other = urls.map((url) => URL.parse(url)?.origin).find((found) => found && found !== origin);
  if (other === undefined) return;
  throw new Error(
    `The stacks' resources came from ${other}, and none of them is at ${origin}, where the settings lead. ` +
      "Check buildpipeline:baseUrl or BUILDPIPELINE_BASE_URL.",
  );
}
