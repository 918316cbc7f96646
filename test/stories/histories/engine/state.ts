import type { Program } from "../program.js";
import { type Entry, entryOf } from "./engine.js";

/** The state of a stack: what the engine writes into its file after every step. */
export class State {
  #entries: readonly Entry[] = [];
  #made = 0;

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  entry(name: string): Entry | undefined {
    return entryOf(this, name);
  }

  add(entry: Omit<Entry, "serial">): Entry {
    this.#made += 1;
    const added = { serial: this.#made, ...entry };
    this.#entries = [...this.#entries, added];
    return added;
  }

  /** A state of its own for what only plans. */
  copy(): State {
    const copied = new State();
    copied.#entries = this.#entries;
    copied.#made = this.#made;
    return copied;
  }

  /** Goes back to what the engine had written when it was killed. */
  restore(entries: readonly Entry[]): void {
    this.#entries = entries;
  }

  /** Puts an entry in the place of an earlier version of itself. */
  put(entry: Entry): void {
    this.#entries = this.#entries.map((known) => (known.serial === entry.serial ? entry : known));
  }

  forget({ serial }: Entry): void {
    this.#entries = this.#entries.filter((known) => known.serial !== serial);
  }

  /** Orders entries as the engine does: what the latest program declares first, then the rest as before. */
  sort(program: Program): void {
    const first = program.flatMap(({ name }) => this.entry(name) ?? []);
    this.#entries = [...first, ...this.#entries.filter((entry) => !first.includes(entry))];
  }

  dependentsOf(name: string): Entry[] {
    const found = new Set<string>([name]);
    for (const entry of this.#entries) {
      if (Object.values(entry.references).some((to) => found.has(to))) found.add(entry.name);
    }
    found.delete(name);
    return this.#entries.filter((entry) => found.has(entry.name) && !entry.replaced);
  }

  /**
   * Entries in the order in which the engine deletes them: each layer has what nothing in later layers refers to, and
   * is deleted at the same time.
   */
  layers(condemned: readonly Entry[]): Entry[][] {
    const layers: Entry[][] = [];
    let left = [...condemned];
    while (left.length > 0) {
      const refersToOneLeft = (entry: Entry) =>
        Object.values(entry.references).some((to) =>
          left.some((other) => other !== entry && other.name === to && this.#refersTo(entry, other)),
        );
      const layer = left.filter((entry) => !refersToOneLeft(entry));
      if (layer.length === 0) throw new Error("The references make a circle.");
      layers.push(layer);
      left = left.filter((entry) => !layer.includes(entry));
    }
    return layers.reverse();
  }

  /** Of two entries of one name, the one that was replaced is what earlier entries refer to. */
  #refersTo(entry: Entry, other: Entry): boolean {
    if (entry.replaced === other.replaced) return true;
    const ids = Object.keys(entry.references).map((name) => entry.inputs[name]);
    return ids.includes(other.id);
  }
}
