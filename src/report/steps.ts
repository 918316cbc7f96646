import type { Action } from "../messages/actions.js";
import { kindOfUrn, type Preview, type State, type Step } from "./preview.js";

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

/** A replaced object that is still to be deleted has an entry of its own, with the URN of its replacement. */
export function entryOf({ urn, oldState }: Pick<Step, "urn" | "oldState">): string {
  return `${urn} ${oldState?.id}`;
}

const REPLACING = new Set(["replace", "create-replacement"]);

/** Returns the deletions that an earlier deployment left, as far as steps show them. */
export function pendingIn({ refreshed, planned }: Phases): State[] {
  // The engine also marks what this preview replaces.
  const replaced = new Set(planned.filter(({ op }) => REPLACING.has(op)).map(entryOf));
  const left = planned.filter((step) => step.op === "delete-replaced" && !replaced.has(entryOf(step)));
  const pending = [...refreshed.filter(({ op }) => op !== "delete"), ...left].flatMap(({ oldState }) =>
    oldState?.delete === true ? [oldState] : [],
  );
  return [...new Map(pending.map((state) => [`${state.urn} ${state.id}`, state])).values()];
}

const ACTIONS: Readonly<Record<string, Action>> = {
  create: "create",
  import: "adopt",
  update: "update",
  delete: "delete",
};

/** Returns this package's resources among some steps, one for each, without deletions that an earlier deployment left. */
export function steppedResources(steps: readonly Step[], pending: readonly State[]): Stepped[] {
  const left = new Set(pending.map((state) => `${state.urn} ${state.id}`));
  const own = steps.filter((step) => !left.has(entryOf(step)));
  return [...Map.groupBy(own, ({ urn }) => urn)].flatMap(([urn, of]) => {
    const kind = kindOfUrn(urn);
    return kind === undefined ? [] : [combined(urn, kind, of)];
  });
}

function combined(urn: string, kind: string, steps: readonly Step[]): Stepped {
  const before = steps.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const after = steps.find(({ newState }) => newState)?.newState ?? undefined;
  const replaced = steps.some(({ op }) => /replace/.test(op)) && after !== undefined;
  const action = replaced
    ? "replace"
    : steps.map(({ op }) => ACTIONS[op.replace(/-replaced$/, "")]).find(Boolean);
  const roots = (names: readonly string[]) => [...new Set(names.map((name) => name.replace(/[.[].*$/s, "")))];
  return {
    urn,
    kind,
    action: refined(action, before, after),
    before,
    after,
    reasons: roots(
      steps.flatMap(({ diffReasons, detailedDiff }) => diffReasons ?? Object.keys(detailedDiff ?? {})),
    ),
    replaceReasons: roots(steps.flatMap(({ replaceReasons }) => replaceReasons ?? [])),
  };
}

function refined(
  action: Action | undefined,
  before: State | undefined,
  after: State | undefined,
): Action | undefined {
  if (action === "create" && typeof after?.inputs?.import === "string") return "adopt";
  return action === "delete" && before && isKept(before) ? "release" : action;
}

/** Returns whether Pulumi removes a resource from state only. */
export function isKept({ retainOnDelete, outputs, external }: State): boolean {
  return retainOnDelete === true || outputs?.import !== undefined || external === true;
}
