import { plainYaml, sameOnService } from "../../../provider/lifecycle/operations/objects.js";
import { kinds } from "../../../provider/lifecycle/values/kinds.js";
import {
  isMasked,
  isShown,
  isUnknown,
  type Properties,
  UNKNOWN,
} from "../../../shared/protocol/encoded-values.js";
import type { State } from "../pulumi/state.js";
import type { Action } from "./action.js";
import type { Names } from "./names.js";
import type { Resource, Resources } from "./resources.js";

/**
 * A planned change of one object. This is the model that the report, the impact, the drawing and `drain` read: names
 * are Buildkite's, of now and of afterwards.
 */
export type Change = ReturnType<typeof changeOf>;

/** An argument that changes. Its values have code marks where they are known. */
export type ArgumentChange = ReturnType<typeof argumentChanges>[number];

/** A change that somebody made outside of the program, and what the deployment does to it. */
export type OutOfBand = Change & {
  /** `undone`: the deployment sets the program's value, or creates the object again. `kept`: it leaves it alone. */
  readonly fate: "undone" | "kept";
};

type Outputs = Readonly<Properties>;

/** @param undoes arguments that were changed outside of the program, and get the program's values again */
export function changeOf(
  resource: Resource,
  action: Action,
  names: Names,
  components: ReadonlyMap<string, Outputs>,
  undoes: readonly string[] = [],
) {
  const { urn, kind, pending, before, after } = resource;
  const now = names.placeOf(kind, before);
  const later = names.placeOf(kind, after);
  const moves = action === "replace" && now && later && now.key !== later.key;
  const adopts = action === "adopt" ? after?.inputs.import : undefined;
  return {
    urn,
    kind,
    action,
    /** An earlier deployment replaced the object and couldn't delete it, so this one does. */
    pending,
    /** Id of the object as it is now; undefined if the object does not exist yet. */
    id: before?.id,
    ...names.called(resource, now?.id),
    /** Inputs and outputs as they are, and as they will be. */
    before: before?.properties ?? {},
    after: after?.properties ?? {},
    /** Where it is now or, before its creation, later. */
    place: now ?? later,
    /** Where its replacement will be, if that is another place. */
    movesTo: moves ? later : undefined,
    /** Outputs of the component that it is in, as the last deployment left them; undefined where no input shows them. */
    component: components.get(before?.parent ?? ""),
    changed: argumentChanges(resource, action, names),
    undoes,
    ...(typeof adopts === "string" && {
      adopts: adopts === UNKNOWN ? "(known after deployment)" : names.masking.text(adopts),
    }),
    /** Returns the name of the object that an argument will refer to. */
    nameAfter: (argument: string) => names.referredBy(kind, argument, after),
  };
}

/** Arguments that are not values of the program. */
const isInternal = (name: string) => name.startsWith("__");
const isShownElsewhere = (name: string) => isInternal(name) || name === "organization" || name === "import";

/** Returns the arguments that change or, of a new object, that are set. */
function argumentChanges(resource: Resource, action: Action, names: Names) {
  const { kind, before, after, reasons, replaceReasons } = resource;
  const { masking } = names;
  const isMade = action === "create" || action === "adopt";
  const described = kinds.get(kind);
  const fields = described?.arguments ?? {};
  const isPlain = (value: unknown): value is string =>
    typeof value === "string" && isShown(value) && !masking.withholds;
  const shown = isMade
    ? Object.keys(after?.inputs ?? {}).filter((name) => !isShownElsewhere(name))
    : reasons.filter((name) => !isInternal(name) && (action === "update" || action === "replace"));
  return shown.map((name) => {
    const old = ownValue(before?.properties, name);
    const next = ownValue(before === undefined ? after?.inputs : after?.properties, name);
    const isDocument = Object.hasOwn(fields, name) && fields[name]?.isDocument === true;
    const shownAs = (value: string) => masking.text(isDocument ? plainYaml(value) : value);
    return {
      name,
      /** The value, or words in its place: `secret`, `known after deployment`. */
      before: names.value(kind, name, old),
      after:
        isMasked(old) && isMasked(next)
          ? "another secret"
          : names.value(kind, name, next, after?.propertyDependencies[name]),
      unknown: isUnknown(next),
      replaces: !isMade && replaceReasons.includes(name),
      /** The whole texts, if both are known and not secret, and have several lines. Of a document, what it means. */
      ...(isPlain(old) &&
        isPlain(next) &&
        (isDocument || `${old}${next}`.includes("\n")) && {
          texts: { before: shownAs(old), after: shownAs(next) },
          /** Only the layout, the comments or the order of keys of a document differ. */
          ...(isDocument && described && sameOnService(described, name, old, next) && { isLayout: true }),
        }),
    };
  });
}

/** Returns an object's own property. A program may name a property `valueOf`, which every object inherits. */
function ownValue(properties: Properties | undefined, name: string): unknown {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export function changes({ changed }: Change, argument: string): boolean {
  return changed.some(({ name }) => name === argument);
}

/**
 * Returns what a refresh found before a preview. Its steps have the state from before; the steps of the preview have what
 * the service returned.
 */
export function outOfBandOf(
  { refreshed, stepped }: Resources,
  names: Names,
  components: ReadonlyMap<string, Outputs>,
): OutOfBand[] {
  const byUrn = new Map(stepped.map((resource) => [resource.urn, resource]));
  return refreshed.flatMap((found): OutOfBand[] => {
    const { kind, action, before } = found;
    const plan = byUrn.get(found.urn);
    const isMade = plan?.action === "create" || plan?.action === "adopt";
    if (action === "delete" || (isMade && before?.external !== true))
      return [
        { ...changeOf(found, "delete", names, components), fate: plan === undefined ? "kept" : "undone" },
      ];
    const after = action === "update" ? found.after : plan?.before;
    const differing = argumentsThatDiffer(kind, before, after);
    const set = new Set(plan?.reasons);
    return (["undone", "kept"] as const).flatMap((fate) => {
      const reasons = differing.filter((name) => set.has(name) === (fate === "undone"));
      const resource = { ...found, after, reasons, replaceReasons: [] };
      return reasons.length === 0 ? [] : [{ ...changeOf(resource, "update", names, components), fate }];
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
