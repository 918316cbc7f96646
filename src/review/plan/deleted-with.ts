import type { State, Step } from "../../cli/pulumi/state.js";

/** Deletions of what the program no longer declares or reads, which Pulumi carries out at the end. */
const AT_END = new Set(["delete", "read-discard", "discard"]);

interface Deletion {
  readonly urn: string;
  readonly before: State | undefined;
  /** An earlier deployment left the object. */
  readonly pending: boolean;
}

/**
 * Returns whether an object is deleted before its replacement is created, by the steps of its resource. Otherwise the engine
 * marks the old object for later.
 */
export function isDeletedFirst(steps: readonly Step[]): boolean {
  return steps.some(
    ({ op, oldState }) =>
      (op === "replace" || op === "delete-replaced") && oldState?.pendingDeletion === false,
  );
}

/**
 * Tells which deletions Pulumi takes for done because of the option `deletedWith`: those for which it has the deletion of
 * the other resource by then. It generates replacements that delete first while the program runs, with the deletions of
 * what such a replacement replaces as well, and all other deletions together at the end.
 */
export class DeletedWith {
  readonly #steps: ReadonlyMap<string, readonly Step[]>;
  readonly #states: ReadonlyMap<string, State>;

  /** @param pending the URNs of objects that an earlier deployment left, and that this one deletes at the end */
  constructor(
    private readonly planned: readonly Step[],
    exported: readonly State[],
    private readonly pending: ReadonlySet<string>,
  ) {
    this.#steps = Map.groupBy(planned, ({ urn }) => urn);
    const current = exported.filter(({ pendingDeletion }) => !pendingDeletion);
    const states = [...planned.flatMap(({ oldState }) => oldState ?? []), ...current];
    this.#states = new Map(states.map((state) => [state.urn, state]));
  }

  skips({ urn, before, pending }: Deletion): boolean {
    // An event log leaves options out.
    const other = before?.deletedWith || this.#states.get(urn)?.deletedWith;
    if (!other) return false;
    if (pending || !this.#isFirst(urn)) return this.#isDeletedAtEnd(other);
    // What is declared again is no deletion any more: until then, only the same replacement has seen it.
    const isTogether = this.#isCaused(urn) && this.#isCaused(other) && this.#haveOneCause(urn, other);
    return isTogether || (this.#isRemoved(other) && this.#indexOf(other) < this.#indexOf(urn));
  }

  #isDeletedAtEnd(urn: string): boolean {
    if (this.pending.has(urn) || this.#isRemoved(urn)) return true;
    const steps = this.#steps.get(urn) ?? [];
    return steps.some(({ op }) => AT_END.has(op)) || (this.#isReplaced(urn) && !this.#isFirst(urn));
  }

  #isReplaced(urn: string): boolean {
    return this.#steps.get(urn)?.some(({ op }) => op === "replace") === true;
  }

  #isFirst(urn: string): boolean {
    return isDeletedFirst(this.#steps.get(urn) ?? []);
  }

  /** It is deleted with the replacement of what it depends on, and the program no longer declares it. */
  #isRemoved(urn: string): boolean {
    return this.#isFirst(urn) && !this.#isReplaced(urn);
  }

  /** It is deleted with the replacement of what it depends on, and not because of a change of its own. */
  #isCaused(urn: string): boolean {
    const own = this.#steps.get(urn)?.find(({ op }) => op === "replace");
    return this.#isFirst(urn) && !own?.replaceReasons?.length;
  }

  #haveOneCause(one: string, other: string): boolean {
    const causes = this.#causesOf(one);
    return [...this.#causesOf(other)].some((cause) => causes.has(cause));
  }

  #causesOf(urn: string, seen = new Set<string>()): Set<string> {
    if (seen.has(urn)) return new Set();
    seen.add(urn);
    if (this.#isFirst(urn) && !this.#isCaused(urn)) return new Set([urn]);
    const from = Object.values(this.#states.get(urn)?.propertyDependencies ?? {}).flat();
    return new Set(from.flatMap((one) => [...this.#causesOf(one, seen)]));
  }

  #indexOf(urn: string): number {
    return this.planned.findIndex((step) => step.op === "delete-replaced" && step.urn === urn);
  }
}
