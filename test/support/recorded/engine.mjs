// The real engine on a program and an emulator, for the scripts that record what it writes.
import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { BuildPipelineClient } from "pulumi-buildpipeline/client";
import { startEmulator } from "pulumi-buildpipeline/emulator";
import { checkout, leftovers } from "../../../tools/dev/checkout.mjs";
import { pulumiEnvironment } from "../../../tools/dev/pulumi-cli/locate.mjs";

/** @param {string} program Folder of the program. @param {string} here Folder of the recordings. */
export async function startEngine(program, here) {
  mkdirSync(join(leftovers, "test"), { recursive: true });
  const directory = mkdtempSync(join(leftovers, "test", "recording-"));
  cpSync(program, directory, { recursive: true });
  mkdirSync(join(directory, "state"));
  const emulator = await startEmulator({ seed: false });
  const client = new BuildPipelineClient({
    baseUrl: emulator.url,
    accessToken: emulator.accessToken,
    organization: emulator.organization,
  });
  /** @param {string} version */
  const environment = (version) => ({
    ...pulumiEnvironment(),
    PATH: [join(checkout, "plugin"), pulumiEnvironment().PATH].join(delimiter),
    PULUMI_BACKEND_URL: `file://${directory}/state`,
    PULUMI_CONFIG_PASSPHRASE: "recorded",
    PULUMI_HOME: join(directory, "home"),
    PULUMI_DEBUG_COMMANDS: "true",
    BUILDPIPELINE_BASE_URL: emulator.url,
    BUILDPIPELINE_ACCESS_TOKEN: emulator.accessToken,
    BUILDPIPELINE_ORGANIZATION: emulator.organization,
    RECORDED_VERSION: version,
  });
  async function objects() {
    /** @type {Record<string, string>} */
    const all = {};
    for await (const { id, name } of client.clusters.list()) {
      all[id] = name;
      for await (const queue of client.queues.list(id)) all[queue.id] = queue.key;
      for await (const token of client.agentTokens.list(id)) all[token.id] = token.description ?? "";
    }
    return all;
  }
  /** @param {string} text */
  const portable = (text) => text.replaceAll(emulator.url, "https://api.example.com");
  return {
    /** The program's folder. */
    directory,
    emulator,
    client,
    /** Runs the CLI. @param {string} version @param {string[]} args */
    async pulumi(version, ...args) {
      const options = { cwd: directory, env: environment(version), maxBuffer: 2 ** 28 };
      return (await promisify(execFile)("pulumi", [...args, "--non-interactive"], options)).stdout;
    },
    /** Deploys what was previewed. Returns what the service has before and after: the name of each object, by its id. @param {string[]} options */
    async deploy(...options) {
      const before = await objects();
      await this.pulumi("after", "up", "--yes", "--skip-preview", ...options);
      return { before, after: await objects() };
    },
    /** Runs a command that fails. @param {string} version @param {Record<string, string>} env @param {string[]} args */
    async failing(version, env, ...args) {
      const options = { cwd: directory, env: { ...environment(version), ...env }, maxBuffer: 2 ** 28 };
      return promisify(execFile)("pulumi", [...args, "--non-interactive"], options).then(
        () => {
          throw new Error(`\`pulumi ${args.join(" ")}\` didn't fail.`);
        },
        (/** @type {{ stdout: string }} */ { stdout }) => stdout,
      );
    },
    /** Kills a deployment as soon as the service has a request. @param {string} version @param {string} operation */
    async killed(version, operation) {
      emulator.fault({ operation, when: "after", action: "hang" });
      const child = spawn("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive"], {
        cwd: directory,
        env: environment(version),
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await new Promise((resolve) => {
        const stop = emulator.onRequest((request) => {
          if (request.operation !== operation) return;
          stop();
          resolve(undefined);
        });
      });
      child.kill("SIGKILL");
      await ended;
      await this.pulumi(version, "cancel", "--yes");
    },
    /** Writes a recording of JSON. @param {string} name @param {string} text */
    write(name, text) {
      writeFileSync(join(here, `${name}.json`), portable(`${JSON.stringify(constant(JSON.parse(text)))}\n`));
    },
    /** Writes a recorded event log. @param {string} name @param {(event: any) => boolean} isWanted */
    writeEvents(name, isWanted = () => true) {
      const lines = readFileSync(join(directory, `${name}.jsonl`), "utf8")
        .trim()
        .split("\n");
      // What the engine logs only for debugging has paths of this machine.
      const kept = lines
        .map((line) => constant(JSON.parse(line)))
        .filter((event) => !isDebug(event) && isWanted(event));
      writeFileSync(
        join(here, `${name}.jsonl`),
        portable(kept.map((event) => `${JSON.stringify(event)}\n`).join("")),
      );
    },
    async close() {
      await client.close();
      await emulator.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** @param {unknown} event */
function isDebug(event) {
  return JSON.stringify(event).includes('"severity":"debug"');
}

/**
 * The same value without stack traces, and with times that do not change from one recording to the next.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
function constant(value) {
  if (Array.isArray(value)) return value.map(constant);
  if (typeof value === "string")
    return value.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, "2026-11-21T10:00:00.000Z");
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !["stackTrace", "duration", "timestamp", "durationSeconds"].includes(name),
  );
  return Object.fromEntries(kept.map(([name, item]) => [name, constant(item)]));
}
