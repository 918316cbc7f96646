import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, test } from "vitest";
import { backends, type Classes, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

const programOf =
  ({ AgentToken, Cluster, Queue }: Classes): PulumiFn =>
  async () => {
    const linux = new Cluster("linux", { name: "Linux" });
    new Queue("queue", { clusterId: linux, key: "q" });
    new AgentToken("token", { clusterId: linux, description: "farm" });
  };

/** What the state knows of each resource. A refresh also drops the engine's notes of what depends on what. */
const known = (state: Awaited<ReturnType<TestStack["state"]>>) =>
  Object.fromEntries(
    Object.entries(state).map(([name, { id, inputs, outputs }]) => [name, { id, inputs, outputs }]),
  );

describe.each(backends)("With settings that name another organization, %s backend", (backend) => {
  const program = programOf(classesOf[backend]);
  const stack = TestStack.forEach();
  const env = { BUILDPIPELINE_ORGANIZATION: "acne" };

  test.each(["refresh", "destroy"] as const)(
    "%s fails as the preview does, and forgets nothing",
    async (verb) => {
      await stack.up(program);
      const before = await stack.state();
      stack.requests();
      const message = await stack.refused(stack[verb]({ env }));
      for (const essential of ['"acme"', '"acne"', "allowOrganizationChange"]) {
        expect(message).toContain(essential);
      }
      expect(known(await stack.state())).toEqual(known(before));
      expect(stack.requests().filter((request) => !request.startsWith("GET"))).toEqual([]);
      expect(stack.emulator.organizationData.clusters.size).toBe(1);
    },
  );

  test("removing a resource fails as the preview does", async () => {
    await stack.up(program);
    const message = await stack.refused(stack.up(async () => {}, { env }));
    expect(message).toContain("allowOrganizationChange");
    expect(Object.keys(await stack.state()).sort()).toEqual(["linux", "queue", "token"]);
  });

  test("and allowOrganizationChange, refresh and destroy work where the state says things are", async () => {
    await stack.up(program);
    await stack.configure("buildpipeline:allowOrganizationChange", "true");
    await stack.configure("buildpipeline:organization", "acne");
    await stack.refresh({ env, runProgram: true });
    expect(Object.keys(await stack.state()).sort()).toEqual(["linux", "queue", "token"]);
    await stack.destroy({ env, runProgram: true });
    expect(await stack.state()).toEqual({});
    expect(stack.emulator.organizationData.clusters.size).toBe(0);
  });

  test("in today's stack configuration, refresh and destroy that run the program fail", async () => {
    await stack.configure("buildpipeline:organization", "acme");
    await stack.up(program);
    await stack.configure("buildpipeline:organization", "acne");
    for (const verb of ["refresh", "destroy"] as const) {
      const message = await stack.refused(stack[verb]({ runProgram: true }));
      expect(message, verb).toContain("allowOrganizationChange");
    }
    expect(Object.keys(await stack.state()).sort()).toEqual(["linux", "queue", "token"]);
  });
});

describe.each(backends)(
  "With settings that lead to another service which has nothing of this one, %s backend",
  (backend) => {
    const { Cluster, Provider } = classesOf[backend];
    const program = programOf(classesOf[backend]);
    const stack = TestStack.forEach();

    test("refresh, removal and destroy fail and name both, and forget nothing", async () => {
      const other = await TestStack.start();
      try {
        await stack.up(program);
        const before = Object.keys(await stack.state()).sort();
        const env = {
          BUILDPIPELINE_BASE_URL: other.emulator.url,
          BUILDPIPELINE_ACCESS_TOKEN: other.emulator.accessToken,
        };
        const commands = {
          refresh: () => stack.refresh({ env }),
          removal: () => stack.up(async () => {}, { env }),
          destroy: () => stack.destroy({ env }),
        };
        for (const [name, command] of Object.entries(commands)) {
          const message = await stack.refused(command());
          expect(message, name).toContain(stack.emulator.url);
          expect(message, name).toContain(other.emulator.url);
          expect(Object.keys(await stack.state()).sort(), name).toEqual(before);
        }
        expect(stack.emulator.organizationData.agentTokens.size).toBe(1);
      } finally {
        await other.close();
      }
    });

    test("in a changed explicit provider, the same", async () => {
      const other = await TestStack.start();
      const explicit =
        ({ url, accessToken, organization }: TestStack["emulator"], names: readonly string[]): PulumiFn =>
        async () => {
          const provider = new Provider("explicit", { baseUrl: url, accessToken, organization });
          for (const name of names) new Cluster(name, { name }, { provider });
        };
      try {
        await stack.up(explicit(stack.emulator, ["one", "two"]));
        const message = await stack.refused(stack.up(explicit(other.emulator, ["one"])));
        expect(message).toContain(stack.emulator.url);
        expect(message).toContain(other.emulator.url);
        expect(Object.keys(await stack.state()).sort()).toEqual(["one", "two"]);
        expect(stack.emulator.organizationData.clusters.size).toBe(2);
      } finally {
        await other.close();
      }
    });
  },
);
