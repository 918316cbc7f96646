import { BlockList, isIP } from "node:net";
import { disappears } from "../../cli/drawing/actions.js";
import type { LiveAgent } from "../../cli/workload/job.js";
import { counted } from "../../shared/messages/nouns.js";
import { changes, type PlannedChange } from "../plan/change.js";
import type { Plan } from "../plan/plan.js";
import { listed, type Text } from "../plan/text.js";
import type { Live } from "./live.js";

const ARGUMENT = "allowedIpAddresses";

/**
 * Says which agents no token of the cluster allows afterwards, or that there are none, if that is proven.
 *
 * @param isComplete these are all agents of the cluster, and each may go on with its token
 */
export function shutOut(
  agents: readonly LiveAgent[],
  change: PlannedChange,
  plan: Plan,
  live: Live,
  isComplete: boolean,
): Text | undefined {
  const tokens = addressesAfter(change, plan, live);
  if (tokens === undefined) return undefined;
  const known = agents.filter(({ address = "" }) => isIP(address) !== 0);
  const out = known.filter(({ address = "" }) => !tokens.some((allows) => allows(address)));
  if (out.length === 0)
    return isComplete && known.length === agents.length
      ? ["Some token of the cluster allows the address of each connected agent."]
      : undefined;
  const names = listed(out.map(({ name, address }) => `${name} (${address})`));
  const own = out.length === 1 ? "its address" : "their addresses";
  return [
    `${counted(out.length, "connected agent")} may be shut out, because no remaining token of the cluster allows ${own}: `,
    ...names,
    ".",
  ];
}

/** Returns what each token allows that the cluster has afterwards; undefined if that isn't known of all. */
function addressesAfter({ kind, place }: PlannedChange, { deployed }: Plan, live: Live) {
  const planned = deployed.filter((one) => one.kind === kind);
  const remaining = live.inside(kind, place?.id)?.flatMap(({ id, observed }) => {
    const change = planned.find((one) => one.id === id);
    if (change !== undefined && disappears(change)) return [];
    return [change !== undefined && changes(change, ARGUMENT) ? change.after[ARGUMENT] : observed[ARGUMENT]];
  });
  if (remaining === undefined) return undefined;
  const made = planned.filter(
    (one) =>
      (one.action === "create" || one.action === "replace") && (one.movesTo ?? one.place)?.key === place?.key,
  );
  const all = [...remaining, ...made.map(({ after }) => after[ARGUMENT])].map(allowedIn);
  return all.every((one) => one !== undefined) ? all : undefined;
}

/**
 * Returns whether a token allows an address, by the addresses as the service returns them, text or a list, or as a program
 * gives them. None: it allows every address. Undefined for a value that is secret or not known yet, and for an entry in
 * another form, which the service may accept.
 */
function allowedIn(value: unknown): ((address: string) => boolean) | undefined {
  const list: unknown =
    typeof value === "string" ? value.split(/\s+/).filter((one) => one !== "") : (value ?? []);
  if (!Array.isArray(list)) return undefined;
  const family = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");
  const allowed = new BlockList();
  for (const one of list) {
    const [network = "", prefix] = String(one).split("/");
    const longest = isIP(network) === 6 ? 128 : 32;
    const bits = Number(prefix ?? longest);
    if (isIP(network) === 0 || !Number.isInteger(bits) || bits < 0 || bits > longest) return undefined;
    allowed.addSubnet(network, bits, family(network));
  }
  return (address) => list.length === 0 || allowed.check(address, family(address));
}
