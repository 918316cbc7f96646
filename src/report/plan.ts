import { ACTION_ORDER } from "../messages/actions.js";
import type { Diagnostic } from "../project/diagnostics.js";
import { projectOfUrn, stackOfUrn } from "../protocol/urn.js";
import { kinds } from "../provider/values/kinds.js";
import type { Change } from "../review/change.js";
import type { Managed } from "../review/review.js";
import { type DrawnResource, topologyOfResources } from "../topology/of-resources.js";
import type { Topology } from "../topology/topology.js";
import { ChangeReader } from "./changes.js";
import { type Gap, gapsOf } from "./gaps.js";
import { Masking } from "./masking.js";
import { type LiveName, Names } from "./names.js";
import { type OutOfBand, outOfBandOf } from "./out-of-band.js";
import { type Preview, propertiesOf, type Step } from "./preview.js";
import type { StackState } from "./stack-state.js";
import {
  type Phases,
  pendingResources,
  phasesOf,
  type Stepped,
  steppedResources,
  unchangedResources,
} from "./steps.js";

/** Everything that a preview and a state say about a deployment. */
export interface Plan {
  readonly project: string;
  readonly stack: string;
  /** True if the plan shows what a refresh found, and no planned changes. */
  readonly drift: boolean;
  /** The preview ended with errors, so it is incomplete. */
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
  readonly interrupted: StackState["interrupted"] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Objects that the stack has today, as far as they are known. */
  readonly managed: readonly Managed[];
  readonly topology: Topology;
}

/** Returns the name of a plan's stack with its project, as Pulumi writes it; "" if it isn't known. */
export function stackName({ project, stack }: Plan): string {
  return stack === "" ? "" : `${project}/${stack}`;
}

/** Returns what a deployment does, as far as it is known. */
export function deployed({ drift, changes, pending }: Plan): readonly Change[] {
  return drift ? pending : [...changes, ...pending];
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

/** The engine's warning about an interrupted deployment, which the state describes better. */
const INTERRUPTED = /pending operations? from (?:the )?previous deployment/i;

/**
 * @param state what the stack has today; may be left out
 * @param liveNames names that the service shows
 */
export function planOf(preview: Preview, state?: StackState, liveNames: readonly LiveName[] = []): Plan {
  const masking = new Masking(preview);
  const urn = preview.steps[0]?.urn ?? state?.resources[0]?.urn ?? "";
  const [project, stack] = [projectOfUrn(urn), stackOfUrn(urn)];
  const isOfStack = state?.resources.every(({ urn }) => stackOfUrn(urn) === stack) ?? false;
  const own = isOfStack ? state : undefined;
  const phases = phasesOf(preview);
  const failed = preview.diagnostics.some(({ severity }) => severity === "error");
  const drift = isDrift(phases, preview, failed);
  const steps = drift ? phases.refreshed : phases.planned;
  const pending = pendingResources(phases, own);
  const stepped = steppedResources(steps, pending);
  const unchanged = unchangedResources(phases, stepped, pending, own);
  const reader = new ChangeReader(masking, new Names(masking, { stepped, unchanged, pending }, liveNames));
  const outOfBand = drift ? [] : outOfBandOf(phases, stepped, pending, reader);
  const changed = stepped.map((resource) => {
    const undone = outOfBand.filter(({ urn, fate }) => fate === "undone" && urn === resource.urn);
    const names = undone.flatMap((one) => one.changed.map(({ name }) => name));
    return { resource, change: reader.changeOf(resource, false, names) };
  });
  return {
    project,
    stack,
    drift,
    failed,
    masking,
    // The engine's order differs from run to run.
    changes: changed.flatMap(({ change }) => change ?? []).sort(byWeight),
    pending: pending.flatMap((resource) => reader.changeOf(resource, true) ?? []),
    outOfBand,
    steps,
    gaps: gapsOf(preview, phases, { drift, steps, state: own }),
    interrupted: interruptedIn(preview, own),
    diagnostics: preview.diagnostics.filter(({ message }) => !INTERRUPTED.test(message)),
    managed: [...unchanged, ...pending, ...stepped].flatMap((resource) => managedIn(resource, reader)),
    topology: topologyOfResources([
      ...changed.flatMap(({ resource, change }) => drawnIn(resource, change, reader)),
      ...pending.map((resource) => drawnBefore(resource, reader)),
      ...unchanged.map((resource) => reader.drawn(resource, resource.before)),
    ]),
  };
}

/** A refresh counts the resources that it read. A preview that failed while it refreshed reports no counts. */
function isDrift({ refreshed, planned }: Phases, { counts }: Preview, failed: boolean): boolean {
  return refreshed.length > 0 && planned.length === 0 && !(failed && counts === undefined);
}

function interruptedIn({ diagnostics }: Preview, state: StackState | undefined): Plan["interrupted"] {
  if (state !== undefined && state.interrupted.length > 0) return state.interrupted;
  return diagnostics.some(({ message }) => INTERRUPTED.test(message)) ? [] : undefined;
}

function managedIn({ urn, kind, before }: Stepped, reader: ChangeReader): Managed[] {
  if (before?.id === undefined || before.external === true) return [];
  const label = reader.labelOf(urn, kind, before);
  return [{ kind, id: before.id, label, properties: propertiesOf(before) }];
}

/** Returns a resource of the drawing; a resource that moves is drawn in both places. */
function drawnIn(resource: Stepped, change: Change | undefined, reader: ChangeReader): DrawnResource[] {
  const { before, after } = resource;
  const next = { ...reader.drawn(resource, after ?? before), ...(before && { id: before.id }) };
  if (change?.movesTo === undefined) return [next];
  const old = { ...drawnBefore(resource, reader), change: "delete" as const };
  return [old, { ...next, id: undefined, change: "create" }];
}

/** The object that another one replaces has an entry of its own in the drawing. */
function drawnBefore(resource: Stepped, reader: ChangeReader): DrawnResource {
  const { urn, before } = resource;
  return { ...reader.drawn(resource, before), urn: `${urn} ${before?.id}` };
}
