// A large organization: each command's time, requests and memory, with both backends, alongside the engine's floor.
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, projectNode } from "../dev/checkout.mjs";
import { pulumiEnvironment } from "../dev/pulumi-cli/locate.mjs";
import { measuring } from "./measured-command.mjs";
import { openScene } from "./stack.mjs";

/**
 * @typedef {"dynamic" | "native" | "floor"} Provider
 * @typedef {import("./measured-command.mjs").CommandFigures} CommandFigures
 * @typedef {{ resources: number, checkpoints: boolean, stateMegabytes: Partial<Record<Provider, number>>,
 *   engine: Record<string, Partial<Record<Provider, CommandFigures>>> }} LargeFigures
 */

/** Above this size, the engine's rewriting of the state at every step is left out: it alone takes hours. */
const MOST_WITH_CHECKPOINTS = 200;

const cli = join(checkout, "dist", "commands", "main.js");
const imported = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview"];

/** The program of a provider, as a user's project has it. @type {Record<Provider, string>} */
const classes = {
  dynamic:
    'const { AgentToken, Cluster, PipelineTemplate, Queue, Suite, Team } = require("pulumi-buildpipeline");',
  native:
    'const { AgentToken, Cluster, PipelineTemplate, Queue, Suite, Team } = require("pulumi-buildpipeline/native");',
  floor: `const pulumi = require("@pulumi/pulumi");
const __provider = ${JSON.stringify(`exports.handler=()=>({
  check:async(olds,inputs)=>({inputs}),diff:async()=>({changes:false}),
  create:async(outs)=>({id:require("node:crypto").randomUUID(),outs}),
  read:async(id,props)=>({id,props}),update:async(id,olds,outs)=>({outs}),delete:async()=>{}})`)};
const kind = (type) => class extends pulumi.CustomResource {
  constructor(name, args) { super("pulumi-nodejs:dynamic/floor:" + type, name, { ...args, clusterId: args.clusterId && args.clusterId.id, __provider }); }
};
const [AgentToken, Cluster, PipelineTemplate, Queue, Suite, Team] =
  ["AgentToken", "Cluster", "PipelineTemplate", "Queue", "Suite", "Team"].map(kind);`,
};

/** Each cluster is 50 resources. @param {Provider} provider @param {number} clusters */
const programOf = (provider, clusters) => `${classes[provider]}
for (let group = 0; group < ${clusters}; group++) {
  const clusterId = new Cluster("cluster-" + group, { name: "Cluster " + group, description: "Builds and tests" });
  for (let queue = 0; queue < 45; queue++)
    new Queue("queue-" + group + "-" + queue, { clusterId, key: "queue-" + queue, description: "Machines" });
  for (let token = 0; token < 4; token++)
    new AgentToken("token-" + group + "-" + token, { clusterId, description: "Agents " + token });
  if (group % 10 === 0) {
    new PipelineTemplate("template-" + group, { name: "Service " + group, configuration: "steps:\\n  - command: make\\n" });
    new Team("team-" + group, { name: "Team " + group });
    new Suite("suite-" + group, { name: "Suite " + group, defaultBranch: "main" });
  }
}
`;

/** @param {number} resources Rounded to whole clusters. @returns {Promise<LargeFigures>} */
export async function measureLarge(resources) {
  const checkpoints = resources <= MOST_WITH_CHECKPOINTS;
  /** @type {LargeFigures} */
  const figures = { resources, checkpoints, stateMegabytes: {}, engine: {} };
  for (const provider of /** @type {const} */ (["dynamic", "floor", "native"])) {
    const { emulator, directory, close } = await openScene();
    const run = measuring(emulator, {
      ...pulumiEnvironment(),
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_HOME: join(directory, "home"),
      PULUMI_BACKEND_URL: `file://${join(directory, "state")}`,
      ...(!checkpoints && { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" }),
    });
    /** @param {string} name @param {readonly string[]} args @param {string} folder */
    const engine = async (name, args, folder = "project") => {
      const measured = await run(join(directory, folder), "pulumi", [...args, "--non-interactive"]);
      figures.engine[name] = { ...figures.engine[name], [provider]: measured };
      process.stderr.write(`${provider} ${name}: ${JSON.stringify(measured)}\n`);
    };
    try {
      makeProject(directory, provider, Math.round(resources / 50));
      await run(join(directory, "project"), "pulumi", ["stack", "init", "bench"]);
      await engine("create", ["up", "--yes", "--skip-preview"]);
      const state = join(directory, "state", ".pulumi", "stacks", "bench", "bench.json");
      figures.stateMegabytes[provider] = statSync(state).size / 1e6;
      await engine("unchanged preview", ["preview", "--expect-no-changes"]);
      await engine("refresh", ["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
      if (provider === "floor") continue;
      const flags = provider === "native" ? ["--native"] : [];
      await run(directory, projectNode(), [cli, "adopt", "adopted", "--yes", ...flags]);
      mkdirSync(join(directory, "adopted", "node_modules"));
      symlinkSync(checkout, join(directory, "adopted", "node_modules", "pulumi-buildpipeline"));
      await run(join(directory, "adopted"), "pulumi", ["stack", "init", "adopted"]);
      await engine("import with a file", ["import", "--file", "import.json", ...imported], "adopted");
    } finally {
      await close();
    }
  }
  return figures;
}

/** @param {string} directory @param {Provider} provider @param {number} clusters */
function makeProject(directory, provider, clusters) {
  mkdirSync(join(directory, "state"));
  mkdirSync(join(directory, "project"));
  writeFileSync(join(directory, "project", "index.js"), programOf(provider, clusters));
  writeFileSync(join(directory, "project", "package.json"), '{ "private": true, "main": "index.js" }\n');
  writeFileSync(join(directory, "project", "Pulumi.yaml"), projectSettings(directory));
}

/** @param {string} directory */
function projectSettings(directory) {
  return `name: bench
runtime: nodejs
backend:
  url: file://${join(directory, "state")}
plugins:
  providers:
    - name: buildpipeline
      path: ${join(checkout, "plugin")}
`;
}
