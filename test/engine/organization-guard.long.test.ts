import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { beforeAll, describe, expect, test } from "vitest";
import { backends, type Classes, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

const programOf =
  ({ AgentToken, Cluster, Queue }: Classes): PulumiFn =>
  async () => {
    const linux = new Cluster("linux", { name: "Linux" });
    new Queue("queue", { clusterId: linux, key: "q" });
    new AgentToken("token", { clusterId: linux, description: "farm" });
  };
const NAMES = ["linux", "queue", "token"];

/** What the state knows of each resource. A refresh also drops the engine's notes of what depends on what. */
const known = (state: Awaited<ReturnType<TestStack["state"]>>) =>
  Object.fromEntries(
    Object.entries(state).map(([name, { id, inputs, outputs }]) => [name, { id, inputs, outputs }]),
  );

describe.each(backends)("A stack that was deployed with other settings, %s backend", (backend) => {
  const program = programOf(classesOf[backend]);
  const stack = TestStack.forAll();
  const anotherOrganization = { BUILDPIPELINE_ORGANIZATION: "acne" };
  let before: Awaited<ReturnType<TestStack["state"]>>;
  beforeAll(async () => {
    await stack.up(program);
    before = await stack.state();
  });
  const names = async () => Object.keys(await stack.state()).sort();

  test.each(["refresh", "destroy"] as const)(
    "of another organization: %s fails as the preview does, and forgets nothing",
    async (verb) => {
      stack.requests();
      const message = await stack.refused(stack[verb]({ env: anotherOrganization }));
      for (const essential of ['"acme"', '"acne"', "allowOrganizationChange"]) {
        expect(message).toContain(essential);
      }
      expect(known(await stack.state())).toEqual(known(before));
      expect(stack.writes()).toEqual([]);
      expect(stack.emulator.organizationData.clusters.size).toBe(1);
    },
  );

  test("of another organization: removing a resource fails as the preview does", async () => {
    const message = await stack.refused(stack.up(async () => {}, { env: anotherOrganization }));
    expect(message).toContain("allowOrganizationChange");
    expect(await names()).toEqual(NAMES);
  });

  test("of another organization, with allowOrganizationChange: refresh and destroy work where the state says things are", async () => {
    await stack.configure("buildpipeline:allowOrganizationChange", "true");
    await stack.configure("buildpipeline:organization", "acne");
    const options = { env: anotherOrganization, program, runProgram: true };
    await stack.refresh(options);
    expect(await names()).toEqual(NAMES);
    await stack.destroy(options);
    expect(await stack.state()).toEqual({});
    expect(stack.emulator.organizationData.clusters.size).toBe(0);
  });
});

describe.each(backends)("A stack whose settings change, %s backend", (backend) => {
  const stack = TestStack.forAll();

  test("in its configuration, to another organization: refresh and destroy that run the program fail", async () => {
    await stack.configure("buildpipeline:organization", "acme");
    await stack.up(programOf(classesOf[backend]));
    await stack.configure("buildpipeline:organization", "acne");
    for (const verb of ["refresh", "destroy"] as const) {
      const message = await stack.refused(stack[verb]({ runProgram: true }));
      expect(message, verb).toContain("allowOrganizationChange");
    }
    expect(Object.keys(await stack.state()).sort()).toEqual(NAMES);
  });
});
