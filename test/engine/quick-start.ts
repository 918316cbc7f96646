import { execFileSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { environment } from "../support/environment.mjs";
import { startCounting } from "./counted-commands.js";

const CHECKOUT = join(__dirname, "..", "..");

/**
 * Environment variables for the CLI. What a short command costs is mostly its start: garbage that the CLI collects,
 * code of the SDK and of the package that Node compiles, types of programs, which tests of the documentation check, what
 * the SDK loads for closures.
 */
export const quickStart = {
  GOGC: "800",
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  NODE_COMPILE_CACHE: join(CHECKOUT, ".buildpipeline", "compile-cache"),
  NODE_OPTIONS: `--require=${join(__dirname, "lazy-closures.cjs")}`,
} as const;

/** Environment variables for npm, which otherwise asks the registry about each package that its cache has. */
export const quickInstall = { npm_config_prefer_offline: "true", npm_config_audit: "false" } as const;

export default function prepare(): void {
  startCounting();
  fillCompileCache();
  process.env.npm_config_globalconfig = globalConfiguration();
}

/**
 * Returns npm's global configuration of this machine, such as the certificates of its proxy. npm looks for it beside the
 * Node that runs npm. In the tests, that is the Node among the dependencies, which has none.
 */
function globalConfiguration(): string {
  const { PATH = "" } = process.env;
  const machine = PATH.split(delimiter).filter((folder) => !folder.endsWith(join("node_modules", ".bin")));
  const env = { ...environment({ PATH: machine.join(delimiter) }), npm_config_globalconfig: undefined };
  return execFileSync("npm", ["config", "get", "globalconfig"], { env, encoding: "utf8" }).trim();
}

/** Fills Node's compile cache: the engine kills its hosts, so none of them ever writes one. */
function fillCompileCache(): void {
  const modules = ["@pulumi/pulumi", "pulumi-buildpipeline/provider"];
  execFileSync("node", ["-e", `${JSON.stringify(modules)}.forEach((name) => require(name))`], {
    cwd: CHECKOUT,
    env: { ...process.env, ...quickStart },
  });
}
