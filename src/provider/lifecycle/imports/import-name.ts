import { similarNames } from "../../../shared/messages/nearest-name.js";
import { quoted } from "../../../shared/messages/quoted.js";
import { identityOf } from "../../../shared/protocol/identity.js";
import { canonicalName } from "../../kind/canonical.js";
import type { AnyKind } from "../../kind/kind.js";

const MOST_CANDIDATES = 3;

/** Returns the import name of an object. @param parent names what it lives in; "" where that is the organization */
export function importName(parent: string, name: string): string {
  return parent === "" ? name : `${parent}/${name}`;
}

/**
 * The objects of one list, by the texts that name them. What finds an object and what suggests a name for it both ask
 * here, so each suggested name finds its object and no other one.
 */
export class NamedObjects {
  readonly #kind: AnyKind;
  readonly #byId: ReadonlyMap<string, object>;
  readonly #byName = new Map<string, object[]>();

  constructor(kind: AnyKind, entities: readonly object[]) {
    this.#kind = kind;
    // An object that moves to a later page while the pages are read comes twice.
    this.#byId = new Map(entities.map((entity) => [idOf(kind, entity), entity]));
    for (const entity of this.#byId.values())
      for (const name of namesOf(kind, entity))
        this.#byName.set(name, [...(this.#byName.get(name) ?? []), entity]);
  }

  /** Returns the objects that a text fits. An id is always that object's, even if another one has it as its name. */
  find(text: string): readonly object[] {
    const identified = this.#byId.get(identityOf(text));
    return identified === undefined ? (this.#byName.get(oneName(text)) ?? []) : [identified];
  }

  importNameOf(entity: object): string {
    const id = idOf(this.#kind, entity);
    const isOwn = (name: string) => {
      const [found, ...others] = this.find(name);
      return found !== undefined && others.length === 0 && idOf(this.#kind, found) === id;
    };
    return (
      namesOf(this.#kind, entity).find((name) => isPlain(name) && isOwn(name)) ?? this.#kind.identify(entity)
    );
  }

  similarTo(text: string): string {
    const described = new Map<string, string>();
    for (const name of similarNames(text, [...this.#byName.keys()]))
      for (const entity of this.#byName.get(name) ?? []) {
        const id = this.#kind.identify(entity);
        if (!described.has(id)) described.set(id, `${JSON.stringify(name)} (${id})`);
      }
    const nearest = [...described.values()].slice(0, MOST_CANDIDATES);
    return nearest.length === 0 ? "" : `Similar: ${nearest.join(", ")}. `;
  }
}

function idOf(kind: AnyKind, entity: object): string {
  return identityOf(kind.identify(entity));
}

function oneName(text: string): string {
  return canonicalName(text) ?? text;
}

function namesOf(kind: AnyKind, entity: object): string[] {
  const names = kind.importing?.names(entity) ?? [];
  const given = names.filter((name): name is string => typeof name === "string" && name !== "");
  return [...new Set(given.map(oneName))];
}

/**
 * Returns whether a name can be read in one way only, wherever it is copied to. A slash separates names, a dash begins an
 * option of a command, a file of pairs removes quotation marks, and messages escape some characters, such as line breaks.
 */
function isPlain(name: string): boolean {
  return !/^["-]|"$|^\s|\s$|\/|\p{Cc}/u.test(name) && quoted(name) === JSON.stringify(name);
}
