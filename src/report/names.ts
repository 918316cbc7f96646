import { UNKNOWN } from "../protocol/encoded-values.js";
import { kinds } from "../provider/values/kinds.js";
import { labelIn, parentArgument } from "../topology/kinds.js";
import { containsSecret, type Masking } from "./masking.js";
import { propertiesOf, type State } from "./preview.js";
import type { Stepped } from "./steps.js";

/** The resources of a stack, by what the deployment or the refresh does to them. */
export interface Resources {
  readonly stepped: readonly Stepped[];
  readonly unchanged: readonly Stepped[];
  /** Replaced objects that are still to be deleted. */
  readonly pending: readonly Stepped[];
}

/** A name that the service shows. */
export type LiveName = readonly [kind: string, id: string, name: string];

/** Names of Buildkite's objects without secrets: of now by type and id, of afterwards by URN. */
export class Names {
  readonly #byId = new Map<string, string>();
  readonly #byUrn = new Map<string, string>();
  readonly #urns = new Map<string, string>();
  readonly #labels = new Set<string>();
  readonly #shared = new Set<string>();
  readonly #masking: Masking;

  constructor(masking: Masking, { stepped, unchanged, pending }: Resources, liveNames: readonly LiveName[]) {
    this.#masking = masking;
    for (const { urn, kind, before, after } of [...unchanged, ...stepped]) {
      this.#addNow(kind, before?.id, this.#label(kind, before));
      const later = this.#label(kind, after);
      if (later !== undefined) this.#byUrn.set(urn, later);
    }
    for (const name of liveNames) this.#addNow(...name);
    for (const { urn, kind, before } of [...stepped, ...unchanged])
      if (before?.id !== undefined) this.#urns.set(`${kind} ${before.id}`, urn);
    for (const { kind, before } of [...unchanged, ...pending, ...stepped]) {
      if (before === undefined) continue;
      const place = propertiesOf(before)[parentArgument(kind) ?? ""];
      const key = `${kind} ${place} ${this.#label(kind, before)}`;
      if (this.#labels.has(key)) this.#shared.add(key);
      this.#labels.add(key);
    }
  }

  /** The first name of an object is kept. */
  #addNow(kind: string, id: string | undefined, name: string | undefined): void {
    if (id !== undefined && name !== undefined && !this.#byId.has(`${kind} ${id}`))
      this.#byId.set(`${kind} ${id}`, name);
  }

  #label(kind: string, state: State | undefined): string | undefined {
    const label = knownLabelIn(kind, propertiesOf(state));
    return label === undefined ? undefined : this.#masking.text(label);
  }

  ofId(kind: string | undefined, id: unknown): string | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  ofUrn(urn: string): string | undefined {
    return this.#byUrn.get(urn);
  }

  /** Returns the name of the only object that a value comes from. */
  ofDependency([urn, ...others]: readonly string[] = []): string | undefined {
    return urn === undefined || others.length > 0 ? undefined : this.#byUrn.get(urn);
  }

  /** Returns the URN of an object of today. */
  urnOf(kind: string, id: string | undefined): string | undefined {
    return this.#urns.get(`${kind} ${id}`);
  }

  /** Returns whether several objects of a type in one place have a label. */
  isShared(kind: string, place: string | undefined, label: string): boolean {
    return this.#shared.has(`${kind} ${place} ${label}`);
  }
}

/** Returns the resource type that an argument refers to by an id. */
export function referredBy(kind: string, argument: string): string | undefined {
  const described = kinds.get(kind);
  return described?.parent?.argument === argument
    ? described.parent.kind
    : described?.arguments[argument]?.refersTo;
}

/** Returns the name for people of an object of a kind: a key, a description, a name. */
export function knownLabelIn(kind: string, properties: State["inputs"]): string | undefined {
  const label = labelIn(kind, properties);
  return typeof label === "string" && label !== "" && !containsSecret(label) && label !== UNKNOWN
    ? label
    : undefined;
}
