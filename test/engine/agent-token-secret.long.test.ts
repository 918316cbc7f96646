import { describe, expect, test } from "vitest";
import type { AgentTokenArgs } from "../../src/index.js";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("The secret of an agent token on the real engine, %s backend", (backend) => {
  const { AgentToken, Cluster } = classesOf[backend];
  const stack = TestStack.forAll();

  const program =
    (args: Partial<AgentTokenArgs> = {}) =>
    async () => {
      const linux = new Cluster("linux", { name: "Linux" });
      const token = new AgentToken("token", { clusterId: linux, description: "farm", ...args });
      return { secret: token.token };
    };

  test("is kept through refresh and update, encrypted, and shows nowhere", async () => {
    const { outputs, output } = await stack.up(program());
    const secret = String(outputs.secret);
    expect(secret.length).toBeGreaterThan(10);
    const printed = [output];
    printed.push((await stack.refresh()).output);
    printed.push((await stack.up(program({ description: "another" }))).output);
    const again = await stack.preview(program({ description: "third", triggers: { rotated: "1" } }));
    printed.push(again.output);
    expect((await stack.up(program({ description: "third" }))).outputs.secret).toBe(secret);
    for (const text of [...printed, stack.files()]) expect(text).not.toContain(secret);
  });

  test("is rotated by triggers: the new token is made before the old one is revoked", async () => {
    const before = (await stack.up(program())).outputs.secret;
    stack.requests();
    const { outputs, steps } = await stack.up(program({ triggers: { rotated: "2" } }));
    expect(outputs.secret).not.toBe(before);
    expect(steps.token).toEqual(["create-replacement", "replace", "delete-replaced"]);
    const writes = stack.requests().filter((request) => !request.startsWith("GET"));
    expect(writes.map((request) => request.split(" ")[0])).toEqual(["POST", "DELETE"]);
    const { linux } = await stack.state();
    expect(await stack.colleague.list(`/clusters/${linux?.id}/tokens`)).toHaveLength(1);
    for (const value of [before, outputs.secret]) expect(stack.files()).not.toContain(String(value));
  });
});
