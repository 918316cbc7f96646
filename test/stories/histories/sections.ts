import { stringify } from "yaml";
import type { Emulator } from "../../../src/emulator/index.js";

type Properties = Readonly<Record<string, unknown>>;

interface Section {
  /** The operations, as `clusters` of `clusters.create`. */
  readonly group:
    | "clusters"
    | "queues"
    | "agentTokens"
    | "pipelineTemplates"
    | "teams"
    | "suites"
    | "pipelines"
    | "pipelineSchedules";
  /** What comes before the object's name in a path. */
  readonly segment: string;
  /** Paths have its slug and not its id. */
  readonly isBySlug?: true;
  /** The field by which a person calls it. */
  readonly label: "name" | "key" | "description" | "label";
  /** Arguments that its body has. */
  readonly args: readonly string[];
  readonly defaults?: Properties;
  /** Makes it another object for the program, and it keeps its name. */
  readonly change: (text: string) => Properties;
  readonly rename?: (text: string) => Properties;
}

const described = (description: string) => ({ description });
const named = (name: string) => ({ name });

/** The kinds that a program can make. A default queue is a property of its cluster and no object. */
export const sections: Readonly<Record<string, Section>> = {
  Cluster: {
    group: "clusters",
    segment: "clusters",
    label: "name",
    args: ["name", "description"],
    change: described,
    rename: named,
  },
  Queue: {
    group: "queues",
    segment: "queues",
    label: "key",
    args: ["key", "description"],
    change: described,
  },
  AgentToken: {
    group: "agentTokens",
    segment: "tokens",
    label: "description",
    args: ["description", "allowedIpAddresses"],
    change: () => ({ allowed_ip_addresses: "198.51.100.7" }),
    rename: described,
  },
  PipelineTemplate: {
    group: "pipelineTemplates",
    segment: "pipeline-templates",
    label: "name",
    args: ["name", "configuration", "description", "available"],
    change: described,
    rename: named,
  },
  Team: {
    group: "teams",
    segment: "teams",
    label: "name",
    args: ["name", "description", "privacy", "isDefaultTeam"],
    defaults: {
      description: "",
      privacy: "visible",
      is_default_team: false,
      default_member_role: "member",
      members_can_create_pipelines: false,
    },
    change: described,
    rename: named,
  },
  Pipeline: {
    group: "pipelines",
    segment: "pipelines",
    isBySlug: true,
    label: "name",
    args: ["name", "repository", "configuration", "description"],
    defaults: { configuration: "steps: [wait]\n" },
    change: described,
    rename: named,
  },
  PipelineSchedule: {
    group: "pipelineSchedules",
    segment: "schedules",
    label: "label",
    args: ["cronline", "label", "message"],
    change: (message) => ({ message }),
    rename: (label) => ({ label }),
  },
  Suite: {
    group: "suites",
    segment: "suites",
    isBySlug: true,
    label: "name",
    args: ["name", "defaultBranch"],
    change: () => ({ default_branch: "by-hand" }),
    rename: named,
  },
};

export const kindNames = Object.keys(sections);
export const groups = Object.values(sections).map(({ group }) => group);

export function kindOf(operation: string): string | undefined {
  return kindNames.find((kind) => sections[kind]?.group === operation.split(".")[0]);
}

/** The body that a creation with some arguments sends. */
export function bodyOf({ args: names, defaults }: Section, args: Properties): Properties {
  const given = names.filter((name) => args[name] !== undefined);
  return { ...defaults, ...Object.fromEntries(given.map((name) => [fieldOf(name), onService(args[name])])) };
}

/** The service's name of an argument. */
export function fieldOf(argument: string): string {
  return argument.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function onService(value: unknown): unknown {
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "object" ? stringify(value) : value;
}

/** An object on the service, of a kind that a program can make. */
export interface RemoteObject {
  readonly kind: string;
  readonly id: string;
  readonly label: string;
  readonly secret?: string;
  readonly cluster?: string;
  /** Slug of the pipeline that it belongs to. */
  readonly pipelineSlug?: string;
  /** All of it, as the service keeps it. */
  readonly record: Properties;
}

export function remoteObjects({ organizationData }: Emulator): RemoteObject[] {
  const slugOf = (id: string) => organizationData.pipelines.get(id)?.slug ?? "";
  return Object.entries(sections).flatMap(([kind, { group, label }]) =>
    organizationData[group].list().map((found): RemoteObject => {
      const record: Properties = { ...found };
      const secret = record.token ?? record.api_token;
      return {
        kind,
        id: found.id,
        label: String(record[label]),
        ...(secret != null && { secret: String(secret) }),
        ...(kind !== "Pipeline" && record.cluster_id != null && { cluster: String(record.cluster_id) }),
        ...(record.pipeline_id != null && { pipelineSlug: slugOf(String(record.pipeline_id)) }),
        record,
      };
    }),
  );
}

/** The objects that a deletion should have ended: by default, that of a pipeline archives it. */
export function remaining(emulator: Emulator): RemoteObject[] {
  return remoteObjects(emulator).filter(({ record }) => record.archived_at == null);
}

/** Parameters of an operation about an object, by whatever name the operation takes them. */
export function parametersFor({
  id,
  cluster,
  pipelineSlug = "",
  record,
}: RemoteObject): Record<string, string> {
  return {
    ...{ id, queue_id: id, token_id: id, uuid: id, team_uuid: id },
    suite_slug: String(record.slug),
    pipeline_slug: pipelineSlug || String(record.slug),
    ...(cluster !== undefined && { cluster_id: cluster }),
  };
}
