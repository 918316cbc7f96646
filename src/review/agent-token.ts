import { BlockList, isIP } from "node:net";
import type { LiveAgent } from "../load/job.js";
import { counted } from "../messages/nouns.js";
import { ROTATION } from "../protocol/properties.js";
import { type Change, changes, disappears, ofPlace } from "./change.js";
import { type Live, type LiveCluster, NOT_COUNTED } from "./live.js";
import { placed, type Review } from "./review.js";
import { listed, type Text, text } from "./text.js";

/** Revoking a token locks agents out. Allowing fewer addresses may lock agents out too. */
export const agentToken: Review = {
  lost: (change, _contents, plan) => {
    const subject = text`Agent token ${change.title}`;
    if (change.action === "delete") {
      const lost = ["Connected agents stay connected; no agent can start or reconnect with it."];
      return placed(subject, change, ["is revoked"], lost);
    }
    if (takesPartInRotation(change) && !otherTokenChanges(change, plan) && !changes(change, "clusterId")) {
      const generation = Number(change.after[ROTATION]);
      const revoked = `is rotated: this revokes the secret of generation ${generation - 2}`;
      const kept = `the one of generation ${generation - 1} stays valid`;
      return { ...placed(subject, change, [`${revoked}; ${kept}`], []), level: "caution" };
    }
    const needed = ["Connected agents stay connected; agents that start or reconnect need the new one."];
    if (revokesSecretInUse(change, plan)) {
      const both = "is replaced together with the other token of its rotation";
      return placed(subject, change, [`${both}: this revokes the secret in use`], needed);
    }
    const many = ["is replaced, and its secret changes,"];
    return placed(subject, change, ["is replaced: its secret changes"], needed, { many });
  },
  cautions: {
    allowedIpAddresses: ({ title, place }, { before, after }) => {
      const rest = [after, " instead of ", before, "."];
      return {
        message: text`Agents may use the token ${title}${ofPlace(place)} from other addresses: ${rest}`,
        inMany: { lead: text`Agents may use the token ${title} from other addresses`, rest },
      };
    },
  },
  impact: {
    needs: (change) =>
      disappears(change) || (change.action === "update" && changes(change, "allowedIpAddresses"))
        ? { agents: true, queuesOf: change.place?.id, agentTokensOf: change.place?.id }
        : undefined,
    finding: (change, live, plan) => {
      const { place, action } = change;
      const cluster = live.clusters.get(place?.id ?? "");
      const agents =
        live.agents.extent === "missing" ? undefined : agentsOfCluster(cluster, live.agents.items);
      const rules = addressesAfter(change, plan, live);
      const shutOut =
        rules && agents?.filter(({ address }) => address !== undefined && !allows(rules, address));
      const revoked = disappears(change);
      return {
        effect: revoked ? "revoke" : "restrict",
        subject: text`Agent token ${change.title}`,
        predicate: [
          action === "delete" ? "is revoked" : revoked ? "is replaced and revoked" : "allows other addresses",
        ],
        agents: agents?.length,
        now: agents === undefined ? NOT_COUNTED : counted(agents.length, "connected agent"),
        lines: [
          ...(revoked && agents?.length ? [["The API does not show which agents use this token."]] : []),
          ...shutOutLines(shutOut),
        ],
      };
    },
  },
};

/** Returns whether a rotation leaves out a generation: it then revokes the secret in use, and not only the previous secret. */
export function revokesSecretInUse(change: Change, plan: readonly Change[]): boolean {
  return takesPartInRotation(change) && otherTokenChanges(change, plan);
}

/** Returns whether a `RotatingAgentToken` replaces a token because it reached another generation. */
function takesPartInRotation(change: Change): boolean {
  const isOfComponent = typeof change.after[ROTATION] === "number";
  return change.action === "replace" && isOfComponent && changes(change, "triggers");
}

/** Returns whether the other token of the component is created or replaced as well. */
function otherTokenChanges({ urn, kind }: Change, plan: readonly Change[]): boolean {
  const both = urn.replace(/-(?:odd|even)$/, "");
  return plan.some(
    (other) =>
      other.kind === kind &&
      other.urn !== urn &&
      other.urn.replace(/-(?:odd|even)$/, "") === both &&
      (other.action === "create" || other.action === "replace"),
  );
}

/** Agents that may be in a cluster: the API shows an agent's tags, and the cluster of its job. */
function agentsOfCluster(cluster: LiveCluster | undefined, agents: readonly LiveAgent[]): LiveAgent[] {
  const keys = new Set(cluster?.queues?.map(({ key }) => key));
  return agents.filter(({ clusterId, queueKey }) => {
    if (clusterId !== undefined) return clusterId === cluster?.id;
    return queueKey === undefined ? cluster?.defaultQueueId !== undefined : keys.has(queueKey);
  });
}

/** Returns the allowed addresses of each token that the cluster has afterwards; undefined if they could not be read. */
function addressesAfter(
  { kind: ownKind, place }: Change,
  plan: readonly Change[],
  live: Live,
): (readonly string[])[] | undefined {
  const tokens = live.clusters.get(place?.id ?? "")?.agentTokens;
  if (tokens === undefined) return undefined;
  const planned = plan.filter(({ kind }) => kind === ownKind);
  const remaining = tokens.flatMap(({ id, allowed_ip_addresses }) => {
    const change = planned.find((one) => one.id === id);
    if (change !== undefined && disappears(change)) return [];
    const isChanged = change !== undefined && changes(change, "allowedIpAddresses");
    return [isChanged ? addresses(change.after.allowedIpAddresses) : addresses(allowed_ip_addresses)];
  });
  const made = planned.filter(
    ({ action, after }) => (action === "create" || action === "replace") && after.clusterId === place?.id,
  );
  return [...remaining, ...made.map(({ after }) => addresses(after.allowedIpAddresses))];
}

/** As the service returns them, text or a list, and as a program gives them. None: every address is allowed. */
function addresses(value: unknown): string[] {
  const list = Array.isArray(value) ? value.map(String) : typeof value === "string" ? value.split(/\s+/) : [];
  return list.filter((one) => one !== "");
}

function allows(tokens: readonly (readonly string[])[], address: string): boolean {
  const family = (text: string) => (isIP(text) === 6 ? "ipv6" : "ipv4");
  return tokens.some((allowed) => {
    if (allowed.length === 0 || isIP(address) === 0) return true;
    const list = new BlockList();
    for (const one of allowed) {
      const [network = "", prefix] = one.split("/");
      // An entry in another form, which the service accepts, may allow the address.
      if (isIP(network) === 0) return true;
      const bits = prefix === undefined ? (isIP(network) === 6 ? 128 : 32) : Number(prefix);
      if (!(bits >= 0 && bits <= (isIP(network) === 6 ? 128 : 32))) return true;
      list.addSubnet(network, bits, family(network));
    }
    return list.check(address, family(address));
  });
}

function shutOutLines(agents: readonly LiveAgent[] | undefined): Text[] {
  if (agents === undefined) return [];
  if (agents.length === 0) return [["Some token of the cluster allows the address of each connected agent."]];
  const names = listed(agents.map(({ name, address }) => `${name} (${address})`));
  const own = agents.length === 1 ? "its address" : "their addresses";
  const out = `${counted(agents.length, "connected agent")} may be shut out, because`;
  return [[`${out} no remaining token of the cluster allows ${own}: `, ...names, "."]];
}
