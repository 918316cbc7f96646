import { disappears } from "../../cli/drawing/actions.js";
import type { Preview } from "../../cli/pulumi/preview.js";
import { containerOf, type State } from "../../cli/pulumi/state.js";
import { isNone, kinds, labelIn, nounOf, parentArgument } from "../../provider/for-commands/kinds.js";
import { hiding, withoutCredentials } from "../../shared/messages/secrets.js";
import { isMasked, isShown, MASKED, reveal, UNKNOWN } from "../../shared/protocol/encoded-values.js";
import { secretNames } from "../../shared/protocol/properties.js";
import { kindOfUrn } from "../../shared/protocol/type-token.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import type { Resource, Resources } from "./resources.js";
import type { Part, Text } from "./text.js";

/** What a person calls the object of a resource. */
export interface Called {
  /** Key, description or name, now or, before its creation, later. */
  readonly label: string;
  /** The same afterwards. */
  readonly nextLabel: string;
  /** The stack has another object of this label in this place. */
  readonly shared: boolean;
  readonly title: Text;
}

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
export class PlanNames {
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
      const person = userOf(kind, before);
      if (this.#label(kind, before) !== person) this.#addNow(USER, person, this.#label(kind, before));
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

  labelOf({ urn, kind }: Pick<Resource, "urn" | "kind">, state: State | undefined): string {
    // A pair is called after what it goes with.
    const other = Object.entries(kinds.get(kind)?.arguments ?? {}).flatMap(([name, { goesWith }]) =>
      goesWith ? (this.referredBy(kind, name, state) ?? []) : [],
    )[0];
    const properties = { ...state?.properties, ...state?.inputs };
    const person = this.#byId.get(`${USER} ${userOf(kind, { properties })}`);
    const composed = kinds.get(kind)?.words.composed?.((argument) => {
      const value = properties[argument];
      return (
        this.referredBy(kind, argument, state) ??
        (typeof value === "string" && isShown(value) ? value : undefined)
      );
    });
    return this.masking.text(composed ?? other ?? person ?? knownLabelIn(kind, properties) ?? nameOfUrn(urn));
  }

  /** @param place the id of what it is in */
  called(resource: Resource, place: string | undefined): Called {
    const { kind, before, after } = resource;
    const label = this.labelOf(resource, before ?? after);
    const namesakes = this.#namesakes.get(`${kind} ${place} ${label}`) ?? [];
    return {
      label,
      nextLabel: this.labelOf(resource, after ?? before),
      shared: before?.id !== undefined && namesakes.length > 1,
      title: this.#title(resource, label, namesakes),
    };
  }

  /**
   * Returns a label, with the resource's name in the program if the stack has another object of this label, or may have it:
   * a plain preview doesn't show them. A replaced object that is still to be deleted has its id as well.
   */
  #title({ urn, kind, before }: Resource, label: string, namesakes: readonly Resource[]): Text {
    const own = nameOfUrn(urn);
    const { parent, unique } = kinds.get(kind) ?? {};
    const isOnly = this.#disappearing?.get(`${kind} ${label}`)?.length === 1;
    const mayBeShared = isOnly && parent !== undefined && unique === undefined && own !== label;
    if (before?.id === undefined || (namesakes.length < 2 && !mayBeShared)) return [{ code: label }];
    const isNamed = namesakes.every((one) =>
      one.urn === urn ? one.before?.id === before.id : nameOfUrn(one.urn) !== own,
    );
    const id = isNamed ? [] : [", ", { code: before.id }];
    return [{ code: label }, " (", { code: this.masking.text(own) }, " in the program", ...id, ")"];
  }

  placeOf(kind: string, state: State | undefined): Place | undefined {
    if (state === undefined) return undefined;
    const { properties } = state;
    const container = containerOf({ ...state, kind });
    if (container === undefined) return undefined;
    const value = properties[container.argument];
    const id = typeof value === "string" && value !== UNKNOWN ? value : undefined;
    const given = container.key.startsWith("urn:") ? container.key : undefined;
    const key = this.#urns.get(`${container.kind} ${id}`) ?? given ?? id ?? UNKNOWN_PLACE;
    const named = this.#byId.get(`${container.kind} ${id}`) ?? this.#byUrn.get(key);
    return { kind: container.kind, key, id, name: key === UNKNOWN_PLACE ? key : named };
  }

  /** Returns the name of the object that an argument has the id of, or that its value comes from. */
  referredBy(kind: string, argument: string, state: State | undefined): string | undefined {
    const other = referredKind(kind, argument);
    const id = state?.properties[argument];
    return this.#byId.get(`${other} ${id}`) ?? this.#nameOf(other, state?.propertyDependencies[argument]);
  }

  /** Returns the name of an object that a value comes from, if that is the only one of its kind. */
  #nameOf(kind: string | undefined, dependencies: readonly string[] | undefined): string | undefined {
    return this.#byUrn.get(onlyOf(kind, dependencies) ?? "");
  }

  /** Returns what identifies the object that an argument names: its URN if the stack has it, or else its id. */
  keyIn(kind: string, argument: string, state: State | undefined): string | undefined {
    const other = referredKind(kind, argument);
    const id = state?.properties[argument];
    if (id === UNKNOWN) return onlyOf(other, state?.propertyDependencies[argument]);
    return typeof id === "string" && id !== "" ? this.keyOf(other ?? "", id) : undefined;
  }

  keyOf(kind: string, id: string): string {
    return this.#urns.get(`${kind} ${id}`) ?? id;
  }

  /** Returns a value, and names in place of the ids of objects. @param dependencies what the value comes from */
  value(kind: string, argument: string, value: unknown, dependencies?: readonly string[]): Part {
    const { none = "none" } = kinds.get(kind)?.arguments[argument]?.review ?? {};
    if (isNone(value)) return none;
    const other = referredKind(kind, argument);
    if (other === undefined) return this.masking.value(value);
    const names =
      value === UNKNOWN
        ? [this.#nameOf(other, dependencies)]
        : [value].flat().map((id) => this.#byId.get(`${other} ${id}`));
    return names.includes(undefined) ? this.masking.value(value) : { code: names.join(", ") };
  }
}

function onlyOf(kind: string | undefined, urns: readonly string[] = []): string | undefined {
  const [urn, ...others] = urns.filter((one) => kindOfUrn(one) === kind);
  return others.length > 0 ? undefined : urn;
}

function referredKind(kind: string, argument: string): string | undefined {
  const described = kinds.get(kind);
  return described?.parent?.argument === argument
    ? described.parent.kind
    : described?.arguments[argument]?.refersTo;
}

/** A person of the organization, whom no resource is about. */
export const USER = "User";

/** Returns the id of the person whom an object is about, if the API returns the person's name as well. */
export function userOf(kind: string, state: Pick<State, "properties"> | undefined): string | undefined {
  const { label = "", knownBy } = kinds.get(kind)?.words ?? {};
  const id = knownBy && state?.properties[label];
  return typeof id === "string" && isShown(id) ? id : undefined;
}

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
  return place.id === undefined ? [`a new ${nounOf(place.kind)}, `, ...placeText(place)] : placeText(place);
}

/** Returns `` of `Linux` ``; an empty text for an object that is directly in the organization. */
export function ofPlace(place: Place | undefined): Text {
  return place === undefined ? [] : [" of ", ...placeText(place)];
}

/**
 * Keeps secrets out of a report. The engine masks them, unless `--show-secrets` was given. Then known secrets are
 * removed wherever they occur, and all other values are withheld, because nothing marks the secrets among them.
 */
export class Masking {
  /** True if the preview was made with `--show-secrets`: a secret value isn't masked. */
  readonly withholds: boolean;
  readonly text: (text: string) => string;

  constructor({ refreshed, planned }: Preview) {
    const states = [...refreshed, ...planned].flatMap(({ oldState, newState }) =>
      [oldState ?? [], newState ?? []].flat(),
    );
    // A masked value, or a masked part of it, means that the engine masks secrets.
    const shown = states.flatMap(secretValues).filter(isShown);
    this.withholds = shown.length > 0;
    const hide = hiding(shown, MASKED, { shortest: 1 });
    this.text = (text) => withoutCredentials(hide(text));
  }

  /** Returns a value as one line, or words in its place. */
  value(value: unknown): Part {
    if (value === undefined || value === null) return "none";
    if (value === UNKNOWN) return "known after deployment";
    if (isMasked(value)) return "secret";
    if (this.withholds) return "withheld";
    if (typeof value === "boolean" || typeof value === "number") return { code: String(value) };
    const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
    const text =
      typeof value === "string"
        ? value
        : (isList ? value.join(", ") : JSON.stringify(value)).replaceAll(UNKNOWN, "known after deployment");
    return { code: this.text(text) };
  }
}

/** Returns what a resource has under the names of secrets: outputs, and the arguments that the provider noted. */
function secretValues({ inputs, outputs, additionalSecretOutputs }: State): unknown[] {
  // A component has such an output too.
  const described = [...kinds.values()].flatMap((kind) => Object.entries(kind.outputs));
  const names = new Set([
    ...described.flatMap(([name, { secret }]) => (secret ? [name] : [])),
    ...(additionalSecretOutputs ?? []),
    ...secretNames(inputs),
  ]);
  return [...names].flatMap((name) => [inputs[String(name)], outputs[String(name)]]).map(reveal);
}
