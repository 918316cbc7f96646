import { slugOf } from "../../../provider/kind/canonical.js";
import { counted } from "../../../shared/messages/nouns.js";
import { namesAmong, UNKNOWN_AT_IMPORT } from "../../../shared/protocol/properties.js";
import type { ArgumentChange, Change } from "../../shared/plan/change.js";
import { listed, text } from "../../shared/plan/text.js";
import { agentToken } from "./agent-token.js";
import { cluster } from "./cluster.js";
import { pipelineTemplate } from "./pipeline-template.js";
import { clusterDefaultQueue, queue } from "./queue.js";
import { NOT_COUNTED, type Remark, type Review } from "./review.js";

const suite: Review = {
  lost: () => ({ predicate: ["is deleted with its runs, and its API token stops working"] }),
  vanished: {
    lost: ["Its runs are deleted, and its API token stopped working."],
    remains: ["A new suite has another id and API token, and no runs."],
  },
  impact: {
    reads: ["runs"],
    finding: (change, live) => {
      const runs = live.runs.get(change.id ?? "");
      const open = runs?.filter(({ state }) => state === "running").length ?? 0;
      const latest = runs?.[0]?.created_at;
      const inProgress = `${open > 0 ? counted(open, "run") : "no run"} in progress`;
      return {
        busy: open > 0,
        now: runs === undefined ? NOT_COUNTED : inProgress,
        lines: latest ? [text`The latest run began at ${latest}.`] : [],
      };
    },
  },
};

/** A team that is deleted takes access away, and suites may have been created for it. */
const team: Review = {
  lost: () => ({
    predicate: ["is deleted"],
    rest: [["Its members lose the access that it gives."]],
  }),
  vanished: {
    lost: ["Its members lose the access that it gave."],
    remains: ["A new team has another id; members and access to pipelines must be given to it."],
  },
  cautions: {
    name: ({ before }, { after }) => {
      const slug = typeof after === "object" ? slugOf(after.code) : undefined;
      if (slug === undefined || before.slug === slug || typeof before.slug !== "string") return undefined;
      return {
        predicate: text`gets another slug with its name: ${slug} instead of ${before.slug}`,
        rest: [["Links and scripts that use the slug must follow."]],
      };
    },
    privacy: "values",
    isDefaultTeam: "values",
    defaultMemberRole: permission,
    membersCanCreatePipelines: permission,
  },
  impact: {
    reads: [],
    finding: (change, _live, { deployed, managed }) => {
      const deleted = new Set(deployed.filter(({ action }) => action === "delete").map(({ id }) => id));
      const suites = managed.filter(({ kind, id }) => kind === "Suite" && !deleted.has(id));
      const names = suites.flatMap(({ label, properties: { teamIds } }) =>
        Array.isArray(teamIds) && teamIds.includes(change.id) ? [label] : [],
      );
      return {
        now:
          names.length === 0
            ? "no suite of this stack names it"
            : `${counted(names.length, "test suite")} of this stack ${names.length === 1 ? "names" : "name"} it`,
        lines: [
          names.length > 0 && ["Suites that lose the team: ", ...listed(names), "."],
          ["The API does not show a suite's teams, nor a team's pipelines."],
        ],
      };
    },
  },
};

/** Of an imported team, the present value may be unknown. */
function permission(change: Change, { name, before, after }: ArgumentChange): Remark {
  if (!namesAmong(change.before[UNKNOWN_AT_IMPORT]).has(name))
    return { predicate: [`changes ${name} from `, before, " to ", after] };
  return {
    predicate: [`sets ${name} to `, after],
    rest: [["The API doesn't return its present value, so this may take a permission away."]],
    level: "danger",
  };
}

export const reviews: Readonly<Partial<Record<string, Review>>> = {
  Cluster: cluster,
  Queue: queue,
  ClusterDefaultQueue: clusterDefaultQueue,
  AgentToken: agentToken,
  PipelineTemplate: pipelineTemplate,
  Team: team,
  Suite: suite,
};
