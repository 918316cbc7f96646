import { stringify } from "yaml";
import type { Emulator } from "../../../src/emulator/index.js";
import { TEAM } from "../../support/colleague.js";

type Properties = Readonly<Record<string, unknown>>;

interface Section {
  /** The operations, as `clusters` of `clusters.create`. */
  readonly group: keyof Emulator["organizationData"];
  /** What comes before the object's name in a path. */
  readonly segment: string;
  /** Paths have its slug and not its id. */
  readonly isBySlug?: true;
  /** What it lives in: the argument and the record's field with the id, and the parameter and the segment in paths. */
  readonly parent?: {
    readonly argument: string;
    readonly field: "cluster_id" | "pipeline_id" | "team_id";
    readonly parameter: string;
    readonly segment: string;
  };
  /** It is a pair of its parent and another object, whose id the record has in this field: its id has both. */
  readonly pairedBy?: "pipeline_id";
  /** The field by which a person calls it. */
  readonly label: "name" | "key" | "description" | "label" | "pipeline_id" | "target_uuid";
  /** Arguments that its body has. */
  readonly args: readonly string[];
  readonly defaults?: Properties;
  /** Where a creation's fields stand, if that isn't the body itself. */
  readonly within?: (fields: Properties) => Properties;
  /** Makes it another object for the program, and it keeps its name. Without it, the API changes none of its kind. */
  readonly change?: (text: string) => Properties;
  readonly rename?: (text: string) => Properties;
}

const described = (description: string) => ({ description });
const named = (name: string) => ({ name });
const inCluster = {
  argument: "clusterId",
  field: "cluster_id",
  parameter: "cluster_id",
  segment: "clusters",
} as const;
const inTeam = { argument: "teamId", field: "team_id", parameter: "team_uuid", segment: "teams" } as const;
const inPipeline = {
  argument: "pipelineId",
  field: "pipeline_id",
  parameter: "pipeline_slug",
  segment: "pipelines",
} as const;

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
    parent: inCluster,
    label: "key",
    args: ["key", "description"],
    change: described,
  },
  AgentToken: {
    group: "agentTokens",
    segment: "tokens",
    parent: inCluster,
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
    defaults: TEAM,
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
    parent: inPipeline,
    label: "label",
    args: ["cronline", "label", "message"],
    change: (message) => ({ message }),
    rename: (label) => ({ label }),
  },
  TeamPipeline: {
    group: "teamPipelines",
    segment: "pipelines",
    parent: inTeam,
    pairedBy: "pipeline_id",
    label: "pipeline_id",
    args: ["pipelineId", "accessLevel"],
    change: () => ({ access_level: "build_and_read" }),
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
  NotificationService: {
    group: "notificationServices",
    segment: "services",
    label: "description",
    args: ["provider", "scope", "settings", "description", "branchConfiguration"],
    change: (branch_configuration) => ({ branch_configuration }),
    rename: described,
  },
  OrganizationRule: {
    group: "organizationRules",
    segment: "rules",
    label: "target_uuid",
    args: ["type", "sourcePipelineId", "targetPipelineId"],
    within: ({ type, source_pipeline_id, target_pipeline_id }) => ({
      type,
      value: { source_pipeline: source_pipeline_id, target_pipeline: target_pipeline_id },
    }),
  },
};

export const kindNames = Object.keys(sections);
export const groups = Object.values(sections).map(({ group }) => group);

export function kindOf(operation: string): string | undefined {
  return kindNames.find((kind) => sections[kind]?.group === operation.split(".")[0]);
}

/** The body that a creation with some arguments sends. */
export function bodyOf(section: Section, args: Properties): Properties {
  const { args: names, defaults, within = (fields) => fields } = section;
  const given = names.filter((name) => args[name] !== undefined);
  const fields = given.map((name) => [fieldOf(name), onService(name, args[name])]);
  return within({ ...defaults, ...Object.fromEntries(fields) });
}

/** The service's name of an argument. */
export function fieldOf(argument: string): string {
  return argument.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function onService(argument: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.join(" ");
  return argument === "configuration" && typeof value === "object" ? stringify(value) : value;
}

/** An object on the service, of a kind that a program can make. */
export interface RemoteObject {
  readonly kind: string;
  readonly id: string;
  readonly label: string;
  readonly secret?: string;
  /** Id of what it lives in, and the name that paths have of that. */
  readonly parent?: { readonly id: string; readonly inPath: string };
  /** All of it, as the service keeps it. */
  readonly record: Properties;
}

export function remoteObjects({ organizationData }: Emulator): RemoteObject[] {
  return Object.entries(sections).flatMap(([kind, { group, label, parent, pairedBy }]) =>
    organizationData[group].list().map((found): RemoteObject => {
      const record: Properties = { ...found };
      const secret = record.token ?? record.api_token;
      const parentId = parent && String(record[parent.field]);
      return {
        kind,
        id: pairedBy === undefined ? found.id : `${parentId}/${record[pairedBy]}`,
        label: String(record[label]),
        ...(secret != null && { secret: String(secret) }),
        ...(parentId !== undefined && {
          parent: { id: parentId, inPath: organizationData.pipelines.get(parentId)?.slug ?? parentId },
        }),
        record,
      };
    }),
  );
}

/** The objects that a deletion should have ended: by default, that of a pipeline archives it. */
export function remaining(emulator: Emulator): RemoteObject[] {
  return remoteObjects(emulator).filter(({ record }) => record.archived_at == null);
}

/** Returns the name of an object within its place, as paths have it. */
export function inPath({ kind, id, record }: RemoteObject): string {
  return sections[kind]?.isBySlug ? String(record.slug) : (id.split("/").at(-1) ?? "");
}

/** Parameters of an operation about an object, by whatever name the operation takes them. */
export function parametersFor(object: RemoteObject): Record<string, string> {
  const { kind, parent } = object;
  const own = inPath(object);
  const around = sections[kind]?.parent;
  return {
    ...{ id: own, queue_id: own, token_id: own, uuid: own, team_uuid: own, pipeline_uuid: own },
    ...{ suite_slug: own, pipeline_slug: own },
    ...(around && parent && { [around.parameter]: parent.inPath }),
  };
}
