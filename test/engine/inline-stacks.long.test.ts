import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { Cluster } from "../../src/index.js";
import { keyService, SECRETS_PROVIDER } from "./key-service.js";
import "./separate-connections.cjs";

test("Stacks with a folder each are deployed in parallel, every one with its own program and settings", async () => {
  const root = join(__dirname, "..", "..", ".buildpipeline", "test");
  mkdirSync(root, { recursive: true });
  const directory = mkdtempSync(join(root, "inline-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const keys = await keyService();

  /** A stack in its own folder, with its own organization. */
  const stackOf = async (name: string): Promise<{ stack: Stack; clusters: () => string[] }> => {
    const emulator = await startEmulator({ seed: false, organization: name });
    onTestFinished(() => emulator.close());
    const workDir = join(directory, name);
    mkdirSync(join(workDir, "state"), { recursive: true });
    const stack = await LocalWorkspace.createStack(
      { projectName: "test", stackName: name, program: async () => void new Cluster("linux", { name }) },
      {
        workDir,
        secretsProvider: SECRETS_PROVIDER,
        projectSettings: {
          name: "test",
          runtime: "nodejs",
          backend: { url: `file://${join(workDir, "state")}` },
        },
        envVars: {
          ...keys,
          PULUMI_HOME: join(directory, "home"),
          BUILDPIPELINE_BASE_URL: emulator.url,
          BUILDPIPELINE_ORGANIZATION: emulator.organization,
          BUILDPIPELINE_ACCESS_TOKEN: emulator.accessToken,
        },
      },
    );
    return {
      stack,
      clusters: () => emulator.organizationData.clusters.list().map((cluster) => cluster.name),
    };
  };

  const stacks = await Promise.all(["production", "staging", "test"].map(stackOf));
  await Promise.all(stacks.map(({ stack }) => stack.up()));
  expect(stacks.map(({ clusters }) => clusters())).toEqual([["production"], ["staging"], ["test"]]);
  await Promise.all(stacks.map(({ stack }) => stack.destroy()));
  expect(stacks.map(({ clusters }) => clusters())).toEqual([[], [], []]);
});
