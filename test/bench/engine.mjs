// What a stack costs on the real engine: requests of each command, and bytes of state for each resource.
import { dynamic, makeStack, openScene } from "./stack.mjs";

/**
 * @typedef {{ requests: number, reads: number, writes: number, seconds: number }} CommandFigures
 * @typedef {{ resources: number, commands: Record<string, CommandFigures>, stateBytes: number,
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

/** @param {number} count @returns {Promise<EngineFigures>} */
async function measureStack(count) {
  const scene = await openScene();
  const { emulator } = scene;
  try {
    const stack = await makeStack(scene, async () => program(count, dynamic));
    /** @type {Record<string, CommandFigures>} */
    const commands = {};
    /** @param {string} name @param {() => Promise<unknown>} command */
    const measure = async (name, command) => {
      emulator.clearRequests();
      const start = performance.now();
      await command();
      const methods = emulator.requests.map(({ method }) => method);
      const reads = methods.filter((method) => method === "GET").length;
      commands[name] = {
        requests: methods.length,
        reads,
        writes: methods.length - reads,
        seconds: (performance.now() - start) / 1000,
      };
    };
    await measure("create", () => stack.up());
    const state = sizesOf(await stack.exportStack());
    await measure("unchanged preview", () => stack.preview({ expectNoChanges: true }));
    await measure("unchanged up", () => stack.up({ expectNoChanges: true }));
    await measure("refresh", () => stack.refresh({ expectNoChanges: true }));
    await measure("destroy", () => stack.destroy());
    return { resources: count, commands, ...state };
  } finally {
    await scene.close();
  }
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
