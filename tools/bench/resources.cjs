// What programs of benchmarks declare: by this package, and by the engine's floors, providers that do nothing.
"use strict";
const { join } = require("node:path");
const { createRequire } = require("node:module");
const pulumi = require("@pulumi/pulumi");

const load = createRequire(__filename);

/**
 * @typedef {"clusters" | "queues" | "tokens" | "pipelines" | "schedules"} Name
 * @typedef {{ inputs: Record<string, unknown>, outputsOnly: readonly string[], file: string }} Kept
 * @typedef {(name: string, kind: Name, args: Record<string, unknown>) => { id: unknown }} Make
 */

/** In the state it stands with a file's name, in a line that is as long as this package's. */
const FLOOR = join(__dirname, "floor.cjs");

/** Groups of a cluster, eight queues and a token. @param {number} resources @param {Make} make */
function groups(resources, make) {
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

/** @type {Make} */
function made(name, kind, args) {
  /** @type {typeof import("../../src/index.js")} */
  const { AgentToken, Cluster, Queue } = load("pulumi-buildpipeline");
  // The arguments are those of the kind that `groups` names with them.
  const given = /** @type {any} */ (args);
  if (kind === "clusters") return new Cluster(name, given);
  return kind === "queues" ? new Queue(name, given) : new AgentToken(name, given);
}

/**
 * The engine's floors, on resources of kinds that this package has made.
 *
 * @param {ReadonlyMap<Name, Kept>} kept @param {number} latencyMs
 * @returns {Record<"floor" | "floor that keeps and waits", Make>}
 */
function floors(kept, latencyMs) {
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

module.exports = { floors, groups, made };
