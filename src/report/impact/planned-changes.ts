import { nameOfUrn } from "../../protocol/urn.js";
import { kinds } from "../../provider/kinds.js";
import type { PlannedChange } from "../../review/change.js";
import { knownLabelIn, type Names } from "../names.js";
import type { Stepped } from "../stepped.js";

/** Returns the changes of a preview, as far as they may hit what runs. */
export function plannedChanges(
  resources: readonly Stepped[],
  names: Names,
  masked: (text: string) => string,
): PlannedChange[] {
  return resources.flatMap(({ urn, kind, action, before, after, reasons }) => {
    if (action === undefined) return [];
    const now = { ...before?.outputs, ...before?.inputs };
    const next = { ...after?.outputs, ...after?.inputs };
    const place = kinds.get(kind)?.parent;
    const parentId = place === undefined ? undefined : now[place.argument];
    const state = before ?? after;
    return [
      {
        urn,
        kind,
        action,
        id: before?.id,
        label: masked(knownLabelIn(kind, state?.inputs ?? {}) ?? nameOfUrn(urn)),
        before: now,
        after: next,
        parentKind: place?.kind,
        parentId: typeof parentId === "string" ? parentId : undefined,
        parentName: names.ofId(parentId),
        changed: new Set(reasons),
        nameAfter: (property) =>
          names.ofId(next[property]) ?? names.ofDependency(after?.propertyDependencies?.[property]),
      },
    ];
  });
}
