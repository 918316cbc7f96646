// The package's own commands on a large organization, without an engine.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, projectNode } from "../dev/checkout.mjs";
import { measuring } from "./measured-command.mjs";
import { fill } from "./organization.mjs";
import { openScene } from "./stack.mjs";

/** @typedef {{ resources: number, commands: Record<string, import("./measured-command.mjs").CommandFigures> }} CommandsFigures */

const CLI = join(checkout, "dist", "commands", "main.js");

/** @param {number} size Resources, 50 for each cluster. @returns {Promise<CommandsFigures>} */
export async function measureCommands(size) {
  const { emulator, directory, close } = await openScene();
  try {
    const resources = fill(emulator, { clusters: Math.round(size / 50), queues: 45, tokens: 4 });
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
    await close();
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
