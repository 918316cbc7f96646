import { KIND_NAMES, type KindName } from "../inventory/kind-names.js";
import { type LiveObject, labelOf } from "../inventory/listing.js";

/** Objects by kind, by name, or by both: `Queue`, `Queue:linux-*`, `Linux/*`. */
export interface Selector {
  readonly kind: KindName | undefined;
  /** Matches the whole name; undefined matches all. */
  readonly pattern: RegExp | undefined;
}

/**
 * Reads a selector.
 *
 * @throws where it names no kind and has nothing of a pattern
 */
export function parseSelector(text: string): Selector {
  const colon = text.indexOf(":");
  const named = kindNamed(colon === -1 ? text : text.slice(0, colon));
  if (named !== undefined) {
    return { kind: named, pattern: colon === -1 ? undefined : patternOf(text.slice(colon + 1)) };
  }
  if (/[*?/]/.test(text)) return { kind: undefined, pattern: patternOf(text) };
  throw new Error(
    `The kinds are ${KIND_NAMES.join(", ")}; a pattern of names has a * in it, or a kind and a colon before it.`,
  );
}

/** What `--only` and `--except` leave. */
export interface Selection {
  readonly only: readonly Selector[];
  readonly except: readonly Selector[];
}

/** The kinds of which anything may be selected. */
export function selectedKinds({ only, except }: Selection): Set<KindName> {
  const wanted = (kind: KindName) =>
    (only.length === 0 || only.some((selector) => (selector.kind ?? kind) === kind)) &&
    !except.some((selector) => selector.kind === kind && selector.pattern === undefined);
  return new Set(KIND_NAMES.filter(wanted));
}

export function isSelected({ only, except }: Selection, object: LiveObject): boolean {
  const matches = (selector: Selector) => selects(selector, object);
  return (only.length === 0 || only.some(matches)) && !except.some(matches);
}

/** What lives in a cluster has two names: its own, and the one with its cluster's. */
export function selects({ kind, pattern }: Selector, object: LiveObject): boolean {
  if (kind !== undefined && kind !== object.kind) return false;
  if (pattern === undefined) return true;
  const label = labelOf(object);
  return pattern.test(label) || ("cluster" in object && pattern.test(`${object.cluster.name}/${label}`));
}

function kindNamed(text: string): KindName | undefined {
  return KIND_NAMES.find((name) => name.toLowerCase() === text.toLowerCase());
}

/** `*` is any text, `?` one character; everything else is itself, in any case. */
function patternOf(text: string): RegExp {
  const source = [...text]
    .map((character) => (character === "*" ? ".*" : character === "?" ? "." : escapeOf(character)))
    .join("");
  return new RegExp(`^${source}$`, "isu");
}

function escapeOf(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
