import type { LiveObject } from "../../cli/inventory/live-object.js";
import { kindNamed, kindNames, kindOfAnyCase, kinds } from "../../provider/for-commands/kinds.js";
import { similarNames } from "../../shared/messages/nearest-name.js";
import { canHave, kindsThatName, type Owners, type OwnerType, ownerTypes } from "./owners.js";

/** How many names an error lists. */
const MOST_NAMES = 5;

/**
 * Objects by kind, by a pattern that matches the whole name, by both, or by a pattern of their owners:
 * `Queue`, `Linux/*`, `Queue:linux-*`, `team:payments`.
 */
export interface Selector {
  readonly text: string;
  readonly kind?: string;
  readonly owner?: OwnerType;
  readonly pattern?: RegExp;
}

/** @throws if the selector is neither a resource type nor a pattern */
export function parseSelector(text: string): Selector {
  const [, start = text, rest] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  const owner = ownerTypes.find((type) => type === start);
  if (owner !== undefined && rest) return { text, owner, pattern: patternOf(rest) };
  const kind = kindOfAnyCase(start)?.name;
  if (kind !== undefined)
    return rest === undefined ? { text, kind } : { text, kind, pattern: patternOf(rest) };
  if (/[*?/]/.test(text)) return { text, pattern: patternOf(text) };
  throw new Error(
    `The kinds are ${kindNames()}; a pattern of names has a * in it, or a kind and a colon before it. A pattern of ` +
      `owners has ${ownerTypes.map((type) => `${type}:`).join(" or ")} before it.`,
  );
}

export interface Selection {
  readonly only: readonly Selector[];
  readonly except: readonly Selector[];
}

export function selectedKinds({ only, except }: Selection): Set<string> {
  const isNamed = (kind: string) => only.some((selector) => selector.kind === kind);
  const mayBeOnly = (name: string) =>
    only.some(({ kind = name, owner }) => {
      const one = kindNamed(name);
      return owner === undefined ? kind === name : one !== undefined && canHave(owner, one);
    });
  const wanted = (kind: string) =>
    (!kindNamed(kind)?.isSetting || isNamed(kind)) &&
    (only.length === 0 || mayBeOnly(kind)) &&
    !except.some((selector) => selector.pattern === undefined && isOrHas(selector.kind, kind));
  return new Set([...kinds.keys()].filter(wanted));
}

function isOrHas(left: string | undefined, name: string): boolean {
  const kind = kindNamed(name);
  return left === name || (kind?.isPair === true && kind.parent?.kind === left);
}

/** Returns the kinds to which selectors of owners are applied only after a list of them was read. */
export function kindsNeededBy(selectors: readonly Selector[], selected: ReadonlySet<string>): Set<string> {
  return new Set(selectors.flatMap(({ owner }) => (owner ? kindsThatName(owner, selected) : [])));
}

export function isSelected({ only, except }: Selection, object: LiveObject, owners: Owners): boolean {
  const matches = (selector: Selector) => selects(selector, object, owners);
  // A pair is named after what it is in.
  const { kind, parent } = object;
  const isLeftOut =
    except.some(matches) ||
    (kind.isPair && parent !== undefined && except.some((one) => selects(one, parent, owners)));
  return (only.length === 0 || only.some(matches)) && !isLeftOut;
}

/** An object within another object has two names: its own name, and that name after the name of the other object. */
export function selects({ kind, owner, pattern }: Selector, object: LiveObject, owners: Owners): boolean {
  if (kind !== undefined && kind !== object.kind.name) return false;
  const { label, parent } = object;
  const names = owner
    ? owners.namesOf(owner, object)
    : [label, ...(parent ? [`${parent.label}/${label}`] : [])];
  return pattern === undefined || names.some((name) => pattern.test(name));
}

/** @throws where nothing has an owner that a selector means: its name may be mistyped */
export function requireOwners(selectors: readonly Selector[], owners: Owners): void {
  for (const { owner, pattern, text } of selectors) {
    if (owner === undefined || pattern === undefined) continue;
    const { names, known } = owners.all(owner);
    if (names.some((name) => pattern.test(name))) continue;
    const near = similarNames(text.slice(owner.length + 1), known);
    const [first, ...others] = [...new Set([...near, ...known])];
    const shown = [first, ...others.slice(0, MOST_NAMES - 1)].map((name) => JSON.stringify(name)).join(", ");
    const rest = others.length < MOST_NAMES ? "" : ` and ${others.length + 1 - MOST_NAMES} more`;
    const plural = owner === "repository" ? "repositories" : `${owner}s`;
    throw new Error(
      first === undefined
        ? `${text} matches nothing: the organization shows no ${plural} to this access token.`
        : `${text} matches none of the ${plural}, which are ${shown}${rest}.`,
    );
  }
}

/** `*` is any text, `?` one character; every other character matches itself, in upper or lower case. */
function patternOf(text: string): RegExp {
  const source = text.replace(/[\\^$.*+?()[\]{}|/]/g, (character) =>
    character === "*" ? ".*" : character === "?" ? "." : `\\${character}`,
  );
  return new RegExp(`^${source}$`, "isu");
}
