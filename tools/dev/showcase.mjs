// What `npm start` shows of a busy organization: work in the queues of the example, and what the commands say about a
// change that would hit it.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkout, leftovers, projectNode } from "./checkout.mjs";

/** @typedef {import("../../src/emulator/index.js").Emulator} Emulator */

/** Adds agents and builds to the deployed example, unless an earlier run did. @param {Emulator} service */
export function addWork(service) {
  const { clusters, queues, pipelines } = service.organizationData;
  const linux = clusters.list().find(({ name }) => name === "Linux");
  const queueOf = (/** @type {string} */ key) =>
    queues.list("cluster_id", linux?.id ?? "").find((queue) => queue.key === key);
  const [small, large] = [queueOf("small"), queueOf("large")];
  if (
    linux === undefined ||
    small === undefined ||
    large === undefined ||
    pipelines.list("slug", "release").length > 0
  )
    return;
  for (let index = 1; index <= 3; index++)
    service.connectAgent({ name: `builder-${index}`, queueId: small.id });
  const agents = { small: ["queue=small"], large: ["queue=large"] };
  service.createPipeline({
    slug: "storefront",
    name: "Storefront",
    clusterId: linux.id,
    steps: [
      { key: "lint", name: "Lint", command: "make lint", agents: agents.small },
      { key: "test", name: "Test", command: "make test", agents: agents.small },
    ],
  });
  service.createPipeline({
    slug: "release",
    name: "Release",
    clusterId: linux.id,
    steps: [{ key: "package", name: "Package", command: "make package", agents: agents.large }],
  });
  for (const [pipeline, message] of [
    ["storefront", "Show prices with taxes"],
    ["storefront", "Try the new checkout"],
    ["storefront", "Speed up the search"],
    ["release", "Release 1.4"],
    ["release", "Release 1.5"],
  ]) {
    const body = { message, commit: "HEAD", branch: "main" };
    service.perform("builds.create", { params: { pipeline_slug: pipeline ?? "" }, body });
    if (message === "Show prices with taxes") {
      service.dispatchJobs();
      service.finishJobs();
    }
  }
  service.dispatchJobs();
}

/** Where everything of `npm start` is; the pictures of the documents are made from another organization. */
export const place = join(leftovers, process.env.NPM_START_FOLDER ?? ".");

/** Where the results are, for a browser. */
export const results = { report: join(place, "report.html"), drawing: join(place, "load.svg") };

/** An edit that replaces a queue in use, one that runs code of strangers, and two harmless ones. */
const EDITS = [
  ['key: "small"', 'key: "tiny"'],
  ['tags: ["team:web"],', "$& providerSettings: { buildPullRequestForks: true },"],
  ["16 cores, for release builds", "32 cores, for release builds"],
  [
    "// Agents that name no queue",
    'new Queue("arm64", { clusterId: linux, key: "arm64", description: "For builds of the ARM image" });\n\n$&',
  ],
];

/** Returns the folder of the example with a replaced queue; undefined if no queue has that key. */
export function changedExample() {
  const folder = join(place, "changed");
  mkdirSync(folder, { recursive: true });
  cpSync(join(checkout, "examples", "quickstart"), folder, { recursive: true });
  const program = join(folder, "index.ts");
  const before = readFileSync(program, "utf8");
  writeFileSync(
    program,
    EDITS.reduce((text, [from = "", to = ""]) => text.replace(from, to), before),
  );
  return before.includes('key: "small"') ? folder : undefined;
}

/**
 * Writes a report with impact and a drawing with loads.
 *
 * @param {string[] | undefined} inputs files with what `pulumi preview --json` and `pulumi stack export` printed
 * @param {Record<string, string>} environment
 */
export async function writeResults(inputs, environment) {
  const [preview = "", state = ""] = inputs ?? [];
  const commands = [
    ...(inputs === undefined
      ? []
      : [["report", preview, "--stack-export", state, "--impact", "--html", "--out", results.report]]),
    ["graph", "--load", "--format", "svg", "--out", results.drawing],
  ];
  for (const args of commands) {
    const command = [join(checkout, "dist", "commands", "main.js"), ...args];
    // Outside of the project, so that nothing but the environment has settings.
    await promisify(execFile)(projectNode(), command, {
      cwd: place,
      env: { ...process.env, ...environment },
    });
  }
}
