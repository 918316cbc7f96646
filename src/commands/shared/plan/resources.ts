import { typeOfUrn } from "../../../shared/protocol/urn.js";
import type { Action } from "../drawing/actions.js";
import type { StackState } from "../pulumi/stack-export.js";
import { entryOf, kindOfUrn, type Preview, type State, type Step } from "./preview.js";

/** A resource before and after, whatever number of steps it takes. */
export interface Resource {
  readonly urn: string;
  readonly kind: string;
  /** Undefined for a resource that stays as it is. */
  readonly action: Action | undefined;
  /** An earlier deployment replaced the object and couldn't delete it, so this one does. */
  readonly pending: boolean;
  readonly before: State | undefined;
  readonly after: State | undefined;
  readonly reasons: readonly string[];
  readonly replaceReasons: readonly string[];
}

/** This package's resources in a stack. */
export interface Resources {
  /** With a step of the deployment or, for drift, of the refresh. */
  readonly stepped: readonly Resource[];
  /** Replaced objects that are still to be deleted. */
  readonly pending: readonly Resource[];
  /** Without a step, from the refresh before the preview or else from the state. */
  readonly unchanged: readonly Resource[];
  /** As the refresh before the preview found them. */
  readonly refreshed: readonly Resource[];
}

/** Returns the resources that a preview shows, and the state that was given with it. */
export function resourcesOf(preview: Preview, drift: boolean, state: StackState | undefined): Resources {
  const exported = state?.resources ?? [];
  const pending = pendingIn(preview, exported.filter(({ pendingDeletion }) => pendingDeletion).map(stateOf));
  const left = new Set(pending.map(({ urn, before }) => entryOf({ urn, oldState: before })));
  const refreshed = combined(preview.refreshed, left);
  const stepped = drift ? refreshed : combined(preview.planned, left);
  const seen = refreshed.flatMap(({ action, before, after }) =>
    action === "delete" ? [] : (after ?? before ?? []),
  );
  const remaining = exported.filter(({ pendingDeletion }) => !pendingDeletion).map(stateOf);
  const byUrn = new Map([...remaining, ...seen].map((one) => [one.urn, one]));
  for (const { urn } of stepped) byUrn.delete(urn);
  return { stepped, pending, unchanged: [...byUrn.values()].map(untouched), refreshed };
}

const REPLACING = new Set(["replace", "create-replacement"]);

/** Returns the replaced objects that this deployment deletes because an earlier one couldn't, from steps and state. */
function pendingIn({ refreshed, planned }: Preview, exported: readonly State[]): Resource[] {
  // The engine also marks what this preview replaces.
  const replaced = new Set(planned.filter(({ op }) => REPLACING.has(op)).map(entryOf));
  const left = planned.filter((step) => step.op === "delete-replaced" && !replaced.has(entryOf(step)));
  const shown = [...refreshed.filter(({ op }) => op !== "delete"), ...left].flatMap(({ oldState }) =>
    oldState?.delete === true && kindOfUrn(oldState.urn) !== undefined ? [oldState] : [],
  );
  const byEntry = new Map(
    [...exported, ...shown].map((oldState) => [entryOf({ urn: oldState.urn, oldState }), oldState]),
  );
  return [...byEntry.values()].map((before) => ({
    ...untouched(before),
    action: isKept(before) ? "release" : "delete",
    pending: true,
    after: undefined,
  }));
}

function stateOf({ properties, ...resource }: StackState["resources"][number]): State {
  return { ...resource, outputs: properties };
}

function untouched(state: State): Resource {
  return {
    urn: state.urn,
    kind: kindOfUrn(state.urn) ?? "",
    action: undefined,
    pending: false,
    before: state,
    after: state,
    reasons: [],
    replaceReasons: [],
  };
}

/** Returns this package's resources among some steps, one for each. @param left entries of deletions that are pending */
function combined(steps: readonly Step[], left: ReadonlySet<string>): Resource[] {
  const own = steps.filter((step) => !left.has(entryOf(step)));
  return [...Map.groupBy(own, ({ urn }) => urn)].flatMap(([urn, of]): Resource[] => {
    const kind = kindOfUrn(urn);
    if (kind === undefined) return [];
    const old = of.find(({ oldState }) => oldState)?.oldState ?? undefined;
    const after = of.find(({ newState }) => newState)?.newState ?? undefined;
    // The engine shows it as a replacement if the program manages what it only read before. Nothing happens to the object.
    const before = old?.external === true && isReplaced(of) ? undefined : old;
    const names = of.flatMap(
      ({ diffReasons, detailedDiff }) => diffReasons ?? Object.keys(detailedDiff ?? {}),
    );
    return [
      {
        urn,
        kind,
        action: actionOf(of, before, after),
        pending: false,
        before,
        after,
        reasons: rootsOf(names),
        replaceReasons: rootsOf(of.flatMap(({ replaceReasons }) => replaceReasons ?? [])),
      },
    ];
  });
}

/** Returns the arguments that paths are in: `triggers` of `triggers.week`. */
function rootsOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.replace(/[.[].*$/s, "")))];
}

const ACTIONS: Readonly<Record<string, Action>> = {
  create: "create",
  import: "adopt",
  update: "update",
  delete: "delete",
  // Without an object of the stack before it.
  replace: "create",
};

function isReplaced(steps: readonly Step[]): boolean {
  return steps.some(({ op }) => /replace/.test(op));
}

function actionOf(
  steps: readonly Step[],
  before: State | undefined,
  after: State | undefined,
): Action | undefined {
  if (after !== undefined && before !== undefined && isReplaced(steps)) return "replace";
  const action = steps.map(({ op }) => ACTIONS[op.replace(/-replaced$|-replacement$/, "")]).find(Boolean);
  if (action === "create" && typeof after?.inputs.import === "string") return "adopt";
  return action === "delete" && before && isKept(before) ? "release" : action;
}

/** Returns whether Pulumi removes a resource from state only. */
function isKept({ retainOnDelete, outputs, external }: State): boolean {
  return retainOnDelete === true || outputs.import !== undefined || external === true;
}

const QUIET_STEPS = new Set(["same", "read", "refresh"]);

/** Returns the steps for resources of other packages, by operation. */
export function otherSteps(steps: readonly Step[]): Map<string, Step[]> {
  const others = steps.filter(({ op, urn, oldState, newState }) => {
    const isOwn = kindOfUrn(urn) !== undefined || typeOfUrn(urn).startsWith("pulumi:");
    // A component exists in the program only.
    return !isOwn && (newState ?? oldState)?.custom !== false && !QUIET_STEPS.has(op);
  });
  return Map.groupBy(others, ({ op }) => op);
}
