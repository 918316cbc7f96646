import { type Listing, listOrganization, refusals } from "../../cli/inventory/listing.js";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import { compareOwnership, doubtOfAbsence } from "../../cli/inventory/ownership.js";
import type { PendingOperation, StackState, StateResource } from "../../cli/pulumi/stack-export.js";
import { isDefaultProvider } from "../../cli/pulumi/state.js";
import type { Progress } from "../../cli/terminal/connection.js";
import { fillPath } from "../../client/api/target.js";
import { type BuildPipelineClient, operations } from "../../client/index.js";
import { type AnyKind, kindNamed, sameOnService } from "../../provider/for-commands/kinds.js";
import { identityOf } from "../../shared/protocol/identity.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import type { ImportPair } from "../import/pairs.js";

/**
 * What became of an interrupted creation.
 * - `unrecorded`: the API lists objects of its name that no state has.
 * - `recorded`: the state has the resource, with an object that has what was sent, and the API lists no second one.
 * - `absent`: a complete list lacks it.
 * - `repeated`: it sets a value of another object, and the next deployment sets it again.
 * - `unknown`: nothing confirms any of these, for a reason.
 */
type CreationOutcome = "unrecorded" | "recorded" | "absent" | "repeated" | "unknown";

export type Interruption = Awaited<ReturnType<typeof readInterruption>>;

/** A creation that began, and whose end the state doesn't have. */
export type InterruptedCreation = Interruption["creations"][number];

export interface RecoveryOptions {
  readonly client: BuildPipelineClient;
  readonly origin: string;
  /** Resources of other stacks in the organization. Their objects aren't ours. */
  readonly others: readonly StateResource[];
  readonly onProgress: (progress: Progress) => void;
}

/** Looks in the service for what a state has unfinished. Sends nothing if nothing is. */
export async function readInterruption(
  state: StackState,
  { client, origin, others, onProgress }: RecoveryOptions,
) {
  const { resources, interrupted } = state;
  const creating = interrupted.filter(({ operation }) => operation === "creating");
  // The next deployment repeats these updates and deletions.
  const repeated = interrupted.filter(({ operation }) => operation !== "creating");
  const deleting = resources.filter(({ pendingDeletion }) => pendingDeletion);
  const touched = new Set([...creating, ...deleting].flatMap(({ kind }) => withParent(kind)));
  const places = new Set(
    [...creating, ...deleting].flatMap(({ kind, inputs }) => placeOf(kindNamed(kind ?? ""), inputs) ?? []),
  );
  const listing = await listOrganization(client, {
    kinds: touched,
    within: ({ id }) => places.has(identityOf(id)),
    onProgress,
  });
  refusals(listing);
  const owned = [...resources, ...others].filter(({ kind }) => touched.has(kind));
  const { unmanaged } = compareOwnership(listing, owned, origin);
  const unmanagedById = new Map(unmanaged.map((one) => [one.id, one]));
  const own = new Map(resources.flatMap((one) => (one.pendingDeletion ? [] : [[one.urn, one.key]])));

  const creations = creating.map((one) => {
    const { urn, type, kind } = one;
    // Objects that the creation may have made: no state has them.
    const objects = listing.objects.flatMap((object) => {
      const found = fits(one, object) ? unmanagedById.get(object.id) : undefined;
      if (found === undefined) return [];
      const { inside: _, ...rest } = found;
      return [{ ...rest, url: addressOf(object, client) }];
    });
    const isRecorded = listing.objects.some((object) => object.key === own.get(urn) && isEqual(one, object));
    const { outcome, reason } = outcomeOf(one, listing, objects.length > 0, isRecorded);
    return {
      urn,
      type,
      kind,
      name: nameOfUrn(urn),
      outcome,
      /** True if the state has the resource, for example as the old half of a replacement. */
      inState: own.has(urn),
      /** The API returned a secret once, and no one has it. */
      secretIsLost: Object.values(kindNamed(kind ?? "")?.outputs ?? {}).some(
        ({ secret }) => secret === "once",
      ),
      objects,
      reason,
    };
  });
  const deletions = deleting.map(({ urn, type, kind, id, key, properties }) => ({
    urn,
    type,
    kind,
    id,
    /** False if a complete list lacks it. */
    exists:
      doubtOfAbsence(listing, { kind, key, properties }) !== undefined ||
      listing.objects.some((object) => object.key === key),
  }));
  return { creations, deletions, repeated };
}

/** Checks whether nothing of a creation is left to import, to revoke or to find out. */
export function isSettled({ outcome }: InterruptedCreation): boolean {
  return outcome !== "unrecorded" && outcome !== "unknown";
}

/** Returns the pair for `buildpipeline import`, if a creation has exactly one object that it can only be. */
export function importPairOf(creation: InterruptedCreation): ImportPair | undefined {
  const { kind, name, objects, inState, secretIsLost } = creation;
  const [object, ...others] = objects;
  if (kind === undefined || object === undefined || others.length > 0 || inState || secretIsLost)
    return undefined;
  return { kind, name, importName: object.import };
}

function outcomeOf(
  { kind: kindName, inputs, provider }: PendingOperation,
  listing: Listing,
  isListed: boolean,
  isRecorded: boolean,
): { readonly outcome: CreationOutcome; readonly reason: string | undefined } {
  const unknown = (reason: string) => ({ outcome: "unknown" as const, reason });
  const kind = kindNamed(kindName ?? "");
  if (kind === undefined) return unknown("it is a resource of another package");
  if (provider !== undefined && !isDefaultProvider(provider))
    return unknown("its explicit provider may have other settings than this command");
  if (inputs.organization !== listing.organization)
    return unknown(`it belongs to the organization ${String(inputs.organization)}`);
  if (kind.view !== undefined) return { outcome: "repeated", reason: undefined };
  const names = [kind.words.label ?? "", kind.parent?.argument];
  const hidden = names.find((argument) => isHidden(kind, argument, inputs[argument ?? ""]));
  if (hidden !== undefined) return unknown(`its ${hidden} is secret`);
  if (isListed) return { outcome: "unrecorded", reason: undefined };
  if (isRecorded) return { outcome: "recorded", reason: undefined };
  const doubt = doubtOfAbsence(listing, { kind: kind.name, properties: inputs });
  return doubt === undefined ? { outcome: "absent", reason: undefined } : unknown(doubt);
}

/** Checks whether a live object has the place and the name that a creation gave it. */
function fits({ kind: name, inputs }: PendingOperation, { kind, observed, parent }: LiveObject): boolean {
  if (kind.name !== name || kind.view !== undefined) return false;
  if (placeOf(kind, inputs) !== (parent && identityOf(parent.id))) return false;
  const { label = "" } = kind.words;
  if (inputs[label] !== undefined) return sameOnService(kind, label, inputs[label], observed[label]);
  // Without a name, it is what it was created with that identifies an object.
  return isEqual({ inputs }, { kind, observed });
}

/** Checks whether a live object has everything that a creation sent, as far as the API returns it. */
function isEqual(
  { inputs }: Pick<PendingOperation, "inputs">,
  { kind, observed }: Pick<LiveObject, "kind" | "observed">,
): boolean {
  return Object.keys(kind.arguments).every(
    (argument) =>
      inputs[argument] === undefined ||
      !(argument in observed) ||
      sameOnService(kind, argument, inputs[argument], observed[argument]),
  );
}

function isHidden(kind: AnyKind, argument: string | undefined, value: unknown): boolean {
  if (argument === undefined || typeof value === "string") return false;
  return value !== undefined || kind.arguments[argument]?.whenOmitted === "required";
}

/** Returns an object's address in the API. A response's own `url` may lead to another service, or another object. */
function addressOf(object: LiveObject, client: BuildPipelineClient): string {
  const { kind, id, parent, observed, entity } = object;
  const deletion = operations.find(({ method, section }) => method === "DELETE" && section === kind.section);
  const ids: Readonly<Record<string, string | undefined>> = {
    org_slug: client.organization,
    cluster_id: parent?.id,
    suite_slug: String(observed.slug),
    team_uuid: parent?.id ?? id,
    pipeline_slug: String((parent ?? object).observed.slug),
  };
  return client.baseUrl + fillPath(deletion?.path ?? "", (name) => ids[name] ?? kind.identify(entity));
}

/** Returns the id of what an object is to live in, in lower case, as programs write ids in any. */
function placeOf(kind: AnyKind | undefined, inputs: PendingOperation["inputs"]): string | undefined {
  const value = kind?.parent === undefined ? undefined : inputs[kind.parent.argument];
  return typeof value === "string" ? identityOf(value) : undefined;
}

function withParent(kind: string | undefined): string[] {
  const known = kindNamed(kind ?? "");
  return known === undefined ? [] : [known.name, ...(known.parent === undefined ? [] : [known.parent.kind])];
}
