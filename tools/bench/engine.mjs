// What a stack costs on the real engine: requests of each command, and bytes of state for each resource.
import { dynamic } from "./stack.mjs";
import { inTurns, openStack } from "./turns.mjs";

/**
 * @typedef {{ resources: number, commands: Record<string, import("./turns.mjs").CommandFigures>, stateBytes: number,
 *   bytesByKind: Record<string, number>, providerBytes: number }} EngineFigures
 */

/** @param {readonly number[]} sizes @returns {Promise<EngineFigures[]>} */
export async function measureEngine(sizes) {
  const figures = [];
  for (const size of sizes) figures.push(await measureStack(size));
  return figures;
}

/**
 * Something of every kind, in groups of ten resources.
 *
 * @param {number} count
 * @param {Pick<typeof dynamic, "AgentToken" | "Cluster" | "ClusterDefaultQueue" | "PipelineTemplate" | "Queue" | "Suite" | "Team">} classes
 */
export function program(count, classes) {
  const { AgentToken, Cluster, ClusterDefaultQueue, PipelineTemplate, Queue, Suite, Team } = classes;
  for (let group = 0; group < count / 10; group++) {
    const cluster = new Cluster(`cluster-${group}`, {
      name: `Linux ${group}`,
      description: "Builds and tests",
      emoji: ":penguin:",
      color: "#14cc80",
    });
    const queues = ["small", "medium", "large", "deploy"].map(
      (key) => new Queue(`${key}-${group}`, { clusterId: cluster, key, description: `The ${key} machines` }),
    );
    const [first] = queues;
    if (first === undefined) throw new Error("There is no queue.");
    new ClusterDefaultQueue(`default-${group}`, { clusterId: cluster, queueId: first.id });
    new AgentToken(`token-${group}`, {
      clusterId: cluster,
      description: "Agents of the build farm",
      allowedIpAddresses: ["192.0.2.0/24"],
    });
    new PipelineTemplate(`template-${group}`, {
      name: `Service ${group}`,
      description: "Test and package a service",
      configuration: "steps:\n  - command: make test\n  - wait\n  - command: make package\n",
    });
    new Team(`team-${group}`, { name: `Team ${group}`, description: "Keeps builds fast" });
    new Suite(`suite-${group}`, { name: `Suite ${group}`, defaultBranch: "main" });
  }
}

/** @type {Parameters<typeof inTurns>[1]} */
const COMMANDS = {
  create: (stack) => stack.up(),
  "unchanged preview": (stack) => stack.preview({ expectNoChanges: true }),
  "unchanged up": (stack) => stack.up({ expectNoChanges: true }),
  refresh: (stack) => stack.refresh({ expectNoChanges: true }),
  destroy: (stack) => stack.destroy(),
};

/** @param {number} resources @returns {Promise<EngineFigures>} */
async function measureStack(resources) {
  const own = await openStack("own", () => program(resources, dynamic));
  let state = sizesOf({ version: 3, deployment: { resources: [] } });
  const figures = await inTurns([own], COMMANDS, 1, async (command) => {
    if (command === "create") state = sizesOf(await own.stack.exportStack());
  });
  const commands = Object.fromEntries(Object.entries(figures).map(([name, { own }]) => [name, own]));
  return { resources, commands, ...state };
}

/**
 * Bytes of the state as the engine writes it, without blanks.
 *
 * @param {import("@pulumi/pulumi/automation/index.js").Deployment} exported
 * @returns {Pick<EngineFigures, "stateBytes" | "bytesByKind" | "providerBytes">}
 */
export function sizesOf({ deployment }) {
  /** @type {Map<string, number[]>} */
  const byKind = new Map();
  let providerBytes = 0;
  for (const resource of deployment.resources) {
    const [, kind] =
      /^(?:pulumi-nodejs:dynamic\/buildpipeline|buildpipeline:index):(\w+)$/.exec(resource.type) ?? [];
    if (kind === undefined) continue;
    byKind.set(kind, [...(byKind.get(kind) ?? []), bytes(resource)]);
    providerBytes = Math.max(providerBytes, bytes(resource.outputs.__provider ?? ""));
  }
  const all = [...byKind.values()].flat();
  return {
    stateBytes: mean(all),
    bytesByKind: Object.fromEntries([...byKind].map(([kind, sizes]) => [kind, mean(sizes)])),
    providerBytes,
  };
}

/** @param {unknown} value */
const bytes = (value) => Buffer.byteLength(JSON.stringify(value));
/** @param {readonly number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
