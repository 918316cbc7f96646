import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { Colleague } from "../../../support/colleague.js";
import { classesOf } from "../../backends.js";
import type { Recorded, Services } from "../recorded.js";

/** Every kind in many shapes. */
export const everyKind: Recorded = { settings: "environment", prepare, program };

/** What exists before the first deployment, to be adopted or only read. */
async function prepare({ main }: Services): Promise<void> {
  const colleague = new Colleague(main);
  const cluster = await colleague.sends("POST", "/clusters", {
    name: "Legacy",
    description: "Made by hand",
    color: "#ff7700",
  });
  await colleague.sends("POST", `/clusters/${cluster.id}/queues`, { key: "legacy", description: "Old farm" });
  await colleague.sends("POST", `/clusters/${cluster.id}/tokens`, {
    description: "old farm",
    allowed_ip_addresses: "203.0.113.9",
  });
  await colleague.sends("POST", "/teams", {
    name: "Readers",
    description: "",
    privacy: "visible",
    is_default_team: false,
    default_member_role: "member",
    members_can_create_pipelines: false,
  });
}

/** Every kind in many shapes, with ids wired, so that nothing is deleted with its cluster. */
function program({ main, second }: Services): PulumiFn {
  const { AgentToken, Cluster, ClusterDefaultQueue, PipelineTemplate, Provider, Queue, Suite, Team } =
    classesOf.dynamic;
  return async () => {
    const linux = new Cluster("linux", {
      name: "Linux",
      description: "Builds on Linux",
      emoji: ":penguin:",
      color: "#14CC80",
    });
    new Cluster("bare", { name: "Bare" });
    const clusterId = linux.id;

    const unmanaged = new Queue("unmanaged", { clusterId, key: "unmanaged" });
    new Queue("paused", {
      clusterId,
      key: "paused",
      description: "Stopped for the release",
      dispatchPaused: true,
      dispatchPausedNote: "Release freeze until Monday",
    });
    new Queue("running", { clusterId, key: "running", dispatchPaused: false });
    new ClusterDefaultQueue("default", { clusterId, queueId: unmanaged.id });

    new AgentToken("open", { clusterId, description: "open farm" });
    new AgentToken("bound", {
      clusterId,
      description: "bound farm",
      allowedIpAddresses: ["10.20.0.0/16", "192.0.2.7"],
      triggers: { rotated: "2026-11-01", by: { team: "platform" } },
    });

    new PipelineTemplate("text", {
      name: "Text",
      configuration: "steps:\n  - command: make test # the tests\n",
      description: "Written by hand",
      available: true,
    });
    new PipelineTemplate("object", {
      name: "Object",
      configuration: { steps: [{ label: "Tests", command: "make test" }, "wait"], env: { CI: "true" } },
    });
    new PipelineTemplate("secret", {
      name: "Secret",
      configuration: pulumi.secret("steps:\n  - command: deploy --key 2718\n"),
    });

    const platform = new Team("platform", {
      name: "Platform",
      description: "Owns the machines",
      privacy: "secret",
      isDefaultTeam: true,
      defaultMemberRole: "maintainer",
      membersCanCreatePipelines: true,
    });
    const plain = new Team("plain", { name: "Plain" });

    new Suite("unit", {
      name: "Unit tests",
      defaultBranch: "main",
      teamIds: [platform.id, plain.id],
      applicationName: "shop",
      color: "#f0ccff",
      emoji: ":test_tube:",
    });
    new Suite("bare-suite", { name: "Bare", defaultBranch: "trunk" });

    const { url: baseUrl, organization, accessToken } = second;
    const elsewhere = new Provider("elsewhere", { baseUrl, organization, accessToken });
    const far = new Cluster("far", { name: "Far away" }, { provider: elsewhere });
    new Queue("far-queue", { clusterId: far.id, key: "far" }, { provider: elsewhere });

    const legacy = new Cluster(
      "legacy",
      { name: "Legacy", description: "Made by hand", color: "#FF7700" },
      { import: "Legacy" },
    );
    new Queue(
      "legacy-queue",
      { clusterId: legacy.id, key: "legacy", description: "Old farm" },
      { import: "Legacy/legacy" },
    );
    const colleague = new Colleague(main);
    const clusters = await colleague.list("/clusters");
    const { id: legacyId } = found(clusters, "Legacy");
    const [token] = await colleague.list(`/clusters/${legacyId}/tokens`);
    new AgentToken(
      "legacy-token",
      { clusterId: legacy.id, description: "old farm", allowedIpAddresses: ["203.0.113.9/32"] },
      { import: `Legacy/${token?.id}` },
    );
    Team.get("readers", String(found(await colleague.list("/teams"), "Readers").id));
  };
}

function found(entities: readonly Record<string, unknown>[], name: string): Record<string, unknown> {
  const entity = entities.find((candidate) => candidate.name === name);
  if (entity === undefined) throw new Error(`${name} is not there`);
  return entity;
}
