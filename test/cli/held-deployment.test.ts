import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BusyOrganization } from "./busy-organization.js";
import { buildpipeline, type Ended, Scratch, settingsOf } from "./command.js";

let scratch: Scratch;
let organization: BusyOrganization;
beforeEach(async () => {
  scratch = new Scratch();
  organization = await BusyOrganization.start();
});
afterEach(async () => {
  await organization.close();
  scratch.remove();
});

function run(...args: readonly string[]): Promise<Ended> {
  return buildpipeline(args, { env: settingsOf(organization.emulator) });
}

/** What the engine sends for the recorded preview's replacement: the new queue, the default, then the old queue. */
async function deploy(): Promise<string> {
  const { client, linux, queues } = organization;
  const tiny = await client.queues.create(linux, { key: "tiny" });
  await client.clusters.update(linux, { default_queue_id: tiny.id });
  await client.queues.delete(linux, queues.small);
  return tiny.id;
}

const statesOf = async (pipeline: string) =>
  (await organization.client.builds.list(pipeline).all()).flatMap(({ jobs }) =>
    (jobs ?? []).map(({ state, cluster_queue_id }) => ({ state, queue: cluster_queue_id })),
  );

test("A pull request replaces a busy queue: it is held, the queue is drained, and jobs continue in the new queue", async () => {
  const { emulator, queues } = organization;
  const agents = [1, 2, 3].map(() => emulator.connectAgent({ queueId: queues.small }).id);
  await organization.build("storefront", 8);
  emulator.dispatchJobs();
  const preview = scratch.path("preview.json");
  const steps: { urn: string }[] = JSON.parse(organization.recorded("preview")).steps;
  const wanted = steps.filter(({ urn }) => urn.endsWith("::linux-small") || urn.endsWith("::linux-default"));
  writeFileSync(preview, JSON.stringify({ steps: wanted }));

  // The pull request's check shows the figures and holds the deployment.
  const held = await run("report", preview, "--impact", "--fail-on", "busy");
  expect(held.code).toBe(3);
  expect(held.stdout).toContain("**3 running, 5 waiting");
  expect(held.stdout).toContain(
    "5 jobs that have not started name no queue and go to the default queue, <code>tiny</code>",
  );

  // The service itself refuses to delete the queue under its agents.
  await expect(deploy()).rejects.toThrow(/422/);
  await organization.client.clusters.update(organization.linux, { default_queue_id: queues.small });
  await organization.client.queues.delete(
    organization.linux,
    (await organization.client.queues.list(organization.linux).all()).find(({ key }) => key === "tiny")?.id ??
      "",
  );

  // Each look of the drain finds one job less; agents take no new ones.
  emulator.onRequest(({ operation }) => {
    if (operation !== "queues.get") return;
    emulator.finishJobs({ atMost: 1 });
    emulator.dispatchJobs();
  });
  const drained = await run("drain", "--preview", preview, "--interval", "0.02", "--json");
  expect(drained.code).toBe(0);
  expect(JSON.parse(drained.stdout)).toMatchObject({
    end: "drained",
    queues: [{ key: "small", running: 0, waiting: 5 }],
  });

  // Now nothing holds the deployment any more, and the agents move on.
  expect((await run("report", preview, "--impact", "--fail-on", "busy")).code).toBe(0);
  for (const id of agents) emulator.disconnectAgent(id);
  const tiny = await deploy();
  for (const id of agents) emulator.connectAgent({ id, queueId: tiny });
  while (emulator.dispatchJobs() > 0) emulator.finishJobs();
  const jobs = await statesOf("storefront");
  expect(jobs.map(({ state }) => state)).toEqual(Array(8).fill("passed"));
  expect(jobs.filter(({ queue }) => queue === tiny)).toHaveLength(5);
});
