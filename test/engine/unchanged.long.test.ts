import { describe, expect, test } from "vitest";
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

  test("what ignoreChanges names, from the adoption on and without the import option too", async () => {
    const { id } = await stack.colleague.sends("POST", "/clusters", {
      name: "Adopted",
      description: "by hand",
    });
    const program = (opts: { import?: string }) => async () => {
      const args = { name: "Adopted", description: "of the program" };
      new Cluster("adopted", args, { ignoreChanges: ["description"], ...opts });
    };
    await stack.up(program({ import: "Adopted" }));
    await stack.up(undefined, { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
    stack.requests();
    // The mark of an adoption leaves the state by an update; the engine's own import leaves none.
    expect((await stack.up(program({}))).steps.adopted).toEqual([backend === "plugin" ? "same" : "update"]);
    expect(stack.requests().filter((request) => !request.startsWith("GET"))).toEqual([]);
    await stack.up(undefined, { expectNoChanges: true });
    expect(await stack.colleague.sends("GET", `/clusters/${id}`)).toMatchObject({ description: "by hand" });
  });
});
