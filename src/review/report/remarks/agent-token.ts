import { BlockList, isIP } from "node:net";
import { disappears } from "../../../cli/drawing/actions.js";
import type { LiveAgent } from "../../../cli/workload/job.js";
import { AgentToken, Queue } from "../../../provider/resources/index.js";
import { counted } from "../../../shared/messages/nouns.js";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { ROTATION } from "../../../shared/protocol/properties.js";
import { type Change, changes } from "../../plan/change.js";
import type { Managed, Plan } from "../../plan/plan.js";
import { listed, type Text, text } from "../../plan/text.js";
import type { Live } from "./read.js";
import { defaultQueueOf, inCluster, type Review } from "./review.js";

const LOCKED_OUT = ["Connected agents stay connected; no agent can start or reconnect with it."];

/** Revoking a token locks agents out. Allowing fewer addresses may lock agents out too. */
export const agentToken: Review = {
  lost: (change, { plan }) => {
    if (change.action === "delete") return { predicate: ["is revoked"], rest: [LOCKED_OUT] };
    const rest = [["Connected agents stay connected; agents that start or reconnect need the new one."]];
    const revokes = takesPartInRotation(change) ? revokesSecretInUse(change, plan) : undefined;
    if (revokes === "no" && !changes(change, "clusterId")) {
      const revoked = `is rotated: this revokes the secret of generation ${generationIn(change.before)}`;
      const kept = newestGivenOut(change, plan);
      const stays = kept && `; the one of generation ${generationIn(kept.properties)} stays valid`;
      return { predicate: [revoked, stays ?? ""], level: "caution" };
    }
    if (revokes === "unknown") {
      const shown = text`Give ${"--stack-export"} the output of ${"pulumi stack export"} to know.`;
      const what = "is replaced, and this may revoke the secret in use: no input shows which one that is";
      return { predicate: [what], rest: [shown] };
    }
    if (revokes === "yes") {
      const how = otherTokenChanges(change, plan)
        ? "together with the other token of its rotation"
        : "although no later one was given out";
      return { predicate: [`is replaced ${how}: this revokes the secret in use`], rest };
    }
    return { predicate: ["is replaced, and its secret changes"], rest };
  },
  vanished: {
    lost: LOCKED_OUT,
    remains: ["A new token has another secret, and agents need it before they start or reconnect."],
  },
  cautions: {
    allowedIpAddresses: (_, { before, after }) => ({
      predicate: ["allows other addresses (", after, " instead of ", before, ")"],
    }),
  },
  impact: {
    reads: ["agents", "queues", "agentTokens"],
    isHit: (change) => changes(change, "allowedIpAddresses"),
    load: (change, live, plan) => {
      const agents = agentsOfCluster(change.place?.id ?? "", live);
      const isComplete = live.agents.extent === "complete";
      const revoked = disappears(change);
      return {
        effect: revoked ? "revoke" : "restrict",
        agents: agents?.length,
        now: agents && `${isComplete ? "" : "at least "}${counted(agents.length, "connected agent")}`,
        lines: [
          revoked && (agents ?? []).length > 0 && ["The API does not show which agents use this token."],
          shutOutLine(agents, addressesAfter(change, plan, live), !revoked && isComplete),
        ],
      };
    },
  },
};

/**
 * Returns whether a rotation revokes the secret in use, and not only the previous secret. The secret in use is the newest
 * that the component gave out: a deployment that failed halfway has made a newer token, which nobody has.
 */
export function revokesSecretInUse(change: Change, plan: Plan): "yes" | "no" | "unknown" {
  if (!takesPartInRotation(change)) return "no";
  if (change.component !== undefined) {
    const inUse = newestGivenOut(change, plan)?.id;
    return plan.deployed.some((one) => one.id === inUse && disappears(one)) ? "yes" : "no";
  }
  // At its last deployment, a token in state was the newest, or it wasn't. A refresh of the dynamic provider forgets that.
  const then = change.before[ROTATION];
  if (otherTokenChanges(change, plan) || then === generationIn(change.before)) return "yes";
  return then === undefined ? "unknown" : "no";
}

/**
 * Returns the newest token that the component gave out, of those that exist. After a deployment with `--target`, the
 * outputs may call a token the newest that wasn't: its inputs then have a later generation of the component.
 */
function newestGivenOut({ component }: Change, { managed }: Plan): Managed | undefined {
  const [newest, ...others] = [component?.tokenId, component?.previousTokenId].map((id) =>
    managed.find((one) => one.id === id),
  );
  if (newest && Number(newest.properties[ROTATION] ?? 0) <= generationIn(newest.properties)) return newest;
  return [newest, ...others]
    .filter((one) => one !== undefined)
    .sort((one, other) => generationIn(other.properties) - generationIn(one.properties))[0];
}

/** Returns the generation of a token, which is a trigger from the second one on. */
function generationIn({ triggers }: Readonly<Properties>): number {
  const own =
    typeof triggers === "object" && triggers !== null ? Reflect.get(triggers, "generation") : undefined;
  return typeof own === "number" ? own : 1;
}

/** Returns whether a `RotatingAgentToken` replaces a token because it reached another generation. */
function takesPartInRotation(change: Change): boolean {
  const isOfComponent = typeof change.after[ROTATION] === "number";
  return change.action === "replace" && isOfComponent && changes(change, "triggers");
}

function otherTokenChanges({ urn, kind }: Change, { deployed }: Plan): boolean {
  const both = urn.replace(/-(?:odd|even)$/, "");
  return deployed.some(
    (other) =>
      other.kind === kind &&
      other.urn !== urn &&
      other.urn.replace(/-(?:odd|even)$/, "") === both &&
      (other.action === "create" || other.action === "replace"),
  );
}

/** Returns the agents that may be in a cluster: the API shows an agent's tags, and the cluster of its job. */
function agentsOfCluster(id: string, live: Live): LiveAgent[] | undefined {
  const queues = inCluster(live, Queue.kind, id);
  // Without the cluster's queues, nothing shows which agents are in it.
  if (live.agents.extent === "missing" || queues === undefined) return undefined;
  const keys = new Set(queues.map(({ key }) => key));
  const hasDefault = defaultQueueOf(live, id) != null;
  return live.agents.items.filter(({ clusterId, queueKey }) => {
    if (clusterId !== undefined) return clusterId === id;
    return queueKey === undefined ? hasDefault : keys.has(queueKey);
  });
}

/** Returns what each token allows that the cluster has afterwards; undefined if that isn't known of all. */
function addressesAfter({ kind: ownKind, place }: Change, { deployed }: Plan, live: Live) {
  const tokens = inCluster(live, AgentToken.kind, place?.id);
  if (tokens === undefined) return undefined;
  const planned = deployed.filter(({ kind }) => kind === ownKind);
  const remaining = tokens.flatMap(({ id, allowed_ip_addresses }) => {
    const change = planned.find((one) => one.id === id);
    if (change !== undefined && disappears(change)) return [];
    const isChanged = change !== undefined && changes(change, "allowedIpAddresses");
    return [isChanged ? change.after.allowedIpAddresses : allowed_ip_addresses];
  });
  const made = planned.filter(
    ({ action, after }) => (action === "create" || action === "replace") && after.clusterId === place?.id,
  );
  const all = [...remaining, ...made.map(({ after }) => after.allowedIpAddresses)].map(allowedIn);
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

/** @param isComplete these are all agents of the cluster, and each may go on with its token */
function shutOutLine(
  agents: readonly LiveAgent[] | undefined,
  tokens: ReturnType<typeof addressesAfter>,
  isComplete: boolean,
): Text | false {
  if (agents === undefined || tokens === undefined) return false;
  const known = agents.filter(({ address = "" }) => isIP(address) !== 0);
  const shutOut = known.filter(({ address = "" }) => !tokens.some((allows) => allows(address)));
  if (shutOut.length === 0) {
    const isProven = isComplete && known.length === agents.length;
    return isProven && ["Some token of the cluster allows the address of each connected agent."];
  }
  const names = listed(shutOut.map(({ name, address }) => `${name} (${address})`));
  const own = shutOut.length === 1 ? "its address" : "their addresses";
  const out = `${counted(shutOut.length, "connected agent")} may be shut out, because`;
  return [`${out} no remaining token of the cluster allows ${own}: `, ...names, "."];
}
