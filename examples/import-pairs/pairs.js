// Prints a line for `buildpipeline import --file` for each Buildkite resource of an exported stack:
//
//   pulumi stack export | node pairs.js > pairs.txt
//
// It reads stacks of this package and of @pulumiverse/buildkite. Secrets in the export stay encrypted and aren't read.
const { readFileSync } = require("node:fs");

const inCluster = ({ id, inputs, outputs }) => `${outputs.clusterId ?? inputs.clusterId}/${id}`;
const byId = ({ id }) => id;

/** The import name of each resource type of this package. */
const OURS = {
  Cluster: byId,
  Queue: inCluster,
  ClusterDefaultQueue: byId,
  AgentToken: inCluster,
  PipelineTemplate: byId,
  Team: byId,
  Suite: byId,
};

/** The same for @pulumiverse/buildkite, whose own ids belong to GraphQL. */
const byUuid = ({ outputs }) => outputs.uuid;
const byUuids = ({ outputs }) => `${outputs.clusterUuid}/${outputs.uuid}`;
const PULUMIVERSE = {
  "buildkite:Cluster/cluster:Cluster": ["Cluster", byUuid],
  "buildkite:Cluster/clusterQueue:ClusterQueue": ["Queue", byUuids],
  "buildkite:Cluster/clusterDefaultQueue:ClusterDefaultQueue": ["ClusterDefaultQueue", byUuid],
  "buildkite:Cluster/clusterAgentToken:ClusterAgentToken": ["AgentToken", byUuids],
  "buildkite:Pipeline/template:Template": ["PipelineTemplate", byUuid],
  "buildkite:Team/team:Team": ["Team", byUuid],
  "buildkite:TestSuite/testSuite:TestSuite": ["Suite", byUuid],
};

const { resources = [] } = JSON.parse(readFileSync(0, "utf8")).deployment;
for (const { urn, type, id, external, delete: isReplaced, inputs = {}, outputs = {} } of resources) {
  const [, own] = /^(?:pulumi-nodejs:dynamic\/buildpipeline|buildpipeline:index):(\w+)$/.exec(type) ?? [];
  const [kind, importName] = own === undefined ? (PULUMIVERSE[type] ?? []) : [own, OURS[own]];
  // A resource that `.get` reads is external: no import would make it this stack's. A replaced object whose deletion is
  // due has the name of its replacement.
  if (importName === undefined || external === true || isReplaced === true) continue;
  const name = urn.split("::").slice(3).join("::");
  const quoted = /^[^\s"]+$/.test(name) ? name : JSON.stringify(name);
  console.log(`${kind} ${quoted} ${importName({ id, inputs, outputs })}`);
}
