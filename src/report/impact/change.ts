import { nameOfUrn } from "../../protocol/urn.js";
import { labelIn, type Names } from "../names.js";
import type { Action, Stepped } from "../stepped.js";

/** A planned change, as far as it may hit what runs. */
export interface PlannedChange {
  readonly urn: string;
  readonly kind: string;
  readonly action: Action;
  /** Of the object as it is now; undefined for one that does not exist yet. */
  readonly id: string | undefined;
  /** What people call the object now; of one that does not exist yet, what they will call it. */
  readonly label: string;
  /** Inputs and outputs as they are, and as they will be. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** The cluster that it is in now, and its name. */
  readonly clusterId: string | undefined;
  readonly clusterName: string | undefined;
  /** Names of the properties that change. */
  readonly changed: ReadonlySet<string>;
  /** The name of the object that a property will refer to. */
  nameAfter(property: string): string | undefined;
}

/** The changes of a preview. */
export function plannedChanges(
  resources: readonly Stepped[],
  names: Names,
  masked: (text: string) => string,
): PlannedChange[] {
  return resources.flatMap(({ urn, kind, action, before, after, reasons }) => {
    if (action === undefined) return [];
    const now = { ...before?.outputs, ...before?.inputs };
    const next = { ...after?.outputs, ...after?.inputs };
    const clusterId = typeof now.clusterId === "string" ? now.clusterId : undefined;
    const state = before ?? after;
    return [
      {
        urn,
        kind,
        action,
        id: before?.id,
        label: masked(labelIn(kind, state?.inputs ?? {}) ?? nameOfUrn(urn)),
        before: now,
        after: next,
        clusterId,
        clusterName: names.ofId(clusterId),
        changed: new Set(reasons),
        nameAfter: (property) =>
          names.ofId(next[property]) ?? names.ofDependency(after?.propertyDependencies?.[property]),
      },
    ];
  });
}

/** Whether an object disappears: it is deleted, or another one takes its place. */
export function disappears({ action }: PlannedChange): boolean {
  return action === "delete" || action === "replace";
}
