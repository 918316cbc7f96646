#!/usr/bin/env node
// The language host for Node programs: what the Pulumi engine starts to run a program. Stands in for Pulumi's own, which
// comes with the official download only; placed next to a `pulumi` built from source, under the name
// `pulumi-language-nodejs`. It speaks the gRPC service LanguageRuntime and takes the SDK from the program's node_modules.
// Options of the runtime in Pulumi.yaml are not read: the projects here have none.
"use strict";
const { spawn } = require("node:child_process");
const { enableCompileCache, createRequire } = require("node:module");
const path = require("node:path");

enableCompileCache?.(path.join(__dirname, "..", "compile-cache"));

/** The exit code with which a program says that it has told the user everything already. */
const EXIT_AFTER_TELLING = 32;
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;
const UNLIMITED_REQUEST = { "grpc.max_receive_message_length": MAX_MESSAGE_BYTES };

/** What runs programs. Under the name of Pulumi's host for `runtime: bun`, Bun does. */
const [runtime = "", ...runtimeFlags] =
  path.basename(__filename) === "pulumi-language-bun" ? ["bun", "run"] : [process.execPath];

/** The last argument; before it stand flags. */
const engineAddress = process.argv.at(-1) ?? "";

const fromSdk = createRequire(locateSdk());
const grpc = fromSdk("@grpc/grpc-js");
const { LanguageRuntimeService } = fromSdk("./proto/language_grpc_pb.js");
const messages = fromSdk("./proto/language_pb.js");
const { PluginInfo } = fromSdk("./proto/plugin_pb.js");
const { Empty } = fromSdk("google-protobuf/google/protobuf/empty_pb.js");

/** @type {Set<import("node:child_process").ChildProcess>} */
const programs = new Set();

/** The SDK of the program, or else of the project whose commands lead the PATH. Returns its package.json. */
function locateSdk() {
  const projects = (process.env.PATH ?? "")
    .split(path.delimiter)
    .filter((entry) => entry.endsWith(path.join("node_modules", ".bin")))
    .map((entry) => path.dirname(path.dirname(entry)));
  for (const directory of [process.cwd(), ...projects]) {
    try {
      return resolveFrom(directory, "@pulumi/pulumi/package.json");
    } catch {
      // Look further.
    }
  }
  process.stderr.write(
    `The package @pulumi/pulumi is not installed for ${process.cwd()}. Run \`npm install\` there.\n`,
  );
  return process.exit(1);
}

/** @param {string} directory @param {string} module */
function resolveFrom(directory, module) {
  return createRequire(path.join(directory, "index.js")).resolve(module);
}

/** Answers with a fixed message. @param {() => unknown} message */
function answer(message) {
  return (/** @type {unknown} */ _call, /** @type {(error: null, answer: unknown) => void} */ done) =>
    done(null, message());
}

/**
 * Runs a program to its end.
 *
 * @param {any} call The generated message classes are loaded at run time, so their types are not known here.
 * @param {(error: null, response: unknown) => void} done
 */
function runProgram(call, done) {
  const request = call.request;
  const info = request.getInfo();
  const directory = info?.getProgramDirectory() || request.getPwd();
  const respond = (/** @type {string} */ error, bail = false) => {
    const response = new messages.RunResponse();
    response.setError(error);
    response.setBail(bail);
    done(null, response);
  };

  let runner;
  try {
    runner = resolveFrom(directory, "@pulumi/pulumi/cmd/run");
  } catch {
    respond(`The package @pulumi/pulumi is not installed for ${directory}. Run \`npm install\` there.`);
    return;
  }

  /** @type {Record<string, string>} */
  const config = {};
  request.getConfigMap().forEach((/** @type {string} */ value, /** @type {string} */ key) => {
    config[key] = value;
  });
  const program = spawn(
    runtime,
    [
      ...runtimeFlags,
      runner,
      ...["--monitor", request.getMonitorAddress()],
      ...["--engine", engineAddress],
      ...(request.getOrganization() === "" ? [] : ["--organization", request.getOrganization()]),
      ...["--project", request.getProject()],
      ...["--stack", request.getStack()],
      ...["--pwd", request.getPwd()],
      ...(info === undefined ? [] : ["--root-directory", info.getRootDirectory()]),
      ...(request.getParallel() > 0 ? ["--parallel", String(request.getParallel())] : []),
      ...(request.getDryrun() ? ["--dry-run"] : []),
      info?.getEntryPoint() || request.getProgram() || ".",
      ...request.getArgsList(),
    ],
    {
      cwd: directory,
      // What the program prints goes to the engine, which shows it.
      stdio: ["ignore", "inherit", "inherit"],
      env: {
        ...process.env,
        PULUMI_CONFIG: JSON.stringify(config),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
        ...(runtime === "bun" ? {} : { PULUMI_NODEJS_TYPESCRIPT: "true" }),
      },
    },
  );
  programs.add(program);
  program.once("error", (error) => {
    programs.delete(program);
    respond(`The program could not be started: ${error.message}`);
  });
  program.once("exit", (code, signal) => {
    if (!programs.delete(program)) return;
    if (code === 0) respond("");
    else if (code === EXIT_AFTER_TELLING) respond("", true);
    else if (signal !== null) respond(`Program ended by signal ${signal}`);
    else respond(`Program exited with non-zero exit code: ${code}`);
  });
}

/**
 * Serves a policy pack until the engine closes the call. What it prints goes to the engine: the first line is its port.
 *
 * @param {any} call The generated message classes are loaded at run time, so their types are not known here.
 */
function runPolicyPack(call) {
  const request = call.request;
  const directory = request.getInfo()?.getProgramDirectory() || request.getPwd();
  const fail = (/** @type {string} */ details) => call.emit("error", { code: grpc.status.UNKNOWN, details });
  let runner;
  try {
    runner = resolveFrom(directory, "@pulumi/pulumi/cmd/run-policy-pack");
  } catch {
    fail(`The packages of ${directory} are not installed. Run \`npm install\` there.`);
    return;
  }
  const pack = spawn(process.execPath, [runner, ...request.getArgsList(), directory], {
    cwd: directory,
    env: { ...process.env, ...Object.fromEntries(request.getEnvList().map(variable)) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  programs.add(pack);
  const write = (
    /** @type {"setStdout" | "setStderr" | "setExitcode"} */ set,
    /** @type {unknown} */ value,
  ) => {
    const response = new messages.RunPluginResponse();
    response[set](value);
    call.write(response);
  };
  pack.stdout.on("data", (data) => write("setStdout", data));
  pack.stderr.on("data", (data) => write("setStderr", data));
  call.on("cancelled", () => pack.kill("SIGTERM"));
  pack.once("error", (error) => fail(`The policy pack could not be started: ${error.message}`));
  pack.once("close", (code) => {
    if (!programs.delete(pack) || call.cancelled) return;
    write("setExitcode", code ?? 1);
    call.end();
  });
}

/** @param {string} setting @returns {[string, string]} */
function variable(setting) {
  const at = setting.indexOf("=");
  return [setting.slice(0, at), setting.slice(at + 1)];
}

/**
 * Installs a program's packages, for `pulumi install`.
 *
 * @param {any} call The generated message classes are loaded at run time, so their types are not known here.
 */
function installDependencies(call) {
  const cwd = call.request.getInfo()?.getProgramDirectory() || call.request.getDirectory();
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
  const fail = (/** @type {string} */ details) => call.emit("error", { code: grpc.status.UNKNOWN, details });
  // The engine reads only the first line of standard output.
  const npm = spawn("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  programs.add(npm);
  npm.once("error", (error) => fail(`npm could not be started: ${error.message}`));
  npm.once("exit", (code) => {
    programs.delete(npm);
    if (code === 0) call.end();
    else fail(`npm install ended with exit code ${code}.`);
  });
}

function describePlugin() {
  const info = new PluginInfo();
  info.setVersion(fromSdk("./package.json").version);
  return info;
}

function end() {
  for (const program of programs) program.kill("SIGTERM");
  process.exit(0);
}

const server = new grpc.Server(UNLIMITED_REQUEST);
server.addService(LanguageRuntimeService, {
  handshake: answer(() => new messages.LanguageHandshakeResponse()),
  getPluginInfo: answer(describePlugin),
  // Programs of this project need no plugin beyond the ones next to this file.
  getRequiredPackages: answer(() => new messages.GetRequiredPackagesResponse()),
  getRequiredPlugins: answer(() => new messages.GetRequiredPluginsResponse()),
  runtimeOptionsPrompts: answer(() => new messages.RuntimeOptionsResponse()),
  about: answer(() => new messages.AboutResponse()),
  getProgramDependencies: answer(() => new messages.GetProgramDependenciesResponse()),
  installDependencies,
  run: runProgram,
  runPlugin: runPolicyPack,
  cancel: answer(() => new Empty()),
});
server.bindAsync(
  "127.0.0.1:0",
  grpc.ServerCredentials.createInsecure(),
  (/** @type {Error | null} */ error, /** @type {number} */ port) => {
    if (error !== null) throw error;
    // The engine reads the port from the first line.
    process.stdout.write(`${port}\n`);
  },
);

process.on("SIGINT", end);
process.on("SIGTERM", end);
process.on("SIGHUP", end);
// A killed engine cannot say goodbye: without this, host and program would outlive it.
const engine = process.ppid;
setInterval(() => {
  if (process.ppid !== engine) end();
}, 1000).unref();
