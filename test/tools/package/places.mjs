// Whether the packed package works where teams run it: with each package manager, at both ends of the versions of Node
// and Pulumi that package.json promises, and on Bun.
//
//   npm test -- places [<name>...]             needs a package registry; two minutes for each of place-rows.mjs
//   npm run generate -- places [<name>...]     also writes the results into docs/explain/versions.md
//
// In each place, examples/quickstart is copied out of the checkout, installed as a user would, and deployed to the emulator
// by the real engine: up, preview, refresh and preview without a change, destroy. The plugin deploys it again. The oldest
// SDK has no List in its protocol, so the plugin must load without it. globals.cjs compares the process's globals before
// and after each entry is used. Without `--write`, the results must be those of the page.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { checkout, installedCommands } from "../../../tools/dev/checkout.mjs";
import { pulumiCommand, pulumiEnvironment } from "../../../tools/dev/pulumi-cli/locate.mjs";
import { hostPlatform } from "../../../tools/release/platforms.mjs";
import { pluginArchives } from "../../../tools/release/plugin-archives.mjs";
import { withEmulator } from "../../conformance/clients/emulator-command.mjs";
import { PAGE, places, placesIn, withPlaces } from "./place-rows.mjs";

const COMMANDS = [
  ["up", "--yes", "--skip-preview"],
  ["preview", "--expect-no-changes"],
  ["refresh", "--yes", "--skip-preview"],
  ["preview", "--expect-no-changes"],
  ["destroy", "--yes", "--skip-preview"],
];
const PLUGIN = `plugins:
  providers:
    - { name: buildpipeline, path: node_modules/pulumi-buildpipeline/plugin }
`;
const pinned = {
  sdk: readJson(join(checkout, "node_modules/@pulumi/pulumi/package.json")).version,
  typescript: readJson(join(checkout, "node_modules/typescript/package.json")).version,
};
/** What a package manager's command installs, in the folder of a project. */
const INSTALL = {
  npm: ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
  pnpm: ["pnpm", "install", "--ignore-scripts", "--no-frozen-lockfile"],
  yarn: ["yarn", "install", "--no-immutable"],
  "yarn-pnp": ["yarn", "install", "--no-immutable"],
  bun: ["bun", "install", "--ignore-scripts"],
};
const MANAGERS = { pnpm: "pnpm", yarn: "@yarnpkg/cli-dist", "yarn-pnp": "@yarnpkg/cli-dist" };
/** Where Bun is alone, the commands that the engine and scripts of the SDK need. */
const SYSTEM = ["sh", "bash", "env", "dirname", "uname"];

const directory = mkdtempSync(join(tmpdir(), "places-"));
process.exitCode = (await main()) ? 0 : 1;

async function main() {
  try {
    const args = process.argv.slice(2);
    const names = args.filter((name) => name !== "--write");
    const unknown = names.filter((name) => !Object.hasOwn(places, name));
    if (unknown.length > 0) throw new Error(`There is no place ${unknown}, only ${Object.keys(places)}.`);
    run("npm", ["pack", "--ignore-scripts", "--pack-destination", directory], checkout);
    const page = join(checkout, PAGE);
    let agrees = true;
    for (const name of names.length > 0 ? names : Object.keys(places)) {
      const place = places[name];
      if (place === undefined || place.untested !== undefined) continue;
      const row = await tryPlace(name, place);
      console.log([place.where, ...row].join(" | "));
      const text = readFileSync(page, "utf8");
      if (args.includes("--write")) writeFileSync(page, withPlaces(text, new Map([[place.where, row]])));
      // A failure may be described in other words.
      else if (outcomes(row) !== outcomes(placesIn(text).get(place.where) ?? [])) agrees = false;
    }
    if (!agrees) console.error(`The results differ from ${PAGE}.`);
    return agrees;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** @param {readonly string[]} row */
function outcomes([, dynamic, plugin]) {
  return [dynamic, plugin].map((cell) => cell?.split(":")[0]).join();
}

/** @param {string} name @param {import("./place-rows.mjs").Place} place @returns {Promise<string[]>} The row's cells. */
async function tryPlace(name, place) {
  const { manager = "npm", runtime } = place;
  const project = mkdtempSync(join(directory, "project-"));
  const cli = place.cli === "newest" ? newestCli() : pulumiCommand();
  const base = pulumiEnvironment();
  const tools = [
    nodeFolder(place.node),
    ...(manager in MANAGERS ? [bin(tool(Reflect.get(MANAGERS, manager)))] : []),
    ...(manager === "bun" || runtime !== undefined ? [bunFolder()] : []),
  ];
  /** @type {NodeJS.ProcessEnv} */
  const environment = {
    ...base,
    PATH: [dirname(cli), ...tools, base.PATH].join(delimiter),
    PULUMI_HOME: join(project, "home"),
    PULUMI_BACKEND_URL: `file://${project}`,
    PULUMI_CONFIG_PASSPHRASE: "places",
    YARN_NPM_REGISTRY_SERVER: run("npm", ["config", "get", "registry"], checkout).trim(),
    YARN_ENABLE_TELEMETRY: "false",
    YARN_ENABLE_SCRIPTS: "false",
    YARN_NODE_LINKER: manager === "yarn-pnp" ? "pnp" : "node-modules",
  };
  const attempt = (/** @type {string} */ command, /** @type {string[]} */ args) => {
    const options = { cwd: project, env: environment, encoding: /** @type {const} */ ("utf8") };
    const { error, status, stdout, stderr } = spawnSync(command, args, options);
    if (status === 0) return { stdout };
    console.error(`${name}: ${command} ${args.join(" ")}:\n${error ?? ""}${stdout}${stderr}`);
    return { stdout, failure: reasonIn(`${stdout}\n${stderr}`) };
  };

  cpSync(join(checkout, "examples", "quickstart"), project, { recursive: true });
  rmSync(join(project, "node_modules"), { recursive: true, force: true });
  const change = (/** @type {string} */ file, /** @type {(text: string) => string} */ edit) =>
    writeFileSync(join(project, file), edit(readFileSync(join(project, file), "utf8")));
  const archive = readdirSync(directory).find((file) => file.endsWith(".tgz"));
  const sdk = place.sdk ?? pinned.sdk;
  const typescript = place.typescript ?? pinned.typescript;
  change("package.json", (text) =>
    JSON.stringify({
      ...JSON.parse(text),
      dependencies: {
        "@pulumi/pulumi": sdk,
        "pulumi-buildpipeline": `file:${join(directory, archive ?? "")}`,
      },
      devDependencies: { typescript },
    }),
  );
  if (manager.startsWith("yarn")) writeFileSync(join(project, "yarn.lock"), "");
  const [command = "", ...args] = INSTALL[manager];
  const installed = attempt(command, args);
  const cell = (/** @type {string | undefined} */ failure) =>
    failure === undefined ? `yes: \`places ${name}\`` : `not: \`places ${name}\`: \`${failure}\``;
  const today = new Date().toISOString().slice(0, 10);
  if (installed.failure !== undefined)
    return [`TypeScript ${typescript}`, cell(installed.failure), cell(installed.failure), today];
  if (manager === "yarn-pnp") environment.NODE_OPTIONS = `--require ${join(project, ".pnp.cjs")}`;

  const version = (/** @type {string} */ of) =>
    attempt("node", ["-p", `require("${of}/package.json").version`]).stdout?.trim();
  const used = [
    ...(manager === "npm" ? [] : [`\`${command}\` ${attempt(command, ["--version"]).stdout?.trim()}`]),
    ...(runtime === undefined ? [] : [`Bun ${attempt("bun", ["--version"]).stdout?.trim()}`]),
    ...(runtime === "bun-alone" ? [] : [`Node ${attempt("node", ["--version"]).stdout?.trim().slice(1)}`]),
    `SDK ${version("@pulumi/pulumi")}`,
    `CLI ${attempt(cli, ["version"]).stdout?.trim().slice(1)}`,
    `TypeScript ${version("typescript")}`,
  ].join(", ");
  if (manager === "npm" && runtime === undefined) {
    // As a program's own file, which finds the packages of the project.
    for (const options of [[], ["--unused"]]) {
      const { failure } = attempt("node", [join(import.meta.dirname, "globals.cjs"), project, ...options]);
      if (failure !== undefined) return [used, cell(failure), cell(failure), today];
    }
  }
  const [node, main] = [join(nodeFolder(place.node), "node"), join(checkout, "dist", "commands", "main.js")];
  const failures = await withEmulator(node, main, async (settings) => {
    Object.assign(environment, settings);
    const pulumi = (/** @type {readonly string[][]} */ commands) => {
      for (const args of commands) {
        const { failure } = attempt(cli, [...args, "--non-interactive"]);
        if (failure !== undefined) return failure;
      }
      return undefined;
    };
    if (runtime !== undefined) {
      change("Pulumi.yaml", (text) => text.replace("runtime: nodejs", "runtime: bun"));
      standInForBun(environment, runtime === "bun-alone");
    }
    const dynamic = pulumi([["stack", "init", "places"], ...COMMANDS]);
    if (manager === "yarn-pnp" || runtime === "bun-alone") {
      // There is no folder with the plugin, or no Node to run it.
      const host = hostPlatform();
      const [archive] = host === undefined ? [] : await pluginArchives(project, [host]);
      const { version } = readJson(join(checkout, "package.json"));
      const from = ["plugin", "install", "resource", "buildpipeline", version, "--file", archive?.file ?? ""];
      const failure = pulumi([from]);
      if (failure !== undefined) return [dynamic, failure];
    } else change("Pulumi.yaml", (text) => text + PLUGIN);
    change("index.ts", (text) => text.replace('"pulumi-buildpipeline"', '"pulumi-buildpipeline/native"'));
    return [dynamic, pulumi(COMMANDS)];
  });
  return [used, ...failures.map(cell), today];
}

/** Returns the first error of an output, as a cell of a table has it. @param {string} output */
function reasonIn(output) {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const line =
    [/^npm error peer/, /\berror\b|ERR|Error:/i]
      .map((is) => lines.find((line) => is.test(line)))
      .find(Boolean) ??
    lines.at(-1) ??
    "no output";
  return line
    .replace(/^(?:.*?\berror: |npm error )/, "")
    .trim()
    .replaceAll(directory, "…")
    .replaceAll(/[|`]/g, "'")
    .replace(/\. [A-Z].*/, "")
    .slice(0, 160);
}

/**
 * Gives the engine a host for programs on Bun: Pulumi's own, or else the stand-in that comes with a CLI from Go modules.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {boolean} alone Without Node, which runs the stand-in all the same.
 */
function standInForBun(environment, alone) {
  const folder = mkdtempSync(join(directory, "bun-"));
  const own = spawnSync("which", ["pulumi-language-bun"], {
    env: environment,
    encoding: "utf8",
  }).stdout.trim();
  const host = join(folder, "pulumi-language-bun");
  if (own === "") {
    const source = join(checkout, "tools", "dev", "pulumi-cli", "from-source", "language-host.cjs");
    writeFileSync(host, readFileSync(source, "utf8").replace(/^#!.*/, `#!${process.execPath}`));
    chmodSync(host, 0o755);
  } else symlinkSync(own, host);
  if (!alone) environment.PATH = [folder, environment.PATH].join(delimiter);
  else {
    symlinkSync(join(bunFolder(), "bun"), join(folder, "bun"));
    for (const command of SYSTEM)
      symlinkSync(realpathSync(run("which", [command], checkout).trim()), join(folder, command));
    environment.PATH = folder;
  }
}

/** Returns the folder of a tool's package from the registry. @param {string} name @param {string} version */
function tool(name, version = "latest") {
  const folder = join(directory, "tools", `${name}-${version}`);
  const args = [
    "install",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--prefix",
    folder,
  ];
  mkdirSync(folder, { recursive: true });
  run("npm", [...args, `${name}@${version}`], folder);
  return folder;
}

/** @param {string} folder */
function bin(folder) {
  return join(folder, "node_modules", ".bin");
}

/** @param {string} [version] @returns {string} A folder with Node; without a version the repository's own. */
function nodeFolder(version) {
  return version === undefined ? installedCommands : bin(tool(nodePackage(), version));
}

function bunFolder() {
  const platform = process.arch === "arm64" ? "aarch64" : process.arch;
  const name = `@oven/bun-${process.platform}-${platform}`;
  return join(tool(name), "node_modules", name, "bin");
}

/** Builds the newest CLI from its Go modules, with the companions of the pinned one. @returns {string} its path */
function newestCli() {
  const modules = join(checkout, "tools", "dev", "pulumi-cli", "from-source", "go");
  const module = "github.com/pulumi/pulumi/pkg/v3";
  const version = run("go", ["list", "-m", "-f", "{{.Version}}", `${module}@latest`], modules).trim();
  const folder = mkdtempSync(join(directory, "cli-"));
  cpSync(modules, folder, { recursive: true });
  run("go", ["get", `${module}@${version}`], folder);
  run("go", ["mod", "tidy"], folder);
  const bin = join(folder, "bin");
  // The engine looks for its companions next to its own path.
  cpSync(dirname(realpathSync(pulumiCommand())), bin, { recursive: true });
  const built = join(bin, "pulumi");
  const flags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`;
  const options = ["-buildvcs=false", "-tags=osusergo,grpcnotrace", "-ldflags", flags];
  run("go", ["build", ...options, "-o", built, `${module}/cmd/pulumi`], folder);
  return built;
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
