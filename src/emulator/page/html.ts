/** HTML that is safe to put into a page. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | null | undefined | false | readonly Html[];

/** HTML with values in it: text is escaped, HTML made by this same function is not. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = parts[0] ?? "";
  for (const [index, value] of values.entries()) text += textOf(value) + (parts[index + 1] ?? "");
  return new Html(text);
}

function textOf(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map((part) => part.text).join("");
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
