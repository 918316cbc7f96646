// Creates the objects that index.ts moves, and a terraform-state.json in the form of `terraform show -json`.
import { writeFileSync } from "node:fs";
import { BuildPipelineClient } from "pulumi-buildpipeline/client";

const client = new BuildPipelineClient();
const cluster = await client.clusters.create({ name: "Linux", emoji: ":penguin:", color: "#14cc80" });
const small = await client.queues.create(cluster.id, { key: "small" });
const large = await client.queues.create(cluster.id, { key: "large" });
await client.clusters.update(cluster.id, { default_queue_id: small.id });
const farm = await client.agentTokens.create(cluster.id, {
  description: "Build farm",
  allowed_ip_addresses: "10.20.0.0/16",
});
const node = await client.pipelineTemplates.create({
  name: "Node",
  configuration: "steps:\n  - command: npm test\n",
  available: true,
});
await client.teams.create({
  name: "Platform",
  description: "",
  privacy: "visible",
  is_default_team: false,
  default_member_role: "maintainer",
  members_can_create_pipelines: true,
});
// The response to a creation may have only the fields that were sent, so the id comes from the list.
const [team] = await client.teams.list().all();
const suite = await client.suites.create({
  name: "Unit",
  default_branch: "main",
  ...(team && { team_ids: [team.id] }),
});
const pipeline = await client.pipelines.create({
  name: "Storefront",
  repository: "git@github.com:acme/storefront.git",
  slug: "shop",
  cluster_id: cluster.id,
  configuration: "steps:\n  - command: make test\n",
  default_branch: "main",
  default_command_step_timeout: 30,
  cancel_running_branch_builds: true,
  cancel_running_branch_builds_filter: "!main",
  provider_settings: { trigger_mode: "code", build_tags: true },
  tags: ["tier:1", "team:web"],
});
const schedule = await client.pipelineSchedules.create(pipeline.slug, {
  cronline: "0 3 * * * Europe/Berlin",
  label: "Nightly",
  branch: "main",
  env: { FULL: "true" },
});
if (team)
  await client.teamPipelines.create(team.id, {
    pipeline_id: pipeline.id,
    access_level: "manage_build_and_read",
  });
await client.close();

/** Returns the GraphQL id of an object. */
function graphqlId(type: string, uuid: string | undefined): string {
  return Buffer.from(`${type}---${uuid}`).toString("base64");
}

/** Returns a resource as Terraform prints it. */
function resource(address: string, uuid: string | undefined, more: object = {}) {
  const type = /buildkite_\w+/.exec(address)?.[0] ?? "";
  return { address, mode: "managed", type, values: { id: graphqlId(type, uuid), uuid, ...more } };
}

const teamId = graphqlId("Team", team?.id);
const pipelineId = graphqlId("Pipeline", pipeline.id);
const inCluster = { cluster_uuid: cluster.id };
const printed = {
  format_version: "1.0",
  values: {
    root_module: {
      resources: [
        resource("buildkite_cluster.linux", cluster.id),
        resource('buildkite_cluster_queue.linux["small"]', small.id, inCluster),
        resource('buildkite_cluster_queue.linux["large"]', large.id, inCluster),
        resource("buildkite_cluster_default_queue.linux", cluster.id),
        resource("buildkite_cluster_agent_token.farm", farm.id, inCluster),
        resource("buildkite_pipeline_template.node", node.uuid),
        resource("buildkite_pipeline.storefront", pipeline.id),
        resource("buildkite_pipeline_schedule.nightly", schedule.id, { pipeline_id: pipelineId }),
        resource("buildkite_pipeline_team.platform_storefront", "0190b8a5-7f43-4c3e-8d2a-1d7f6f2a9c11", {
          team_id: teamId,
          pipeline_id: pipelineId,
        }),
        resource("buildkite_test_suite.unit", suite.id),
      ],
      child_modules: [
        { address: "module.teams", resources: [resource("module.teams.buildkite_team.platform", team?.id)] },
      ],
    },
  },
};
writeFileSync("terraform-state.json", JSON.stringify(printed, undefined, 2));
