import { isIPv4 } from "node:net";

/** Canonical forms: values with the same form are equal to the service. They tell a change from a normalization. */

/** Optional text: null, "" and absent are one. */
export function canonicalText(value: unknown): unknown {
  return value === null || value === "" ? undefined : value;
}

/**
 * Text as the service may keep it: without blanks and line breaks at its ends, and composed. Names that differ only so are
 * one name.
 */
export function canonicalName(value: string | undefined): string | undefined {
  return value?.trim().normalize("NFC");
}

const SECOND_MS = 1_000;

/** Services keep and return times in different precisions, so instants that differ by less than a second are one. */
export function isSameInstant(one: unknown, other: unknown): boolean {
  if (typeof one !== "string" || typeof other !== "string") return one === other;
  return one === other || Math.abs(Date.parse(one) - Date.parse(other)) < SECOND_MS;
}

/** Colors compare without case, and `#abc` is `#aabbcc`. */
export function canonicalColor(value: string | undefined): unknown {
  if (!value) return undefined;
  return value.toLowerCase().replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/, "#$1$1$2$2$3$3");
}

/** Returns an emoji by its name, with or without the colons. */
export function canonicalEmoji(value: string | undefined): unknown {
  return value ? value.replace(/^:(.+):$/, "$1") : undefined;
}

/** The service may write the name of an emoji without its colons. */
export function decodeEmoji(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return /^[A-Za-z0-9_+'&.-]+$/.test(value) ? `:${value}:` : value;
}

/** Returns a list of IPv4 networks, in any order, each written any way: a bare address is a /32. */
export function canonicalNetworks(value: readonly string[] | undefined): unknown {
  return canonicalSet(value?.map(canonicalNetwork));
}

function canonicalNetwork(text: string): string {
  const network = parseNetwork(text);
  if (network === undefined) return text;
  const size = 2 ** (32 - network.prefix);
  return `${Math.floor(network.address / size) * size}/${network.prefix}`;
}

/** Returns an IPv4 address or network in CIDR notation, as numbers; undefined when it is neither, or is ambiguous. */
export function parseNetwork(text: string): { address: number; prefix: number } | undefined {
  const [, address = "", prefix = "32"] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(text) ?? [];
  // Node refuses 010, which some programs read as eight.
  if (!isIPv4(address) || Number(prefix) > 32) return undefined;
  const octets = address.split(".").map(Number);
  return { address: octets.reduce((sum, octet) => sum * 256 + octet, 0), prefix: Number(prefix) };
}

export function problemOfNetwork(entry: string): string | undefined {
  if (/^\d+(\.\d+){3}(\/|$)/.test(entry) && /(^|\.)0\d/.test(entry)) {
    return "has a leading zero, which is ambiguous: some programs read it as octal";
  }
  return parseNetwork(entry) === undefined ? "is not an IPv4 network in CIDR notation" : undefined;
}

/** The service writes several networks as one string, a list, null or "". */
export function decodeNetworks(value: unknown): string[] | undefined {
  const list =
    typeof value === "string" ? value.split(/[\s,]+/) : Array.isArray(value) ? value.map(String) : [];
  const networks = list.filter((entry) => entry !== "");
  return networks.length === 0 ? undefined : networks;
}

export function canonicalSet(value: readonly string[] | undefined): unknown {
  return value === undefined || value.length === 0 ? undefined : [...new Set(value)].sort();
}

/** Signs that a slug spells out, with blanks around them. A dot counts within a word, and three of them anywhere. */
const SPELLED: Readonly<Record<string, string>> = {
  "...": "dot dot dot",
  ".": "dot",
  "+": "plus",
  "@": "at",
  "&": "and",
  "#": "number",
  "%": "percent",
  "=": "equals",
  "*": "star",
};

/** Returns a name as the service puts it in addresses, or the name itself if nothing is left of it. */
export function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/(?<=\p{L})'(?=\p{L})/gu, "")
    .replace(/\.{3}|(?<=\S)\.(?=\S)|[+@&#%=*]/g, (sign) => ` ${SPELLED[sign]} `)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return slug === "" ? name : slug;
}

/** Checks whether it is known for certain what the service makes of a name: others are derived by examples only. */
export function hasPlainSlug(name: string): boolean {
  return /^[\w /-]*$/.test(name) && /[^\W_]/.test(name);
}
