import { parseDocument } from "yaml";
import { validationFailed } from "../http/errors.js";
import type { Variations } from "../variations.js";

/** A color as the service keeps it. */
export function keptColor<Value extends string | null | undefined>(
  color: Value,
  variations: Variations,
): Value {
  if (typeof color !== "string" || variations.colorCase === "kept") return color;
  // Text stays text.
  return (variations.colorCase === "lower" ? color.toLowerCase() : color.toUpperCase()) as Value;
}

/** An emoji as the service keeps it. */
export function keptEmoji<Value extends string | null | undefined>(
  emoji: Value,
  variations: Variations,
): Value {
  if (typeof emoji !== "string" || variations.emojiForm === "kept") return emoji;
  const name = emoji.replace(/^:(.*):$/, "$1");
  if (variations.emojiForm === "bare") return name as Value; // Text stays text.
  return (/^[\w+-]+$/.test(name) ? `:${name}:` : emoji) as Value; // Text stays text.
}

/** A template's configuration as the service keeps it. @throws {Refusal} 422 when it is not YAML. */
export function keptYaml(text: string, variations: Variations): string {
  const document = parseDocument(text);
  const error = document.errors[0];
  if (error !== undefined) {
    throw validationFailed(`Configuration is not valid YAML: ${error.message.split("\n")[0] ?? ""}`);
  }
  switch (variations.yamlText) {
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
