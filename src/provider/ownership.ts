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
  /** Objects of entries that the program still has. */
  readonly #managed = new Map<string, { readonly stays: boolean; readonly urn: string | undefined }>();
  /** Of these, the ones that their entry keeps. */
  readonly #kept = new Set<string>();
  /** Objects that a resource of this run is about to adopt. */
  readonly #claimed = new Set<string>();
  #checked: AnyKind | undefined;
  /** The same, where the engine tells of which resource it speaks. */
  readonly #checkedUrns = new Set<string>();

  /** A mark for a new adoption. */
  static mark(): string {
    return randomUUID().slice(0, 8);
  }

  /**
   * Notes that the program still has a resource of a kind. Its diff, which tells the id, is what the engine asks for
   * next, or can be told by the resource's name.
   */
  noteCheck(kind: AnyKind, urn: string | undefined): void {
    if (urn === undefined) this.#checked = kind;
    else this.#checkedUrns.add(urn);
  }

  /**
   * Notes whose entry is asked for its diff. A refresh asks for diffs too, without a check before: it says nothing of
   * what the program has.
   *
   * @returns whether another resource of this run is about to adopt the object, or known to have it
   */
  noteDiff(
    organization: string,
    kind: AnyKind,
    id: string,
    entry: Properties,
    urn: string | undefined,
  ): { contested: boolean } {
    if (!this.#takeCheck(kind, urn)) return { contested: false };
    const key = keyOf(organization, kind, id);
    const other = this.#managed.get(key)?.urn;
    if (kind.listedWith === undefined && other !== undefined && other !== urn) return { contested: true };
    this.#managed.set(key, { stays: entry[IMPORT] !== undefined, urn });
    return { contested: this.#claimed.has(key) };
  }

  #takeCheck(kind: AnyKind, urn: string | undefined): boolean {
    if (urn !== undefined) return this.#checkedUrns.has(urn);
    const wasChecked = this.#checked === kind;
    if (wasChecked) this.#checked = undefined;
    return wasChecked;
  }

  /** Whether an entry that the program still has manages an object. */
  isManaged(organization: string, kind: AnyKind, id: string): boolean {
    return this.#managed.has(keyOf(organization, kind, id));
  }

  /** Notes that an entry of the program stays with its object: nothing replaces it. */
  noteKept(organization: string, kind: AnyKind, id: string): void {
    this.#kept.add(keyOf(organization, kind, id));
  }

  /** Whether an entry of the program stays with an object. */
  isKept(organization: string, kind: AnyKind, id: string): boolean {
    return this.#kept.has(keyOf(organization, kind, id));
  }

  /** Whether an entry that the program still has would delete an object when the entry goes. */
  isDisposable(organization: string, kind: AnyKind, id: string): boolean {
    return this.#managed.get(keyOf(organization, kind, id))?.stays === false;
  }

  /** Claims an object for a resource that is about to adopt it. @returns whether it is free */
  claim(organization: string, kind: AnyKind, id: string): boolean {
    const key = keyOf(organization, kind, id);
    if (this.#managed.has(key) || this.#claimed.has(key)) return false;
    this.#claimed.add(key);
    return true;
  }

  /** Whether anything was checked in this process: a destroy checks nothing, and so does not tell whose an object is. */
  get knowsProgram(): boolean {
    return (
      this.#managed.size > 0 ||
      this.#claimed.size > 0 ||
      this.#checkedUrns.size > 0 ||
      this.#checked !== undefined
    );
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
