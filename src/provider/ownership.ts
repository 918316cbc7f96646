import { randomUUID } from "node:crypto";
import type { AnyKind } from "../resources/kind.js";
import type { Properties } from "./engine-values.js";
import { ADOPTION, IMPORT } from "./state.js";

/**
 * Which entry of the state an object belongs to. A rename with the option `import` leaves two entries for one object
 * until the old one is deleted, and that deletion must not reach the service, in whatever run it comes.
 *
 * An adoption writes a mark of its own into the state. Each run tells the marks of the entries that the program still
 * has before it deletes any other: so the state itself says whose the object is.
 */
export class Ownership {
  readonly #owners = new Map<string, unknown>();

  /** A mark for a new adoption. */
  static mark(): string {
    return randomUUID().slice(0, 8);
  }

  /** Notes that an entry has adopted an object, now or in an earlier run. */
  note(organization: string, kind: AnyKind, id: string, entry: Properties): void {
    if (entry[ADOPTION] === undefined && entry[IMPORT] === undefined) return;
    this.#owners.set(keyOf(organization, kind, id), entry[ADOPTION]);
  }

  /** Whether an object belongs to another entry than this one. */
  isOthers(organization: string, kind: AnyKind, id: string, entry: Properties): boolean {
    const key = keyOf(organization, kind, id);
    return this.#owners.has(key) && this.#owners.get(key) !== entry[ADOPTION];
  }
}

function keyOf(organization: string, kind: AnyKind, id: string): string {
  return `${organization}/${kind.name}/${id}`;
}
