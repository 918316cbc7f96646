import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

/** Without the program, the engine gives the provider the settings in the state; rules of ours need no engine. */
describe.each(backends)(
  "A stack whose configuration changes to another organization, %s backend",
  (backend) => {
    const { AgentToken, Cluster, Queue } = classesOf[backend];
    const stack = TestStack.forAll();
    const program = async () => {
      const linux = new Cluster("linux", { name: "Linux" });
      new Queue("queue", { clusterId: linux, key: "q" });
      new AgentToken("token", { clusterId: linux, description: "farm" });
    };

    test("is neither refreshed nor destroyed with its program, and forgets nothing", async () => {
      await stack.configure("buildpipeline:organization", "acme");
      await stack.up(program);
      // Requests are those since the last look.
      expect(stack.writes()).toHaveLength(3);
      await stack.configure("buildpipeline:organization", "acne");
      for (const verb of ["refresh", "destroy"] as const) {
        const message = await stack.refused(stack[verb]({ runProgram: true }));
        expect(message, verb).toContain("allowOrganizationChange");
      }
      expect(Object.keys(await stack.state()).sort()).toEqual(["linux", "queue", "token"]);
      expect(stack.writes()).toEqual([]);
    });

    test("is refreshed and destroyed where the state says things are, with allowOrganizationChange", async () => {
      await stack.configure("buildpipeline:allowOrganizationChange", "true");
      await stack.refresh({ runProgram: true });
      expect(Object.keys(await stack.state()).sort()).toEqual(["linux", "queue", "token"]);
      await stack.destroy({ runProgram: true });
      expect(await stack.state()).toEqual({});
      expect(stack.emulator.organizationData.clusters.size).toBe(0);
    });
  },
);
