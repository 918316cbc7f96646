// A stack beside the same one by a dynamic provider as one would write it by hand, and beside the engine's floor: a
// provider that does nothing, and one that keeps in the state what this package keeps, and waits as long as its requests.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { peakMemory } from "./process-memory.mjs";
import { dynamic } from "./stack.mjs";
import { delayResponses, inTurns, openStack } from "./turns.mjs";

const load = createRequire(import.meta.url);
/** @type {typeof import("@pulumi/pulumi")} */
const pulumi = load("@pulumi/pulumi");
const { AgentToken, Cluster, Queue } = dynamic;

/**
 * @typedef {"package" | "by hand" | "floor" | "floor that keeps and waits"} Provider
 * @typedef {{ resources: number, latencyMs: number, commands: import("./turns.mjs").Figures<Provider>,
 *   stateBytes: Record<Provider, number>, hostMegabytes: Record<Provider, number> }} BesideFigures
 * @typedef {{ sizes: readonly [number, number], latencyMs: number, stateBytes: Record<"package" | "floor", number>,
 *   commands: Record<string, Record<"package" | "floor", number>> }} SlopeFigures
 * @typedef {"clusters" | "queues" | "tokens" | "pipelines" | "schedules"} Name
 * @typedef {{ inputs: Record<string, unknown>, outputsOnly: readonly string[], file: string }} Kept
 */

/**
 * Measures the commands of each provider.
 *
 * @param {number} resources @param {number} latencyMs Of each answer of the service.
 * @param {readonly Provider[]} [chosen]
 * @returns {Promise<BesideFigures>}
 */
export async function measureBeside(resources, latencyMs, chosen = providers) {
  /** What this package keeps of a resource of each kind, once it has made them. @type {Map<Name, Kept>} */
  const kept = new Map();
  const stacks = [];
  for (const provider of chosen)
    stacks.push(
      await openStack(provider, (emulator) =>
        program(resources, makers(emulator, kept, latencyMs)[provider]),
      ),
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
    const memory = peakMemory(`PULUMI_HOME=${join(scene.directory, "home")}`);
    await stack.preview();
    hostMegabytes[name] = memory.end().provider ?? Number.NaN;
  });
  return { resources, latencyMs, commands, stateBytes, hostMegabytes };
}

/** What one further resource costs: the same commands with few and with many. @returns {Promise<SlopeFigures>} */
export async function measureSlopes() {
  const sizes = /** @type {const} */ ([200, 1_000]);
  const few = await measureBeside(sizes[0], SLOPE_LATENCY_MS, ["package", "floor"]);
  const many = await measureBeside(sizes[1], SLOPE_LATENCY_MS, ["package", "floor"]);
  /** @type {SlopeFigures["commands"]} */
  const commands = {};
  for (const name of Object.keys(COMMANDS)) {
    /** @param {"package" | "floor"} provider */
    const slope = (provider) =>
      ((seconds(many, name, provider) - seconds(few, name, provider)) * 1000) / (sizes[1] - sizes[0]);
    commands[name] = { package: slope("package"), floor: slope("floor") };
  }
  return { sizes, latencyMs: SLOPE_LATENCY_MS, commands, stateBytes: many.stateBytes };
}

const SLOPE_LATENCY_MS = 50;

/** @param {BesideFigures} figures @param {string} command @param {Provider} provider */
function seconds({ commands }, command, provider) {
  return commands[command]?.[provider].seconds ?? Number.NaN;
}

/** @type {readonly Provider[]} */
const providers = ["package", "by hand", "floor", "floor that keeps and waits"];
/** In the state it stands with a file's name, in a line that is as long as this package's. */
const FLOOR = join(import.meta.dirname, "floor.cjs");
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

/** @typedef {(name: string, kind: Name, args: Record<string, unknown>) => { id: unknown }} Make */

/** Groups of a cluster, eight queues and a token. @param {number} resources @param {Make} make */
function program(resources, make) {
  for (let group = 0; group < resources / 10; group++) {
    const { id } = make(`cluster-${group}`, "clusters", { name: `Linux ${group}`, description: "Builds" });
    for (let queue = 0; queue < 8; queue++)
      make(`queue-${group}-${queue}`, "queues", {
        clusterId: id,
        key: `q-${queue}`,
        description: "Machines",
      });
    make(`token-${group}`, "tokens", { clusterId: id, description: "Agents of the build farm" });
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
    package: (name, kind, args) => {
      // The arguments are those of the kind that `program` names with them.
      const given = /** @type {any} */ (args);
      if (kind === "clusters") return new Cluster(name, given);
      return kind === "queues" ? new Queue(name, given) : new AgentToken(name, given);
    },
    "by hand": (name, kind, args) => new ByHand(byHand(kind), name, args),
    ...floors(kept, latencyMs),
  };
}

/**
 * The engine's floors, on resources of kinds that this package has made.
 *
 * @param {Map<Name, Kept>} kept @param {number} latencyMs
 * @returns {Record<"floor" | "floor that keeps and waits", Make>}
 */
export function floors(kept, latencyMs) {
  class Floor extends pulumi.CustomResource {}
  const code = `exports.handler=()=>({
    check:async(olds,inputs)=>({inputs}),diff:async()=>({changes:false}),
    create:async(outs)=>({id:require("node:crypto").randomUUID(),outs}),
    read:async(id,props)=>({id,props}),update:async(id,olds,outs)=>({outs}),delete:async()=>{}})`;
  return {
    floor: (name, kind, args) =>
      new Floor(`pulumi-nodejs:dynamic/floor:${kind}`, name, { ...args, __provider: code }),
    "floor that keeps and waits": (name, kind, args) => {
      const { inputs = {}, outputsOnly = [], file = "" } = kept.get(kind) ?? {};
      return new Floor(`pulumi-nodejs:dynamic/floor:${kind}`, name, {
        ...Object.fromEntries(outputsOnly.map((output) => [output, undefined])),
        ...inputs,
        ...args,
        __provider: `exports.handler=()=>require("${FLOOR}")("${file}",${latencyMs})`,
      });
    },
  };
}

/** @param {unknown} value As an export has it. */
function revealed(value) {
  if (typeof value !== "object" || value === null || !("plaintext" in value)) return value;
  const { plaintext, ...signature } = value;
  return { ...signature, value: JSON.parse(String(plaintext)) };
}
