import type { Emulator } from "../../../src/emulator/index.js";
import type { Wanted } from "./acts.js";
import { type Engine, entryOf } from "./engine/engine.js";
import type { Chapter, ImportedSlot } from "./history.js";
import type { Ledger } from "./ledger.js";
import { type Declared, type Program, referenceOf } from "./program.js";
import { fieldOf, type RemoteObject, remoteObjects, sections } from "./sections.js";

const RENAMED = "-renamed";

/** Makes a program of a chapter: with the names, imports and objects that there are by now. */
export class Casting {
  /** Objects of others that a resource of the program stands for. */
  readonly #assigned = new Map<string, Declared & { readonly id: string }>();

  readonly #wanted = new Map<string, Declared>();

  constructor(
    private readonly emulator: Emulator,
    private readonly engine: Pick<Engine, "entries">,
    private readonly ledger: Ledger,
  ) {}

  programOf({ program, renamed, bridge, imports }: Chapter): Program {
    const name = (slot: string) => (renamed.includes(slot) ? slot + RENAMED : slot);
    const own = program.map((declared) => {
      const args = Object.entries(declared.args).map(([key, value]) => {
        const to = referenceOf(value);
        return [key, to === undefined ? value : { idOf: name(to) }];
      });
      const cast = { ...declared, name: name(declared.name), args: Object.fromEntries(args) };
      return this.#bridged(cast, declared.name, bridge);
    });
    for (const declared of own) this.#wanted.set(JSON.stringify(declared.args), declared);
    return [...own, ...imports.flatMap((slot) => this.#imported(slot))];
  }

  /** What the latest program wants or an earlier one wanted, as others could create it as well. */
  wanted(): Wanted[] {
    const idOrValue = (value: unknown) => {
      const to = referenceOf(value);
      return to === undefined ? value : entryOf(this.engine, to)?.id;
    };
    return [...this.#wanted.values()].map(({ kind, args }) => ({
      kind,
      args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, idOrValue(value)])),
    }));
  }

  importedBy(program: Program): string[] {
    return program.flatMap(
      ({ kind, import: name }) =>
        (sections[kind]?.pairedBy === undefined ? name?.split("/").at(-1) : name) ?? [],
    );
  }

  /** Leads from the name in the state to the one in the program. */
  #bridged(declared: Declared, slot: string, bridge: Chapter["bridge"]): Declared {
    if (entryOf(this.engine, declared.name) !== undefined) return declared;
    const other = declared.name === slot ? slot + RENAMED : slot;
    const before = entryOf(this.engine, other);
    if (before === undefined || before.pendingReplacement) return declared;
    if (bridge === "aliases") return { ...declared, alias: other };
    if (bridge === "nothing" || declared.kind === "ClusterDefaultQueue") return declared;
    return {
      ...declared,
      args: { ...declared.args, ...UNRETURNED[declared.kind] },
      import: importNameOf(before.kind, before.id, before.outs),
    };
  }

  #imported({ slot, kind, pick, keeps }: ImportedSlot): Declared[] {
    let assigned = this.#assigned.get(slot);
    if (assigned === undefined) {
      const taken = new Set([...this.#assigned.values()].map(({ id }) => id));
      const candidates = remoteObjects(this.emulator).filter(
        (object) => object.kind === kind && this.ledger.isOthers(object.id) && !taken.has(object.id),
      );
      const object = candidates[pick % Math.max(1, candidates.length)];
      if (object === undefined) return [];
      assigned = { name: slot, kind, args: argumentsOf(object), id: object.id };
      this.#assigned.set(slot, assigned);
    }
    const { id, ...declared } = assigned;
    const known = entryOf(this.engine, slot);
    if (known !== undefined && !keeps) return [declared];
    return [{ ...declared, import: importNameOf(declared.kind, id, declared.args) }];
  }
}

function argumentsOf({ kind, parent, record }: RemoteObject): Record<string, unknown> {
  const place = sections[kind]?.parent?.argument;
  const args: Record<string, unknown> = { ...UNRETURNED[kind], ...(place && { [place]: parent?.id }) };
  for (const name of sections[kind]?.args ?? []) {
    const value = record[fieldOf(name)];
    if (value === null || value === undefined || value === "") continue;
    // A program has what the API shows of it: no half of a surrogate pair.
    const shown = typeof value === "string" ? value.toWellFormed() : value;
    args[name] = name === "allowedIpAddresses" ? String(shown).split(" ") : shown;
  }
  return args;
}

function importNameOf(kind: string, id: string, values: Readonly<Record<string, unknown>>): string {
  const { parent, pairedBy } = sections[kind] ?? {};
  return parent === undefined || pairedBy !== undefined ? id : `${values[parent.argument]}/${id}`;
}

/** What a program gives of an imported object that the API doesn't return. */
const UNRETURNED: Readonly<Record<string, Record<string, unknown>>> = {
  AgentToken: { triggers: { turn: 0 } },
  Team: { defaultMemberRole: "member", membersCanCreatePipelines: false },
  Suite: { teamIds: ["0d7a5f4e-1b2c-4d3e-8f90-a1b2c3d4e5f6"] },
};
