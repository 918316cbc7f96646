import type { Action } from "../../cli/drawing/actions.js";
import type { State } from "../../cli/pulumi/state.js";
import { kinds, plainYaml, sameOnService } from "../../provider/lifecycle/values/kinds.js";
import {
  isMasked,
  isShown,
  isUnknown,
  type Properties,
  UNKNOWN,
} from "../../shared/protocol/encoded-values.js";
import type { Called, Names, Place } from "./names.js";
import type { Resource, Resources } from "./resources.js";
import { type Source, sourceOf } from "./source.js";
import type { Text } from "./text.js";

/**
 * A planned change of one object. This is the model that the report, the impact, the drawing and `drain` read: names
 * are Buildkite's, of now and of afterwards.
 */
export interface Change extends Called {
  readonly urn: string;
  readonly kind: string;
  readonly action: Action;
  /** An earlier deployment replaced the object and couldn't delete it, so this one does. */
  readonly pending: boolean;
  /** Id of the object as it is now; undefined if the object does not exist yet. */
  readonly id: string | undefined;
  /** Inputs and outputs as they are, and as they will be. */
  readonly before: Outputs;
  readonly after: Outputs;
  /** Where it is now or, before its creation, later. */
  readonly place: Place | undefined;
  /** Where its replacement will be, if that is another place. */
  readonly movesTo: Place | undefined;
  /** Outputs of the component that it is in, as the last deployment left them; undefined where no input shows them. */
  readonly component: Outputs | undefined;
  readonly changed: readonly ArgumentChange[];
  /** Arguments that were changed outside of the program, and get the program's values again. */
  readonly undoes: readonly string[];
  /** The line that declares it or, of an object that the program no longer has, that declared it. */
  readonly source: Source | undefined;
  /** The import name of the existing object that it becomes. */
  readonly adopts?: string;
  /** Returns the name of the object that an argument will refer to. */
  nameAfter(argument: string): string | undefined;
}

/** An argument that changes or, of a new object, that is set. */
export interface ArgumentChange {
  readonly name: string;
  /** The value, or words in its place: `secret`, `known after deployment`. A known value has a code mark. */
  readonly before: Text[number];
  readonly after: Text[number];
  readonly unknown: boolean;
  readonly replaces: boolean;
  /** The whole texts, if both are known and not secret, and have several lines. Of a document, what it means. */
  readonly texts?: { readonly before: string; readonly after: string };
  /** Only the layout, the comments or the order of keys of a document differ. */
  readonly isLayout?: true;
}

/** A change that somebody made outside of the program, and what the deployment does to it. */
export type OutOfBand = Change & {
  /** `undone`: the deployment sets the program's value, or creates the object again. `kept`: it leaves it alone. */
  readonly fate: "undone" | "kept";
};

type Outputs = Readonly<Properties>;

export function changeOf(
  resource: Resource,
  action: Action,
  names: Names,
  components: ReadonlyMap<string, Outputs>,
  undoes: readonly string[] = [],
): Change {
  const { urn, kind, pending, before, after } = resource;
  const now = names.placeOf(kind, before);
  const later = names.placeOf(kind, after);
  const moves = action === "replace" && now && later && now.key !== later.key;
  const adopts = action === "adopt" ? after?.inputs.import : undefined;
  return {
    urn,
    kind,
    action,
    pending,
    id: before?.id,
    ...names.called(resource, now?.id),
    before: before?.properties ?? {},
    after: after?.properties ?? {},
    place: now ?? later,
    movesTo: moves ? later : undefined,
    component: components.get(before?.parent ?? ""),
    changed: argumentChanges(resource, action, names),
    undoes,
    source: sourceOf(after ?? before),
    ...(typeof adopts === "string" && {
      adopts: adopts === UNKNOWN ? "(known after deployment)" : names.masking.text(adopts),
    }),
    nameAfter: (argument: string) => names.referredBy(kind, argument, after),
  };
}

/** Arguments that are not values of the program. */
const isInternal = (name: string) => name.startsWith("__");
const isShownElsewhere = (name: string) => isInternal(name) || name === "organization" || name === "import";

function argumentChanges(resource: Resource, action: Action, names: Names): ArgumentChange[] {
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
      before: names.value(kind, name, old),
      after:
        isMasked(old) && isMasked(next)
          ? "another secret"
          : names.value(kind, name, next, after?.propertyDependencies[name]),
      unknown: isUnknown(next),
      replaces: !isMade && replaceReasons.includes(name),
      ...(isPlain(old) &&
        isPlain(next) &&
        (isDocument || `${old}${next}`.includes("\n")) && {
          texts: { before: shownAs(old), after: shownAs(next) },
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
