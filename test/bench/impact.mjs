// Requests and time of `report --impact` and `graph --load` for an organization with many jobs and agents.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkout } from "../../tools/checkout.mjs";
import { openScene } from "./stack.mjs";

/** @type {typeof import("../../src/client/index.js")} */
const { BuildPipelineClient } = createRequire(import.meta.url)("pulumi-buildpipeline/client");

const JOBS = 3_000;
const AGENTS = 500;
const CLUSTERS = 13;

/** @typedef {Record<string, { requests: number, seconds: number, running: number, waiting: number }>} ImpactFigures */

/** @returns {Promise<ImpactFigures>} */
export async function measureImpact() {
  const { emulator, directory: scratch, close } = await openScene();
  const client = new BuildPipelineClient({
    baseUrl: emulator.url,
    accessToken: emulator.accessToken,
    organization: emulator.organization,
  });
  try {
    const recorded = JSON.parse(readFileSync(join(checkout, "test/cli/recorded/preview.json"), "utf8"));
    const like = recorded.steps.find((/** @type {{ urn: string }} */ { urn }) =>
      urn.endsWith("::linux-small"),
    );
    const steps = [];
    const pipelines = [];
    for (let index = 0; index < CLUSTERS; index++) {
      const cluster = await client.clusters.create({ name: `Site ${index}` });
      const queue = await client.queues.create(cluster.id, { key: "small" });
      const text = JSON.stringify(like)
        .replaceAll(like.oldState.inputs.clusterId, cluster.id)
        .replaceAll(like.oldState.id, queue.id)
        .replaceAll("::linux", `::c${index}`);
      steps.push(JSON.parse(text));
      const jobs = ["queue=small", "queue=small"].map((rule, step) => ({
        key: `s${step}`,
        name: `Step ${step}`,
        command: "make",
        agents: [rule],
      }));
      pipelines.push(emulator.createPipeline({ slug: `p${index}`, clusterId: cluster.id, steps: jobs }).slug);
      for (let agent = 0; agent < AGENTS / CLUSTERS; agent++) emulator.connectAgent({ queueId: queue.id });
    }
    for (let build = 0; build < JOBS / 2; build++) {
      const slug = pipelines[build % CLUSTERS] ?? "p0";
      await client.builds.create(slug, { commit: "0123456789abcdef", branch: "main" });
    }
    emulator.dispatchJobs();
    const preview = join(scratch, "preview.json");
    writeFileSync(preview, JSON.stringify({ steps }));
    const env = {
      ...process.env,
      BUILDPIPELINE_BASE_URL: emulator.url,
      BUILDPIPELINE_ACCESS_TOKEN: emulator.accessToken,
      BUILDPIPELINE_ORGANIZATION: emulator.organization,
    };
    /** @type {ImpactFigures} */
    const figures = {};
    for (const [name, args] of /** @type {const} */ ([
      ["report --impact", ["report", preview, "--impact", "--json"]],
      ["graph --load", ["graph", "--load", "--json"]],
    ])) {
      emulator.clearRequests();
      const start = performance.now();
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [join(checkout, "dist", "cli", "main.js"), ...args],
        { env, cwd: scratch, maxBuffer: 2 ** 28 },
      );
      const seconds = (performance.now() - start) / 1000;
      const { impact, clusters } = JSON.parse(stdout);
      /** @type {{ running: number, waiting: number }[]} */
      const loads =
        impact?.findings ??
        clusters.flatMap(
          (/** @type {{ queues: { load: { running: number, waiting: number } }[] }} */ { queues }) =>
            queues.map(({ load: one }) => one),
        );
      const sum = (/** @type {"running" | "waiting"} */ of) =>
        loads.reduce((total, one) => total + one[of], 0);
      figures[name] = {
        requests: emulator.requests.length,
        seconds,
        running: sum("running"),
        waiting: sum("waiting"),
      };
    }
    return figures;
  } finally {
    await client.close();
    await close();
  }
}
