// Records what the real engine writes about the program beside this file, for the tests of `unmanaged`, `graph` and
// `report`: `npm run record`. What differs from run to run only (stack traces, times, ids) is made constant.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { BuildPipelineClient } from "pulumi-buildpipeline/client";
import { startEmulator } from "pulumi-buildpipeline/emulator";
import { leftovers } from "../../../tools/checkout.mjs";
import { pulumiEnvironment } from "../../../tools/pulumi-cli/locate.mjs";

const here = import.meta.dirname;
mkdirSync(join(leftovers, "test"), { recursive: true });
const directory = mkdtempSync(join(leftovers, "test", "recording-"));
const emulator = await startEmulator({ seed: false });
try {
  cpSync(join(here, "program"), directory, { recursive: true });
  mkdirSync(join(directory, "state"));
  const environment = {
    ...pulumiEnvironment(),
    PULUMI_BACKEND_URL: `file://${directory}/state`,
    PULUMI_CONFIG_PASSPHRASE: "recorded",
    PULUMI_HOME: join(directory, "home"),
    BUILDPIPELINE_BASE_URL: emulator.url,
    BUILDPIPELINE_ACCESS_TOKEN: emulator.accessToken,
    BUILDPIPELINE_ORGANIZATION: emulator.organization,
  };
  /** @param {string} version @param {string[]} args */
  const pulumi = async (version, ...args) => {
    const env = { ...environment, RECORDED_VERSION: version, PULUMI_DEBUG_COMMANDS: "true" };
    const options = { cwd: directory, env, maxBuffer: 2 ** 28 };
    return (await promisify(execFile)("pulumi", [...args, "--non-interactive"], options)).stdout;
  };
  await pulumi("before", "stack", "init", "production");
  await pulumi("before", "up", "--yes", "--skip-preview");
  const client = new BuildPipelineClient({
    baseUrl: emulator.url,
    accessToken: emulator.accessToken,
    organization: emulator.organization,
  });
  for await (const cluster of client.clusters.list()) {
    if (cluster.name === "Linux") await client.queues.create(cluster.id, { key: "by-hand" });
  }
  /** @type {Record<string, string>} */
  const recorded = {
    "stack-export": await pulumi("before", "stack", "export"),
    preview: await pulumi("changed", "preview", "--json"),
    "preview-replacement-steps": await pulumi("changed", "preview", "--json", "--show-replacement-steps"),
    "preview-sames": await pulumi("changed", "preview", "--json", "--show-sames"),
    "preview-unchanged": await pulumi("before", "preview", "--json"),
    "refresh-unchanged": await pulumi("before", "refresh", "--preview-only", "--json"),
  };
  await pulumi("changed", "preview", "--event-log", "preview-events.jsonl");
  for await (const cluster of client.clusters.list()) {
    if (cluster.name === "Old machines") await client.clusters.delete(cluster.id);
    if (cluster.name === "Linux") await client.clusters.update(cluster.id, { description: "By hand" });
  }
  await client.close();
  recorded["refresh-drift"] = await pulumi("before", "refresh", "--preview-only", "--json");
  await pulumi("before", "refresh", "--preview-only", "--event-log", "drift-events.jsonl");
  for (const name of ["preview-events", "drift-events"]) {
    const lines = readFileSync(join(directory, `${name}.jsonl`), "utf8")
      .trim()
      .split("\n");
    // What the engine tells only when it is debugged has paths of this machine.
    const kept = lines.map((line) => constant(JSON.parse(line))).filter((event) => !isDebug(event));
    writeFileSync(
      join(here, `${name}.jsonl`),
      kept
        .map((event) => `${JSON.stringify(event)}\n`.replaceAll(emulator.url, "https://api.example.com"))
        .join(""),
    );
  }
  for (const [name, text] of Object.entries(recorded)) {
    const value = constant(JSON.parse(text));
    writeFileSync(
      join(here, `${name}.json`),
      `${JSON.stringify(value)}\n`.replaceAll(emulator.url, "https://api.example.com"),
    );
  }
} finally {
  await emulator.close();
  rmSync(directory, { recursive: true, force: true });
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
