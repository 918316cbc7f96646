import { alphabetically } from "../../shared/messages/alphabet.js";

/** A name or value from outside, which is never read as markup; or words that stand out. */
export type Part = string | { readonly code: string } | { readonly strong: string };

/** A sentence with names in it. */
export type Text = readonly Part[];

/** Returns a sentence. Its values are names, or texts that are a part of it. */
export function text(parts: TemplateStringsArray, ...values: readonly (string | Text)[]): Text {
  return parts.flatMap((part, index) => {
    const value = values[index] ?? [];
    return [part, typeof value === "string" ? { code: value } : value].flat();
  });
}

export function joined(parts: readonly Text[], between = ", "): Text {
  return parts.flatMap((part, index) => (index === 0 ? part : [between, ...part]));
}

export function listed(names: readonly (string | Text)[], most = 8): Text {
  const shown = joined(names.slice(0, most).map((name) => (typeof name === "string" ? text`${name}` : name)));
  return names.length > most ? [...shown, ` and ${names.length - most} more`] : shown;
}

export function plainText(sentence: Text): string {
  return sentence
    .map((part) => (typeof part === "string" ? part : "code" in part ? part.code : part.strong))
    .join("");
}

export function byText(one: Text, other: Text): number {
  return alphabetically(plainText(one), plainText(other));
}

/**
 * Fills a template: `{is|are}` has a form for one and for several, and any other name in braces stands for a value, which
 * may be foreign.
 */
export function filled(template: string, isMany: boolean, valueNamed: (name: string) => Text): Text {
  return template.split(/\{([^{}]*)\}/).flatMap((part, index): Text => {
    if (index % 2 === 0) return part === "" ? [] : [part];
    const [one = "", many] = part.split("|");
    return many === undefined ? valueNamed(one) : [isMany ? many : one];
  });
}
