import type { Properties } from "../protocol/encoded-values.js";
import { UNKNOWN } from "../protocol/encoded-values.js";
import { nameOfUrn } from "../protocol/urn.js";
import { labelIn } from "../topology/kinds.js";
import { containsSecret, type Masking } from "./masking.js";
import type { Stepped } from "./stepped.js";

/** A resource that does not change, as far as its name matters. */
interface Known {
  readonly urn: string;
  readonly kind: string;
  readonly id?: string | undefined;
  readonly properties: Readonly<Properties>;
}

/** Names of objects, by the ids that properties hold. */
export class Names {
  readonly #byId = new Map<string, string>();
  readonly #afterByUrn = new Map<string, string>();

  constructor(resources: readonly Stepped[], known: readonly Known[], masking: Masking) {
    for (const { id, urn, kind, properties } of known) {
      const name = masking.text(knownLabelIn(kind, properties) ?? nameOfUrn(urn));
      if (id !== undefined) this.#byId.set(id, name);
      this.#afterByUrn.set(urn, name);
    }
    for (const { urn, kind, before, after } of resources) {
      const label = (state: typeof before) =>
        masking.text(knownLabelIn(kind, state?.inputs ?? {}) ?? nameOfUrn(urn));
      // A default queue has its cluster's id.
      if (before?.id !== undefined && knownLabelIn(kind, before.inputs ?? {}) !== undefined)
        this.#byId.set(before.id, label(before));
      if (after !== undefined) this.#afterByUrn.set(urn, label(after));
    }
  }

  /** Adds names that the service shows; those of the state count first. */
  add(live: ReadonlyMap<string, string>): void {
    for (const [id, name] of live) if (!this.#byId.has(id)) this.#byId.set(id, name);
  }

  /** Returns the name of the object with this id. */
  ofId(id: unknown): string | undefined {
    return typeof id === "string" ? this.#byId.get(id) : undefined;
  }

  /** Returns the name of an object with an id that only the deployment makes known. */
  ofDependency(urns: readonly string[] | null | undefined): string | undefined {
    const [urn, ...others] = urns ?? [];
    return urn === undefined || others.length > 0 ? undefined : this.#afterByUrn.get(urn);
  }
}

/** Returns the name for people of an object of a kind: a key, a description, a name. */
export function knownLabelIn(kind: string, properties: Readonly<Properties>): string | undefined {
  const label = labelIn(kind, properties);
  return typeof label === "string" && label !== "" && !containsSecret(label) && label !== UNKNOWN
    ? label
    : undefined;
}
