import type { Properties } from "../protocol/encoded-values.js";
import { UNKNOWN } from "../protocol/encoded-values.js";
import { nameOfUrn } from "../protocol/urn.js";
import type { Action } from "../review/change.js";
import type { Text } from "../review/text.js";
import { containerOf, type Parent, parentArgument } from "../topology/kinds.js";
import type { DrawnResource } from "../topology/of-resources.js";
import { containsSecret, type Masking } from "./masking.js";
import { knownLabelIn, type Names } from "./names.js";
import type { State } from "./preview.js";
import type { Stepped } from "./stepped.js";

/** One property that would change. */
export interface PropertyChange {
  readonly name: string;
  /** The value, or words in its place: `secret`, `known after deployment`. */
  readonly before: Text[number];
  readonly after: Text[number];
  readonly unknown: boolean;
  readonly replaces: boolean;
  /** The whole texts, if both are known and not secret, and have several lines. */
  readonly texts?: { readonly before: string; readonly after: string };
}

/** One resource that would change. */
export interface ResourceChange {
  readonly urn: string;
  readonly kind: string;
  /** Its name for people: a key, a description, a name. */
  readonly label: string;
  /** Its name in the program. */
  readonly name: string;
  readonly action: Action;
  /** Its parent: an object of the organization, by its URN if that is known. */
  readonly parent: Parent | undefined;
  readonly properties: readonly PropertyChange[];
  /** The value of the option `import`, where it adopts. */
  readonly adopts?: string;
}

/** Stands for a parent that has no id yet, where nothing says which one it is. */
const NEW_PARENT = "(known after deployment)";

/** Returns what changes, and how. */
export function changesOf(resources: readonly Stepped[], masking: Masking, names: Names): ResourceChange[] {
  const urns = new Map(resources.map(({ urn, kind, before }) => [`${kind} ${before?.id}`, urn]));
  const parentAmong = (resource: Stepped): Parent | undefined => {
    const parent = containerOf(drawn(resource));
    return parent && { ...parent, key: urns.get(`${parent.kind} ${parent.key}`) ?? parent.key };
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
        parent: parentAmong(resource),
        properties: propertyChanges(resource, masking, names),
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
  const place = parentArgument(kind);
  return {
    urn,
    kind,
    id: before?.id ?? after?.id,
    properties:
      place !== undefined && properties[place] === UNKNOWN
        ? { ...properties, [place]: NEW_PARENT }
        : properties,
    propertyDependencies: Object.fromEntries(dependencies.map(([name, urns]) => [name, urns ?? []])),
    change: action && changes[action],
  };
}

function propertiesOf(state: State | undefined): Properties {
  // In a preview the outputs of a re-created resource are unknown, so its inputs count.
  return { ...state?.outputs, ...state?.inputs };
}

function labelOf({ urn, kind, before, after }: Stepped): string {
  return knownLabelIn(kind, (before ?? after)?.inputs ?? {}) ?? nameOfUrn(urn);
}

function propertyChanges(
  { action, before, after, reasons, replaceReasons }: Stepped,
  masking: Masking,
  named: Names,
): PropertyChange[] {
  // The provider's own keys begin like this.
  const isInternal = (name: string) => name.startsWith("__");
  const isShownElsewhere = (name: string) => isInternal(name) || name === "organization" || name === "import";
  const names =
    action === "update" || action === "replace"
      ? reasons.filter((name) => !isInternal(name))
      : action === "create" || action === "adopt"
        ? Object.keys(after?.inputs ?? {}).filter(
            (name) => !isShownElsewhere(name) && after?.inputs?.[name] !== undefined,
          )
        : [];
  return names.map((name) => {
    const old = before?.inputs?.[name] ?? before?.outputs?.[name];
    const next = after?.inputs?.[name] ?? (before === undefined ? undefined : after?.outputs?.[name]);
    const plain = typeof old === "string" && typeof next === "string" && !masking.withholds;
    const long =
      plain &&
      !containsSecret(old) &&
      !containsSecret(next) &&
      next !== UNKNOWN &&
      `${old}${next}`.includes("\n");
    const value = (one: unknown, dependencies?: readonly string[] | null) => {
      // A text that is made of another object's id is not its name.
      const refers = one === UNKNOWN && name.endsWith("Id");
      const label = named.ofId(one) ?? (refers ? named.ofDependency(dependencies) : undefined);
      return label === undefined ? masking.value(one) : { code: label };
    };
    return {
      name,
      before: value(old),
      after:
        containsSecret(old) && containsSecret(next)
          ? "another secret"
          : value(next, after?.propertyDependencies?.[name]),
      unknown: next === UNKNOWN,
      replaces: replaceReasons.includes(name),
      ...(long && { texts: { before: masking.text(old), after: masking.text(next) } }),
    };
  });
}
