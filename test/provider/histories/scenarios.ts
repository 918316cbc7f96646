import type { Declared, Program } from "./program.js";

/** A change of a program that makes one operation, which may go wrong. */
export interface Scenario {
  /** The operation as the emulator calls it. */
  readonly operation: string;
  /** What it is for, where several scenarios share an operation. */
  readonly purpose: string;
  readonly before: Program;
  readonly after: Program;
}

const cluster: Declared = {
  name: "cluster",
  kind: "Cluster",
  args: { name: "Linux", description: "Builds" },
};
const queue: Declared = {
  name: "queue",
  kind: "Queue",
  args: { clusterId: { idOf: "cluster" }, key: "large" },
};
const other: Declared = {
  name: "other",
  kind: "Queue",
  args: { clusterId: { idOf: "cluster" }, key: "small" },
};
const token: Declared = {
  name: "token",
  kind: "AgentToken",
  args: { clusterId: { idOf: "cluster" }, description: "farm", allowedIpAddresses: ["10.0.0.0/8"] },
};
const template: Declared = {
  name: "template",
  kind: "PipelineTemplate",
  args: { name: "Node", configuration: "steps: []\n", available: true },
};
const team: Declared = { name: "team", kind: "Team", args: { name: "Platform", description: "Ours" } };
const suite: Declared = { name: "suite", kind: "Suite", args: { name: "Unit", defaultBranch: "main" } };
const defaultQueue = (to: string): Declared => ({
  name: "default",
  kind: "ClusterDefaultQueue",
  args: { clusterId: { idOf: "cluster" }, queueId: { idOf: to } },
});

const changed = (declared: Declared, args: Declared["args"]): Declared => ({
  ...declared,
  args: { ...declared.args, ...args },
});

/** Creation, change and deletion of one resource of each kind. */
const lives: readonly [string, Declared, Declared, Program][] = [
  ["clusters", cluster, changed(cluster, { description: "Changed" }), []],
  ["queues", queue, changed(queue, { description: "Changed" }), [cluster]],
  ["agentTokens", token, changed(token, { description: "changed" }), [cluster]],
  ["pipelineTemplates", template, changed(template, { description: "Changed" }), []],
  ["teams", team, changed(team, { description: "Changed" }), []],
  ["suites", suite, changed(suite, { defaultBranch: "trunk" }), []],
];

const paused = (dispatchPaused: boolean) => changed(queue, { dispatchPaused, dispatchPausedNote: "Freeze" });

/** Every operation by which a deployment changes something. */
export const scenarios: readonly Scenario[] = [
  ...lives.flatMap(([section, made, next, around]): Scenario[] => [
    { operation: `${section}.create`, purpose: "create", before: around, after: [...around, made] },
    {
      operation: `${section}.update`,
      purpose: "update",
      before: [...around, made],
      after: [...around, next],
    },
    { operation: `${section}.delete`, purpose: "delete", before: [...around, made], after: around },
  ]),
  {
    operation: "agentTokens.create",
    purpose: "rotate",
    before: [cluster, token],
    after: [cluster, changed(token, { triggers: { rotated: "now" } })],
  },
  {
    operation: "agentTokens.delete",
    purpose: "rotate",
    before: [cluster, token],
    after: [cluster, changed(token, { triggers: { rotated: "now" } })],
  },
  {
    operation: "queues.pauseDispatch",
    purpose: "create paused",
    before: [cluster],
    after: [cluster, paused(true)],
  },
  {
    operation: "queues.pauseDispatch",
    purpose: "pause",
    before: [cluster, paused(false)],
    after: [cluster, paused(true)],
  },
  {
    operation: "queues.resumeDispatch",
    purpose: "resume",
    before: [cluster, paused(true)],
    after: [cluster, paused(false)],
  },
  {
    operation: "clusters.update",
    purpose: "set the default queue",
    before: [cluster, queue],
    after: [cluster, queue, defaultQueue("queue")],
  },
  {
    operation: "clusters.update",
    purpose: "change the default queue",
    before: [cluster, queue, other, defaultQueue("queue")],
    after: [cluster, queue, other, defaultQueue("other")],
  },
  {
    operation: "clusters.update",
    purpose: "clear the default queue",
    before: [cluster, queue, defaultQueue("queue")],
    after: [cluster, queue],
  },
];
