// `npm start`: a running service, and a Pulumi program deployed to it.
//
//   npm start [-- --wait | --no-wait]
//
// Starts the emulator, previews and deploys examples/quickstart on a local stack, says what was made, and keeps the
// emulator running until Ctrl-C. Without a terminal (in CI, in a pipe) it ends after the deployment; --wait and
// --no-wait decide that regardless.
import { relative } from "node:path";
import { checkout } from "./checkout.mjs";
import { onInterruption } from "./interruption.mjs";
import { Problem, runMain } from "./problem.mjs";
import { startPulumi } from "./pulumi-cli/child.mjs";
import { hasStaleLock, localEnvironment, STACK, writeEnvironmentFile } from "./start/local-stack.mjs";
import { startService } from "./start/service.mjs";
import { describeResources } from "./start/summary.mjs";
import { waitsAfterwards } from "./start/waiting.mjs";

/** The Pulumi command under way. @type {ReturnType<typeof startPulumi> | undefined} */
let current;
let interrupted = false;
let wakeUp = () => {};

await runMain(async () => {
  const waits = waitsAfterwards(process.argv.slice(2), process);
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

/** @param {Awaited<ReturnType<typeof startService>>} service @param {boolean} waits */
async function deploy(service, waits) {
  const environment = localEnvironment(service);
  const file = writeEnvironmentFile(environment);
  title(`The emulator runs at ${service.url}`);

  await pulumi("Selecting the stack", ["stack", "select", STACK, "--create"], environment, { quiet: true });
  if (hasStaleLock()) await pulumi("Unlocking the stack", ["cancel", "--yes"], environment, { quiet: true });
  if (!interrupted) title("Preview: what `pulumi up` would do");
  await pulumi("The preview", ["preview", "--suppress-permalink=true"], environment);
  if (!interrupted) title("Deployment");
  await pulumi("The deployment", ["up", "--yes", "--skip-preview", "--suppress-permalink=true"], environment);
  const state = await pulumi("Reading the state", ["stack", "export"], environment, { quiet: true });
  if (interrupted) return;

  title("What is there now");
  console.log(describeResources(state));
  if (waits) describeNextSteps(service.pageUrl, relative(checkout, file));
  else title("The emulator has stopped. `npm start -- --wait` keeps it running.");
}

/** @param {string} page @param {string} settings The file with the environment. */
function describeNextSteps(page, settings) {
  title("Look around");
  console.log(
    [
      `  The organization as a page:              ${page}`,
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
 * @param {{ quiet?: boolean }} [options] `quiet`: its output is returned instead of shown.
 * @returns {Promise<string>}
 */
async function pulumi(what, args, environment, { quiet = false } = {}) {
  if (interrupted) return "";
  current = startPulumi([...args, "--non-interactive"], {
    cwd: checkout,
    env: { ...process.env, ...environment },
    stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
  });
  let [output, problems] = ["", ""];
  current.child.stdout?.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  current.child.stderr?.setEncoding("utf8").on("data", (text) => {
    problems += text;
  });
  const code = await current.ended;
  current = undefined;
  if (code !== 0 && !interrupted)
    throw new Problem(`${problems}${what} failed: \`pulumi ${args.join(" ")}\``);
  return output;
}

/** @param {string} text */
function title(text) {
  const bold = process.stdout.isTTY && !process.env.NO_COLOR;
  console.log(bold ? `\n\u001b[1m${text}\u001b[0m` : `\n${text}`);
}
