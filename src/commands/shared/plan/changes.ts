import { kinds } from "../../../provider/lifecycle/values/kinds.js";
import {
  isMasked,
  isShown,
  isUnknown,
  type Properties,
  UNKNOWN,
} from "../../../shared/protocol/encoded-values.js";
import type { State } from "../pulumi/state.js";
import type { ArgumentChange, Change } from "./change.js";
import type { Names } from "./names.js";
import type { Resource, Resources } from "./resources.js";

/** Arguments that are not values of the program. */
const isInternal = (name: string) => name.startsWith("__");
const isShownElsewhere = (name: string) => isInternal(name) || name === "organization" || name === "import";

/** Returns the change of a resource; undefined if it stays as it is. */
export function changeOf(
  resource: Resource,
  names: Names,
  outOfBand: readonly OutOfBand[],
  components: ReadonlyMap<string, Readonly<Properties>>,
): Change | undefined {
  const { urn, kind, action, pending, before, after } = resource;
  if (action === undefined) return undefined;
  const now = names.placeOf(kind, before);
  const later = names.placeOf(kind, after);
  const moves = action === "replace" && now && later && now.key !== later.key;
  const adopts = action === "adopt" ? after?.inputs.import : undefined;
  const label = names.labelOf(resource, before ?? after);
  const undone = outOfBand.filter((one) => !pending && one.fate === "undone" && one.urn === urn);
  return {
    urn,
    kind,
    action,
    pending,
    id: before?.id,
    label,
    shared: before?.id !== undefined && names.namesakesOf(kind, now?.id, label).length > 1,
    title: names.titleOf(resource, now?.id, label),
    before: before?.properties ?? {},
    after: after?.properties ?? {},
    place: now ?? later,
    movesTo: moves ? later : undefined,
    component: components.get(before?.parent ?? ""),
    changed: argumentChanges(resource, names),
    undoes: undone.flatMap((one) => one.changed.map(({ name }) => name)),
    ...(typeof adopts === "string" && {
      adopts: adopts === UNKNOWN ? "(known after deployment)" : names.masking.text(adopts),
    }),
    nameAfter: (argument) => names.referredBy(kind, argument, after),
  };
}

function argumentChanges(resource: Resource, names: Names): ArgumentChange[] {
  const { action, after, reasons } = resource;
  if (action === "update" || action === "replace") {
    return differences(
      resource,
      reasons.filter((name) => !isInternal(name)),
      names,
    );
  }
  if (action !== "create" && action !== "adopt") return [];
  const shown = Object.keys(after?.inputs ?? {}).filter((name) => !isShownElsewhere(name));
  return differences({ ...resource, replaceReasons: [] }, shown, names);
}

/** Returns how arguments differ between the two states of a resource. */
function differences(
  { kind, before, after, replaceReasons }: Omit<Resource, "action">,
  shown: readonly string[],
  names: Names,
): ArgumentChange[] {
  const { masking } = names;
  const isPlain = (value: unknown): value is string =>
    typeof value === "string" && isShown(value) && !masking.withholds;
  return shown.map((name) => {
    const old = ownValue(before?.properties, name);
    const next = ownValue(before === undefined ? after?.inputs : after?.properties, name);
    return {
      name,
      before: names.value(kind, name, old),
      after:
        isMasked(old) && isMasked(next)
          ? "another secret"
          : names.value(kind, name, next, after?.propertyDependencies[name]),
      unknown: isUnknown(next),
      replaces: replaceReasons.includes(name),
      ...(isPlain(old) &&
        isPlain(next) &&
        `${old}${next}`.includes("\n") && {
          texts: { before: masking.text(old), after: masking.text(next) },
        }),
    };
  });
}

/** Returns an object's own property. A program may name a property `valueOf`, which every object inherits. */
function ownValue(properties: Properties | undefined, name: string): unknown {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** A change that somebody made outside of the program, and what the deployment does to it. */
export interface OutOfBand extends Pick<Change, "urn" | "kind" | "label" | "place" | "changed"> {
  /** `undone`: the deployment sets the program's value, or creates the object again. `kept`: it leaves it alone. */
  readonly fate: "undone" | "kept";
  /** The object is gone. */
  readonly gone: boolean;
}

/**
 * Returns what a refresh found before a preview. Its steps have the state from before; the steps of the preview have what
 * the service returned.
 */
export function outOfBandOf({ refreshed, stepped }: Resources, names: Names): OutOfBand[] {
  const byUrn = new Map(stepped.map((resource) => [resource.urn, resource]));
  return refreshed.flatMap((found): OutOfBand[] => {
    const { urn, kind, action, before } = found;
    const plan = byUrn.get(urn);
    const about = { urn, kind, label: names.labelOf(found, before), place: names.placeOf(kind, before) };
    const isMade = plan?.action === "create" || plan?.action === "adopt";
    if (action === "delete" || (isMade && before?.external !== true)) {
      return [{ ...about, fate: plan === undefined ? "kept" : "undone", gone: true, changed: [] }];
    }
    const after = action === "update" ? found.after : plan?.before;
    const differing = argumentsThatDiffer(kind, before, after);
    const set = new Set(plan?.reasons);
    return (["undone", "kept"] as const).flatMap((fate) => {
      const own = differing.filter((name) => set.has(name) === (fate === "undone"));
      const changed = differences({ ...found, after, replaceReasons: [] }, own, names);
      return own.length === 0 ? [] : [{ ...about, fate, gone: false, changed }];
    });
  });
}

function argumentsThatDiffer(kind: string, before: State | undefined, now: State | undefined): string[] {
  if (before === undefined || now === undefined) return [];
  const [old, next] = [before.properties, now.properties];
  return Object.keys(kinds.get(kind)?.arguments ?? {}).filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]),
  );
}
