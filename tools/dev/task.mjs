// The variants of a script of package.json: `npm run <script> [-- <variant>] [<argument>...]`. CONTRIBUTING.md lists them.
// Plain Node 20: `npm test` is the first command in a fresh clone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkout, installedCommands, projectNode } from "./checkout.mjs";
import { Problem, runMain } from "./command.mjs";
import { onInterruption } from "./interruption.mjs";

/**
 * @typedef {readonly [file: string, ...args: string[]]} Step A file for Node, by its path in the checkout.
 * @typedef {object} Variant
 * @property {readonly string[]} [setup] Arguments of setup.mjs. Without them, it provides the Pulumi CLI as well.
 * @property {readonly Step[]} steps The last one gets the arguments of the command line.
 * @property {Readonly<Record<string, string>>} [env] Variables of the steps.
 */

/** @param {string[]} args @returns {Step} */
const vitest = (...args) => ["node_modules/vitest/vitest.mjs", "run", ...args];
/** @param {string[]} names @returns {Step} */
const projects = (...names) => vitest(...names.map((name) => `--project=${name}`));
/** @type {Step} A server for state in a bucket, and what compares OpenAPI documents. */
const provided = ["tools/dev/provided-commands.mjs", "versitygw", "oasdiff"];
const noCli = ["--no-cli"];
/** Every case, where `npm test` plays some (test/support/cases.ts). */
const whole = { CASES: "all" };
/** As few as show that nothing broke. */
const few = { CASES: "few" };

/** The variants of each script; the first one runs without a name. @type {Record<string, Record<string, Variant>>} */
export const scripts = {
  test: {
    "": { env: few, steps: [projects("fast", "programs", "engine")] },
    fast: { env: few, setup: noCli, steps: [projects("fast", "programs")] },
    engine: { steps: [projects("engine")] },
    long: { steps: [provided, projects("long")] },
    whole: { env: whole, steps: [projects("fast", "programs", "engine")] },
    all: { env: whole, steps: [provided, vitest()] },
    browser: {
      setup: ["--no-cli", "site"],
      steps: [vitest("--config", "test/stories/browser/vitest.config.mts")],
    },
    clients: { setup: noCli, steps: [["test/conformance/clients/run.mjs"]] },
    contract: { setup: noCli, steps: [["test/conformance/contract/run.mjs"]] },
    coverage: {
      setup: ["--no-cli", "dev/coverage"],
      env: whole,
      steps: [[...projects("fast", "programs"), "--coverage.enabled=true"]],
    },
    live: { steps: [vitest("--config", "test/conformance/live/vitest.config.mts")] },
    mutation: {
      setup: ["--no-cli", "dev/mutation"],
      steps: [
        [
          "tools/dev/mutation/node_modules/@stryker-mutator/core/bin/stryker.js",
          ...["run", "tools/dev/mutation/stryker.config.mjs"],
        ],
      ],
    },
    places: { steps: [["test/tools/package/places.mjs"]] },
    recorded: { setup: noCli, steps: [["test/conformance/recorded/run.mjs"]] },
  },
  bench: {
    "": { steps: [["tools/bench/run.mjs"]] },
    turns: { steps: [["tools/bench/in-turns.mjs"]] },
  },
  generate: {
    "": {
      setup: noCli,
      steps: [
        // The reference describes what the first step writes.
        vitest("--update", "--project=programs", "test/provider/native/generated.test.ts"),
        vitest(
          "--update",
          "--project=fast",
          "--project=repository",
          "test/examples/reference.test.ts",
          "test/provider/lifecycle/whole-messages.test.ts",
          "test/review/report/meanings.test.ts",
        ),
      ],
    },
    faults: {
      setup: noCli,
      env: whole,
      steps: [vitest("--update", "--project=fast", "test/stories/fault-matrix.test.ts")],
    },
    clients: { setup: noCli, steps: [["test/conformance/clients/run.mjs", "--write"]] },
    places: { steps: [["test/tools/package/places.mjs", "--write"]] },
    previews: { steps: [["test/support/recorded/record.mjs"]] },
    recorded: { setup: noCli, steps: [["test/conformance/recorded/run.mjs", "--write"]] },
    situations: {
      steps: [["test/review/report/record.mjs"], ["test/review/report/record-incidents.mjs"]],
    },
    states: { steps: [vitest("--config", "test/engine/states/vitest.config.mts")] },
    transcripts: { steps: [vitest("--config", "test/engine/transcripts/vitest.config.mts")] },
  },
  docs: {
    "": { setup: ["--no-cli", "site"], steps: [["tools/site/build.mjs"]] },
    addresses: { setup: noCli, steps: [["tools/site/addresses.mjs"]] },
    pictures: { steps: [["tools/site/pictures.mjs"]] },
    words: { setup: ["--no-cli", "prose"], steps: [["tools/prose/measure.mjs"]] },
  },
  release: {
    "": { steps: [["tools/release/release.mjs"]] },
    owner: { setup: noCli, steps: [["tools/release/owner.mjs"]] },
  },
};

/**
 * Returns the steps of a script with the arguments of its command line, the setup first.
 *
 * @param {string} script
 * @param {readonly string[]} args
 * @returns {Step[]}
 */
export function stepsOf(script, args) {
  const variants = scripts[script] ?? {};
  const [name = ""] = args;
  const named = name !== "" && Object.hasOwn(variants, name);
  // Vitest takes a name that is no variant's as part of a path.
  if (!named && name !== "" && !name.startsWith("-") && script !== "test") {
    const known = Object.keys(variants).filter((variant) => variant !== "");
    throw new Problem(`\`npm run ${script}\` has no variant ${name}. It has ${known.join(", ")}.`);
  }
  const { setup = [], steps } = variants[named ? name : ""] ?? { steps: [] };
  const rest = named ? args.slice(1) : args;
  // Named projects take the place of the variant's.
  const own = rest.some((argument) => argument.startsWith("--project"));
  const last = (steps.at(-1) ?? []).filter((part) => !(own && part.startsWith("--project=")));
  return /** @type {Step[]} */ ([
    ["tools/dev/setup.mjs", ...setup],
    ...steps.slice(0, -1),
    [...last, ...rest],
  ]);
}

/**
 * Returns the variables of the steps.
 *
 * @param {string} script
 * @param {readonly string[]} args
 * @returns {Variant["env"]}
 */
export function envOf(script, args) {
  const variants = scripts[script] ?? {};
  const [name = ""] = args;
  const named = name !== "" && Object.hasOwn(variants, name);
  const { env } = variants[named ? name : ""] ?? {};
  // Who names tests wants to see all of them, and an update of snapshots needs all rows.
  return env === few && args.length > (named ? 1 : 0) ? undefined : env;
}

/** @param {Step} step @param {Variant["env"]} env @returns {Promise<number>} its exit code */
async function runStep([file, ...args], env) {
  const child = spawn(projectNode(), [join(checkout, file), ...args], {
    cwd: checkout,
    env: {
      ...process.env,
      ...env,
      BUILT: "dist",
      PATH: [installedCommands, process.env.PATH ?? ""].join(delimiter),
    },
    stdio: "inherit",
  });
  // The terminal sends SIGINT to both.
  const unwatch = onInterruption((signal) => signal === "SIGINT" || child.kill(signal));
  const [code] = await once(child, "close");
  unwatch();
  return code ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const [script = "", ...args] = process.argv.slice(2);
    for (const step of stepsOf(script, args)) {
      process.exitCode = await runStep(step, envOf(script, args));
      if (process.exitCode !== 0) return;
    }
  });
}
