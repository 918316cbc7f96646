// `npm start`: a running service, and a Pulumi program deployed to it.
//
//   npm start [-- --wait | --no-wait]
//
// Starts the emulator, previews and deploys examples/quickstart on a local stack, shows what was made, and keeps the
// emulator running until Ctrl-C. Without a terminal (in CI, in a pipe) it ends after the deployment; --wait and
// --no-wait decide that regardless.
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { checkout } from "./checkout.mjs";
import { Problem, runMain, say } from "./command.mjs";
import { onInterruption } from "./interruption.mjs";
import { startPulumi } from "./pulumi-cli/start.mjs";
import { addWork, changedExample, place, results, writeResults } from "./showcase.mjs";

/** Always the same where it is free, so that settings in other terminals stay right. */
const PORT = 8484;
const STACK = "local";
/** Apart from the user's own Pulumi. */
const backend = join(place, "stack");

/** The Pulumi command under way. @type {ReturnType<typeof startPulumi> | undefined} */
let current;
let interrupted = false;
let wakeUp = () => {};

await runMain(async () => {
  const { wait, "no-wait": noWait } = parseArgs({
    options: { wait: { type: "boolean" }, "no-wait": { type: "boolean" } },
  }).values;
  const atTerminal = process.stdin.isTTY && process.stdout.isTTY && !process.env.CI;
  const waits = wait === true || (noWait !== true && atTerminal);
  onInterruption((signal) => {
    interrupted = true;
    // The engine knows SIGINT and SIGTERM; a closed terminal is as good a reason to stop.
    current?.interrupt(signal === "SIGHUP" ? "SIGTERM" : signal);
    wakeUp();
  });
  // A closed terminal takes stdout with it: go on to the orderly end.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});

  const service = await startService();
  try {
    await deploy(service, waits);
    if (!interrupted && waits) await untilInterrupted();
  } finally {
    await service.close();
  }
  if (interrupted) console.log("\nStopped. The next `npm start` goes on from here.");
});

/**
 * Starts the emulator in this process, so that it ends with it. Its data is in a file of the checkout, without the seeded
 * examples.
 */
async function startService() {
  mkdirSync(backend, { recursive: true });
  /** @type {typeof import("../../src/emulator/index.js")} */
  const { startEmulator } = createRequire(import.meta.url)(join(checkout, "dist", "emulator", "index.js"));
  const options = { data: join(place, "emulator.db"), seed: false };
  const older = join(place, "emulator.jsonl");
  if (existsSync(older) && !existsSync(options.data)) renameSync(older, options.data);
  try {
    return await startEmulator({ ...options, port: PORT });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The emulator's own refusals, of data in use by another `npm start` for one, say what to do.
    if (!("code" in error && error.code === "EADDRINUSE")) throw new Problem(error.message);
  }
  say(`Port ${PORT} is taken by another program; using a free one this time.`);
  return startEmulator(options);
}

/** @param {Awaited<ReturnType<typeof startService>>} service @param {boolean} waits */
async function deploy(service, waits) {
  const environment = {
    BUILDPIPELINE_BASE_URL: service.url,
    BUILDPIPELINE_ACCESS_TOKEN: service.accessToken,
    BUILDPIPELINE_ORGANIZATION: service.organization,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_HOME: join(place, "pulumi-home"),
    PULUMI_STACK: STACK,
    // Guards nothing but a stack of the emulator.
    PULUMI_CONFIG_PASSPHRASE: "local emulator",
  };
  const settings = join(place, "env");
  const lines = Object.entries(environment).map(
    ([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`,
  );
  writeFileSync(settings, lines.join(""), { mode: 0o600 });
  title(`The emulator runs at ${service.url}`);

  await pulumi("Selecting the stack", ["stack", "select", STACK, "--create"], environment, { quiet: true });
  if (isLocked()) await pulumi("Unlocking the stack", ["cancel", "--yes"], environment, { quiet: true });
  if (!interrupted) title("Preview: what `pulumi up` would do");
  await pulumi("The preview", ["preview", "--suppress-permalink=true"], environment);
  if (!interrupted) title("Deployment");
  await pulumi("The deployment", ["up", "--yes", "--skip-preview", "--suppress-permalink=true"], environment);
  if (!interrupted) title("What is there now");
  await pulumi("Showing the stack", ["stack", "--show-ids"], environment);
  if (interrupted) return;
  addWork(service);
  const hasReport = await showChange(environment);
  if (interrupted) return;
  describeResults(waits ? service.pageUrl : undefined, hasReport);
  if (waits) describeNextSteps(relative(checkout, settings));
  else title("The emulator has stopped. `npm start -- --wait` keeps it running.");
}

/**
 * Whether the stack carries a lock, which a killed process leaves behind. Nothing else deploys to it now: that needs the
 * emulator, which this process has just started.
 */
function isLocked() {
  const locks = join(backend, ".pulumi", "locks");
  return (
    existsSync(locks) && readdirSync(locks, { recursive: true }).some((file) => `${file}`.endsWith(".json"))
  );
}

/**
 * Previews a change of the example that would hit running jobs. Returns whether there is a report about it.
 *
 * @param {Record<string, string>} environment
 */
async function showChange(environment) {
  const cwd = changedExample();
  const commands = [
    ["preview", "--json", "--refresh", "--suppress-permalink=true"],
    ["stack", "export"],
  ];
  const inputs = [];
  for (const args of cwd === undefined ? [] : commands) {
    const printed = await pulumi("The preview of a change", args, environment, {
      quiet: true,
      ...(cwd && { cwd }),
    });
    const file = join(place, `${args[0]}.json`);
    writeFileSync(file, printed, { mode: 0o600 });
    inputs.push(file);
  }
  if (!interrupted) await writeResults(cwd === undefined ? undefined : inputs, environment);
  return cwd !== undefined;
}

/** @param {string | undefined} page Address of the emulator's page, while it runs. @param {boolean} hasReport */
function describeResults(page, hasReport) {
  title("Open in a browser");
  const rows = [
    ...(page === undefined ? [] : [["The organization, with its builds and agents:", page]]),
    ...(hasReport
      ? [['What replacing the queue "small" would hit:', pathToFileURL(results.report).href]]
      : []),
    ["Jobs and agents of each queue:", pathToFileURL(results.drawing).href],
  ];
  console.log(rows.map(([what = "", where]) => `  ${what.padEnd(46)} ${where}`).join("\n"));
}

/** @param {string} settings The file with the environment. */
function describeNextSteps(settings) {
  title("Look around");
  console.log(
    [
      "  In another terminal, in this directory:",
      `    . ${settings.padEnd(32)}     settings for the commands below`,
      "    npm run -s pulumi -- preview           what would change: edit examples/quickstart/index.ts first",
      "    npm run -s pulumi -- up                make it so",
      "    npm run -s pulumi -- stack output      what the program returns",
      "    npm run -s pulumi -- destroy           take it all away",
      '    curl -H "Authorization: Bearer $BUILDPIPELINE_ACCESS_TOKEN" \\',
      '      "$BUILDPIPELINE_BASE_URL/v2/organizations/$BUILDPIPELINE_ORGANIZATION/clusters"',
    ].join("\n"),
  );
}

function untilInterrupted() {
  console.log("\nThe emulator keeps running. Ctrl-C stops it; its data stays in .buildpipeline/.");
  return new Promise((resolve) => {
    wakeUp = () => resolve(undefined);
    // Signals alone do not keep a process alive; the emulator's socket does.
  });
}

/**
 * Runs a Pulumi command; after an interruption it runs none.
 *
 * @param {string} what For the message of a failure.
 * @param {string[]} args
 * @param {Record<string, string>} environment
 * @param {{ quiet?: boolean, cwd?: string }} [options] `quiet`: its output is shown only if it fails.
 * @returns {Promise<string>} What it printed to standard output, if `quiet`
 */
async function pulumi(what, args, environment, { quiet = false, cwd = checkout } = {}) {
  if (interrupted) return "";
  const output = quiet ? "pipe" : "inherit";
  current = startPulumi([...args, "--non-interactive"], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ["ignore", output, output],
  });
  const printed = { stdout: "", stderr: "" };
  for (const name of /** @type {const} */ (["stdout", "stderr"]))
    current.child[name]?.setEncoding("utf8").on("data", (text) => {
      printed[name] += text;
    });
  const code = await current.ended;
  current = undefined;
  if (code !== 0 && !interrupted)
    throw new Problem(`${printed.stdout}${printed.stderr}${what} failed: \`pulumi ${args.join(" ")}\``);
  return printed.stdout;
}

/** @param {string} text */
function title(text) {
  const bold = process.stdout.isTTY && !process.env.NO_COLOR;
  console.log(bold ? `\n\u001b[1m${text}\u001b[0m` : `\n${text}`);
}
