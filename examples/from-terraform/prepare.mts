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
await client.close();

/** A resource as Terraform prints it. Its `id` is one of the GraphQL interface. */
function resource(address: string, uuid: string | undefined, more: object = {}) {
  const type = /buildkite_\w+/.exec(address)?.[0];
  const id = Buffer.from(`${type}---${uuid}`).toString("base64");
  return { address, mode: "managed", type, values: { id, uuid, ...more } };
}

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
        resource("buildkite_test_suite.unit", suite.id),
      ],
      child_modules: [
        { address: "module.teams", resources: [resource("module.teams.buildkite_team.platform", team?.id)] },
      ],
    },
  },
};
writeFileSync("terraform-state.json", JSON.stringify(printed, undefined, 2));
