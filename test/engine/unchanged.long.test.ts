import { describe, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("What is no change on the real engine, %s backend", (backend) => {
  const { AgentToken, Cluster } = classesOf[backend];
  const stack = TestStack.forAll();

  test("another spelling of the same, before and after a refresh", async () => {
    const program = (color: string, allowedIpAddresses: string[]) => async () => {
      const clusterId = new Cluster("cluster", { name: "Linux", color });
      new AgentToken("token", { clusterId, description: "d", allowedIpAddresses });
    };
    await stack.up(program("#aabbcc", ["10.0.0.0/8", "192.0.2.7"]));
    await stack.up(program("#AABBCC", ["192.0.2.7/32", "10.0.0.0/8"]), { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
    await stack.up(undefined, { expectNoChanges: true });
    await stack.destroy();
  });
});
