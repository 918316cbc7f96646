import type { Properties } from "../protocol/encoded-values.js";
import { UNKNOWN } from "../protocol/encoded-values.js";
import { nameOfUrn } from "../protocol/urn.js";
import type { ArgumentChange, Change, Place } from "../review/change.js";
import type { Text } from "../review/text.js";
import { parentArgument } from "../topology/kinds.js";
import { containerOf, type DrawnResource } from "../topology/of-resources.js";
import { containsSecret, type Masking } from "./masking.js";
import { knownLabelIn, type Names, referredBy } from "./names.js";
import { propertiesOf, type State } from "./preview.js";
import type { Stepped } from "./steps.js";

/** Represents a place that has no id yet and that the preview does not identify. */
const UNKNOWN_PLACE = "(known after deployment)";

/** Arguments that are not values of the program. */
const isInternal = (name: string) => name.startsWith("__");
const isShownElsewhere = (name: string) => isInternal(name) || name === "organization" || name === "import";

/** Makes the model of changes out of resources before and after. */
export class ChangeReader {
  readonly #masking: Masking;
  readonly #names: Names;

  constructor(masking: Masking, names: Names) {
    this.#masking = masking;
    this.#names = names;
  }

  /** Returns the change of a resource; undefined if it stays as it is. */
  changeOf(resource: Stepped, pending: boolean, undoes: readonly string[] = []): Change | undefined {
    const { urn, kind, action, before, after } = resource;
    if (action === undefined) return undefined;
    const now = this.placeOf(kind, before);
    const later = this.placeOf(kind, after);
    const moves = action === "replace" && now && later && now.key !== later.key;
    const adopts = action === "adopt" ? after?.inputs.import : undefined;
    const next = propertiesOf(after);
    const label = this.labelOf(urn, kind, before ?? after);
    const isAmbiguous = before?.id !== undefined && this.#names.isShared(kind, now?.id, label);
    return {
      urn,
      kind,
      action,
      pending,
      id: before?.id,
      label,
      title: isAmbiguous ? [{ code: label }, " (", { code: before?.id ?? "" }, ")"] : [{ code: label }],
      before: propertiesOf(before),
      after: next,
      place: now ?? later,
      movesTo: moves ? later : undefined,
      changed: this.#argumentChanges(resource),
      undoes,
      ...(typeof adopts === "string" && { adopts: this.#masking.text(adopts) }),
      nameAfter: (argument) =>
        this.#names.ofId(referredBy(kind, argument), next[argument]) ??
        this.#names.ofDependency(after?.propertyDependencies[argument]),
    };
  }

  labelOf(urn: string, kind: string, state: State | undefined): string {
    return this.#masking.text(knownLabelIn(kind, state?.inputs ?? {}) ?? nameOfUrn(urn));
  }

  /** Returns where a resource is, by the URN of what it is in if that is known. */
  placeOf(kind: string, state: State | undefined): Place | undefined {
    if (state === undefined) return undefined;
    const properties = propertiesOf(state);
    const { propertyDependencies } = state;
    const container = containerOf({ kind, properties, propertyDependencies });
    if (container === undefined) return undefined;
    const id = properties[parentArgument(kind) ?? ""];
    const known = typeof id === "string" && id !== UNKNOWN ? id : undefined;
    const given = container.key.startsWith("urn:") ? container.key : undefined;
    const key = this.#names.urnOf(container.kind, known) ?? given ?? known ?? UNKNOWN_PLACE;
    const named = this.#names.ofId(container.kind, known) ?? this.#names.ofUrn(key);
    const name = key === UNKNOWN_PLACE ? key : named;
    return { kind: container.kind, key, id: known, name };
  }

  /** Returns how arguments differ between two states. */
  differences(
    kind: string,
    names: readonly string[],
    before: State | undefined,
    after: State | undefined,
    replacing: readonly string[] = [],
  ): ArgumentChange[] {
    return names.map((name) => {
      const old = ownValue(before?.inputs, name) ?? ownValue(before?.outputs, name);
      const next =
        ownValue(after?.inputs, name) ?? (before === undefined ? undefined : ownValue(after?.outputs, name));
      return {
        name,
        before: this.#value(kind, name, old),
        after:
          containsSecret(old) && containsSecret(next)
            ? "another secret"
            : this.#value(kind, name, next, after?.propertyDependencies[name]),
        unknown: next === UNKNOWN,
        replaces: replacing.includes(name),
        ...(this.#hasLines(old, next) && {
          texts: { before: this.#masking.text(String(old)), after: this.#masking.text(String(next)) },
        }),
      };
    });
  }

  /** Returns the resource of a drawing: as it will be, or as it was. */
  drawn({ urn, kind, action }: Stepped, state: State | undefined): DrawnResource {
    const properties = Object.entries(propertiesOf(state)).map(([name, value]): [string, unknown] => [
      name,
      typeof value === "string" ? this.#masking.text(value) : value,
    ]);
    return {
      urn,
      kind,
      id: state?.id,
      properties: Object.fromEntries(properties),
      propertyDependencies: state?.propertyDependencies ?? {},
      change: action,
    };
  }

  #argumentChanges({ kind, action, before, after, reasons, replaceReasons }: Stepped): ArgumentChange[] {
    if (action === "update" || action === "replace") {
      const names = reasons.filter((name) => !isInternal(name));
      return this.differences(kind, names, before, after, replaceReasons);
    }
    if (action !== "create" && action !== "adopt") return [];
    const names = Object.keys(after?.inputs ?? {}).filter((name) => !isShownElsewhere(name));
    return this.differences(kind, names, before, after);
  }

  #hasLines(old: unknown, next: unknown): boolean {
    const isPlain = (value: unknown) =>
      typeof value === "string" && value !== UNKNOWN && !containsSecret(value) && !this.#masking.withholds;
    return isPlain(old) && isPlain(next) && `${old}${next}`.includes("\n");
  }

  /** Returns a value, and names in place of the ids of objects. */
  #value(kind: string, argument: string, value: unknown, dependencies?: readonly string[]): Text[number] {
    const other = referredBy(kind, argument);
    if (other === undefined) return this.#masking.value(value);
    if (value === UNKNOWN) {
      const name = this.#names.ofDependency(dependencies);
      return name === undefined ? this.#masking.value(value) : { code: name };
    }
    const ids = Array.isArray(value) ? value : [value];
    const names = ids.map((id) => this.#names.ofId(other, id));
    return ids.length === 0 || names.some((name) => name === undefined)
      ? this.#masking.value(value)
      : { code: names.join(", ") };
  }
}

/** Returns an object's own property. A program may name a property `valueOf`, which every object inherits. */
function ownValue(properties: Properties | undefined, name: string): unknown {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
