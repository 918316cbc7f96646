import type { Action } from "../review/change.js";
import { kindOfUrn, type State, type Step } from "./preview.js";

/** A resource before and after, as steps have it. */
export interface Stepped {
  readonly urn: string;
  readonly kind: string;
  readonly action: Action | undefined;
  readonly before: State | undefined;
  readonly after: State | undefined;
  readonly reasons: readonly string[];
  readonly replaceReasons: readonly string[];
}

const REPLACEMENTS = /replace/;
const ACTIONS: Readonly<Record<string, Action>> = {
  create: "create",
  import: "adopt",
  update: "update",
  delete: "delete",
};

/** This package's resources among some steps, one entry for each, whatever number of steps it takes. */
export function steppedResources(steps: readonly Step[]): Stepped[] {
  const byUrn = new Map<string, Step[]>();
  for (const step of steps) byUrn.set(step.urn, [...(byUrn.get(step.urn) ?? []), step]);
  return [...byUrn].flatMap(([urn, own]) => {
    const kind = kindOfUrn(urn);
    return kind === undefined ? [] : [combined(urn, kind, own)];
  });
}

function combined(urn: string, kind: string, steps: readonly Step[]): Stepped {
  const before = steps.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const after = steps.find(({ newState }) => newState)?.newState ?? undefined;
  const replaced = steps.some(({ op }) => REPLACEMENTS.test(op)) && after !== undefined;
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
  const stays =
    before?.retainOnDelete === true || before?.outputs?.import !== undefined || before?.external === true;
  return action === "delete" && stays ? "release" : action;
}
