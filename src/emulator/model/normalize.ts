import { parseDocument } from "yaml";
import { validationFailed } from "../http/refusals.js";
import type { Variations } from "../variations.js";

type Text = string | null | undefined;

/** Fields with their color and emoji as the service keeps them. */
export function normalized<Fields extends { readonly color?: Text; readonly emoji?: Text }>(
  fields: Fields,
  { colorCase, emojiForm }: Variations,
): Fields {
  const { color, emoji } = fields;
  return {
    ...fields,
    ...(color && colorCase === "lower" ? { color: color.toLowerCase() } : {}),
    ...(color && colorCase === "upper" ? { color: color.toUpperCase() } : {}),
    ...(emoji && emojiForm !== "kept" ? { emoji: emojiAs(emojiForm, emoji) } : {}),
  };
}

function emojiAs(form: "colons" | "bare", emoji: string): string {
  const name = emoji.replace(/^:(.*):$/, "$1");
  if (form === "bare") return name;
  return /^[\w+-]+$/.test(name) ? `:${name}:` : emoji;
}

/** Returns a template's configuration as the service keeps it. @throws {Refusal} 422 when it is not YAML. */
export function normalizedYaml(text: string, { yamlText }: Variations): string {
  const document = parseDocument(text);
  const error = document.errors[0];
  if (error !== undefined) {
    throw validationFailed(`Configuration is not valid YAML: ${error.message.split("\n")[0] ?? ""}`);
  }
  switch (yamlText) {
    case "kept":
      return text;
    case "trimmed":
      return text.trim();
    case "final-newline":
      return text.endsWith("\n") ? text : `${text}\n`;
    case "reformatted":
      return document.toString();
  }
}
