import type { Action } from "../messages/actions.js";
import { entryOf, kindOfUrn, type Preview, type State, type Step } from "./preview.js";
import type { StackState } from "./stack-state.js";

/** A resource before and after, whatever number of steps it takes. */
export interface Stepped {
  readonly urn: string;
  readonly kind: string;
  /** Undefined for a resource that stays as it is. */
  readonly action: Action | undefined;
  readonly before: State | undefined;
  readonly after: State | undefined;
  readonly reasons: readonly string[];
  readonly replaceReasons: readonly string[];
}

/** Steps of a refresh, and of the preview after it. */
export interface Phases {
  /** One for each resource in state. Empty without a refresh. */
  readonly refreshed: readonly Step[];
  readonly planned: readonly Step[];
}

const OF_REFRESH = new Set(["refresh", "update", "delete"]);

/**
 * Separates the steps that the engine reports in one list. A refresh has one step for each entry of the state: an update
 * or a deletion if it found drift. The steps of a preview follow, that of the stack first.
 */
export function phasesOf({ steps }: Preview): Phases {
  if (!steps.some(({ op }) => op === "refresh")) return { refreshed: [], planned: steps };
  const seen = new Set<string>();
  const end = steps.findIndex((step) => {
    const again = seen.has(entryOf(step));
    seen.add(entryOf(step));
    return again || !OF_REFRESH.has(step.op);
  });
  return end < 0
    ? { refreshed: steps, planned: [] }
    : { refreshed: steps.slice(0, end), planned: steps.slice(end) };
}

const REPLACING = new Set(["replace", "create-replacement"]);

/** Returns the replaced objects that this deployment deletes because an earlier one couldn't, from steps and state. */
export function pendingResources({ refreshed, planned }: Phases, state: StackState | undefined): Stepped[] {
  const exported = (state?.resources ?? []).filter(({ pendingDeletion }) => pendingDeletion);
  // The engine also marks what this preview replaces.
  const replaced = new Set(planned.filter(({ op }) => REPLACING.has(op)).map(entryOf));
  const left = planned.filter((step) => step.op === "delete-replaced" && !replaced.has(entryOf(step)));
  const shown = [...refreshed.filter(({ op }) => op !== "delete"), ...left].flatMap(({ oldState }) =>
    oldState?.delete === true && kindOfUrn(oldState.urn) !== undefined ? [oldState] : [],
  );
  const all = [...exported.map(stateOf), ...shown];
  const byEntry = new Map(all.map((oldState) => [entryOf({ urn: oldState.urn, oldState }), oldState]));
  return [...byEntry.values()].map((before) => ({
    ...untouched(before),
    action: isKept(before) ? "release" : "delete",
    after: undefined,
  }));
}

const ACTIONS: Readonly<Record<string, Action>> = {
  create: "create",
  import: "adopt",
  update: "update",
  delete: "delete",
};

/** Returns this package's resources among some steps, one for each, without deletions that an earlier deployment left. */
export function steppedResources(steps: readonly Step[], pending: readonly Stepped[]): Stepped[] {
  const left = new Set(pending.map(({ urn, before }) => entryOf({ urn, oldState: before })));
  const own = steps.filter((step) => !left.has(entryOf(step)));
  return [...Map.groupBy(own, ({ urn }) => urn)].flatMap(([urn, of]) => {
    const kind = kindOfUrn(urn);
    return kind === undefined ? [] : [combined(urn, kind, of)];
  });
}

/** Returns the resources without a step, from the refresh before the preview or else from the state. */
export function unchangedResources(
  { refreshed }: Phases,
  resources: readonly Stepped[],
  pending: readonly Stepped[],
  state: StackState | undefined,
): Stepped[] {
  const stepped = new Set(resources.map(({ urn }) => urn));
  const seen = steppedResources(refreshed, pending).flatMap(({ action, before, after }) =>
    action === "delete" ? [] : (after ?? before ?? []),
  );
  const exported = (state?.resources ?? []).filter(({ pendingDeletion }) => !pendingDeletion);
  const byUrn = new Map([...exported.map(stateOf), ...seen].map((one) => [one.urn, one]));
  return [...byUrn.values()].filter(({ urn }) => !stepped.has(urn)).map(untouched);
}

function stateOf({ properties, ...resource }: StackState["resources"][number]): State {
  return { ...resource, outputs: properties };
}

function untouched(state: State): Stepped {
  return {
    urn: state.urn,
    kind: kindOfUrn(state.urn) ?? "",
    action: undefined,
    before: state,
    after: state,
    reasons: [],
    replaceReasons: [],
  };
}

function combined(urn: string, kind: string, steps: readonly Step[]): Stepped {
  const before = steps.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const after = steps.find(({ newState }) => newState)?.newState ?? undefined;
  const roots = (names: readonly string[]) => [...new Set(names.map((name) => name.replace(/[.[].*$/s, "")))];
  return {
    urn,
    kind,
    action: actionOf(steps, before, after),
    before,
    after,
    reasons: roots(
      steps.flatMap(({ diffReasons, detailedDiff }) => diffReasons ?? Object.keys(detailedDiff ?? {})),
    ),
    replaceReasons: roots(steps.flatMap(({ replaceReasons }) => replaceReasons ?? [])),
  };
}

function actionOf(
  steps: readonly Step[],
  before: State | undefined,
  after: State | undefined,
): Action | undefined {
  if (after !== undefined && steps.some(({ op }) => /replace/.test(op))) return "replace";
  const action = steps.map(({ op }) => ACTIONS[op.replace(/-replaced$/, "")]).find(Boolean);
  if (action === "create" && typeof after?.inputs.import === "string") return "adopt";
  return action === "delete" && before && isKept(before) ? "release" : action;
}

/** Returns whether Pulumi removes a resource from state only. */
function isKept({ retainOnDelete, outputs, external }: State): boolean {
  return retainOnDelete === true || outputs.import !== undefined || external === true;
}
