import type { Properties } from "../protocol/encoded-values.js";
import { UNKNOWN } from "../protocol/encoded-values.js";
import { kinds } from "../provider/values/kinds.js";
import { labelIn } from "../topology/kinds.js";
import { containsSecret } from "./masking.js";

/** Names of Buildkite's objects: of now by type and id, of afterwards by URN. */
export class Names {
  readonly #byId = new Map<string, string>();
  readonly #byUrn = new Map<string, string>();

  /** Adds a current name. The first name of an object is kept. */
  addNow(kind: string, id: string | undefined, name: string | undefined): void {
    if (id !== undefined && name !== undefined && !this.#byId.has(`${kind} ${id}`))
      this.#byId.set(`${kind} ${id}`, name);
  }

  /** Adds a name of afterwards. */
  addLater(urn: string, name: string | undefined): void {
    if (name !== undefined) this.#byUrn.set(urn, name);
  }

  ofId(kind: string | undefined, id: unknown): string | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  ofUrn(urn: string): string | undefined {
    return this.#byUrn.get(urn);
  }

  /** Returns the name of the only object that a value comes from. */
  ofDependency(urns: readonly string[] | null | undefined): string | undefined {
    const [urn, ...others] = urns ?? [];
    return urn === undefined || others.length > 0 ? undefined : this.#byUrn.get(urn);
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
export function knownLabelIn(kind: string, properties: Readonly<Properties>): string | undefined {
  const label = labelIn(kind, properties);
  return typeof label === "string" && label !== "" && !containsSecret(label) && label !== UNKNOWN
    ? label
    : undefined;
}
