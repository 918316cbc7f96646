import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parsePairs } from "../../../src/commands/import/pairs.js";
import { documentAt, tableOf } from "../../examples/documents.js";
import { recorded } from "../../support/recording.js";
import { pairsOf } from "./pairs-of.js";

test("Pairs stand in lines, with comments, quoted names, and import names to the end", () => {
  const text =
    '# what exists\r\n\r\nqueue linux-small Linux/small\n  AgentToken "a \\"b\\"" Linux/Build machines  \n';
  expect(parsePairs(text)).toEqual([
    { kind: "Queue", name: "linux-small", importName: "Linux/small" },
    { kind: "AgentToken", name: 'a "b"', importName: "Linux/Build machines" },
  ]);
});

test.each([
  ["Queue linux-small", "Line 1: Expected <Kind> <name> <import name>."],
  ["\nQueu a b", "Line 2: There is no kind Queu. The kinds are Cluster, Queue"],
])("A line that is no pair is an error: %j", (text, message) => {
  expect(() => parsePairs(text)).toThrow(message);
});

test("The pairs of an exported state leave out a replaced object whose deletion is due", () => {
  const { deployment } = JSON.parse(readFileSync(recorded("refused-deletion"), "utf8"));
  const pairs = parsePairs(pairsOf(deployment.resources).lines);
  const [cluster = { importName: "" }, ...others] = pairs;
  expect(cluster).toMatchObject({ kind: "Cluster", name: "linux" });
  const importName = `${cluster.importName}/30e0ce0c-a71a-4ec8-b37f-6bc6d8b59092`;
  expect(others).toEqual([{ kind: "Queue", name: "queue", importName }]);
});

/** What a state of @pulumiverse/buildkite 3.4.0 has of each kind, with an id of GraphQL where that has one. */
const graphQl = (type: string, uuid: string) => Buffer.from(`${type}---${uuid}`).toString("base64");
const UUID = "30e0ce0c-a71a-4ec8-b37f-6bc6d8b59092";
const OTHER = "877a3aa5-1b39-40d2-8418-ef5daed2a6fa";
const TEAM = { teamId: graphQl("Team", OTHER) };
const PULUMIVERSE: Readonly<Record<string, readonly [type: string, outputs: object, importName: string]>> = {
  Cluster: ["Cluster/cluster:Cluster", { uuid: UUID }, UUID],
  Queue: ["Cluster/clusterQueue:ClusterQueue", { uuid: UUID, clusterUuid: OTHER }, `${OTHER}/${UUID}`],
  ClusterDefaultQueue: ["Cluster/clusterDefaultQueue:ClusterDefaultQueue", { uuid: UUID }, UUID],
  AgentToken: [
    "Cluster/clusterAgentToken:ClusterAgentToken",
    { uuid: UUID, clusterUuid: OTHER },
    `${OTHER}/${UUID}`,
  ],
  ClusterMaintainer: [
    "Cluster/clusterMaintainer:ClusterMaintainer",
    { clusterUuid: OTHER },
    `${OTHER}/${UUID}`,
  ],
  ClusterSecret: ["Cluster/clusterSecret:ClusterSecret", { clusterId: OTHER }, `${OTHER}/${UUID}`],
  OrganizationRule: ["Organization/rule:Rule", { uuid: UUID }, UUID],
  Pipeline: ["Pipeline/pipeline:Pipeline", { uuid: UUID }, UUID],
  PipelineSchedule: [
    "Pipeline/schedule:Schedule",
    { uuid: UUID, pipelineId: graphQl("Pipeline", OTHER) },
    `${OTHER}/${UUID}`,
  ],
  PipelineTemplate: ["Pipeline/template:Template", { uuid: UUID }, UUID],
  Team: ["Team/team:Team", { uuid: UUID }, UUID],
  TeamMember: ["Team/member:Member", { ...TEAM, userId: graphQl("User", UUID) }, `${OTHER}/${UUID}`],
  TeamPipeline: [
    "Pipeline/team:Team",
    { ...TEAM, pipelineId: graphQl("Pipeline", UUID) },
    `${OTHER}/${UUID}`,
  ],
  TeamSuite: ["TestSuite/team:Team", { ...TEAM, testSuiteId: graphQl("Suite", UUID) }, `${OTHER}/${UUID}`],
  Suite: ["TestSuite/testSuite:TestSuite", { uuid: UUID }, UUID],
};
const entry = (type: string, name: string, more: object) => ({
  urn: `urn:pulumi:s::p::buildkite:${type}::${name}`,
  type: `buildkite:${type}`,
  custom: true,
  id: UUID,
  ...more,
});

test("A state of @pulumiverse/buildkite has a pair for each kind", () => {
  const resources = Object.entries(PULUMIVERSE).map(([kind, [type, outputs]]) =>
    entry(type, kind, { outputs }),
  );
  const { lines, errors, code } = pairsOf(resources);
  expect({ errors, code }).toEqual({ errors: "", code: 0 });
  const expected = Object.entries(PULUMIVERSE).map(([kind, [, , importName]]) => ({
    kind,
    name: kind,
    importName,
  }));
  expect(parsePairs(lines)).toEqual(expected);
  // It is made of Terraform's provider, of a version without notification services. The settings have no id.
  const { text } = documentAt("docs/guides/from-terraform.md");
  const known = tableOf(text, "## Resources").flatMap(({ Terraform = "", here = "" }) =>
    Terraform.includes("`") ? [...here.matchAll(/`(\w+)`/g)].map(([, kind]) => kind) : [],
  );
  const lacking = new Set<string | undefined>(["NotificationService", "ApiSettings"]);
  expect(Object.keys(PULUMIVERSE).sort()).toEqual(known.filter((kind) => !lacking.has(kind)).sort());
});

test("A name that @pulumiverse/buildkite made up stands before the pair, and the import passes over it", () => {
  const outputs = { uuid: UUID, name: "cluster-1a2b3c4" };
  const state = (inputs: object) => entry("Cluster/cluster:Cluster", "cluster", { inputs, outputs });
  const named = pairsOf([state({ __defaults: [], name: "Linux" })]).lines;
  const { lines } = pairsOf([state({ __defaults: ["name"], name: "cluster-1a2b3c4" })]);
  expect(lines).toBe(`# The program needs the name of the next one: "cluster-1a2b3c4"\n${named}`);
  expect(parsePairs(lines)).toEqual(parsePairs(named));
});

test.each([
  [
    "that no kind is for",
    entry("Pipeline/webhook:Webhook", "hook", {}),
    "this package has no type for buildkite:Pipeline/webhook:Webhook",
  ],
  [
    "whose id is missing",
    entry("Cluster/clusterQueue:ClusterQueue", "small", { outputs: { uuid: UUID } }),
    "the state lacks clusterUuid,uuid",
  ],
])(
  "A resource %s is an error, because nobody else would notice it, and the others have their lines",
  (_, odd, why) => {
    const cluster = entry("Cluster/cluster:Cluster", "linux", { outputs: { uuid: UUID } });
    const stack = {
      urn: "urn:pulumi:s::p::pulumi:pulumi:Stack::p-s",
      type: "pulumi:pulumi:Stack",
      custom: false,
    };
    const type = "aws:s3/bucket:Bucket";
    const bucket = { urn: `urn:pulumi:s::p::${type}::b`, type, custom: true, id: "b" };
    const { lines, errors, code } = pairsOf([stack, odd, bucket, cluster]);
    expect({ code, errors, lines }).toEqual({
      code: 1,
      errors: expect.stringMatching(new RegExp(`^urn:\\S+: no line, because .*${why}\\.\\n$`)),
      lines: `Cluster linux ${UUID}\n`,
    });
  },
);
