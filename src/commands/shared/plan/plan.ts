import { kinds } from "../../../provider/lifecycle/values/kinds.js";
import { isMasked, isShown } from "../../../shared/protocol/encoded-values.js";
import { ORGANIZATION } from "../../../shared/protocol/properties.js";
import { nameOfUrn, projectOfUrn, stackOfUrn } from "../../../shared/protocol/urn.js";
import { ACTION_ORDER } from "../drawing/actions.js";
import { type DrawnResource, topologyOfResources } from "../drawing/of-objects.js";
import type { Topology } from "../drawing/topology.js";
import type { Diagnostic } from "../pulumi/events.js";
import { hasFailed, type Preview } from "../pulumi/preview.js";
import { componentsAmong, type StackState } from "../pulumi/stack-export.js";
import type { State, Step } from "../pulumi/state.js";
import type { Change, Managed } from "./change.js";
import { changeOf, type OutOfBand, outOfBandOf } from "./changes.js";
import { Masking } from "./masking.js";
import { type LiveName, Names } from "./names.js";
import { type Resource, resourcesOf } from "./resources.js";
import { type Text, text } from "./text.js";

/** Everything that a preview and a state say about a deployment. */
export interface Plan {
  readonly project: string;
  readonly stack: string;
  /** True if the plan shows what a refresh found, and no planned changes. */
  readonly drift: boolean;
  /** The preview ended with errors, or a part of its output is missing, so it is incomplete. */
  readonly failed: boolean;
  readonly masking: Masking;
  /** What the deployment changes; for drift, what a refresh found. */
  readonly changes: readonly Change[];
  /** Objects that the next deployment deletes because an earlier deployment couldn't delete them. */
  readonly pending: readonly Change[];
  /** What was changed outside of the program, as far as the inputs show it. */
  readonly outOfBand: readonly OutOfBand[];
  /** Steps of the deployment or the refresh. */
  readonly steps: readonly Step[];
  /** What the inputs don't show. */
  readonly gaps: readonly Gap[];
  /** Operations of a deployment that was interrupted; undefined if there was none, as far as the inputs show it. */
  readonly interrupted: readonly { readonly operation: string; readonly name: string }[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Objects that the stack has today, as far as they are known. */
  readonly managed: readonly Managed[];
  readonly topology: Topology;
}

/** Data that is missing from the inputs of a report, so that the report makes no statement about it. */
interface Gap {
  readonly what: "pending deletions" | "out-of-band changes";
  /** What is not known, and what shows it. */
  readonly message: Text;
}

/** Returns the name of a plan's stack with its project, as Pulumi writes it; "" if it isn't known. */
export function stackName({ project, stack }: Plan): string {
  return stack === "" ? "" : `${project}/${stack}`;
}

/** Returns what a deployment does, as far as it is known. */
export function deployed({ drift, changes, pending }: Plan): readonly Change[] {
  return drift ? pending : [...changes, ...pending];
}

/** Returns the organization that an object is in today; undefined if that isn't known. */
export function organizationOf({ before }: Change): string | undefined {
  const organization = before[ORGANIZATION];
  return typeof organization === "string" && !isMasked(organization) ? organization : undefined;
}

/** Compares changes: the worst first, then in the order of resource types. */
export function byWeight(one: Change, other: Change): number {
  const order = [...kinds.keys()];
  return (
    ACTION_ORDER.indexOf(one.action) - ACTION_ORDER.indexOf(other.action) ||
    order.indexOf(one.kind) - order.indexOf(other.kind) ||
    compare(one.label, other.label) ||
    compare(one.urn, other.urn)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * @param state what the stack has today; may be left out
 * @param liveNames names that the service shows
 */
export function planOf(preview: Preview, state?: StackState, liveNames: readonly LiveName[] = []): Plan {
  const masking = new Masking(preview);
  const { refreshed, planned, diagnostics } = preview;
  const urn = [...refreshed, ...planned][0]?.urn ?? state?.resources[0]?.urn ?? "";
  const [project, stack] = [projectOfUrn(urn), stackOfUrn(urn)];
  const isOwn = (one: { readonly urn: string }) =>
    stackOfUrn(one.urn) === stack && projectOfUrn(one.urn) === project;
  const own = state && [...state.resources, ...state.interrupted].every(isOwn) ? state : undefined;
  const failed = hasFailed(preview);
  // A refresh counts the resources that it read. A preview that failed while it refreshed reports no counts.
  const hasCounts = preview.counts !== undefined;
  const drift = refreshed.length > 0 && planned.length === 0 && (hasCounts || !failed);
  const resources = resourcesOf(preview, drift, own);
  const { stepped, pending, unchanged } = resources;
  const names = new Names(masking, resources, liveNames);
  const components = new Map([
    ...(own?.components ?? []),
    ...componentsAmong([...refreshed, ...planned].flatMap(({ oldState }) => oldState ?? [])),
  ]);
  const outOfBand = drift ? [] : outOfBandOf(resources, names);
  const changes = new Map(
    [...stepped, ...pending, ...unchanged].map((one) => [one, changeOf(one, names, outOfBand, components)]),
  );
  const made = new Set(stepped.flatMap(({ urn, before }) => (before === undefined ? [urn] : [])));
  return {
    project,
    stack,
    drift,
    failed,
    masking,
    // The engine's order differs from run to run.
    changes: stepped.flatMap((resource) => changes.get(resource) ?? []).sort(byWeight),
    pending: pending.flatMap((resource) => changes.get(resource) ?? []),
    outOfBand,
    steps: drift ? refreshed : planned,
    gaps: gapsOf(preview, drift, own),
    interrupted: interruptedIn(preview, own),
    diagnostics: diagnostics.filter(({ message }) => !INTERRUPTED.test(message)),
    managed: [...unchanged, ...pending, ...stepped].flatMap((resource) => managedIn(resource, names)),
    topology: topologyOfResources(
      [...changes].flatMap(([resource, change]) => drawnOf(resource, change, masking, made)),
    ),
  };
}

/** The engine's warning about an interrupted deployment, which the state describes better. */
const INTERRUPTED = /pending operations? from (?:the )?previous deployment/i;

function interruptedIn({ diagnostics }: Preview, state: StackState | undefined): Plan["interrupted"] {
  if (state !== undefined && state.interrupted.length > 0)
    return state.interrupted.map(({ operation, urn }) => ({ operation, name: nameOfUrn(urn) }));
  return diagnostics.some(({ message }) => INTERRUPTED.test(message)) ? [] : undefined;
}

/** Operations on resources that the state has, of which a refresh reads each. */
const OF_STATE = ["same", "update", "replace", "delete"];

/** Returns what a preview, and the state that was given with it, don't show. */
function gapsOf({ counts, refreshed }: Preview, drift: boolean, state: StackState | undefined): Gap[] {
  const read = new Set(refreshed.map(({ urn }) => urn));
  // With --target, a refresh reads a part of the state.
  const old = OF_STATE.reduce((sum, op) => sum + (counts?.[op] ?? 0), 0);
  const isRefreshed =
    refreshed.length > 0 &&
    (drift || old <= refreshed.length) &&
    (state?.resources ?? []).every(
      ({ urn, external, pendingDeletion }) => external || pendingDeletion || read.has(urn),
    );
  const gaps: Gap[] = [];
  if (state === undefined && !isRefreshed) {
    gaps.push({
      what: "pending deletions",
      message: text`deletions that an earlier deployment left pending (give ${"--stack-export"} the output of ${"pulumi stack export"})`,
    });
  }
  if (!isRefreshed) {
    gaps.push({
      what: "out-of-band changes",
      message: drift
        ? ["drift of resources that the refresh did not read"]
        : text`changes outside of the program (preview with ${"--refresh"})`,
    });
  }
  return gaps;
}

function managedIn(resource: Resource, names: Names): Managed[] {
  const { urn, kind, before } = resource;
  if (before?.id === undefined || before.external === true) return [];
  return [
    { urn, kind, id: before.id, label: names.labelOf(resource, before), properties: before.properties },
  ];
}

/**
 * Returns a resource as a drawing has it after the deployment. One that moves is drawn in both places.
 *
 * @param made the URNs of new objects, beside which an object that they replace may stay
 */
function drawnOf(
  { urn, kind, action, pending, before, after }: Resource,
  change: Change | undefined,
  masking: Masking,
  made: ReadonlySet<string>,
): DrawnResource[] {
  const drawn = (state: State | undefined, fields?: Partial<DrawnResource>): DrawnResource => ({
    urn,
    kind,
    id: (before ?? after)?.id,
    properties: Object.fromEntries(
      Object.entries(state?.properties ?? {}).flatMap(([name, value]) =>
        !isShown(value) ? [] : [[name, typeof value === "string" ? masking.text(value) : value]],
      ),
    ),
    propertyDependencies: state?.propertyDependencies ?? {},
    change: action,
    ...fields,
  });
  // What not everybody may see is drawn only where it changes.
  if (action === undefined && kinds.get(kind)?.hidden?.when(before?.properties ?? {}) === true) return [];
  // The object that another one replaces has an entry of its own in the drawing.
  const replaced = { urn: `${urn} ${before?.id}` };
  if (pending || (action === "release" && made.has(urn))) return [drawn(before, replaced)];
  if (change?.movesTo === undefined) return [drawn(after ?? before)];
  return [
    drawn(before, { ...replaced, change: "delete" }),
    drawn(after, { id: undefined, change: "create" }),
  ];
}
