// Requests and time of `report --impact` and `graph --load` for an organization with many jobs and agents.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, projectNode } from "../dev/checkout.mjs";
import { measuring } from "./measured-command.mjs";
import { fill } from "./organization.mjs";
import { openScene } from "./stack.mjs";

const CLI = join(checkout, "dist", "commands", "main.js");
const JOBS = 3_000;
const AGENTS = 500;
const CLUSTERS = 13;

/** @typedef {{ jobs: number, agents: number, commands: import("./commands.mjs").CommandsFigures["commands"] }} ImpactFigures */

/** @returns {Promise<ImpactFigures>} */
export async function measureImpact() {
  const { emulator, directory, close } = await openScene();
  try {
    const queues = fill(emulator, { clusters: CLUSTERS, queues: 1, tokens: 0 }).filter(({ type }) =>
      type.endsWith(":Queue"),
    );
    const pipelines = queues.map(({ id, inputs }, index) => {
      for (let agent = 0; agent < AGENTS / CLUSTERS; agent++) emulator.connectAgent({ queueId: id });
      const steps = ["first", "second"].map((key) => ({
        key,
        name: key,
        command: "make",
        agents: [`queue=${inputs.key}`],
      }));
      return emulator.createPipeline({ slug: `p${index}`, clusterId: inputs.clusterId ?? "", steps }).slug;
    });
    for (let build = 0; build < JOBS / 2; build++) {
      const body = { message: "Build", commit: "HEAD", branch: "main" };
      const pipeline = pipelines[build % CLUSTERS] ?? "";
      emulator.perform("builds.create", { params: { pipeline_slug: pipeline }, body });
    }
    emulator.dispatchJobs();
    const steps = queues.map(({ urn, type, id, inputs }) => ({
      op: "delete",
      urn,
      oldState: { urn, type, custom: true, id, inputs, outputs: inputs },
    }));
    writeFileSync(join(directory, "preview.json"), JSON.stringify({ steps }));
    const run = measuring(emulator, { PATH: "", PULUMI_HOME: join(directory, "home") });
    /** @type {ImpactFigures["commands"]} */
    const commands = {};
    for (const [name, args] of Object.entries(lines))
      commands[name] = await run(directory, projectNode(), [CLI, ...args]);
    return { jobs: JOBS, agents: emulator.organizationData.agents.size, commands };
  } finally {
    await close();
  }
}

/** @type {Record<string, readonly string[]>} */
const lines = {
  "report --impact": ["report", "preview.json", "--impact", "--json", "--out", "report.json"],
  "graph --load": ["graph", "--load", "--json", "--out", "graph.json"],
};
