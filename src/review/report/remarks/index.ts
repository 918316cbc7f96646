import { contentKindsOf } from "../../../provider/lifecycle/values/kinds.js";
import { Team } from "../../../provider/resources/index.js";
import { counted } from "../../../shared/messages/nouns.js";
import { namesAmong, UNKNOWN_AT_IMPORT } from "../../../shared/protocol/properties.js";
import type { ArgumentChange, Change } from "../../plan/change.js";
import type { Plan } from "../../plan/plan.js";
import { listed, type Text, text } from "../../plan/text.js";
import { clusterMaintainer, clusterSecret, teamMember, teamPipeline, teamSuite } from "./access.js";
import { agentToken } from "./agent-token.js";
import { cluster } from "./cluster.js";
import { pipeline, pipelineSchedule } from "./pipeline.js";
import { pipelineTemplate } from "./pipeline-template.js";
import { clusterDefaultQueue, queue } from "./queue.js";
import type { Live } from "./read.js";
import type { Remark, Review } from "./review.js";

const suite: Review = {
  lost: () => ({ predicate: ["is deleted with its runs, and its API token stops working"] }),
  vanished: {
    lost: ["Its runs are deleted, and its API token stopped working."],
    remains: ["A new suite has another id and API token, and no runs."],
  },
  impact: {
    reads: ["runs"],
    load: (change, live) => {
      const runs = live.runs.get(change.id ?? "");
      const open = runs?.filter(({ state }) => state === "running").length ?? 0;
      const latest = runs?.[0]?.created_at;
      const inProgress = `${open > 0 ? counted(open, "run") : "no run"} in progress`;
      return {
        busy: open > 0,
        now: runs && inProgress,
        lines: latest ? [text`The latest run began at ${latest}.`] : [],
      };
    },
  },
};

/** A team that is deleted takes access away, and suites may have been created for it. */
const team: Review = {
  lost: (_, { contents }) => {
    const inside = contents.flatMap(({ noun, labels }) =>
      labels.length === 0
        ? []
        : [text`Its ${[counted(labels.length, noun)]} in this stack: ${listed(labels)}.`],
    );
    return { predicate: ["is deleted"], rest: [["Its members lose the access that it gives."], ...inside] };
  },
  vanished: {
    lost: ["Its members lose the access that it gave."],
    remains: ["A new team has another id; members and access to pipelines must be given to it."],
  },
  cautions: {
    name: ({ before }, { after }) => {
      const slug = typeof after === "object" ? Team.kind.once?.form?.(after.code) : undefined;
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
    reads: ["access"],
    load: ({ id = "" }, live, plan) => {
      const deleted = new Set(plan.deployed.filter(({ action }) => action === "delete").map((one) => one.id));
      const suites = plan.managed.filter((one) => one.kind === "Suite" && !deleted.has(one.id));
      const names = suites.flatMap(({ label, properties: { teamIds } }) =>
        Array.isArray(teamIds) && teamIds.includes(id) ? [label] : [],
      );
      return {
        now:
          names.length === 0
            ? "no suite of this stack names it"
            : `${counted(names.length, "test suite")} of this stack ${names.length === 1 ? "names" : "name"} it`,
        lines: [
          names.length > 0 && ["Suites that lose the team: ", ...listed(names), "."],
          ...teamLines(id, live, plan),
        ],
      };
    },
  },
};

/** Says what a team has, each from its own list: how many there are, and what they are called. */
function teamLines(team: string, { objects, unread }: Live, { managed }: Plan): Text[] {
  const isListed = objects.some(({ id }) => id === team);
  return contentKindsOf("Team").map((kind): Text => {
    const noun = kind.words.noun;
    if (!isListed || unread.has(kind.name)) return [`Its ${noun}s were not read.`];
    const own = objects.filter((one) => one.kind.name === kind.name && one.parent?.id === team);
    const names = own.map(({ id, label, observed }) => {
      const named = observed[kind.words.label ?? ""];
      return managed.find((one) => one.id === named || one.id === id)?.label ?? label;
    });
    return [`It has ${counted(own.length, noun)}`, ...(own.length > 0 ? [": ", ...listed(names)] : []), "."];
  });
}

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
  Pipeline: pipeline,
  PipelineSchedule: pipelineSchedule,
  TeamMember: teamMember,
  TeamPipeline: teamPipeline,
  TeamSuite: teamSuite,
  ClusterMaintainer: clusterMaintainer,
  ClusterSecret: clusterSecret,
};
