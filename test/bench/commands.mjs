// The package's own commands on a large organization, without an engine.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { checkout, leftovers, projectNode } from "../../tools/checkout.mjs";
import { measuring } from "./measured-command.mjs";

const load = createRequire(import.meta.url);
/** @type {typeof import("../../src/emulator/index.js")} */
const { startEmulator } = load("pulumi-buildpipeline/emulator");

/** @typedef {{ resources: number, commands: Record<string, import("./measured-command.mjs").CommandFigures> }} CommandsFigures */

const CLI = join(checkout, "dist", "cli", "main.js");

/** @param {number} size Resources, 50 for each cluster. @returns {Promise<CommandsFigures>} */
export async function measureCommands(size) {
  const emulator = await startEmulator({ seed: false });
  mkdirSync(join(leftovers, "bench"), { recursive: true });
  const directory = mkdtempSync(join(leftovers, "bench", "commands-"));
  try {
    const resources = fill(emulator, Math.round(size / 50));
    writeFileSync(join(directory, "export.json"), JSON.stringify({ deployment: { resources } }));
    writeFileSync(join(directory, "empty.json"), JSON.stringify({ deployment: { resources: [] } }));
    const steps = resources.map(({ urn, type, inputs }) => ({
      op: "create",
      urn,
      newState: { urn, type, custom: true, inputs },
    }));
    writeFileSync(join(directory, "preview.json"), JSON.stringify({ steps }));
    // No Pulumi CLI is on the PATH.
    const run = measuring(emulator, { PATH: "", PULUMI_HOME: join(directory, "home") });
    /** @type {CommandsFigures["commands"]} */
    const commands = {};
    for (const [name, args] of Object.entries(lines))
      commands[name] = await run(directory, projectNode(), [CLI, ...args]);
    return { resources: resources.length, commands };
  } finally {
    await emulator.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @type {Record<string, readonly string[]>} */
const lines = {
  adopt: ["adopt", "one"],
  "adopt again": ["adopt", "one"],
  "adopt --split cluster": ["adopt", "by-cluster", "--split", "cluster"],
  "adopt --split kind": ["adopt", "by-kind", "--split", "kind"],
  "unmanaged, all owned": ["unmanaged", "--json", "--stack-export", "export.json"],
  "unmanaged, none owned": ["unmanaged", "--json", "--stack-export", "empty.json"],
  graph: ["graph", "--out", "graph.mmd"],
  "graph --format svg": ["graph", "--format", "svg", "--out", "graph.svg"],
  report: ["report", "preview.json", "--out", "report.md"],
  "report --html": ["report", "preview.json", "--html", "--out", "report.html"],
};

/**
 * Clusters of 45 queues and 4 tokens, and the state of a stack that owns them.
 *
 * @param {import("../../src/emulator/index.js").Emulator} emulator @param {number} clusters
 */
function fill({ organizationData: data }, clusters) {
  const [user] = data.users.list();
  if (user === undefined) throw new Error("The organization has no user.");
  const made = { created_at: "2030-01-01T00:00:00.000Z", created_by: user.id };
  /** @type {{ urn: string, type: string, id: string, inputs: Record<string, string> }[]} */
  const resources = [];
  /** @param {string} kind @param {string} id @param {Record<string, string>} inputs */
  const own = (kind, id, inputs) => {
    const type = `pulumi-nodejs:dynamic/buildpipeline:${kind}`;
    resources.push({ urn: `urn:pulumi:bench::bench::${type}::r-${resources.length}`, type, id, inputs });
  };
  for (let cluster = 0; cluster < clusters; cluster++) {
    const clusterId = crypto.randomUUID();
    const name = `Cluster ${cluster}`;
    const none = { description: null, emoji: null, color: null, default_queue_id: null };
    data.clusters.insert({ id: clusterId, name, ...none, ...made });
    own("Cluster", clusterId, { name });
    for (let queue = 0; queue < 45; queue++) {
      const id = crypto.randomUUID();
      const key = `queue-${queue}`;
      data.queues.insert({
        ...{ id, cluster_id: clusterId, key, description: null, dispatch_paused: false },
        ...{ dispatch_paused_by: null, dispatch_paused_at: null, dispatch_paused_note: null },
        ...made,
      });
      own("Queue", id, { clusterId, key });
    }
    for (let token = 0; token < 4; token++) {
      const id = crypto.randomUUID();
      const description = `Token ${token}`;
      const secret = { allowed_ip_addresses: null, token: `secret-${token}` };
      data.agentTokens.insert({ id, cluster_id: clusterId, description, ...secret, ...made });
      own("AgentToken", id, { clusterId, description });
    }
  }
  return resources;
}
