import type { LiveObject } from "../../cli/inventory/live-object.js";
import { objectKey } from "../../cli/pulumi/state.js";
import {
  type AnyKind,
  kinds,
  levelArgument,
  levelsOf,
  useArgument,
  withParents,
} from "../../provider/for-commands/kinds.js";
import { alphabetically } from "../../shared/messages/alphabet.js";

/** What selectors find an object's owner by: the teams that may use it, or an argument that has its tags or repository. */
const ARGUMENTS = { team: undefined, tag: "tags", repository: "repository" } as const;

export type OwnerType = keyof typeof ARGUMENTS;

export const ownerTypes = Object.keys(ARGUMENTS) as OwnerType[];

/** The kinds that say what a group may use. */
const uses = [...kinds.values()].filter((kind) => kind.isPair && useArgument(kind) !== undefined);

/** Returns the kind that an access of a kind allows to use; undefined for other kinds. */
function usedKind(kind: AnyKind): string | undefined {
  return uses.includes(kind) ? kind.arguments[useArgument(kind) ?? ""]?.refersTo : undefined;
}

/** Checks whether objects of a kind can have an owner of a type, or belong to one that has. */
export function canHave(type: OwnerType, kind: AnyKind): boolean {
  const argument = ARGUMENTS[type];
  const hasOwn = (name: string | undefined) =>
    argument === undefined
      ? uses.some((pair) => pair.parent?.kind === name || usedKind(pair) === name)
      : kinds.get(name ?? "")?.arguments[argument] !== undefined;
  return withParents(kind).some(({ name }) => hasOwn(name)) || hasOwn(usedKind(kind));
}

/** Returns the kinds whose objects say who the owners of a type are, of objects of these kinds. */
export function kindsThatName(type: OwnerType, owned: ReadonlySet<string>): string[] {
  const some = [...owned].flatMap((name) => kinds.get(name) ?? []).filter((kind) => canHave(type, kind));
  const roots = new Set(some.flatMap((kind) => usedKind(kind) ?? withParents(kind).at(-1)?.name ?? []));
  if (type !== "team") return [...roots];
  const pairs = uses.filter((pair) => roots.has(usedKind(pair) ?? ""));
  return [...roots, ...pairs.flatMap(({ name, parent }) => [name, parent?.kind ?? ""])];
}

/** Who owns the objects of an organization. Schedules and accesses have the owners of their pipeline, members of their team. */
export class Owners {
  readonly #objects: ReadonlyMap<string, LiveObject>;
  /** By the key of what a group may use, its accesses: the one that allows most first, then that of the smaller group. */
  readonly #accesses: ReadonlyMap<string, readonly LiveObject[]>;

  constructor(objects: readonly LiveObject[]) {
    this.#objects = new Map(objects.map((object) => [object.key, object]));
    const accesses = objects.filter(({ kind }) => uses.includes(kind));
    const sizes = Map.groupBy(accesses, ({ parent }) => parent?.key);
    const sizeOf = ({ parent }: LiveObject) => sizes.get(parent?.key)?.length ?? 0;
    const first = (one: LiveObject, other: LiveObject) =>
      levelOf(other) - levelOf(one) ||
      sizeOf(one) - sizeOf(other) ||
      alphabetically(one.parent?.label ?? "", other.parent?.label ?? "");
    this.#accesses = Map.groupBy(accesses.toSorted(first), (access) => usedKey(access) ?? "");
  }

  /** Returns the object that decides who owns this one: of a schedule or an access its pipeline, of a member its team. */
  rootOf(object: LiveObject): LiveObject {
    const holder = this.#objects.get(usedKey(object) ?? "") ?? object.parent;
    return holder === undefined ? object : this.rootOf(holder);
  }

  /** Returns the team to which an object belongs. Of several, the one that may do most, then the smaller one. */
  teamOf(object: LiveObject): LiveObject | undefined {
    return this.#teamsOf(this.rootOf(object))[0];
  }

  /** Returns what selectors may call any owner of a type, and what people call each. */
  all(type: OwnerType): { readonly names: string[]; readonly known: string[] } {
    const roots = [...this.#objects.values()].filter((object) =>
      type === "team" ? isGroup(object) : this.rootOf(object).key === object.key,
    );
    const calls = roots.map((root) => this.namesOf(type, root));
    const known = calls.flatMap((names) => (type === "tag" ? names : names.slice(0, 1)));
    return { names: calls.flat(), known: [...new Set(known)].sort() };
  }

  /** Returns what people call the owners of an object. */
  namesOf(type: OwnerType, object: LiveObject): string[] {
    const root = this.rootOf(object);
    const argument = ARGUMENTS[type];
    if (argument === undefined)
      return this.#teamsOf(root).flatMap(({ label, observed }) => [label, String(observed.slug ?? label)]);
    const values = [root.observed[argument] ?? []].flat().map(String);
    return type === "repository" ? values.flatMap(namesOfRepository) : values;
  }

  #teamsOf(root: LiveObject): LiveObject[] {
    if (isGroup(root)) return [root];
    return (this.#accesses.get(root.key) ?? []).flatMap(({ parent }) => parent ?? []);
  }
}

function isGroup({ kind }: LiveObject): boolean {
  return uses.some(({ parent }) => parent?.kind === kind.name);
}

/** Returns the key of what an access allows to use. */
function usedKey({ kind, observed }: LiveObject): string | undefined {
  const used = usedKind(kind);
  return used && objectKey(used, String(observed[useArgument(kind) ?? ""]));
}

function levelOf({ kind, observed }: LiveObject): number {
  const levels = [observed[levelArgument(kind.name) ?? ""] ?? []].flat();
  return Math.max(...levels.map((level) => levelsOf(kind).indexOf(String(level))));
}

/** Returns `acme/shop`, `github.com/acme/shop` and the whole address. The first two are without credentials. */
function namesOfRepository(address: string): string[] {
  const plain = address
    .replace(/^[a-z+.-]+:\/\/([^/]*@)?([^/:]*)(:\d+)?/i, "$2")
    .replace(/^[^/:]*@/, "")
    .replace(/^([^/:]+):/, "$1/")
    .replace(/(\.git)?\/*$/i, "");
  return [plain.slice(plain.indexOf("/") + 1), plain, address];
}
