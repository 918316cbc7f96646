import { kinds, labelIn, parentArgument } from "../../../provider/lifecycle/values/kinds.js";
import { isShown, UNKNOWN } from "../../../shared/protocol/encoded-values.js";
import { nameOfUrn } from "../../../shared/protocol/urn.js";
import { disappears } from "../drawing/actions.js";
import { containerOf } from "../drawing/topology.js";
import type { State } from "../pulumi/state.js";
import type { Masking } from "./masking.js";
import type { Resource, Resources } from "./resources.js";
import type { Text } from "./text.js";

/** What a person calls an object. */
export interface Called {
  /** Key, description or name, now or, before its creation, later. */
  readonly label: string;
  /** The stack has another object of this label in this place. */
  readonly shared: boolean;
  /**
   * The label, with the resource's name in the program if the stack has another object of this label, or may have it: a
   * plain preview doesn't show them. A replaced object that is still to be deleted has its id as well.
   */
  readonly title: Text;
}

/** A name that the service shows. */
export type LiveName = readonly [kind: string, id: string, name: string];

/** The object that contains another object, such as a queue's cluster. */
export interface Place {
  readonly kind: string;
  /** Equal for objects in one place: the URN of the resource that is given, or the id. */
  readonly key: string;
  /** Undefined for an object that is yet to be created. */
  readonly id: string | undefined;
  /** Its name on Buildkite, now or after its creation; undefined where no input shows it. */
  readonly name: string | undefined;
}

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
  labelOf({ urn, kind }: Pick<Resource, "urn" | "kind">, state: State | undefined): string {
    return this.masking.text(knownLabelIn(kind, state?.inputs ?? {}) ?? nameOfUrn(urn));
  }

  /** Returns what a person calls the object of a resource. @param place the id of what it is in */
  called(resource: Resource, place: string | undefined): Called {
    const { urn, kind, before, after } = resource;
    const label = this.labelOf(resource, before ?? after);
    const own = nameOfUrn(urn);
    const namesakes = this.#namesakes.get(`${kind} ${place} ${label}`) ?? [];
    const { parent, unique } = kinds.get(kind) ?? {};
    const isOnly = this.#disappearing?.get(`${kind} ${label}`)?.length === 1;
    const mayBeShared = isOnly && parent !== undefined && unique === undefined && own !== label;
    const shared = before?.id !== undefined && namesakes.length > 1;
    if (before?.id === undefined || !(shared || mayBeShared))
      return { label, shared, title: [{ code: label }] };
    const isNamed = namesakes.every((one) =>
      one.urn === urn ? one.before?.id === before.id : nameOfUrn(one.urn) !== own,
    );
    const id = isNamed ? [] : [", ", { code: before.id }];
    const name = { code: this.masking.text(own) };
    return { label, shared, title: [{ code: label }, " (", name, " in the program", ...id, ")"] };
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

/** Returns the name of a place. A name that exists only in the program is marked. */
export function placeText({ name, key }: Place): Text {
  if (name !== undefined) return [{ code: name }];
  return key.startsWith("urn:") ? [{ code: nameOfUrn(key) }, " (its name in the program)"] : [{ code: key }];
}

export function newPlaceText(place: Place): Text {
  return place.id === undefined ? ["a new cluster, ", ...placeText(place)] : placeText(place);
}

/** Returns `` of `Linux` ``; an empty text for an object that is directly in the organization. */
export function ofPlace(place: Place | undefined): Text {
  return place === undefined ? [] : [" of ", ...placeText(place)];
}
