import type { Resource } from "@pulumi/pulumi";
import type { Emulator } from "../../src/emulator/index.js";
import type { Colleague } from "../support/colleague.js";
import type { Classes } from "./backends.js";

type Values = Readonly<Record<string, unknown>>;

/** A resource of one type in a program that has one of each, and its object on the service. */
export interface Subject {
  /** The resource type, and the resource's name in the program. */
  readonly kind: keyof Classes;
  /** Declares the resource, with other values for some arguments. */
  readonly declare: (classes: Classes, changed?: Values) => Resource;
  /** Reads an object that the program doesn't manage. */
  readonly get: (classes: Classes, name: string, id: string) => Resource;
  /** What the service has after that, in its own spelling. */
  readonly onService: Values;
  /** An argument, another value of it, and what that must do. */
  readonly change: { readonly argument: string; readonly to: unknown; readonly expect: "update" | "replace" };
  /** What a colleague changes by hand, and the arguments that differ then. */
  readonly drift?: { readonly of: readonly string[]; readonly body: Values };
  /** Where the object is, below the organization. */
  readonly path: (id: string, slug: string) => string;
  readonly updateMethod: "PUT" | "PATCH";
}

/** Makes what the resources need around them, each type its own, and describes one resource of each type. */
export async function everyKind(colleague: Colleague): Promise<readonly Subject[]> {
  const made = async (path: string, body: object) => String((await colleague.sends("POST", path, body)).id);
  return [
    cluster(),
    queue(await made("/clusters", { name: "Queues" }), await made("/clusters", { name: "Other queues" })),
    await clusterDefaultQueue(made),
    agentToken(
      await made("/clusters", { name: "Tokens" }),
      await made("/clusters", { name: "Other tokens" }),
    ),
    pipelineTemplate(),
    team(),
    suite(),
  ];
}

/** Returns the objects of every resource type that the service has, as it stores them. */
export function objectsOf({ organizationData }: Emulator): readonly object[] {
  const { agentTokens, clusters, pipelineTemplates, queues, suites, teams } = organizationData;
  const collections = [agentTokens, clusters, pipelineTemplates, queues, suites, teams];
  return collections.flatMap((collection): readonly object[] => collection.list());
}

function cluster(): Subject {
  const args = { name: "Linux", description: "Builds", emoji: ":penguin:", color: "#14CC80" };
  return {
    kind: "Cluster",
    declare: ({ Cluster }, changed) => new Cluster("Cluster", { ...args, ...changed }),
    get: ({ Cluster }, name, id) => Cluster.get(name, id),
    onService: { name: "Linux", description: "Builds", emoji: ":penguin:" },
    change: { argument: "name", to: "Linux 2", expect: "update" },
    drift: {
      of: ["name", "description", "emoji", "color"],
      body: { name: "By hand", description: "by hand", emoji: ":hand:", color: "#000000" },
    },
    path: (id) => `/clusters/${id}`,
    updateMethod: "PUT",
  };
}

function queue(clusterId: string, otherCluster: string): Subject {
  const args = { clusterId, key: "linux-large", description: "16 cores" };
  return {
    kind: "Queue",
    declare: ({ Queue }, changed) => new Queue("Queue", { ...args, ...changed }),
    get: ({ Queue }, name, id) => Queue.get(name, id, { clusterId }),
    onService: { key: "linux-large", description: "16 cores", dispatch_paused: false },
    change: { argument: "clusterId", to: otherCluster, expect: "replace" },
    drift: { of: ["description"], body: { description: "by hand" } },
    path: (id) => `/clusters/${clusterId}/queues/${id}`,
    updateMethod: "PUT",
  };
}

async function clusterDefaultQueue(made: (path: string, body: object) => Promise<string>): Promise<Subject> {
  const clusterId = await made("/clusters", { name: "With a default queue" });
  const small = await made(`/clusters/${clusterId}/queues`, { key: "small" });
  const large = await made(`/clusters/${clusterId}/queues`, { key: "large" });
  const args = { clusterId, queueId: small };
  return {
    kind: "ClusterDefaultQueue",
    declare: (classes, changed) =>
      new classes.ClusterDefaultQueue("ClusterDefaultQueue", { ...args, ...changed }),
    get: (classes, name, id) => classes.ClusterDefaultQueue.get(name, id),
    onService: { default_queue_id: small },
    change: { argument: "queueId", to: large, expect: "update" },
    path: () => `/clusters/${clusterId}`,
    updateMethod: "PUT",
  };
}

function agentToken(clusterId: string, otherCluster: string): Subject {
  const args = {
    clusterId,
    description: "build farm",
    allowedIpAddresses: ["10.20.0.0/16", "192.0.2.7"],
  };
  return {
    kind: "AgentToken",
    declare: ({ AgentToken }, changed) => new AgentToken("AgentToken", { ...args, ...changed }),
    get: ({ AgentToken }, name, id) => AgentToken.get(name, id, { clusterId }),
    onService: { description: "build farm", allowed_ip_addresses: "10.20.0.0/16 192.0.2.7" },
    change: { argument: "clusterId", to: otherCluster, expect: "replace" },
    drift: {
      of: ["description", "allowedIpAddresses"],
      body: { description: "by hand", allowed_ip_addresses: "0.0.0.0/0" },
    },
    path: (id) => `/clusters/${clusterId}/tokens/${id}`,
    updateMethod: "PUT",
  };
}

function pipelineTemplate(): Subject {
  const args = {
    name: "Node",
    configuration: "steps:\n  - command: make test # the tests\n",
    description: "Node services",
    available: true,
  };
  return {
    kind: "PipelineTemplate",
    declare: (classes, changed) => new classes.PipelineTemplate("PipelineTemplate", { ...args, ...changed }),
    get: (classes, name, id) => classes.PipelineTemplate.get(name, id),
    onService: args,
    change: { argument: "name", to: "Go", expect: "update" },
    drift: {
      of: ["name", "configuration", "description", "available"],
      body: {
        name: "By hand",
        configuration: "steps:\n  - command: rm -rf build\n",
        description: "by hand",
        available: false,
      },
    },
    path: (id) => `/pipeline-templates/${id}`,
    updateMethod: "PATCH",
  };
}

function team(): Subject {
  const args = {
    name: "Platform",
    description: "Owns the machines",
    privacy: "visible",
    isDefaultTeam: true,
    defaultMemberRole: "maintainer",
    membersCanCreatePipelines: true,
  } as const;
  return {
    kind: "Team",
    declare: ({ Team }, changed) => new Team("Team", { ...args, ...changed }),
    get: ({ Team }, name, id) => Team.get(name, id),
    onService: {
      name: "Platform",
      description: "Owns the machines",
      privacy: "visible",
      default: true,
    },
    change: { argument: "name", to: "Platforms", expect: "update" },
    drift: {
      of: ["name", "description", "privacy", "isDefaultTeam"],
      body: {
        name: "By hand",
        description: "by hand",
        privacy: "secret",
        is_default_team: false,
        default_member_role: "maintainer",
        members_can_create_pipelines: true,
      },
    },
    path: (id) => `/teams/${id}`,
    updateMethod: "PATCH",
  };
}

function suite(): Subject {
  const args = {
    name: "Unit tests",
    defaultBranch: "main",
    applicationName: "shop",
    color: "#f0ccff",
    emoji: ":test_tube:",
  };
  return {
    kind: "Suite",
    declare: ({ Suite }, changed) => new Suite("Suite", { ...args, ...changed }),
    get: ({ Suite }, name, id) => Suite.get(name, id),
    onService: { name: "Unit tests", default_branch: "main" },
    change: { argument: "name", to: "All tests", expect: "update" },
    drift: { of: ["name", "defaultBranch"], body: { name: "By hand", default_branch: "by-hand" } },
    path: (_, slug) => `/suites/${slug}`,
    updateMethod: "PATCH",
  };
}
