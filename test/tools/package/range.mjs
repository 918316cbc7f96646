// Whether the packed package works at both ends of what package.json promises: the oldest and the newest Pulumi SDK, on
// the oldest Node and on the newest long-term one.
//
//   npm test -- range         needs a package registry; some minutes
//
// For each pair, examples/quickstart is copied out of the checkout, installed as a user would, and deployed to the
// emulator by the real engine: up, preview, refresh and preview without a change, destroy. The plugin deploys it again.
// The oldest SDK has no List in its protocol, so the plugin must load without it. globals.cjs compares the process's
// globals before and after each entry is used.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { checkout } from "../../../tools/dev/checkout.mjs";
import { pulumiCommand, pulumiEnvironment } from "../../../tools/dev/pulumi-cli/locate.mjs";
import { withEmulator } from "../../conformance/clients/emulator-command.mjs";

const manifest = readJson(join(checkout, "package.json"));
const leastNode = `${manifest.engines.node.replace(">=", "")}.0`;
const leastSdk = manifest.peerDependencies["@pulumi/pulumi"].replace(/^>=(\S+).*/, "$1");
/** From the locked one on: the newest that the registry has. */
const newestSdk = `>=${readJson(join(checkout, "node_modules/@pulumi/pulumi/package.json")).version} <4`;
/** TypeScript in the version that the SDK of that age allows. */
const sdks = [
  { sdk: leastSdk, typescript: "5" },
  { sdk: newestSdk, typescript: "6" },
];

const COMMANDS = [
  ["up", "--yes", "--skip-preview"],
  ["preview", "--expect-no-changes"],
  ["refresh", "--yes"],
  ["preview", "--expect-no-changes"],
  ["destroy", "--yes", "--skip-preview"],
];
const PLUGIN = `plugins:
  providers:
    - { name: buildpipeline, path: node_modules/pulumi-buildpipeline/plugin }
`;

const directory = mkdtempSync(join(tmpdir(), "range-"));
process.exitCode = (await main()) ? 0 : 1;

async function main() {
  try {
    run("npm", ["pack", "--ignore-scripts", "--pack-destination", directory], checkout);
    const archive = join(directory, readdirSync(directory).find((file) => file.endsWith(".tgz")) ?? "");
    const rows = [];
    for (const node of [leastNode, "24"]) {
      for (const { sdk, typescript } of sdks) rows.push(await tryPair(archive, node, sdk, typescript));
    }
    console.log(
      ["| Node | Pulumi SDK | result |", "|---|---|---|", ...rows.map(({ line }) => line)].join("\n"),
    );
    return rows.every(({ works }) => works);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** @param {string} archive @param {string} node @param {string} sdk @param {string} typescript */
async function tryPair(archive, node, sdk, typescript) {
  const project = mkdtempSync(join(directory, "project-"));
  cpSync(join(checkout, "examples", "quickstart"), project, { recursive: true });
  rmSync(join(project, "node_modules"), { recursive: true, force: true });
  const packages = [archive, `@pulumi/pulumi@${sdk}`, `typescript@${typescript}`, `${nodePackage()}@${node}`];
  run(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages],
    project,
  );
  const commands = join(project, "node_modules", ".bin");
  const installed = {
    node: run(join(commands, "node"), ["--version"], project).trim().slice(1),
    sdk: readJson(join(project, "node_modules/@pulumi/pulumi/package.json")).version,
  };
  // As a program's own file, which finds the packages of the project.
  for (const options of [[], ["--unused"]])
    run(join(commands, "node"), [join(import.meta.dirname, "globals.cjs"), project, ...options], project);
  const main = join(project, "node_modules", "pulumi-buildpipeline", "dist", "commands", "main.js");
  const failure = await withEmulator(join(commands, "node"), main, (settings) => {
    const base = pulumiEnvironment();
    const environment = {
      ...base,
      ...settings,
      PATH: [commands, base.PATH].join(delimiter),
      PULUMI_HOME: join(project, "home"),
      PULUMI_BACKEND_URL: `file://${project}`,
      PULUMI_CONFIG_PASSPHRASE: "range",
    };
    // The dependencies have a launcher of the same name.
    const pulumi = (/** @type {string[]} */ args) => {
      const options = { cwd: project, env: environment, encoding: /** @type {const} */ ("utf8") };
      const { status, stdout, stderr } = spawnSync(pulumiCommand(), [...args, "--non-interactive"], options);
      return status === 0 ? undefined : `pulumi ${args.join(" ")}:\n${stdout}${stderr}`;
    };
    const failed = (/** @type {string[][]} */ commands) =>
      commands.reduce(
        (failure, args) => failure ?? pulumi(args),
        /** @type {string | undefined} */ (undefined),
      );
    const failure = failed([["stack", "init", "range"], ...COMMANDS]);
    const change = (/** @type {string} */ file, /** @type {(text: string) => string} */ edit) =>
      writeFileSync(join(project, file), edit(readFileSync(join(project, file), "utf8")));
    change("Pulumi.yaml", (text) => text + PLUGIN);
    change("index.ts", (text) => text.replace('"pulumi-buildpipeline"', '"pulumi-buildpipeline/native"'));
    return failure ?? failed(COMMANDS);
  });
  if (failure !== undefined) console.error(failure);
  const result = failure === undefined ? "works" : "fails";
  console.error(`Node ${installed.node}, SDK ${installed.sdk}: ${result}`);
  return {
    works: failure === undefined,
    line: `| ${installed.node} | ${installed.sdk} | ${result} |`,
  };
}

/** The package that has Node for this platform. */
function nodePackage() {
  const suffix = `-${process.platform}-${process.arch}`.replace("-win32-", "-win-");
  const names = Object.keys(readJson(join(checkout, "tools/dev/node/package.json")).optionalDependencies);
  const name = names.find((name) => name.endsWith(suffix));
  if (name === undefined) throw new Error(`The registry has no package with Node for ${suffix.slice(1)}.`);
  return name;
}

/** @param {string} command @param {string[]} args @param {string} cwd @returns {string} Its standard output. */
function run(command, args, cwd) {
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}:\n${stdout}${stderr}`);
  return stdout;
}

/** @param {string} file @returns {any} A manifest of npm, whose form is known. */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
