import { ACTION_ORDER } from "../messages/actions.js";
import type { Diagnostic } from "../project/diagnostics.js";
import { projectOfUrn, stackOfUrn } from "../protocol/urn.js";
import { kinds } from "../provider/values/kinds.js";
import type { Change } from "../review/change.js";
import type { Managed } from "../review/review.js";
import { parentArgument } from "../topology/kinds.js";
import { type DrawnResource, topologyOfResources } from "../topology/of-resources.js";
import type { Topology } from "../topology/topology.js";
import { ChangeReader, drawn, propertiesOf } from "./changes.js";
import { type Gap, gapsOf } from "./gaps.js";
import { Masking } from "./masking.js";
import { knownLabelIn, Names } from "./names.js";
import { type OutOfBand, outOfBandOf } from "./out-of-band.js";
import { kindOfUrn, type Preview, type State, type Step } from "./preview.js";
import type { StackState } from "./stack-state.js";
import { isKept, type Phases, pendingIn, phasesOf, type Stepped, steppedResources } from "./steps.js";

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
 * @param liveNames names that the service shows, by type and id
 */
export function planOf(
  preview: Preview,
  state?: StackState,
  liveNames: readonly (readonly [kind: string, id: string, name: string])[] = [],
): Plan {
  const masking = new Masking(preview);
  const urn = preview.steps[0]?.urn ?? state?.resources[0]?.urn ?? "";
  const [project, stack] = [projectOfUrn(urn), stackOfUrn(urn)];
  const isOfStack = state?.resources.every(({ urn }) => stackOfUrn(urn) === stack) ?? false;
  const own = isOfStack ? state : undefined;
  const phases = phasesOf(preview);
  const failed = preview.diagnostics.some(({ severity }) => severity === "error");
  const drift = isDrift(phases, preview, failed);
  const steps = drift ? phases.refreshed : phases.planned;
  const pending = pendingStates(phases, own);
  const resources = steppedResources(steps, pending);
  const unchanged = unchangedStates(phases, resources, pending, own);
  const names = new Names();
  for (const { urn, id, kind, inputs, outputs } of unchanged) {
    const name = masked(knownLabelIn(kind, { ...outputs, ...inputs }), masking);
    names.addNow(kind, id, name);
    names.addLater(urn, name);
  }
  for (const { urn, kind, before, after } of resources) {
    names.addNow(kind, before?.id, masked(knownLabelIn(kind, propertiesOf(before)), masking));
    names.addLater(urn, masked(knownLabelIn(kind, propertiesOf(after)), masking));
  }
  for (const name of liveNames) names.addNow(...name);
  const urns = new Map(
    [...resources.map(({ urn, kind, before }) => ({ urn, kind, id: before?.id })), ...unchanged].flatMap(
      ({ urn, kind, id }) => (id === undefined ? [] : [[`${kind} ${id}`, urn]]),
    ),
  );
  const today = [...unchanged, ...pending, ...resources.flatMap(({ before }) => before ?? []).map(ofKind)];
  const reader = new ChangeReader(masking, names, urns, twinsAmong(today, masking));
  const outOfBand = drift ? [] : outOfBandOf(phases, resources, pending, reader);
  const undone = Map.groupBy(
    outOfBand.filter(({ fate }) => fate === "undone"),
    ({ urn }) => urn,
  );
  const found = resources.flatMap((resource) => {
    const undoes = undone.get(resource.urn)?.flatMap(({ changed }) => changed.map(({ name }) => name));
    return reader.changeOf(resource, undoes) ?? [];
  });
  const left = pending.map((one) => pendingChange(one));
  return {
    project,
    stack,
    drift,
    failed,
    masking,
    // The engine's order differs from run to run.
    changes: found.sort(byWeight),
    pending: left.flatMap((resource) => reader.changeOf(resource, [], true) ?? []),
    outOfBand,
    steps,
    gaps: gapsOf(preview, phases, { drift, steps, state: own }),
    interrupted: interruptedIn(preview, own),
    diagnostics: preview.diagnostics.filter(({ message }) => !INTERRUPTED.test(message)),
    managed: today.flatMap((one) =>
      one.id === undefined || one.external === true
        ? []
        : [
            {
              kind: one.kind,
              id: one.id,
              label: reader.labelOf(one.urn, one.kind, one),
              properties: propertiesOf(one),
            },
          ],
    ),
    topology: topologyOfResources([
      ...resources.flatMap((resource) => drawnIn(resource, reader, masking)),
      ...left.map((resource) => ({
        ...drawn(resource, resource.before, masking),
        urn: `${resource.urn} ${resource.before?.id}`,
      })),
      ...unchanged.map((one) => drawn({ urn: one.urn, kind: one.kind, action: undefined }, one, masking)),
    ]),
  };
}

type OwnState = State & { readonly kind: string };

function ofKind(state: State): OwnState {
  return { ...state, kind: kindOfUrn(state.urn) ?? "" };
}

/** A refresh counts the resources that it read. A preview that failed while it refreshed reports no counts. */
function isDrift({ refreshed, planned }: Phases, { counts }: Preview, failed: boolean): boolean {
  return refreshed.length > 0 && planned.length === 0 && !(failed && counts === undefined);
}

/** Replaced objects that are still to be deleted, from the steps and the state. */
function pendingStates(phases: Phases, state: StackState | undefined): OwnState[] {
  const exported = (state?.resources ?? []).filter(({ pendingDeletion }) => pendingDeletion);
  const all = [
    ...exported.map(stateOf),
    ...pendingIn(phases)
      .map(ofKind)
      .filter(({ kind }) => kind !== ""),
  ];
  return [...new Map(all.map((one) => [`${one.urn} ${one.id}`, one])).values()];
}

function stateOf({ propertyDependencies, ...resource }: StackState["resources"][number]): OwnState {
  const dependencies = Object.entries(propertyDependencies).map(([name, urns]) => [name, [...urns]]);
  return {
    ...resource,
    outputs: resource.properties,
    propertyDependencies: Object.fromEntries(dependencies),
  };
}

/** Returns the labels that several objects of a type in one place have. */
function twinsAmong(states: readonly OwnState[], masking: Masking): Set<string> {
  const labels = states.map((one) => {
    const properties = propertiesOf(one);
    const place = properties[parentArgument(one.kind) ?? ""];
    return `${one.kind} ${place} ${masked(knownLabelIn(one.kind, properties), masking)}`;
  });
  return new Set(labels.filter((label, index) => labels.indexOf(label) !== index));
}

function pendingChange(state: OwnState): Stepped {
  const action = isKept(state) ? "release" : "delete";
  return {
    urn: state.urn,
    kind: state.kind,
    action,
    before: state,
    after: undefined,
    reasons: [],
    replaceReasons: [],
  };
}

/** Resources without a step, from the refresh before the preview or else from the state. */
function unchangedStates(
  { refreshed }: Phases,
  resources: readonly Stepped[],
  pending: readonly State[],
  state: StackState | undefined,
): OwnState[] {
  const stepped = new Set(resources.map(({ urn }) => urn));
  const seen = steppedResources(refreshed, pending).flatMap(({ action, before, after }) =>
    action === "delete" ? [] : (after ?? before ?? []),
  );
  const exported = (state?.resources ?? []).filter(({ pendingDeletion }) => !pendingDeletion);
  const all = [...exported.map(stateOf), ...seen.map(ofKind)];
  const byUrn = new Map(all.map((one) => [one.urn, one]));
  return [...byUrn.values()].filter(({ urn }) => !stepped.has(urn));
}

function interruptedIn({ diagnostics }: Preview, state: StackState | undefined): Plan["interrupted"] {
  if (state !== undefined && state.interrupted.length > 0) return state.interrupted;
  return diagnostics.some(({ message }) => INTERRUPTED.test(message)) ? [] : undefined;
}

/** Returns a resource of the drawing; a resource that moves is drawn in both places. */
function drawnIn(resource: Stepped, reader: ChangeReader, masking: Masking): DrawnResource[] {
  const { urn, before, after } = resource;
  const next = drawn(resource, after ?? before, masking);
  const isNew = after !== undefined && before === undefined;
  const shown = { ...next, ...(!isNew && { id: before?.id }) };
  const change = reader.changeOf(resource);
  if (change?.movesTo === undefined) return [shown];
  const old = {
    ...drawn(resource, before, masking),
    urn: `${urn} ${before?.id}`,
    change: "removed" as const,
  };
  return [old, { ...shown, id: undefined, change: "added" }];
}

function masked(name: string | undefined, masking: Masking): string | undefined {
  return name === undefined ? undefined : masking.text(name);
}
