import fc from "fast-check";
import { type Declared, type Program, referenceOf } from "./program.js";

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** Names are few, so that equal ones are frequent, and are no part of any message that is about something else. */
const name = fc.constantFrom("alpha-unit", "beta-unit");
/** No two teams have one name, and no two pipelines. */
const ownName = (slot: string) => fc.constantFrom(`${slot}-alpha`, `${slot}-beta`);
const description = maybe(fc.constantFrom("first words", "second words"));
const cluster = fc.constantFrom("cluster-1", "cluster-2");
const idOf = (to: string) => ({ idOf: to });

const defined = (args: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

const declared = (
  slot: string,
  kind: string,
  args: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Declared> => fc.record(args).map((values) => ({ name: slot, kind, args: defined(values) }));

const queueIn = (slot: string) =>
  declared(slot, "Queue", {
    clusterId: cluster.map(idOf),
    key: fc.constantFrom(`${slot}-key`, `${slot}-other-key`),
    description,
    dispatchPaused: maybe(fc.boolean()),
    dispatchPausedNote: maybe(fc.constant("freeze")),
  });

const tokenIn = (slot: string) =>
  declared(slot, "AgentToken", {
    clusterId: cluster.map(idOf),
    description: name,
    allowedIpAddresses: maybe(fc.constantFrom(["10.0.0.0/8"], ["192.0.2.7"])),
    triggers: maybe(fc.constantFrom({ turn: 1 }, { turn: 2 })),
  });

const templateOf = (slot: string, available: fc.Arbitrary<boolean>) =>
  declared(slot, "PipelineTemplate", {
    name,
    configuration: fc.constantFrom("steps: []\n", { steps: ["wait"] }),
    description,
    available,
  });

const pipelineOf = (slot: string) =>
  declared(slot, "Pipeline", {
    name: ownName(slot),
    repository: fc.constant("git@github.com:acme/a.git"),
    clusterId: fc.constant(""),
    configuration: fc.constantFrom("steps: []\n", { steps: ["wait"] }),
    description,
    archived: fc.constantFrom(undefined, undefined, false, true),
    onDelete: maybe(fc.constantFrom("archive", "delete")),
  });

const serviceOf = (slot: string) =>
  declared(slot, "NotificationService", {
    provider: fc.constant("webhook"),
    scope: fc.constant("all"),
    settings: fc
      .constantFrom("a", "b")
      .map((path) => ({ url: `https://ci.example.com/${path}`, events: ["build.finished"] })),
    description: name,
    branchConfiguration: maybe(fc.constantFrom("main", "release/*")),
    enabled: maybe(fc.boolean()),
  });

/** Resources in an order in which each comes after what it refers to; any of them may be left out. */
const slots: readonly fc.Arbitrary<Declared>[] = [
  declared("cluster-1", "Cluster", { name, description, forceDestroy: maybe(fc.boolean()) }),
  declared("cluster-2", "Cluster", { name, description }),
  queueIn("queue-1"),
  queueIn("queue-2"),
  declared("default-1", "ClusterDefaultQueue", { queueId: fc.constantFrom("queue-1", "queue-2").map(idOf) }),
  tokenIn("token-1"),
  tokenIn("token-2"),
  templateOf("template-1", fc.constant(true)),
  templateOf("template-2", fc.constant(false)),
  declared("team-1", "Team", { name: ownName("team-1"), description, isDefaultTeam: maybe(fc.boolean()) }),
  declared("team-2", "Team", {
    name: ownName("team-2"),
    description,
    privacy: fc.constantFrom("visible", "secret", "secret"),
  }),
  declared("suite-1", "Suite", { name, defaultBranch: fc.constantFrom("main", "trunk") }),
  pipelineOf("pipeline-1"),
  pipelineOf("pipeline-2"),
  declared("schedule-1", "PipelineSchedule", {
    pipelineId: fc.constantFrom("pipeline-1", "pipeline-2").map(idOf),
    cronline: fc.constantFrom("@daily", "@weekly"),
    label: fc.constantFrom("nightly", "other"),
    message: description,
  }),
  declared("access-1", "TeamPipeline", {
    teamId: fc.constantFrom("team-1", "team-2").map(idOf),
    pipelineId: fc.constantFrom("pipeline-1", "pipeline-2").map(idOf),
    accessLevel: fc.constantFrom("read_only", "manage_build_and_read"),
  }),
  serviceOf("service-1"),
  serviceOf("service-2"),
  declared("rule-1", "OrganizationRule", {
    type: fc.constantFrom("pipeline.trigger_build.pipeline", "pipeline.artifacts_read.pipeline"),
    sourcePipelineId: fc.constant(idOf("pipeline-1")),
    targetPipelineId: fc.constant(idOf("pipeline-2")),
  }),
];

export const slotNames = [
  ...["cluster-1", "cluster-2", "queue-1", "queue-2", "default-1", "token-1", "token-2"],
  ...["template-1", "template-2", "team-1", "team-2", "suite-1"],
  ...["pipeline-1", "pipeline-2", "schedule-1", "access-1", "service-1", "service-2", "rule-1"],
];

export const program: fc.Arbitrary<Program> = fc
  .tuple(...slots.map((slot) => fc.option(slot, { nil: undefined, freq: 2 })))
  .map((chosen) => coherent(chosen.filter((resource) => resource !== undefined)));

/** Without what refers to something that is not there. The default queue is one of its own cluster. */
function coherent(resources: readonly Declared[]): Program {
  const kept = new Map<string, Declared>();
  for (const resource of resources) {
    const references = Object.values(resource.args).flatMap((value) => referenceOf(value) ?? []);
    if (!references.every((to) => kept.has(to))) continue;
    const queue = kept.get(references[0] ?? "");
    const around = resource.kind === "ClusterDefaultQueue" ? { clusterId: queue?.args.clusterId } : {};
    kept.set(resource.name, { ...resource, args: { ...around, ...resource.args } });
  }
  return [...kept.values()];
}
