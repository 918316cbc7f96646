import { html, raw } from "hono/html";
import { blanked } from "../../shared/messages/foreign-text.js";

/** HTML or SVG in which every text is escaped. It is no string, so that no text passes for it. */
export interface Markup {
  readonly isEscaped: true;
  toString(): string;
}

/** What a template takes. Nothing stands for `false` and `undefined`. */
export type Part = Markup | string | number | boolean | undefined | readonly Part[];

/** Returns a template with its parts: texts are escaped, and have a blank for each character that nobody sees. */
export function markup(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return raw(String(html(template, ...parts.map(harmless))));
}

export function joined(parts: readonly Part[], by: Part): Part {
  return parts.flatMap((part, index) => (index > 0 ? [by, part] : [part]));
}

export function onLines(parts: readonly Part[]): Part {
  return joined(parts, raw("\n"));
}

function harmless(part: Part): unknown {
  if (Array.isArray(part)) return part.map(harmless);
  return typeof part === "string" ? blanked(part) : part;
}
