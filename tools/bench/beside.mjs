// A stack beside the same one by a dynamic provider as one would write it by hand, and beside the engine's floor: a
// provider that does nothing, and one that keeps in the state what this package keeps, and waits as long as its requests.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { watchedProcesses } from "./processes.mjs";
import { delayResponses, inTurns, openStack } from "./turns.mjs";

const load = createRequire(import.meta.url);
/** @type {typeof import("@pulumi/pulumi")} */
const pulumi = load("@pulumi/pulumi");
/** @type {typeof import("./resources.cjs")} */
const { floors, groups, made } = load("./resources.cjs");

/**
 * @typedef {"package" | "by hand" | "floor" | "floor that keeps and waits"} Provider
 * @typedef {{ resources: number, latencyMs: number, commands: import("./turns.mjs").Figures<Provider>,
 *   stateBytes: Record<Provider, number>, hostMegabytes: Record<Provider, number> }} BesideFigures
 * @typedef {import("./resources.cjs").Name} Name
 * @typedef {import("./resources.cjs").Kept} Kept
 * @typedef {import("./resources.cjs").Make} Make
 */

/**
 * Measures the commands of each provider.
 *
 * @param {number} resources @param {number} latencyMs Of each answer of the service.
 * @returns {Promise<BesideFigures>}
 */
export async function measureBeside(resources, latencyMs) {
  /** What this package keeps of a resource of each kind, once it has made them. @type {Map<Name, Kept>} */
  const kept = new Map();
  const stacks = [];
  for (const provider of providers)
    stacks.push(
      await openStack(provider, (emulator) => groups(resources, makers(emulator, kept, latencyMs)[provider])),
    );
  delayResponses(stacks, latencyMs);
  const stateBytes = { package: 0, "by hand": 0, floor: 0, "floor that keeps and waits": 0 };
  const hostMegabytes = { ...stateBytes };
  const rounds = resources > LARGE ? 1 : ROUNDS;
  const commands = await inTurns(stacks, COMMANDS, rounds, async (command, subject, round) => {
    const { name, scene, stack } = subject;
    if (command === "create") {
      const exported = await stack.exportStack();
      stateBytes[name] = bytesOf(exported);
      if (name === "package") keep(kept, exported, scene.directory);
    }
    if (command !== "unchanged preview" || round > 0) return;
    // In a run of its own, as looking at it takes time.
    const processes = watchedProcesses(`PULUMI_HOME=${join(scene.directory, "home")}`);
    await stack.preview();
    hostMegabytes[name] = processes.end().megabytes.provider ?? Number.NaN;
  });
  return { resources, latencyMs, commands, stateBytes, hostMegabytes };
}

/** @type {readonly Provider[]} */
const providers = ["package", "by hand", "floor", "floor that keeps and waits"];
const ROUNDS = 3;
/** Commands on more resources than this run once. */
const LARGE = 500;

/** @type {Parameters<typeof inTurns>[1]} */
export const COMMANDS = {
  create: (stack) => stack.up(),
  "unchanged preview": (stack) => stack.preview({ expectNoChanges: true }),
  refresh: (stack) => stack.refresh(),
  destroy: (stack) => stack.destroy(),
};

/** Bytes of state for a resource, without blanks. @param {import("@pulumi/pulumi/automation/index.js").Deployment} exported */
export function bytesOf({ deployment }) {
  const resources = deployment.resources.filter((/** @type {{ type: string }} */ { type }) =>
    type.startsWith("pulumi-nodejs:dynamic"),
  );
  return Buffer.byteLength(JSON.stringify(resources)) / resources.length;
}

/**
 * Notes what this package keeps of a resource of each kind, for a provider that does nothing and keeps the same.
 *
 * @param {Map<Name, Kept>} kept @param {import("@pulumi/pulumi/automation/index.js").Deployment} exported
 * @param {string} directory
 */
export function keep(kept, { deployment }, directory) {
  /** @type {readonly (readonly [string, Name])[]} */
  const names = [
    ["Cluster", "clusters"],
    ["Queue", "queues"],
    ["AgentToken", "tokens"],
    ["Pipeline", "pipelines"],
    ["PipelineSchedule", "schedules"],
  ];
  for (const [kind, name] of names) {
    const found = deployment.resources.find((/** @type {{ type: string }} */ { type }) =>
      type.endsWith(`:${kind}`),
    );
    if (found === undefined) continue;
    const { inputs, outputs } = found;
    const outputsOnly = Object.keys(outputs).filter((output) => !(output in inputs));
    const file = join(directory, `${name}.json`);
    writeFileSync(
      file,
      JSON.stringify(Object.fromEntries(outputsOnly.map((each) => [each, revealed(outputs[each])]))),
    );
    kept.set(name, { inputs, outputsOnly, file });
  }
}

/**
 * @param {import("../../src/emulator/index.js").Emulator} emulator @param {Map<Name, Kept>} kept
 * @param {number} latencyMs @returns {Record<Provider, Make>}
 */
function makers({ url, organization, accessToken }, kept, latencyMs) {
  const base = `${url}/v2/organizations/${organization}/clusters`;
  const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };

  // Closures, one request for each step: everything stands in the state of each resource.
  const byHand = (/** @type {string} */ kind) => {
    const pathOf = (/** @type {any} */ { clusterId }) =>
      kind === "clusters" ? base : `${base}/${clusterId}/${kind}`;
    /** @type {(method: string, address: string, body?: unknown) => Promise<any>} */
    const call = async (method, address, body) => {
      const response = await fetch(address, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${address}: ${response.status}`);
      return response.status === 204 ? {} : response.json();
    };
    return {
      async create(/** @type {any} */ inputs) {
        const { clusterId: _, __provider: _code, ...body } = inputs;
        const made = await call("POST", pathOf(inputs), body);
        return { id: made.id, outs: { ...inputs, url: made.url, createdAt: made.created_at } };
      },
      async read(/** @type {string} */ id, /** @type {any} */ props) {
        const found = await call("GET", `${pathOf(props)}/${id}`);
        return { id, props: { ...props, url: found.url, description: found.description } };
      },
      async diff(/** @type {string} */ _id, /** @type {any} */ olds, /** @type {any} */ news) {
        return { changes: ["name", "key", "description"].some((name) => olds[name] !== news[name]) };
      },
      async delete(/** @type {string} */ id, /** @type {any} */ props) {
        await call("DELETE", `${pathOf(props)}/${id}`);
      },
    };
  };
  class ByHand extends pulumi.dynamic.Resource {}
  return {
    package: made,
    "by hand": (name, kind, args) => new ByHand(byHand(kind), name, args),
    ...floors(kept, latencyMs),
  };
}

/** @param {unknown} value As an export has it. */
function revealed(value) {
  if (typeof value !== "object" || value === null || !("plaintext" in value)) return value;
  const { plaintext, ...signature } = value;
  return { ...signature, value: JSON.parse(String(plaintext)) };
}
