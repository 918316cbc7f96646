import type { LiveObject } from "../../cli/inventory/live-object.js";
import { kindNamed, kindNames, kindOfAnyCase, kinds } from "../../provider/for-commands/kinds.js";

/** Objects by kind, by a pattern that matches the whole name, or by both: `Queue`, `Queue:linux-*`, `Linux/*`. */
export interface Selector {
  readonly kind: string | undefined;
  readonly pattern: RegExp | undefined;
}

/** @throws if the selector is neither a resource type nor a pattern */
export function parseSelector(text: string): Selector {
  const colon = text.indexOf(":");
  const kindName = kindOfAnyCase(colon === -1 ? text : text.slice(0, colon))?.name;
  if (kindName !== undefined) {
    return { kind: kindName, pattern: colon === -1 ? undefined : patternOf(text.slice(colon + 1)) };
  }
  if (/[*?/]/.test(text)) return { kind: undefined, pattern: patternOf(text) };
  throw new Error(
    `The kinds are ${kindNames()}; a pattern of names has a * in it, or a kind and a colon before it.`,
  );
}

export interface Selection {
  readonly only: readonly Selector[];
  readonly except: readonly Selector[];
}

export function selectedKinds({ only, except }: Selection): Set<string> {
  const isNamed = (kind: string) => only.some((selector) => selector.kind === kind);
  const wanted = (kind: string) =>
    (!kindNamed(kind)?.isSetting || isNamed(kind)) &&
    (only.length === 0 || only.some((selector) => (selector.kind ?? kind) === kind)) &&
    !except.some((selector) => selector.pattern === undefined && isOrHas(selector.kind, kind));
  return new Set([...kinds.keys()].filter(wanted));
}

function isOrHas(left: string | undefined, name: string): boolean {
  const kind = kindNamed(name);
  return left === name || (kind?.isPair === true && kind.parent?.kind === left);
}

export function isSelected({ only, except }: Selection, object: LiveObject): boolean {
  const matches = (selector: Selector) => selects(selector, object);
  // A pair is named after what it is in.
  const { kind, parent } = object;
  const isLeftOut =
    except.some(matches) ||
    (kind.isPair && parent !== undefined && except.some((one) => selects(one, parent)));
  return (only.length === 0 || only.some(matches)) && !isLeftOut;
}

/** An object within another object has two names: its own name, and that name after the name of the other object. */
export function selects({ kind, pattern }: Selector, object: LiveObject): boolean {
  if (kind !== undefined && kind !== object.kind.name) return false;
  const { label, parent } = object;
  return (
    pattern === undefined ||
    pattern.test(label) ||
    (parent && pattern.test(`${parent.label}/${label}`)) === true
  );
}

/** `*` is any text, `?` one character; every other character matches itself, in upper or lower case. */
function patternOf(text: string): RegExp {
  const source = text.replace(/[\\^$.*+?()[\]{}|/]/g, (character) =>
    character === "*" ? ".*" : character === "?" ? "." : `\\${character}`,
  );
  return new RegExp(`^${source}$`, "isu");
}
