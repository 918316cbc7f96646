import { kinds } from "../provider/values/kinds.js";
import type { ArgumentChange, Place } from "../review/change.js";
import type { ChangeReader } from "./changes.js";
import { propertiesOf, type State } from "./preview.js";
import { type Phases, type Stepped, steppedResources } from "./steps.js";

/** A change that somebody made outside of the program, and what the deployment does to it. */
export interface OutOfBand {
  readonly urn: string;
  readonly kind: string;
  readonly label: string;
  readonly place: Place | undefined;
  /** `undone`: the deployment sets the program's value, or creates the object again. `kept`: it leaves it alone. */
  readonly fate: "undone" | "kept";
  /** The object is gone. */
  readonly gone: boolean;
  readonly changed: readonly ArgumentChange[];
}

/**
 * Returns what a refresh found before a preview. Its steps have the state from before; the steps of the preview have what
 * the service returned.
 */
export function outOfBandOf(
  { refreshed }: Phases,
  planned: readonly Stepped[],
  pending: readonly Stepped[],
  reader: ChangeReader,
): OutOfBand[] {
  const byUrn = new Map(planned.map((resource) => [resource.urn, resource]));
  return steppedResources(refreshed, pending).flatMap(({ urn, kind, action, before, after }): OutOfBand[] => {
    const plan = byUrn.get(urn);
    const about = {
      urn,
      kind,
      label: reader.labelOf(urn, kind, before),
      place: reader.placeOf(kind, before),
    };
    if (action === "delete" || plan?.action === "create" || plan?.action === "adopt") {
      return [{ ...about, fate: plan === undefined ? "kept" : "undone", gone: true, changed: [] }];
    }
    const now = action === "update" ? after : plan?.before;
    const names = differing(kind, before, now);
    const set = new Set(plan?.reasons);
    return (["undone", "kept"] as const).flatMap((fate) => {
      const own = names.filter((name) => set.has(name) === (fate === "undone"));
      if (own.length === 0) return [];
      return [{ ...about, fate, gone: false, changed: reader.differences(kind, own, before, now) }];
    });
  });
}

/** Returns the arguments in which two states of a resource differ. */
function differing(kind: string, before: State | undefined, now: State | undefined): string[] {
  if (before === undefined || now === undefined) return [];
  const [old, next] = [propertiesOf(before), propertiesOf(now)];
  return Object.keys(kinds.get(kind)?.arguments ?? {}).filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]),
  );
}
