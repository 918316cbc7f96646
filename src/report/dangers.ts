import type { ResourceChange } from "./changes.js";
import { listed, type Text, text } from "./text.js";

/** Something that a reviewer must not overlook. */
export interface Danger {
  /** `danger`: something is lost or stops. `caution`: people notice it. */
  readonly level: "danger" | "caution";
  readonly message: Text;
}

/** What would be lost, would stop, or would open up, the worst first. */
export function dangersOf(
  changes: readonly ResourceChange[],
  nameOfCluster: (cluster: string) => string,
): Danger[] {
  const deletedClusters = new Set(
    changes
      .filter(({ kind, action }) => kind === "Cluster" && (action === "delete" || action === "replace"))
      .map(({ urn }) => urn),
  );
  const found = changes.flatMap((change): Danger[] => {
    if (change.kind !== "Cluster" && change.cluster !== undefined && deletedClusters.has(change.cluster))
      return [];
    const where = change.cluster === undefined ? "" : nameOfCluster(change.cluster);
    const message = dangerOf(change, where, changes);
    if (message !== undefined) return [{ level: "danger", message }];
    return cautionsOf(change, where).map((caution) => ({ level: "caution", message: caution }));
  });
  return [
    ...found.filter(({ level }) => level === "danger"),
    ...found.filter(({ level }) => level === "caution"),
  ];
}

function dangerOf(
  { urn, kind, action, label, properties }: ResourceChange,
  where: string,
  all: readonly ResourceChange[],
): Text | undefined {
  if (action !== "delete" && action !== "replace") return undefined;
  const gone = action === "delete";
  switch (kind) {
    case "Cluster": {
      const inside = all.filter(({ cluster }) => cluster === urn);
      const queues = inside.filter((one) => one.kind === "Queue").map((one) => one.label);
      const tokens = inside.filter((one) => one.kind === "AgentToken").map((one) => one.label);
      return [
        ...text`Cluster ${label} is `,
        gone ? "deleted" : "replaced",
        ", with everything in it: its queues",
        ...(queues.length > 0 ? [" (", ...listed(queues), ")"] : []),
        ", its agent tokens",
        ...(tokens.length > 0 ? [" (", ...listed(tokens), ")"] : []),
        ". Anything else in it is deleted only if forceDestroy is set. Look for jobs that wait for its queues.",
      ];
    }
    case "Queue": {
      if (gone) return text`Queue ${label} of ${where} is deleted. Look for jobs that wait for this queue.`;
      const key = properties.find(({ name }) => name === "key");
      const renamed = key
        ? [" Steps and agents that name ", key.before, " must name ", key.after, " from then on."]
        : [];
      return [
        ...text`Queue ${label} of ${where} is replaced. Look for jobs that wait for this queue.`,
        ...renamed,
      ];
    }
    case "AgentToken":
      if (gone)
        return text`Agent token ${label} of ${where} is revoked. Connected agents stay connected; no agent can start or reconnect with it.`;
      return text`Agent token ${label} of ${where} is replaced: its secret changes. Connected agents stay connected; agents that start or reconnect need the new one.`;
    case "PipelineTemplate":
      return text`Pipeline template ${label} is deleted: pipelines that use it lose their steps.`;
    case "Team":
      return text`Team ${label} is deleted: its members lose the access that it gives.`;
    case "Suite":
      return text`Test suite ${label} is deleted with its runs, and its API token stops working.`;
    case "ClusterDefaultQueue":
      return gone
        ? text`Cluster ${where} loses its default queue: agents that name no queue get no jobs.`
        : undefined;
    default:
      return gone ? text`${kind} ${label} is deleted.` : text`${kind} ${label} is replaced.`;
  }
}

function cautionsOf({ kind, action, label, properties }: ResourceChange, where: string): Text[] {
  if (action !== "update") return [];
  return properties.flatMap(({ name, before, after }): Text[] => {
    const becomes = (value: string) => typeof after === "object" && after.code === value;
    switch (`${kind}.${name}`) {
      case "Queue.dispatchPaused":
        if (becomes("true")) return [text`Queue ${label} of ${where} is paused: its jobs wait.`];
        return becomes("false") ? [text`Queue ${label} of ${where} is resumed.`] : [];
      case "ClusterDefaultQueue.queueId":
        return [text`The default queue of ${where} changes: agents that name no queue take other jobs.`];
      case "AgentToken.allowedIpAddresses":
        return [
          [
            ...text`Agents may use the token ${label} of ${where} from other addresses: `,
            after,
            " instead of ",
            before,
            ".",
          ],
        ];
      case "PipelineTemplate.available":
        return becomes("false")
          ? [text`Pipeline template ${label} can no longer be assigned by everybody.`]
          : [];
      case "Team.membersCanCreatePipelines":
      case "Team.defaultMemberRole":
      case "Team.isDefaultTeam":
      case "Team.privacy":
        return [[...text`Team ${label}: `, `${name} changes from `, before, " to ", after, "."]];
      default:
        return [];
    }
  });
}
