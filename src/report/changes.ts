import { nameOfUrn } from "../resources/urn.js";
import { clusterOf, type DrawnResource } from "../topology/of-resources.js";
import { kindOfUrn, type State, type Step } from "./preview.js";
import type { Text } from "./text.js";
import { isSecret, isUnknown, type Masking } from "./values.js";

/** What a deployment would do to a resource. `released`: it leaves the state and stays on the service. */
export type Action = "create" | "adopt" | "update" | "replace" | "delete" | "release";

/** One property that would change. */
export interface PropertyChange {
  readonly name: string;
  /** The value, or what is to be said of it: `secret`, `known after deployment`. */
  readonly before: Text[number];
  readonly after: Text[number];
  readonly unknown: boolean;
  readonly replaces: boolean;
  /** The whole texts, where both are known and several lines are no secret. */
  readonly texts?: { readonly before: string; readonly after: string };
}

/** One resource that would change. */
export interface ResourceChange {
  readonly urn: string;
  readonly kind: string;
  /** What people call it: a key, a description, a name. */
  readonly label: string;
  /** Its name in the program. */
  readonly name: string;
  readonly action: Action;
  /** Of a resource that lives in a cluster: what tells it from others. */
  readonly cluster: string | undefined;
  readonly properties: readonly PropertyChange[];
  /** The value of the option `import`, where it adopts. */
  readonly adopts?: string;
}

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

/** Stands for a cluster that has no id yet, where nothing says which one it is. */
const NEW_CLUSTER = "(known after deployment)";
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

/** What changes, and how. */
export function changesOf(resources: readonly Stepped[], masking: Masking): ResourceChange[] {
  const clusters = new Map(
    resources.map(({ urn, kind, before }) => [kind === "Cluster" ? before?.id : undefined, urn]),
  );
  const clusterKey = (resource: Stepped) => {
    if (!("clusterId" in propertiesOf(resource.after ?? resource.before))) return undefined;
    const key = clusterOf(drawn(resource));
    return clusters.get(key) ?? key;
  };
  return resources.flatMap((resource) => {
    const { urn, kind, action, after } = resource;
    if (action === undefined) return [];
    const adopts = action === "adopt" ? after?.inputs?.import : undefined;
    return [
      {
        urn,
        kind,
        action,
        label: masking.text(labelOf(resource)),
        name: nameOfUrn(urn),
        cluster: clusterKey(resource),
        properties: propertyChanges(resource, masking),
        ...(typeof adopts === "string" && { adopts: masking.text(adopts) }),
      },
    ];
  });
}

/** For the drawing. */
export function drawn({ urn, kind, action, before, after }: Stepped): DrawnResource {
  const state = after ?? before;
  const changes = {
    create: "added",
    adopt: "adopted",
    update: "changed",
    replace: "replaced",
    delete: "removed",
    release: "removed",
  } as const;
  const dependencies = Object.entries(state?.propertyDependencies ?? {});
  const properties = propertiesOf(state);
  return {
    urn,
    kind,
    id: before?.id ?? after?.id,
    properties: isUnknown(properties.clusterId) ? { ...properties, clusterId: NEW_CLUSTER } : properties,
    propertyDependencies: Object.fromEntries(dependencies.map(([name, urns]) => [name, urns ?? []])),
    change: action && changes[action],
  };
}

function propertiesOf(state: State | undefined): Record<string, unknown> {
  // In a preview the outputs of what is made anew are unknown, and its inputs are what counts.
  return { ...state?.outputs, ...state?.inputs };
}

function labelOf({ urn, kind, before, after }: Stepped): string {
  const property = kind === "Queue" ? "key" : kind === "AgentToken" ? "description" : "name";
  const label = (before ?? after)?.inputs?.[property];
  return typeof label === "string" && !isSecret(label) && !isUnknown(label) ? label : nameOfUrn(urn);
}

function propertyChanges(
  { action, before, after, reasons, replaceReasons }: Stepped,
  masking: Masking,
): PropertyChange[] {
  // The provider's own keys begin like this.
  const isInternal = (name: string) => name.startsWith("__");
  const isTold = (name: string) => isInternal(name) || name === "organization" || name === "import";
  const names =
    action === "update" || action === "replace"
      ? reasons.filter((name) => !isInternal(name))
      : action === "create" || action === "adopt"
        ? Object.keys(after?.inputs ?? {}).filter(
            (name) => !isTold(name) && after?.inputs?.[name] !== undefined,
          )
        : [];
  return names.map((name) => {
    const old = before?.inputs?.[name] ?? before?.outputs?.[name];
    const next = after?.inputs?.[name] ?? (before === undefined ? undefined : after?.outputs?.[name]);
    const plain = typeof old === "string" && typeof next === "string" && !masking.withholds;
    const long =
      plain && !isSecret(old) && !isSecret(next) && !isUnknown(next) && `${old}${next}`.includes("\n");
    return {
      name,
      before: masking.value(old),
      after: isSecret(old) && isSecret(next) ? "another secret" : masking.value(next),
      unknown: isUnknown(next),
      replaces: replaceReasons.includes(name),
      ...(long && { texts: { before: masking.text(old), after: masking.text(next) } }),
    };
  });
}
