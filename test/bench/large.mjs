// A large organization: each command's time, requests and memory, with both backends and beside the engine's floor.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { checkout, leftovers, projectNode } from "../../tools/checkout.mjs";
import { pulumiEnvironment } from "../../tools/pulumi-cli/locate.mjs";
import { peakMemory } from "./process-memory.mjs";

const load = createRequire(import.meta.url);
/** @type {typeof import("../../src/emulator/index.js")} */
const { startEmulator } = load("pulumi-buildpipeline/emulator");

/**
 * @typedef {"dynamic" | "native" | "floor"} Provider
 * @typedef {{ seconds: number, requests: number, megabytes: Record<string, number> }} CommandFigures
 * @typedef {{ resources: number, checkpoints: boolean, stateMegabytes: Partial<Record<Provider, number>>,
 *   engine: Record<string, Partial<Record<Provider, CommandFigures>>>, commands: Record<string, CommandFigures> }}
 *   LargeFigures
 */

const CLI = join(checkout, "dist", "cli", "main.js");
/** Above this size, the engine's rewriting of the state at every step is left out: it alone takes hours. */
const MOST_WITH_CHECKPOINTS = 200;

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
  const figures = { resources, checkpoints, stateMegabytes: {}, engine: {}, commands: {} };
  mkdirSync(join(leftovers, "bench"), { recursive: true });
  for (const provider of /** @type {const} */ (["dynamic", "floor", "native"])) {
    const emulator = await startEmulator({ seed: false });
    const directory = mkdtempSync(join(leftovers, "bench", "large-"));
    const run = runner(directory, emulator, checkpoints);
    /** @param {string} name @param {readonly string[]} args */
    const engine = async (name, args) => {
      const { stdout: _, ...measured } = await run(join(directory, "project"), "pulumi", args);
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
      if (provider === "dynamic") figures.commands = await measureCommands(directory, run);
    } finally {
      await emulator.close();
      rmSync(directory, { recursive: true, force: true });
    }
  }
  return figures;
}

/**
 * The package's own commands on the organization that the stack made.
 *
 * @param {string} directory @param {ReturnType<typeof runner>} run
 */
async function measureCommands(directory, run) {
  /** @type {Record<string, CommandFigures>} */
  const commands = {};
  const project = join(directory, "project");
  const adopted = join(directory, "adopted");
  /** @param {string} name @param {string} cwd @param {string} command @param {readonly string[]} args */
  const measure = async (name, cwd, command, args) => {
    const { stdout: _, ...measured } = await run(cwd, command, args);
    commands[name] = measured;
    process.stderr.write(`${name}: ${JSON.stringify(measured)}\n`);
  };
  const node = projectNode();
  await measure("adopt", directory, node, [CLI, "adopt", adopted]);
  await measure("adopt --split cluster", directory, node, [
    CLI,
    "adopt",
    `${adopted}-split`,
    "--split",
    "cluster",
  ]);
  writeFileSync(join(adopted, "Pulumi.yaml"), projectSettings(directory));
  await run(adopted, "pulumi", ["stack", "init", "adopted"]);
  const importing = ["import", "--file", "import.json", "--generate-code=false", "--protect=false", "--yes"];
  await measure("pulumi import", adopted, "pulumi", importing);
  const exported = join(directory, "export.json");
  await run(project, "pulumi", ["stack", "export", "--file", exported]);
  await measure("unmanaged", directory, node, [CLI, "unmanaged", "--stack-export", exported, "--json"]);
  await measure("graph", directory, node, [CLI, "graph", "--out", join(directory, "graph.mmd")]);
  await measure("graph --format svg", directory, node, [
    ...[CLI, "graph", "--format", "svg", "--stack-export", exported, "--out", join(directory, "graph.svg")],
  ]);
  // Nine of ten resources change.
  const program = join(project, "index.js");
  writeFileSync(program, readFileSync(program, "utf8").replace('"Machines"', '"Other machines"'));
  const preview = join(directory, "preview.json");
  writeFileSync(preview, (await run(project, "pulumi", ["preview", "--json"])).stdout);
  await measure("report", directory, node, [CLI, "report", preview, "--out", join(directory, "report.md")]);
  await measure("report --html", directory, node, [
    ...[CLI, "report", preview, "--html", "--out", join(directory, "report.html")],
  ]);
  return commands;
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

/**
 * Runs a command, and measures it.
 *
 * @param {string} directory @param {import("../../src/emulator/index.js").Emulator} emulator @param {boolean} checkpoints
 */
function runner(directory, emulator, checkpoints) {
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...pulumiEnvironment(),
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_HOME: join(directory, "home"),
    ...(!checkpoints && { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" }),
    BUILDPIPELINE_BASE_URL: emulator.url,
    BUILDPIPELINE_ACCESS_TOKEN: emulator.accessToken,
    BUILDPIPELINE_ORGANIZATION: emulator.organization,
  };
  return async (
    /** @type {string} */ cwd,
    /** @type {string} */ command,
    /** @type {readonly string[]} */ args,
  ) => {
    emulator.clearRequests();
    const memory = peakMemory(`PULUMI_HOME=${env.PULUMI_HOME}`);
    const start = performance.now();
    const flags = command === "pulumi" && args[0] !== "stack" ? ["--non-interactive"] : [];
    /** @type {string} */
    const stdout = await new Promise((resolve, reject) => {
      execFile(command, [...args, ...flags], { cwd, env, maxBuffer: 2 ** 30 }, (error, output, errors) => {
        // The package's commands end with 1 when they find something.
        if (error === null || (command !== "pulumi" && error.code === 1)) resolve(output);
        else reject(new Error(`${command} ${args[0]}: ${output.slice(-2_000)}\n${errors.slice(-2_000)}`));
      });
    });
    const seconds = (performance.now() - start) / 1000;
    return { seconds, requests: emulator.requests.length, megabytes: memory.end(), stdout };
  };
}
