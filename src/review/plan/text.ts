import { alphabetically } from "../../shared/messages/alphabet.js";

/** A sentence with names in it. Names come from outside and are never read as markup. */
export type Text = readonly (string | { readonly code: string })[];

export type Marked = readonly (Text[number] | { readonly strong: string })[];

/** Returns a sentence. Its values are names, or texts that are a part of it. */
export function text(parts: TemplateStringsArray, ...values: readonly (string | Text)[]): Text {
  return parts.flatMap((part, index) => {
    const value = values[index] ?? [];
    return [part, typeof value === "string" ? { code: value } : value].flat();
  });
}

export function listed(names: readonly (string | Text)[], most = 8): Text {
  const shown = names
    .slice(0, most)
    .flatMap(
      (name, index): Text => [
        ...(index === 0 ? [] : [", "]),
        ...(typeof name === "string" ? [{ code: name }] : name),
      ],
    );
  return names.length > most ? [...shown, ` and ${names.length - most} more`] : shown;
}

export function plainText(sentence: Marked): string {
  return sentence
    .map((part) => (typeof part === "string" ? part : "code" in part ? part.code : part.strong))
    .join("");
}

export function byText(one: Text, other: Text): number {
  return alphabetically(plainText(one), plainText(other));
}
