import { literal } from "./foreign-text.js";

/** Fields with secret values, in any place. */
export const SECRET_FIELDS = /(?:token|secret|password|authorization|api_?key|(?:webhook|badge)_?url)$/i;

/** A shorter text is not looked for where hiding it would garble every sentence, and else only as a whole word. */
const SHORTEST = 4;

/**
 * Returns a function that hides secrets in a text, in every spelling: the longest first, so that where one begins another,
 * all of it is hidden.
 *
 * @param secrets texts, numbers, and lists and maps of them
 */
export function hiding(
  secrets: Iterable<unknown>,
  mark: string,
  shortest = SHORTEST,
): (text: string) => string {
  const texts = [...secrets].flatMap(textsIn).filter((text) => text.length >= shortest);
  if (texts.length === 0) return (text) => text;
  const longestFirst = [...new Set(texts.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
  const alternatives = longestFirst.map((text) =>
    text.length < SHORTEST ? `(?<![\\p{L}\\p{N}])${literal(text)}(?![\\p{L}\\p{N}])` : literal(text),
  );
  const pattern = new RegExp(alternatives.join("|"), "gu");
  return (text) => text.replace(pattern, () => mark);
}

export function textsIn(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return value === "" ? [] : [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function spellingsOf(secret: string): string[] {
  return [
    secret,
    // Text that isn't well-formed has no spelling in an address.
    ...(secret.isWellFormed() ? [encodeURIComponent(secret)] : []),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("base64"),
  ];
}

/** Returns a copy of a JSON value without the texts of secret fields. @param text returns every other text */
export function withoutSecretFields(value: unknown, mark: string, text = (one: string) => one): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecretFields(item, mark, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      text(name),
      SECRET_FIELDS.test(name) && typeof item === "string" ? mark : withoutSecretFields(item, mark, text),
    ]),
  );
}

/** Returns an address without a user's name and password. It may be one that isn't valid. */
export function withoutCredentials(address: string): string {
  return address.replace(/:\/\/.*@/, "://[redacted]@");
}
