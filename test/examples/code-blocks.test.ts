import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { BuildPipelineClient, ConnectionError } from "../../src/client/index.js";
import { startEmulator } from "../../src/emulator/index.js";
import { CHECKOUT } from "./compiler.js";
import { blockMarked } from "./documents.js";

const parent = join(CHECKOUT, ".buildpipeline", "test");
mkdirSync(parent, { recursive: true });
const directory = mkdtempSync(join(parent, "documents-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Loads a block as it stands, with the package's entries taken from the sources. */
async function load<Module>(name: string): Promise<Module> {
  const { text } = blockMarked("driven", name);
  const path = join(directory, `${name}.ts`);
  writeFileSync(path, text.replace(/"pulumi-buildpipeline\/(\w+)"/, `"${CHECKOUT}/src/$1/index.js"`));
  return import(path);
}

interface FirstClientBlock {
  connectedAgents(): Promise<string[]>;
}

interface ClientBlock {
  release(client: BuildPipelineClient, commit: string): Promise<boolean>;
  stopIdleAgents(client: BuildPipelineClient): Promise<void>;
}

interface EmulatorBlock {
  tokensAfterLostResponse(deploy: (url: string, accessToken: string) => Promise<void>): Promise<number>;
}

describe("The documents' first code for the client", () => {
  test("takes the settings from the environment", async () => {
    const { connectedAgents } = await load<FirstClientBlock>("first-client");
    const emulator = await startEmulator({ seed: false });
    emulator.connectAgent({ name: "builder-7" });
    vi.stubEnv("BUILDPIPELINE_BASE_URL", emulator.url);
    vi.stubEnv("BUILDPIPELINE_ACCESS_TOKEN", emulator.accessToken);
    vi.stubEnv("BUILDPIPELINE_ORGANIZATION", emulator.organization);
    expect(await connectedAgents()).toEqual(["builder-7"]);
    vi.unstubAllEnvs();
    await emulator.close();
  });
});

describe("The documents' code for the client", () => {
  test.each(["passed", "failed"])("starts a build and follows it until it has %s", async (end) => {
    const { release } = await load<ClientBlock>("client");
    const emulator = await startEmulator();
    const states = ["running", end];
    const client = new BuildPipelineClient({
      accessToken: emulator.accessToken,
      organization: emulator.organization,
      baseUrl: emulator.url,
      clock: {
        now: () => 0,
        sleep: async () => {
          const [newest] = emulator.organizationData.builds.list().toSorted((a, b) => b.number - a.number);
          emulator.moveBuild(newest?.id ?? "", states.shift() ?? end);
        },
      },
    });
    expect(await release(client, "HEAD")).toBe(end === "passed");
    await client.close();
    await emulator.close();
  });

  test("stops agents without a job, also when one has gone meanwhile", async () => {
    const { stopIdleAgents } = await load<ClientBlock>("client");
    const emulator = await startEmulator({ seed: false });
    for (const name of ["one", "two", "three"]) emulator.connectAgent({ name });
    emulator.fault({
      operation: "agents.stop",
      action: { status: 400, body: { message: "Can only stop connected agents" } },
    });
    const client = new BuildPipelineClient({
      accessToken: emulator.accessToken,
      organization: emulator.organization,
      baseUrl: emulator.url,
    });
    await stopIdleAgents(client);
    expect(await client.agents.list().all()).toHaveLength(1);
    await client.close();
    await emulator.close();
  });
});

describe("The documents' code for the emulator", () => {
  test("loses a response, and counts what was sent", async () => {
    const { tokensAfterLostResponse } = await load<EmulatorBlock>("emulator");
    const sent = await tokensAfterLostResponse(async (baseUrl, accessToken) => {
      const client = new BuildPipelineClient({ accessToken, organization: "acme", baseUrl });
      const { id } = await client.clusters.create({ name: "Linux" });
      await expect(client.agentTokens.create(id, { description: "Agents" })).rejects.toThrow(ConnectionError);
      await client.close();
    });
    expect(sent).toBe(1);
  });
});
