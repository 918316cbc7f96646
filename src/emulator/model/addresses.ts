import { validationFailed } from "../http/refusals.js";

const mostAddresses = 24;

/**
 * Returns allowed addresses as one string of IPv4 CIDRs, divided by blanks. Null if there are none.
 * @throws {Refusal} 422 for an entry that isn't an IPv4 address or CIDR, and for more than 24.
 */
export function checkAddresses(text: string | null, form: "kept" | "canonical" | "sorted"): string | null {
  const entries = (text ?? "").split(/\s+/).filter((entry) => entry !== "");
  if (entries.length === 0) return null;
  if (entries.length > mostAddresses) {
    throw validationFailed(`Allowed ip addresses must be at most ${mostAddresses} entries`);
  }
  const wrong = entries.find((entry) => canonical(entry) === undefined);
  if (wrong !== undefined) throw validationFailed("Allowed ip addresses must be valid IPv4 CIDR notation");
  if (form === "canonical") return entries.map(canonical).join(" ");
  if (form === "sorted") return entries.toSorted().join(" ");
  return entries.join(" ");
}

/**
 * Returns the CIDR with its host bits cleared; a bare address is its own network. Undefined when it is neither.
 */
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
