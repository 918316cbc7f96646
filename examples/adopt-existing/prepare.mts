// Creates the objects that index.ts imports, and prints their ids as `pulumi config set` commands.
import { BuildPipelineClient } from "pulumi-buildpipeline/client";

const {
  BUILDPIPELINE_ACCESS_TOKEN: accessToken = "",
  BUILDPIPELINE_ORGANIZATION: organization = "",
  BUILDPIPELINE_BASE_URL: baseUrl = "",
} = process.env;
const client = new BuildPipelineClient({ accessToken, organization, baseUrl });

const linux = await client.clusters.create({ name: "Linux", emoji: ":penguin:" });
const mac = await client.clusters.create({ name: "Mac" });
await client.queues.create(linux.id, { key: "small" });
const signing = await client.queues.create(mac.id, { key: "signing" });
const farm = await client.agentTokens.create(linux.id, {
  description: "Build farm",
  allowed_ip_addresses: "10.20.0.0/16",
});

await client.pipelineTemplates.create({ name: "Node", configuration: "steps:\n  - command: npm test\n" });
const go = await client.pipelineTemplates.create({
  name: "Go",
  configuration: "steps:\n  - command: go test ./...\n",
  available: true,
});

const team = { description: "", is_default_team: false, default_member_role: "member" } as const;
await client.teams.create({
  ...team,
  name: "Platform",
  privacy: "visible",
  members_can_create_pipelines: true,
});
await client.teams.create({
  ...team,
  name: "Security",
  privacy: "secret",
  members_can_create_pipelines: false,
});
// The response to a creation may have only the fields that were sent, so the ids come from the list.
const teams = await client.teams.list().all();
const security = teams.find(({ slug }) => slug === "security");

const suite = { default_branch: "main", team_ids: teams.map(({ id }) => id) };
await client.suites.create({ ...suite, name: "Unit" });
const browser = await client.suites.create({ ...suite, name: "Browser" });
await client.close();

const ids = {
  mac: mac.id,
  signing: signing.id,
  farm: farm.id,
  go: go.uuid,
  security: security?.id,
  browser: browser.id,
};
for (const [name, id] of Object.entries(ids)) console.log(`pulumi config set ${name} ${id}`);
