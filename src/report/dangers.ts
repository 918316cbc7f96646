import type { ResourceChange } from "./changes.js";
import { grouped, type PlacedText } from "./grouped.js";
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
  const found = changes.flatMap((change): (Danger & PlacedText)[] => {
    if (change.kind !== "Cluster" && change.cluster !== undefined && deletedClusters.has(change.cluster))
      return [];
    const where = change.cluster === undefined ? "" : nameOfCluster(change.cluster);
    const danger = dangerOf(change, where, changes);
    if (danger !== undefined) return [{ level: "danger", ...danger }];
    return cautionsOf(change, where).map((caution) => ({ level: "caution", ...caution }));
  });
  return (["danger", "caution"] as const).flatMap((wanted) =>
    grouped(found.filter(({ level }) => level === wanted)).map(({ level, message }) => ({ level, message })),
  );
}

/** About an object in a cluster: `` Queue `small` ``, `is deleted`, and the sentence that follows. */
function placed(subject: Text, where: string, predicate: Text, rest: Text, many = predicate): PlacedText {
  return {
    message: [...subject, ...text` of ${where} `, ...predicate, ". ", ...rest],
    where,
    inMany: { lead: [...subject, " ", ...many], rest },
  };
}

function dangerOf(
  { urn, kind, action, label, properties }: ResourceChange,
  where: string,
  all: readonly ResourceChange[],
): PlacedText | undefined {
  if (action !== "delete" && action !== "replace") return undefined;
  const gone = action === "delete";
  switch (kind) {
    case "Cluster": {
      const inside = all.filter(({ cluster }) => cluster === urn);
      const queues = inside.filter((one) => one.kind === "Queue").map((one) => one.label);
      const tokens = inside.filter((one) => one.kind === "AgentToken").map((one) => one.label);
      const message = [
        ...text`Cluster ${label} is `,
        gone ? "deleted" : "replaced",
        ", with everything in it: its queues",
        ...(queues.length > 0 ? [" (", ...listed(queues), ")"] : []),
        ", its agent tokens",
        ...(tokens.length > 0 ? [" (", ...listed(tokens), ")"] : []),
        ". Anything else in it is deleted only if forceDestroy is set. Look for jobs that wait for its queues.",
      ];
      return { message };
    }
    case "Queue": {
      const look = "Look for jobs that wait for this queue.";
      if (gone) return placed(text`Queue ${label}`, where, ["is deleted"], [look]);
      const key = properties.find(({ name }) => name === "key");
      const renamed = key
        ? [" Steps and agents that name ", key.before, " must name ", key.after, " from then on."]
        : [];
      const by = key ? ["is replaced by ", key.after] : ["is replaced"];
      return placed(text`Queue ${label}`, where, ["is replaced"], [look, ...renamed], by);
    }
    case "AgentToken":
      if (gone)
        return placed(
          text`Agent token ${label}`,
          where,
          ["is revoked"],
          ["Connected agents stay connected; no agent can start or reconnect with it."],
        );
      return placed(
        text`Agent token ${label}`,
        where,
        ["is replaced: its secret changes"],
        ["Connected agents stay connected; agents that start or reconnect need the new one."],
        ["is replaced, and its secret changes,"],
      );
    case "PipelineTemplate":
      return alone`Pipeline template ${label} is deleted: pipelines that use it lose their steps.`;
    case "Team":
      return alone`Team ${label} is deleted: its members lose the access that it gives.`;
    case "Suite":
      return alone`Test suite ${label} is deleted with its runs, and its API token stops working.`;
    case "ClusterDefaultQueue":
      return gone
        ? {
            ...alone`Cluster ${where} loses its default queue: agents that name no queue get no jobs.`,
            where,
            inMany: {
              lead: ["The default queue is removed"],
              rest: ["Agents that name no queue get no jobs."],
            },
          }
        : undefined;
    default:
      return gone ? alone`${kind} ${label} is deleted.` : alone`${kind} ${label} is replaced.`;
  }
}

/** A sentence that is about nothing in a cluster. */
function alone(parts: TemplateStringsArray, ...names: readonly string[]): PlacedText {
  return { message: text(parts, ...names) };
}

function cautionsOf({ kind, action, label, properties }: ResourceChange, where: string): PlacedText[] {
  if (action !== "update") return [];
  return properties.flatMap(({ name, before, after }): PlacedText[] => {
    const becomes = (value: string) => typeof after === "object" && after.code === value;
    switch (`${kind}.${name}`) {
      case "Queue.dispatchPaused":
        if (becomes("true")) return [placed(text`Queue ${label}`, where, ["is paused"], ["Its jobs wait."])];
        return becomes("false")
          ? [placed(text`Queue ${label}`, where, ["is resumed"], ["Its jobs start."])]
          : [];
      case "ClusterDefaultQueue.queueId": {
        const known = typeof before === "object" && typeof after === "object";
        const change = known ? ["changes from ", before, " to ", after] : ["changes"];
        const rest = ["Jobs and agents that name no queue use the new one."];
        return [placed(["The default queue"], where, change, rest)];
      }
      case "AgentToken.allowedIpAddresses": {
        const addresses = [after, " instead of ", before, "."];
        const message = [
          ...text`Agents may use the token ${label} of ${where} from other addresses: `,
          ...addresses,
        ];
        const lead = [...text`Agents may use the token ${label} from other addresses`];
        return [{ message, where, inMany: { lead, rest: addresses } }];
      }
      case "PipelineTemplate.available":
        return becomes("false")
          ? [alone`Pipeline template ${label} can be assigned only by administrators.`]
          : [];
      case "Team.membersCanCreatePipelines":
      case "Team.defaultMemberRole":
      case "Team.isDefaultTeam":
      case "Team.privacy":
        return [{ message: [...text`Team ${label}: `, `${name} changes from `, before, " to ", after, "."] }];
      default:
        return [];
    }
  });
}
