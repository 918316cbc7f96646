import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { BuildPipelineClient, type Clock, ConnectionError } from "../../src/client/index.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";
import { CHECKOUT, folderWithin } from "../support/checkout.js";
import { blockMarked } from "./documents.js";

const directory = folderWithin("documents-");
afterAll(() => rmSync(directory, { recursive: true }));

/** Loads a block as it stands, with the package's entries taken from the sources. */
async function load<Exported>(name: string): Promise<Exported> {
  const { text } = blockMarked("driven", name);
  const path = join(directory, `${name}.ts`);
  writeFileSync(path, text.replace(/"pulumi-buildpipeline\/(\w+)"/, `"${CHECKOUT}/src/$1/index.js"`));
  return import(path);
}

async function served(options?: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

function clientOf({ accessToken, organization, url: baseUrl }: Emulator, clock?: Clock): BuildPipelineClient {
  const client = new BuildPipelineClient({ accessToken, organization, baseUrl, ...(clock && { clock }) });
  onTestFinished(() => client.close());
  return client;
}

describe("The documents' code", () => {
  test("for a first client takes the settings from the environment", async () => {
    const { connectedAgents } = await load<{ connectedAgents(): Promise<string[]> }>("first-client");
    const emulator = await served({ seed: false });
    emulator.connectAgent({ name: "builder-7" });
    vi.stubEnv("BUILDPIPELINE_BASE_URL", emulator.url);
    vi.stubEnv("BUILDPIPELINE_ACCESS_TOKEN", emulator.accessToken);
    vi.stubEnv("BUILDPIPELINE_ORGANIZATION", emulator.organization);
    expect(await connectedAgents()).toEqual(["builder-7"]);
    vi.unstubAllEnvs();
  });

  test.each(["passed", "failed"])(
    "for the client starts a build and follows it until it has %s",
    async (end) => {
      const { release } = await load<{
        release(client: BuildPipelineClient, commit: string): Promise<boolean>;
      }>("client");
      const emulator = await served();
      const states = ["running", end];
      const client = clientOf(emulator, {
        now: () => 0,
        sleep: async () => {
          const [newest] = emulator.organizationData.builds.list().toSorted((a, b) => b.number - a.number);
          emulator.moveBuild(newest?.id ?? "", states.shift() ?? end);
        },
      });
      expect(await release(client, "HEAD")).toBe(end === "passed");
    },
  );

  test("for the client stops agents without a job, also when one has gone meanwhile", async () => {
    const { stopIdleAgents } = await load<{ stopIdleAgents(client: BuildPipelineClient): Promise<void> }>(
      "client",
    );
    const emulator = await served({ seed: false });
    for (const name of ["one", "two", "three"]) emulator.connectAgent({ name });
    emulator.fault({
      operation: "agents.stop",
      action: { status: 400, body: { message: "Can only stop connected agents" } },
    });
    const client = clientOf(emulator);
    await stopIdleAgents(client);
    expect(await client.agents.list().all()).toHaveLength(1);
  });

  test("for the emulator loses a response, and counts what was sent", async () => {
    const { tokensAfterLostResponse } = await load<{
      tokensAfterLostResponse(deploy: (url: string, accessToken: string) => Promise<void>): Promise<number>;
    }>("emulator");
    const sent = await tokensAfterLostResponse(async (baseUrl, accessToken) => {
      const client = new BuildPipelineClient({ accessToken, organization: "acme", baseUrl });
      const { id } = await client.clusters.create({ name: "Linux" });
      await expect(client.agentTokens.create(id, { description: "Agents" })).rejects.toThrow(ConnectionError);
      await client.close();
    });
    expect(sent).toBe(1);
  });
});
