// Prints a line for `buildpipeline import --file` for each Buildkite resource of an exported stack:
//
//   pulumi stack export | node pairs.js > pairs.txt
//
// It reads stacks of this package and of @pulumiverse/buildkite. Secrets in the export stay encrypted and aren't read.
const { readFileSync } = require("node:fs");

/** The arguments that say what an object of this package is in. Pipelines and pairs, whose ids have a slash, need none. */
const PLACES = ["clusterId", "pipelineId"];

/**
 * The kind of each type of @pulumiverse/buildkite, most of whose own ids belong to GraphQL, and the properties that make
 * its import name.
 */
const PULUMIVERSE = {
  "Cluster/cluster:Cluster": ["Cluster", "uuid"],
  "Cluster/clusterQueue:ClusterQueue": ["Queue", "clusterUuid", "uuid"],
  "Cluster/clusterDefaultQueue:ClusterDefaultQueue": ["ClusterDefaultQueue", "uuid"],
  "Cluster/clusterAgentToken:ClusterAgentToken": ["AgentToken", "clusterUuid", "uuid"],
  "Cluster/clusterMaintainer:ClusterMaintainer": ["ClusterMaintainer", "clusterUuid", "id"],
  "Cluster/clusterSecret:ClusterSecret": ["ClusterSecret", "clusterId", "id"],
  "Organization/rule:Rule": ["OrganizationRule", "uuid"],
  "Pipeline/pipeline:Pipeline": ["Pipeline", "uuid"],
  "Pipeline/schedule:Schedule": ["PipelineSchedule", "pipelineId", "uuid"],
  "Pipeline/team:Team": ["TeamPipeline", "teamId", "pipelineId"],
  "Pipeline/template:Template": ["PipelineTemplate", "uuid"],
  "Team/team:Team": ["Team", "uuid"],
  "Team/member:Member": ["TeamMember", "teamId", "userId"],
  "TestSuite/testSuite:TestSuite": ["Suite", "uuid"],
  "TestSuite/team:Team": ["TeamSuite", "teamId", "testSuiteId"],
};

/** Returns the kind of a resource and the properties of its import name; undefined if it isn't one of Buildkite's. */
function lineOf({ type, id = "", inputs, outputs }) {
  const [, own] = /^(?:pulumi-nodejs:dynamic\/buildpipeline|buildpipeline:index):(\w+)$/.exec(type) ?? [];
  if (own === "Pipeline" || (own !== undefined && id.includes("/"))) return [own, "id"];
  // What is set of a cluster has the cluster's id.
  const known = { ...inputs, ...outputs };
  if (own !== undefined) return [own, ...PLACES.filter((name) => (known[name] ?? id) !== id), "id"];
  const [, theirs] = /^buildkite:(.+)$/.exec(type) ?? [];
  if (theirs !== undefined) return Object.hasOwn(PULUMIVERSE, theirs) ? PULUMIVERSE[theirs] : [];
  return undefined;
}

/** Returns the UUID in a GraphQL id, such as the one in the base64 form of `Team---<uuid>`, and other ids as they are. */
function uuidIn(id) {
  const [, uuid = id] = /^\w+---([\da-f-]{36})$/.exec(Buffer.from(id, "base64").toString()) ?? [];
  return uuid;
}

const { resources = [] } = JSON.parse(readFileSync(0, "utf8")).deployment;
for (const resource of resources) {
  const { urn, type, id, custom, external, delete: isReplaced, inputs = {}, outputs = {} } = resource;
  // A resource that `.get` reads is external: no import would make it this stack's. A replaced object whose deletion is
  // due has the name of its replacement.
  const line = custom === false || external === true || isReplaced === true ? undefined : lineOf(resource);
  if (line === undefined) continue;
  const [kind, ...properties] = line;
  const ids = properties.map((property) =>
    property === "id" ? id : (outputs[property] ?? inputs[property]),
  );
  if (kind === undefined || !ids.every((one) => typeof one === "string")) {
    // With a line less, the next deployment would create the object a second time.
    const why = kind === undefined ? `this package has no type for ${type}` : `the state lacks ${properties}`;
    console.error(`${urn}: no line, because ${why}.`);
    process.exitCode = 1;
    continue;
  }
  // @pulumiverse makes up a name where a program has none, and this package wants one.
  if ([inputs.__defaults ?? []].flat().includes("name"))
    console.log(`# The program needs the name of the next one: ${JSON.stringify(outputs.name)}`);
  const name = urn.split("::").slice(3).join("::");
  const quoted = /^[^\s"]+$/.test(name) ? name : JSON.stringify(name);
  console.log(`${kind} ${quoted} ${ids.map(uuidIn).join("/")}`);
}
