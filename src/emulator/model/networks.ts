import { BlockList, isIP } from "node:net";
import { forbidden } from "./refusals.js";

/** Returns which addresses a list of networks contains; undefined if one of them is none. */
export function networksIn(text: string): BlockList | undefined {
  const networks = new BlockList();
  for (const entry of text.split(" ")) {
    const [address = "", prefix] = entry.split(/\/(.*)/s);
    const most = isIP(address) === 6 ? 128 : 32;
    if (!isIP(address) || !/^\d{1,3}$/.test(prefix ?? "0") || Number(prefix) > most) return undefined;
    networks.addSubnet(address, Number(prefix ?? most), familyOf(address));
  }
  return networks;
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** Refuses a request from outside of the organization's list. The documentation shows neither status nor text. */
export function requireAllowedAddress(list: string | null | undefined, address: string | undefined): void {
  if (address === undefined || list == null) return;
  if (!networksIn(list)?.check(address, familyOf(address))) throw forbidden();
}
