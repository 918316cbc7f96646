import type { Input } from "@pulumi/pulumi";
import { afterEach, describe, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { Cluster, getClusters, getClustersOutput, Queue } from "../../src/index.js";
import { isWhole, someOf } from "../support/cases.js";
import { Colleague } from "../support/colleague.js";
import { closedAtEnd } from "./ending.js";
import { Project } from "./project.js";
import { TestStack } from "./stack.js";

/** The settings of this process: those of the CLI, which runs the provider, are in the workspace's `envVars`. */
function setOwn(settings: { url: string; organization: string; accessToken: string } | undefined): void {
  const own = {
    BUILDPIPELINE_BASE_URL: settings?.url,
    BUILDPIPELINE_ORGANIZATION: settings?.organization,
    BUILDPIPELINE_ACCESS_TOKEN: settings?.accessToken,
  };
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

const failureOf = (command: Promise<unknown>) => command.then(() => "", String);

describe("Functions of an inline program, with settings in envVars", () => {
  const stack = TestStack.forAll();
  afterEach(() => setOwn(undefined));

  test("fail if this process has no settings, and say where to put them", async () => {
    const failure = await failureOf(stack.preview(async () => void (await getClusters())));
    expect(failure).toContain("buildpipeline:organization is not set");
    expect(failure).toContain("functions don't see the workspace's envVars");
  });

  const FUNCTIONS = someOf<[string, () => Promise<Input<string>>]>([
    ["getClusters()", async () => String((await getClusters()).clusters[0]?.id)],
    ["getClustersOutput()", async () => getClustersOutput().apply(({ clusters }) => String(clusters[0]?.id))],
  ]);
  test.each(FUNCTIONS)("with %s of another organization, nothing is created", async (_, clusterId) => {
    const other = closedAtEnd(await startEmulator({ organization: "other" }));
    await new Colleague(other).sends("POST", "/clusters", { name: "Theirs" });
    setOwn(other);
    const failure = await failureOf(
      stack.up(async () => void new Queue("small", { clusterId: await clusterId(), key: "small" })),
    );
    expect(failure).toContain(`read the organization other at ${other.url}, but this resource is in acme at`);
    expect(stack.writes()).toEqual([]);
  });

  test.runIf(isWhole)(
    "read the same organization as resources if both use the stack's configuration",
    async () => {
      await stack.useConfiguration();
      const program = async () => {
        const { clusters } = await getClusters();
        new Cluster("linux", { name: "Linux" });
        return { count: clusters.length };
      };
      expect((await stack.up(program)).outputs).toEqual({ count: 0 });
      await stack.preview(async () => void new Cluster("linux", { name: "Linux" }), {
        expectNoChanges: true,
      });
      const { linux } = await stack.state();
      expect({ ...linux?.inputs, ...linux?.outputs }).not.toHaveProperty("__functionsRead");
    },
  );
});

test.runIf(isWhole)(
  "A program that sets its own environment creates nothing with what functions read there",
  async () => {
    const other = closedAtEnd(await startEmulator({ organization: "other" }));
    const project = await Project.start();
    const own = {
      BUILDPIPELINE_BASE_URL: other.url,
      BUILDPIPELINE_ORGANIZATION: other.organization,
      BUILDPIPELINE_ACCESS_TOKEN: other.accessToken,
    };
    project.declare(`
    Object.assign(process.env, ${JSON.stringify(own)});
    const { getClustersOutput, Team } = require("pulumi-buildpipeline");
    const description = getClustersOutput().clusters.apply(({ length }) => "of " + length);
    new Team("shop", { name: "Shop", description });
  `);
    await project.newStack();
    const failure = await project.refused("pulumi preview");
    expect(failure).toContain(`read the organization other at ${other.url}, but this resource is in acme at`);
  },
);
