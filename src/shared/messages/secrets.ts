import { literal } from "./foreign-text.js";
import { type DecodedReading, folded, foldedText, readingsOf } from "./readings.js";

/** Fields with secret values, in any place. */
export const SECRET_FIELDS = /(?:token|secret|password|authorization|api_?key|(?:webhook|badge)_?url)$/i;

/** A shorter text is not looked for where hiding it would garble every sentence, and else only as a whole word. */
const SHORTEST = 4;
/** As many characters of a secret are hidden wherever they stand together. */
const OVERLAP = 6;

interface Hiding {
  /** A shorter secret isn't looked for. */
  readonly shortest?: number | undefined;
  /**
   * Returns how many characters of a word are ours, although it isn't plain English: all, or its start. If this is given,
   * texts are our own messages: their words stay, and only what may come from elsewhere is hidden, such as quoted text,
   * ids and slugs.
   */
  ownLength?(word: string): number;
}

/**
 * Returns a function that hides secrets in a text: each part of {@link OVERLAP} characters or more, however the text is
 * encoded, in capitals or not, and cut off or not. A shorter secret is hidden as a whole.
 *
 * @param secrets texts, numbers, and lists and maps of them
 */
export function hiding(
  secrets: Iterable<unknown>,
  mark: string,
  { shortest = SHORTEST, ownLength }: Hiding = {},
): (text: string) => string {
  const texts = [...secrets]
    .flatMap(textsIn)
    .map((text) => foldedText(text).trim())
    .filter((text) => text.length >= shortest && text !== "");
  if (texts.length === 0) return (text) => text;
  const short = texts.filter((text) => text.length < OVERLAP);
  const parts = new Set(texts.flatMap((text) => windowsOf(text)));
  return (text) => {
    const readings = readingsOf(text);
    if (readings === undefined) return mark;
    const hidden = new Uint8Array(text.length);
    for (const reading of readings) {
      const known = folded(reading);
      const found = [...overlapsIn(known, parts), ...short.flatMap((secret) => placesOf(secret, known.text))];
      for (const [first, last] of found) hidden.fill(1, known.places().from[first], known.places().to[last]);
    }
    if (ownLength !== undefined && hidden.includes(1)) showOwn(text, hidden, ownLength);
    return withMarks(text, hidden, mark);
  };
}

/** Quoted text, maybe cut off; or what stands between blanks and slashes, without the punctuation around it. */
const WORD = /"(?:[^"\\]|\\.)*"?|[^\s"/]+/g;
const PUNCTUATION = /^([([{<`']*)(.*?)[)\]}>`'.,;:!?…]*$/;
const PLAIN = /^[A-Za-z]*(?:'[a-z]+)?$/;

/** Shows what can only be ours of a message: plain words, and the blanks between words. */
function showOwn(text: string, hidden: Uint8Array, ownLength: (word: string) => number): void {
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    hidden.fill(0, end, index);
    end = index + word.length;
    const [, before = "", inner = ""] = PUNCTUATION.exec(word) ?? [];
    if (word.startsWith('"')) continue;
    const own = PLAIN.test(inner) ? inner.length : ownLength(inner);
    if (own === inner.length) hidden.fill(0, index, end);
    else if (own > 0) hidden.fill(0, index, index + before.length + own);
  }
  hidden.fill(0, end);
}

function windowsOf(text: string): string[] {
  const last = text.length - OVERLAP;
  return Array.from({ length: Math.max(0, last + 1) }, (_, start) => text.slice(start, start + OVERLAP));
}

type Range = readonly [first: number, last: number];

function overlapsIn({ text }: DecodedReading, parts: ReadonlySet<string>): Range[] {
  return parts.size === 0
    ? []
    : windowsOf(text).flatMap((part, start) => (parts.has(part) ? [[start, start + OVERLAP - 1]] : []));
}

function placesOf(secret: string, text: string): Range[] {
  const whole = literal(secret);
  const pattern = secret.length < SHORTEST ? `(?<![\\p{L}\\p{N}])${whole}(?![\\p{L}\\p{N}])` : whole;
  return [...text.matchAll(new RegExp(pattern, "gu"))].map(({ index }) => [index, index + secret.length - 1]);
}

function withMarks(text: string, hidden: Uint8Array, mark: string): string {
  let shown = "";
  for (let at = 0; at < text.length; at++) {
    if (hidden[at] === 0) shown += text[at];
    else if (hidden[at - 1] !== 1) shown += mark;
  }
  return shown;
}

export function textsIn(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return value === "" ? [] : [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Returns a copy of a JSON value without the texts of secret fields.
 *
 * @param text returns every other text
 * @param named returns the name of a field
 */
export function withoutSecretFields(
  value: unknown,
  mark: string,
  text = (one: string) => one,
  named = text,
): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecretFields(item, mark, text, named));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      named(name),
      SECRET_FIELDS.test(name) && typeof item === "string"
        ? mark
        : withoutSecretFields(item, mark, text, named),
    ]),
  );
}

/** In a query. */
const QUERY = "[?&][\\w.-]{0,50}(?:token|secret|password|api_?key|sig|signature)=";
/** Tokens that their form shows: of GitHub, GitLab, Slack, AWS, Buildkite, npm, PyPI, Stripe, Vault, Docker, Google, and signed ones. */
const TOKEN =
  /\b(?:gh[oprsu]_\w{8,}|github_pat_\w{8,}|glpat-[\w-]{8,}|xox[a-z]-[\w-]{8,}|(?:AKIA|ASIA)[A-Z\d]{16}|bk[a-z]{1,3}_[\w-]{8,}|npm_\w{30,}|pypi-[\w-]{16,}|[rs]k_(?:live|test)_\w{8,}|hvs\.[\w-]{16,}|dckr_pat_[\w-]{8,}|AIza[\w-]{35}|eyJ[\w-]{8,1000}\.eyJ[\w-]{8,4000}\.[\w-]+)|(?<=\bhooks\.slack\.com\/services\/)[\w/]{8,}|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*/g;
/** What an agent replaces, such as `$TOKEN`, is no credential. */
const VALUE = "(?!\\$+[A-Za-z_{(])";
/** An address of the web with the token of a user, any with a password, or one with a token in its query. */
const ADDRESS = new RegExp(
  `\\bhttps?:\\/\\/${VALUE}[^/@:\\s"']{1,500}@|\\b[a-z][a-z+.-]{0,30}:\\/\\/[^/@\\s:"']{0,200}:${VALUE}[^/@\\s"']{1,500}@|:\\/\\/[^\\s"'\`]{0,500}${QUERY}${VALUE}[^&\\s"'\`]`,
  "i",
);

/** Returns what a text has that may let somebody in. */
export function credentialIn(text: string): "address" | "token" | undefined {
  if (ADDRESS.test(text)) return "address";
  return text.search(TOKEN) === -1 ? undefined : "token";
}

/** What follows `://` up to the last `@`: a user, or a user and a password, which may have any sign and quoted also blanks. */
const CREDENTIALS = [
  /(?<="[a-z][\w+.-]{0,20}:\/\/)[^/@\s"]{0,200}:[^"\n]{0,500}(?=@)/gi,
  /(?<=:\/\/)(?:[^\s/@]{0,200}:\S{0,500}|[^\s/]{0,500})(?=@)/g,
  new RegExp(`(?<=${QUERY})[^&\\s"'\`]+`, "gi"),
  TOKEN,
];

/** Returns a text without well-known tokens, and without the users and passwords of addresses, which may be invalid. */
export function withoutCredentials(text: string): string {
  return CREDENTIALS.reduce((shown, pattern) => shown.replace(pattern, "[redacted]"), text);
}
