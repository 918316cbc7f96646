import { stringify } from "yaml";

type Properties = Readonly<Record<string, unknown>>;

/** How each kind is created on the service. */
interface Section {
  /** The operations, as `clusters` of `clusters.create`. */
  readonly group: string;
  /** The body that a creation with some arguments sends. */
  readonly body: (args: Properties) => Record<string, unknown>;
  /** Another description of the same object. */
  readonly change: (text: string) => Record<string, unknown>;
  /** Another name, where it may change. */
  readonly rename?: (text: string) => Record<string, unknown>;
}

const described = (description: string) => ({ description });
const named = (name: string) => ({ name });

export const sections: Readonly<Record<string, Section>> = {
  Cluster: {
    group: "clusters",
    body: ({ name, description }) => ({ name, description }),
    change: described,
    rename: named,
  },
  Queue: {
    group: "queues",
    body: ({ key, description }) => ({ key, description }),
    change: described,
  },
  AgentToken: {
    group: "agentTokens",
    body: ({ description, allowedIpAddresses }) => ({
      description,
      allowed_ip_addresses: Array.isArray(allowedIpAddresses) ? allowedIpAddresses.join(" ") : undefined,
    }),
    change: () => ({ allowed_ip_addresses: "198.51.100.7" }),
    rename: described,
  },
  PipelineTemplate: {
    group: "pipelineTemplates",
    body: ({ name, configuration, description, available }) => ({
      name,
      configuration: typeof configuration === "string" ? configuration : stringify(configuration),
      description,
      available,
    }),
    change: described,
    rename: named,
  },
  Team: {
    group: "teams",
    body: ({ name, description = "", privacy = "visible", isDefaultTeam = false }) => ({
      name,
      description,
      privacy,
      is_default_team: isDefaultTeam,
      default_member_role: "member",
      members_can_create_pipelines: false,
    }),
    change: described,
    rename: named,
  },
  Suite: {
    group: "suites",
    body: ({ name, defaultBranch }) => ({ name, default_branch: defaultBranch }),
    change: () => ({ default_branch: "by-hand" }),
    rename: named,
  },
};

export const kindNames = Object.keys(sections);
