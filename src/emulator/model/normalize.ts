import {
  type Document,
  isScalar,
  type Node,
  type ParseOptions,
  parseDocument,
  type SchemaOptions,
} from "yaml";
import type { StoredRecord } from "../store/collection.js";
import { validationFailed } from "./refusals.js";
import type { Variations } from "./variations.js";

const mostAddresses = 24;

type Text = string | null | undefined;

/** Fields with their color and emoji as the service keeps them. */
export function normalized<Fields extends { readonly color?: Text; readonly emoji?: Text }>(
  fields: Fields,
  { colorCase, emojiForm }: Variations,
): Fields {
  const { color, emoji } = fields;
  const inCase = color && { kept: color, lower: color.toLowerCase(), upper: color.toUpperCase() };
  return {
    ...fields,
    ...(inCase && { color: inCase[colorCase] }),
    ...(emoji && emojiForm !== "kept" && { emoji: emojiAs(emojiForm, emoji) }),
  };
}

function emojiAs(form: "colons" | "bare", emoji: string): string {
  const name = emoji.replace(/^:(.*):$/, "$1");
  if (form === "bare") return name;
  return /^[\w+-]+$/.test(name) ? `:${name}:` : emoji;
}

/** Returns a text's document. The service's parser skips a byte order mark, after which this one finds no list. */
export function yamlDocument(text: string, options: SchemaOptions & ParseOptions = {}): Document.Parsed {
  // The service's own parser takes several merge keys in one map.
  const uniqueKeys = (one: Node, other: Node) =>
    isScalar(one) && isScalar(other) && one.value === other.value && one.value !== "<<";
  return parseDocument(text.replace(/^\uFEFF/, ""), { uniqueKeys, ...options });
}

/** Returns the value of a document. @throws if an alias leads nowhere, or aliases would make it grow without end */
export function yamlValue(document: Document.Parsed): unknown {
  const value = document.toJS({ maxAliasCount: 10_000 });
  // JSON can't write a value that contains itself.
  JSON.stringify(value);
  return value;
}

export function yamlProblem(configuration: string): string | undefined {
  const document = yamlDocument(configuration);
  const error = document.errors[0];
  if (error !== undefined) return error.message.split("\n")[0];
  try {
    yamlValue(document);
    return undefined;
  } catch {
    return "an alias leads nowhere, or to what it stands in";
  }
}

export function normalizedYaml(text: string, { yamlText }: Variations): string {
  const document = yamlDocument(text);
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

/** Returns one string of IPv4 addresses and CIDRs, divided by blanks; null if there are none. */
export function checkAddresses(text: string | null, form: "kept" | "canonical" | "sorted"): string | null {
  const entries = (text ?? "").split(/\s+/).filter((entry) => entry !== "");
  if (entries.length === 0) return null;
  if (entries.length > mostAddresses) {
    throw validationFailed(`Allowed ip addresses must be at most ${mostAddresses} entries`);
  }
  const wrong = entries.find((entry) => canonical(entry) === undefined);
  if (wrong !== undefined) throw validationFailed("Allowed ip addresses must be valid IPv4 CIDR notation");
  const forms = { kept: entries, sorted: entries.toSorted(), canonical: entries.map(canonical) };
  return forms[form].join(" ");
}

/** Returns the CIDR with its host bits cleared; a bare address is its own network. Undefined when it is neither. */
function canonical(entry: string): string | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/.exec(entry);
  if (match === null) return undefined;
  const octets = match.slice(1, 5).map(Number);
  const prefix = match[5] === undefined ? 32 : Number(match[5]);
  if (prefix > 32 || octets.some((octet) => octet > 255)) return undefined;
  const masked = octets.map((octet, index) => {
    const bits = Math.min(8, Math.max(0, prefix - 8 * index));
    return octet & (0xff << (8 - bits)) & 0xff;
  });
  return `${masked.join(".")}/${prefix}`;
}

interface WithSlugs {
  find(field: "slug", slug: string): StoredRecord | undefined;
}

const signs = [
  [/\.\.\./g, "dot dot dot"],
  [/(?<=\S)\.(?=\S)/g, "dot"],
  [/\+/g, "plus"],
  [/@/g, "at"],
  [/&/g, "and"],
  [/#/g, "number"],
  [/%/g, "percent"],
  [/=/g, "equals"],
  [/\*/g, "star"],
] as const;

/** Returns the slug of a name: signs become words, and what is neither a letter nor a digit becomes a hyphen. */
export function slugOf(name: string): string {
  const ascii = name.normalize("NFKD").replace(/\p{Mark}|\b'\b/gu, "");
  const spelled = signs.reduce((text, [sign, word]) => text.replace(sign, ` ${word} `), ascii);
  const words = spelled.toLowerCase().match(/[a-z0-9]+/g) ?? ["unnamed"];
  return words.join("-");
}

/** Returns the slug of a name, made unlike those that other records have by a number at its end. */
export function slugFor(name: string, records: WithSlugs, ownId?: string): string {
  const isTaken = (slug: string) => (records.find("slug", slug)?.id ?? ownId) !== ownId;
  const slug = slugOf(name);
  if (!isTaken(slug)) return slug;
  let number = 2;
  while (isTaken(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}

/** Returns the slug that an update gives a record; undefined if the record keeps its slug. */
export function slugOnRename(
  onRename: "kept" | "changed",
  record: { readonly id: string; readonly name: string },
  name: string | undefined,
  records: WithSlugs,
): string | undefined {
  if (onRename === "kept" || name === undefined || name === record.name) return undefined;
  return slugFor(name, records, record.id);
}
