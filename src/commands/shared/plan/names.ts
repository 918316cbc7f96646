import { kinds, labelIn, parentArgument } from "../../../provider/lifecycle/values/kinds.js";
import { isShown, UNKNOWN } from "../../../shared/protocol/encoded-values.js";
import { nameOfUrn } from "../../../shared/protocol/urn.js";
import { containerOf } from "../drawing/of-objects.js";
import type { State } from "../pulumi/state.js";
import { disappears, type Place } from "./change.js";
import type { Masking } from "./masking.js";
import type { Resource, Resources } from "./resources.js";
import type { Text } from "./text.js";

/** A name that the service shows. */
export type LiveName = readonly [kind: string, id: string, name: string];

/** Represents a place that has no id yet and that the preview does not identify. */
const UNKNOWN_PLACE = "(known after deployment)";

/** Names of Buildkite's objects without secrets: of now by type and id, of afterwards by URN. */
export class Names {
  readonly masking: Masking;
  readonly #byId = new Map<string, string>();
  readonly #byUrn = new Map<string, string>();
  readonly #urns = new Map<string, string>();
  readonly #namesakes: ReadonlyMap<string, readonly Resource[]>;
  /** How many objects of a type and label disappear; undefined if all objects that stay are known. */
  readonly #disappearing: ReadonlyMap<string, readonly Resource[]> | undefined;

  constructor(masking: Masking, { stepped, unchanged, pending }: Resources, liveNames: readonly LiveName[]) {
    this.masking = masking;
    for (const { urn, kind, before, after } of [...unchanged, ...stepped]) {
      this.#addNow(kind, before?.id, this.#label(kind, before));
      const later = this.#label(kind, after);
      if (later !== undefined) this.#byUrn.set(urn, later);
    }
    for (const name of liveNames) this.#addNow(...name);
    for (const { urn, kind, before } of [...stepped, ...unchanged])
      if (before?.id !== undefined) this.#urns.set(`${kind} ${before.id}`, urn);
    const today = [...unchanged, ...pending, ...stepped].filter(({ before }) => before !== undefined);
    this.#namesakes = Map.groupBy(
      today,
      ({ kind, before }) =>
        `${kind} ${before?.properties[parentArgument(kind) ?? ""]} ${this.#label(kind, before)}`,
    );
    const showsOthers = unchanged.length > 0 || stepped.some(({ action }) => action === undefined);
    this.#disappearing = showsOthers
      ? undefined
      : Map.groupBy(stepped.filter(disappears), ({ kind, before }) => `${kind} ${this.#label(kind, before)}`);
  }

  /** The first name of an object is kept. */
  #addNow(kind: string, id: string | undefined, name: string | undefined): void {
    if (id !== undefined && name !== undefined && !this.#byId.has(`${kind} ${id}`))
      this.#byId.set(`${kind} ${id}`, name);
  }

  #label(kind: string, state: State | undefined): string | undefined {
    const label = knownLabelIn(kind, state?.properties ?? {});
    return label === undefined ? undefined : this.masking.text(label);
  }

  /** Returns what a resource is called in a state, or else in the program. */
  labelOf({ urn, kind }: { readonly urn: string; readonly kind: string }, state: State | undefined): string {
    return this.masking.text(knownLabelIn(kind, state?.inputs ?? {}) ?? nameOfUrn(urn));
  }

  /** Returns the objects of a type that have a label in one place. */
  namesakesOf(kind: string, place: string | undefined, label: string): readonly Resource[] {
    return this.#namesakes.get(`${kind} ${place} ${label}`) ?? [];
  }

  /**
   * Returns an object's label, with the resource's name in the program if other objects of that place have the label too,
   * or may have it: a plain preview doesn't show them. A replaced object that is still to be deleted has its id as well.
   */
  titleOf({ urn, kind, before }: Resource, place: string | undefined, label: string): Text {
    const own = nameOfUrn(urn);
    const shared = this.namesakesOf(kind, place, label);
    const { parent, unique } = kinds.get(kind) ?? {};
    const isOnly = this.#disappearing?.get(`${kind} ${label}`)?.length === 1;
    const mayBeShared = isOnly && parent !== undefined && unique === undefined && own !== label;
    if (before?.id === undefined || (shared.length < 2 && !mayBeShared)) return [{ code: label }];
    const isNamed = shared.every((one) =>
      one.urn === urn ? one.before?.id === before.id : nameOfUrn(one.urn) !== own,
    );
    const id = isNamed ? [] : [", ", { code: before.id }];
    return [{ code: label }, " (", { code: this.masking.text(own) }, " in the program", ...id, ")"];
  }

  /** Returns where a resource is, by the URN of what it is in if that is known. */
  placeOf(kind: string, state: State | undefined): Place | undefined {
    if (state === undefined) return undefined;
    const { properties } = state;
    const container = containerOf({ ...state, kind });
    if (container === undefined) return undefined;
    const value = properties[parentArgument(kind) ?? ""];
    const id = typeof value === "string" && value !== UNKNOWN ? value : undefined;
    const given = container.key.startsWith("urn:") ? container.key : undefined;
    const key = this.#urns.get(`${container.kind} ${id}`) ?? given ?? id ?? UNKNOWN_PLACE;
    const named = this.#byId.get(`${container.kind} ${id}`) ?? this.#byUrn.get(key);
    return { kind: container.kind, key, id, name: key === UNKNOWN_PLACE ? key : named };
  }

  /** Returns the name of the object that an argument has the id of, or that its value comes from. */
  referredBy(kind: string, argument: string, state: State | undefined): string | undefined {
    const id = state?.properties[argument];
    return (
      this.#byId.get(`${referredKind(kind, argument)} ${id}`) ??
      this.#onlyOf(state?.propertyDependencies[argument])
    );
  }

  #onlyOf([urn, ...others]: readonly string[] = []): string | undefined {
    return urn === undefined || others.length > 0 ? undefined : this.#byUrn.get(urn);
  }

  /** Returns a value, and names in place of the ids of objects. @param dependencies what the value comes from */
  value(kind: string, argument: string, value: unknown, dependencies?: readonly string[]): Text[number] {
    const other = referredKind(kind, argument);
    const ids = Array.isArray(value) ? value : [value];
    const names =
      other === undefined
        ? []
        : value === UNKNOWN
          ? [this.#onlyOf(dependencies)]
          : ids.map((id) => this.#byId.get(`${other} ${id}`));
    return names.length === 0 || names.includes(undefined)
      ? this.masking.value(value)
      : { code: names.join(", ") };
  }
}

/** Returns the resource type that an argument refers to by an id. */
function referredKind(kind: string, argument: string): string | undefined {
  const described = kinds.get(kind);
  return described?.parent?.argument === argument
    ? described.parent.kind
    : described?.arguments[argument]?.refersTo;
}

/** Returns the name for people of an object of a kind: a key, a description, a name. */
function knownLabelIn(kind: string, properties: State["inputs"]): string | undefined {
  const label = labelIn(kind, properties);
  return typeof label === "string" && label !== "" && isShown(label) ? label : undefined;
}
