import { quoted } from "../../../shared/messages/quoted.js";
import { isUnknown } from "../../../shared/protocol/encoded-values.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Observed } from "../../kind/value-roles.js";
import { sameOnService } from "../values/codec.js";

export interface Mismatch {
  readonly argument: string;
  readonly text: string;
}

/**
 * Lists the differences between an object to import and the program, with both values. Texts of several lines show the
 * lines that differ. Secret values are described. Unknown values and the names in `ignored` are not compared.
 */
export async function mismatches(
  kind: AnyKind,
  args: Arguments,
  observed: Observed,
  {
    ignored = new Set(),
    mayQuote,
  }: { readonly ignored?: ReadonlySet<string>; mayQuote(name: string): boolean },
): Promise<Mismatch[]> {
  const found: Mismatch[] = [];
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (!(name in observed) || ignored.has(name) || isUnknown(args[name])) continue;
    if (field.whenOmitted === "unmanaged" && args[name] === undefined) continue;
    if (sameOnService(kind, name, args[name], observed[name])) continue;
    const [ours, theirs] = [args[name], observed[name]];
    if (mayQuote(name) && isLong(ours) && isLong(theirs)) {
      const lines = await linesOf(theirs, ours);
      found.push({
        argument: name,
        text: `${name}: lines of the program (+) and of the service (-) differ:${lines}`,
      });
      continue;
    }
    const display = name === kind.parent?.argument ? String : mayQuote(name) ? shown : described;
    found.push({
      argument: name,
      text: `${name}: the program has ${display(ours)}, the service has ${display(theirs)}`,
    });
  }
  return found;
}

function isLong(value: unknown): value is string {
  return typeof value === "string" && value.trim().includes("\n");
}

async function linesOf(before: string, after: string): Promise<string> {
  // Loaded here and not above: every start of a provider would pay for it.
  const { lineDiff } = await import("../../../shared/messages/lines.js");
  const { lines, added, removed } = lineDiff(before, after);
  if (lines.length === 0) return `\n      ${added} lines are new, and ${removed} are gone`;
  const written = lines.map(({ sign, text }) => (sign === "gap" ? "…" : `${sign} ${text}`));
  return written.map((line) => `\n      ${line}`).join("");
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function shown(value: unknown): string {
  return isNone(value) ? "none" : quoted(value);
}

/** Describes a value without its text. Numbers and booleans cannot be secrets; a text like a UUID can. */
function described(value: unknown): string {
  if (isNone(value)) return "none";
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") return `text of ${value.length} characters`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return "a map";
}
