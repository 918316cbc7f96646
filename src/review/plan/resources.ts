import { isDeepStrictEqual } from "node:util";
import { type Action, disappears } from "../../cli/drawing/actions.js";
import type { Preview } from "../../cli/pulumi/preview.js";
import type { StackState } from "../../cli/pulumi/stack-export.js";
import { containerOf, entryOf, type State, type Step } from "../../cli/pulumi/state.js";
import { forceArgument, kinds } from "../../provider/for-commands/kinds.js";
import { kindOfUrn } from "../../shared/protocol/type-token.js";
import { typeOfUrn } from "../../shared/protocol/urn.js";
import { DeletedWith, isDeletedFirst } from "./deleted-with.js";

/** A resource before and after, whatever number of steps it takes. */
export interface Resource {
  readonly urn: string;
  readonly kind: string;
  /** Undefined for a resource that stays as it is. */
  readonly action: Action | undefined;
  /** It was replaced earlier, and is still to be deleted. */
  readonly pending: boolean;
  readonly before: State | undefined;
  readonly after: State | undefined;
  /** Arguments that differ, and those for which it is replaced. */
  readonly reasons: readonly string[];
  readonly replaceReasons: readonly string[];
  /** It is deleted before its replacement is created. */
  readonly isDeletedFirst?: boolean;
}

/** The resources of this package in a preview and its state. */
export interface Resources {
  /** With a step of the deployment or, for drift, of the refresh. */
  readonly stepped: readonly Resource[];
  /** Replaced objects that are still to be deleted. */
  readonly pending: readonly Resource[];
  /** Without a step, from the refresh before the preview or else from the state. */
  readonly unchanged: readonly Resource[];
  readonly refreshed: readonly Resource[];
}

export function resourcesOf(preview: Preview, drift: boolean, state: StackState | undefined): Resources {
  const exported = state?.resources ?? [];
  const pending = pendingIn(
    preview,
    exported.filter(({ pendingDeletion }) => pendingDeletion),
  );
  const left = new Set(pending.map(({ urn, before }) => entryOf({ urn, oldState: before })));
  const refreshed = combined(preview.refreshed, left);
  const planned = drift ? [] : combined(preview.planned, left);
  const kept = keptAmong([...planned, ...pending], preview, exported);
  const stepped = drift ? refreshed : planned.flatMap((one) => (kept.has(one) ? partsOf(one) : one));
  const seen = refreshed.flatMap(({ action, before, after }) =>
    action === "delete" ? [] : (after ?? before ?? []),
  );
  const remaining = exported.filter(({ pendingDeletion }) => !pendingDeletion);
  const byUrn = new Map([...remaining, ...seen].map((one) => [one.urn, one]));
  for (const { urn, before } of stepped) {
    byUrn.delete(urn);
    // By an alias, it had another URN.
    if (before !== undefined) byUrn.delete(before.urn);
  }
  return {
    stepped,
    pending: pending.map((one) => (kept.has(one) ? { ...one, action: "release" } : one)),
    unchanged: [...byUrn.values()].map(untouched),
    refreshed,
  };
}

/** Returns what a deletion or a replacement is whose old object stays: Pulumi then only removes it from state. */
function partsOf(resource: Resource): Resource[] {
  const released: Resource = { ...resource, action: "release", after: undefined, reasons: [] };
  if (resource.action !== "replace") return [released];
  const { after } = resource;
  return [{ ...resource, action: isImported(after) ? "adopt" : "create", before: undefined }, released];
}

/**
 * Returns the resources that this deployment deletes or replaces, and whose old object stays, because Pulumi or the
 * provider sends no deletion. An object in another one that is deleted with everything in it does not stay.
 */
function keptAmong(
  all: readonly Resource[],
  { planned }: Preview,
  exported: readonly State[],
): ReadonlySet<Resource> {
  const gone = all.filter(disappears);
  const pendingUrns = new Set(gone.flatMap(({ urn, pending }) => (pending ? urn : [])));
  const deletedWith = new DeletedWith(planned, exported, pendingUrns);
  const isSkipped = (one: Resource) =>
    one.before?.retainOnDelete === true ||
    one.before?.outputs.import !== undefined ||
    one.before?.external === true ||
    deletedWith.skips(one);
  const isEmptied = ({ kind, before }: Resource) => {
    const described = kinds.get(kind);
    const force = described && forceArgument(described);
    return force !== undefined && before?.properties[force] === true;
  };
  const isLostWithContainer = ({ kind, before }: Resource) => {
    const container = before && containerOf({ ...before, kind });
    return gone.some(
      (one) =>
        one.kind === container?.kind &&
        (one.urn === container.key || one.before?.id === container.key) &&
        isEmptied(one) &&
        !isSkipped(one),
    );
  };
  return new Set(gone.filter((one) => isSkipped(one) && !isLostWithContainer(one)));
}

const REPLACING = new Set(["replace", "create-replacement"]);

/** Returns the replaced objects that this deployment deletes because an earlier one couldn't, from steps and state. */
function pendingIn({ refreshed, planned }: Preview, exported: readonly State[]): Resource[] {
  // The engine also marks what this preview replaces.
  const replaced = new Set(planned.filter(({ op }) => REPLACING.has(op)).map(entryOf));
  const left = planned.filter((step) => step.op === "delete-replaced" && !replaced.has(entryOf(step)));
  const shown = [...refreshed.filter(({ op }) => op !== "delete"), ...left].flatMap(({ oldState }) =>
    oldState?.pendingDeletion && oldState.kind !== undefined ? [oldState] : [],
  );
  const byEntry = new Map(
    [...exported, ...shown].map((oldState) => [entryOf({ urn: oldState.urn, oldState }), oldState]),
  );
  return [...byEntry.values()].map((before) => {
    return { ...untouched(before), action: "delete", pending: true, after: undefined };
  });
}

function untouched(state: State): Resource {
  return {
    urn: state.urn,
    kind: state.kind ?? "",
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
  return [...Map.groupBy(own, ({ urn }) => urn)].flatMap(([urn, of]) => {
    const kind = kindOfUrn(urn);
    if (kind === undefined) return [];
    const old = of.find(({ oldState }) => oldState)?.oldState ?? undefined;
    const after = of.find(({ newState }) => newState)?.newState ?? undefined;
    // The engine shows it as a replacement if the program manages what it only read before. Nothing happens to the object.
    const before = old?.external === true && isReplaced(of) ? undefined : old;
    const names = of.flatMap(
      ({ op, diffReasons, detailedDiff }) =>
        diffReasons ?? Object.keys(detailedDiff ?? (op === "update" ? differing(before, after) : {})),
    );
    return {
      urn,
      kind,
      action: actionOf(of, before, after),
      pending: false,
      before,
      after,
      reasons: rootsOf(names),
      replaceReasons: rootsOf(of.flatMap(({ replaceReasons }) => replaceReasons ?? [])),
      isDeletedFirst: isDeletedFirst(of),
    };
  });
}

/** Returns what differs where the engine asked no provider, because its settings aren't known yet. */
function differing(before: State | undefined, after: State | undefined): State["inputs"] {
  return Object.fromEntries(
    Object.entries({ ...before?.inputs, ...after?.inputs }).filter(
      ([name]) => !isDeepStrictEqual(after?.inputs[name], before?.inputs[name]),
    ),
  );
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
  return action === "create" && isImported(after) ? "adopt" : action;
}

function isImported(after: State | undefined): boolean {
  return typeof after?.inputs.import === "string";
}

const QUIET_STEPS = new Set(["same", "read", "refresh"]);

export function otherSteps(steps: readonly Step[]): Map<string, Step[]> {
  const others = steps.filter(({ op, urn, oldState, newState }) => {
    const isOwn = kindOfUrn(urn) !== undefined || typeOfUrn(urn).startsWith("pulumi:");
    // A component exists in the program only.
    return !isOwn && (newState ?? oldState)?.custom !== false && !QUIET_STEPS.has(op);
  });
  return Map.groupBy(others, ({ op }) => op);
}
