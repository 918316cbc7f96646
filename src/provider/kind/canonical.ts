import { isIP } from "node:net";

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

/** Returns a list of networks, in any order, each written any way: a bare address is a network of one. */
export function canonicalNetworks(value: readonly string[] | undefined): unknown {
  return canonicalSet(value?.map(canonicalNetwork));
}

function canonicalNetwork(text: string): string {
  const network = parseNetwork(text);
  return network === undefined ? text : `${network.first}-${network.end} of version ${network.version}`;
}

/** Addresses in a row, as numbers, with the one after the last. */
interface Network {
  readonly version: number;
  readonly first: bigint;
  readonly end: bigint;
}

/** Returns an address or a network in CIDR notation; undefined when it is neither, or is ambiguous. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = "", given] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  // Node refuses 010, which some programs read as eight.
  const version = isIP(address);
  const bits = version === 6 ? 128 : 32;
  const prefix = Number(given ?? bits);
  if (version === 0 || prefix > bits) return undefined;
  const size = 2n ** BigInt(bits - prefix);
  const first = (numberOf(address) / size) * size;
  return { version, first, end: first + size };
}

function numberOf(address: string): bigint {
  if (!address.includes(":")) return joined(address.split("."), 8n);
  // In a URL, all spellings of an address become one, of groups of four digits.
  const [head, tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::", 2);
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = new Array<string>(8 - before.length - after.length).fill("0x0");
  return joined([...before, ...zeros, ...after], 16n);
}

function groupsOf(part = ""): string[] {
  return part.split(":").flatMap((group) => (group === "" ? [] : `0x${group}`));
}

function joined(parts: readonly string[], bits: bigint): bigint {
  return parts.reduce((sum, part) => (sum << bits) + BigInt(part), 0n);
}

/** Checks whether a network contains another one, or an address, whole. */
export function isInNetwork(outer: Network, inner: Network): boolean {
  return outer.version === inner.version && outer.first <= inner.first && inner.end <= outer.end;
}

export function problemOfNetwork(entry: string): string | undefined {
  return ambiguous(entry) ?? (parseNetwork(entry) ? undefined : "is not a network in CIDR notation");
}

export function problemOfIpv4Network(entry: string): string | undefined {
  const isIpv4 = parseNetwork(entry)?.version === 4;
  return ambiguous(entry) ?? (isIpv4 ? undefined : "is not an IPv4 network in CIDR notation");
}

function ambiguous(entry: string): string | undefined {
  const isIt = /^\d+(\.\d+){3}(\/|$)/.test(entry) && /(^|\.)0\d/.test(entry);
  return isIt ? "has a leading zero, which is ambiguous: some programs read it as octal" : undefined;
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
