import { ACTION_ORDER } from "../../cli/drawing/actions.js";
import { isInterruption } from "../../cli/pulumi/engine-messages.js";
import type { Diagnostic } from "../../cli/pulumi/events.js";
import { hasFailed, type Preview } from "../../cli/pulumi/preview.js";
import { componentsAmong, type StackState } from "../../cli/pulumi/stack-export.js";
import type { State, Step } from "../../cli/pulumi/state.js";
import { kinds } from "../../provider/for-commands/kinds.js";
import { isMasked } from "../../shared/protocol/encoded-values.js";
import { ORGANIZATION } from "../../shared/protocol/properties.js";
import { nameOfUrn, projectOfUrn, stackOfUrn } from "../../shared/protocol/urn.js";
import { changeOf, type OutOfBand, outOfBandOf, type PlannedChange } from "./change.js";
import { type LiveName, Masking, PlanNames } from "./names.js";
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
  readonly changes: readonly PlannedChange[];
  /** Objects that the next deployment deletes because an earlier deployment couldn't delete them. */
  readonly pending: readonly PlannedChange[];
  /** What a deployment does, as far as it is known. */
  readonly deployed: readonly PlannedChange[];
  readonly outOfBand: readonly OutOfBand[];
  readonly steps: readonly Step[];
  /** What the preview and the state don't show, so that a report makes no statement about it. */
  readonly gaps: readonly Gap[];
  /** The operations of a deployment that was interrupted; undefined if there was none, as far as the inputs show it. */
  readonly interrupted: readonly { readonly operation: string; readonly name: string }[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Objects that the stack has today, as far as they are known. */
  readonly managed: readonly Managed[];
  /** Returns what identifies an object in changes and places: its URN if the stack has it, or else its id. */
  readonly keyOf: (kind: string, id: string) => string;
  /** All resources of this package, with what happens to each. */
  readonly resources: readonly (Resource & { readonly change: PlannedChange | undefined })[];
}

export interface Managed extends Pick<PlannedChange, "urn" | "kind" | "label"> {
  readonly id: string;
  readonly properties: State["properties"];
}

interface Gap {
  readonly what: "pending deletions" | "out-of-band changes";
  readonly message: Text;
}

/** Returns the name of a plan's stack with its project, as Pulumi writes it; "" if it isn't known. */
export function stackName({ project, stack }: Plan): string {
  return stack === "" ? "" : `${project}/${stack}`;
}

export function organizationOf({ before }: PlannedChange): string | undefined {
  const organization = before[ORGANIZATION];
  return typeof organization === "string" && !isMasked(organization) ? organization : undefined;
}

/** Returns what somebody deleted outside of the program, as far as a refresh shows it. */
export function vanishedIn({ drift, changes, outOfBand }: Plan) {
  return drift
    ? changes
        .filter(({ action, pending }) => action === "delete" && !pending)
        .map((one) => ({ ...one, fate: "open" as const }))
    : outOfBand.filter(({ action }) => action === "delete");
}

/** Compares changes: the worst first, then in the order of resource types. */
export function byWeight(one: PlannedChange, other: PlannedChange): number {
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
  const isRefresh = refreshed.length > 0 || own?.isEmpty === true;
  const drift = isRefresh && planned.length === 0 && (hasCounts || !failed);
  const resources = resourcesOf(preview, drift, own);
  const names = new PlanNames(masking, resources, liveNames);
  const components = new Map([
    ...(own?.components ?? []),
    ...componentsAmong([...refreshed, ...planned].flatMap(({ oldState }) => oldState ?? [])),
  ]);
  const outOfBand = outOfBandOf(resources, names, components, drift);
  const undoneOf = ({ urn, pending }: Resource) =>
    outOfBand.flatMap((one) =>
      !pending && one.fate === "undone" && one.urn === urn ? one.changed.map(({ name }) => name) : [],
    );
  const ofResource = new Map(
    [...resources.stepped, ...resources.pending, ...resources.unchanged].map((one) => [
      one,
      one.action && changeOf(one, one.action, names, components, undoneOf(one)),
    ]),
  );
  const changesOf = (some: readonly Resource[]) => some.flatMap((one) => ofResource.get(one) ?? []);
  // The engine's order differs from run to run.
  const changes = changesOf(resources.stepped).sort(byWeight);
  const pending = changesOf(resources.pending);
  return {
    project,
    stack,
    drift,
    failed,
    masking,
    changes,
    pending,
    deployed: drift ? pending : [...changes, ...pending],
    outOfBand,
    steps: drift ? refreshed : planned,
    gaps: gapsOf(preview, drift, own),
    interrupted: interruptedIn(preview, own),
    diagnostics: diagnostics.filter((one) => !isInterruption(one)),
    managed: [...resources.unchanged, ...resources.pending, ...resources.stepped].flatMap((one) => {
      const { urn, kind, before } = one;
      if (before?.id === undefined || before.external === true) return [];
      return { urn, kind, id: before.id, label: names.labelOf(one, before), properties: before.properties };
    }),
    keyOf: (kind, id) => names.keyOf(kind, id),
    resources: [...ofResource].map(([resource, change]) => ({ ...resource, change })),
  };
}

function interruptedIn({ diagnostics }: Preview, state: StackState | undefined): Plan["interrupted"] {
  if (state !== undefined && state.interrupted.length > 0)
    return state.interrupted.map(({ operation, urn }) => ({ operation, name: nameOfUrn(urn) }));
  return diagnostics.some(isInterruption) ? [] : undefined;
}

/** Operations on resources that the state has, of which a refresh reads each. */
const OF_STATE = ["same", "update", "replace", "delete"];

function gapsOf({ counts, refreshed }: Preview, drift: boolean, state: StackState | undefined): Gap[] {
  const read = new Set(refreshed.map(({ urn }) => urn));
  // With --target, a refresh reads a part of the state.
  const old = OF_STATE.reduce((sum, op) => sum + (counts?.[op] ?? 0), 0);
  const isRefreshed =
    (drift || state?.isEmpty || (refreshed.length > 0 && old <= refreshed.length)) &&
    (state?.resources ?? []).every(
      ({ urn, external, pendingDeletion }) => external || pendingDeletion || read.has(urn),
    );
  const pending: Gap = {
    what: "pending deletions",
    message: text`deletions that an earlier deployment left pending (give ${"--stack-export"} the output of ${"pulumi stack export"})`,
  };
  const drifted: Gap = {
    what: "out-of-band changes",
    message: drift
      ? ["drift of resources that the refresh did not read"]
      : text`changes outside of the program (preview with ${"--refresh"})`,
  };
  if (isRefreshed) return [];
  return state === undefined ? [pending, drifted] : [drifted];
}

/** Returns what a new object replaces: one that goes and has its name, or is the only one that goes where only this one comes. */
export function replacedBy(
  { kind, nextLabel, place }: PlannedChange,
  { deployed }: Plan,
): PlannedChange | undefined {
  const own = deployed.filter((one) => one.kind === kind);
  const gone = own.filter(({ action }) => action === "delete");
  const here = (one: PlannedChange) => one.place?.key === place?.key;
  const named = gone.filter(({ label }) => label === nextLabel);
  const made = own.filter((one) => one.action === "create" && here(one));
  const others = place !== undefined && made.length === 1 ? gone.filter(here) : [];
  return named.find(here) ?? named[0] ?? (others.length === 1 ? others[0] : undefined);
}
