import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { BuildPipelineClient } from "pulumi-buildpipeline/client";
import { type Emulator, startEmulator } from "pulumi-buildpipeline/emulator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { organization } from "./organization";

// The real engine, the real provider, and the service itself in this process: nothing is mocked, and nothing
// leaves the machine. Pulumi must be on the PATH.
let emulator: Emulator;
let client: BuildPipelineClient;
let stack: Stack;
let directory: string;

beforeAll(async () => {
  emulator = await startEmulator({ seed: false });
  client = new BuildPipelineClient({
    accessToken: emulator.accessToken,
    organization: emulator.organization,
    baseUrl: emulator.url,
  });
  // Inside the project, because the engine looks for pulumi-buildpipeline from there.
  directory = mkdtempSync(join(__dirname, ".test-"));
  const state = join(directory, "state");
  mkdirSync(state);
  stack = await LocalWorkspace.createStack(
    { projectName: "test", stackName: "test", program: async () => organization() },
    {
      workDir: directory,
      projectSettings: { name: "test", runtime: "nodejs", backend: { url: `file://${state}` } },
      envVars: {
        PULUMI_CONFIG_PASSPHRASE: "test",
        BUILDPIPELINE_ACCESS_TOKEN: emulator.accessToken,
        BUILDPIPELINE_ORGANIZATION: emulator.organization,
        BUILDPIPELINE_BASE_URL: emulator.url,
      },
    },
  );
  await stack.up();
}, 60_000);

afterAll(async () => {
  await client?.close();
  await emulator?.close();
  if (directory) rmSync(directory, { recursive: true, force: true });
});

test("agents that name no queue take jobs from the small one", async () => {
  const [linux] = await client.clusters.list().all();
  const small = (await client.queues.list(linux?.id ?? "").all()).find(({ key }) => key === "small");
  expect(linux?.default_queue_id).toBe(small?.id);
});

test("the secret of the agents' token is an output, and a secret one", async () => {
  const { agentToken } = await stack.outputs();
  expect(agentToken).toEqual({ value: expect.any(String), secret: true });
}, 60_000);

test("the next deployment leaves a queue that an operator paused alone, and resumes nothing", async () => {
  const [linux] = await client.clusters.list().all();
  const queues = await client.queues.list(linux?.id ?? "").all();
  const small = queues.find(({ key }) => key === "small");
  await client.queues.pauseDispatch(linux?.id ?? "", small?.id ?? "", { note: "Incident" });

  // Fails if it would change anything.
  const preview = await stack.preview({ refresh: true, expectNoChanges: true });
  expect(preview.changeSummary).toEqual({ same: expect.any(Number) });
}, 60_000);
