import { describe, expect, test } from "vitest";
import { isWhole } from "../support/cases.js";
import { backendsOr, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backendsOr("plugin"))("The order of the engine's steps, %s backend", (backend) => {
  const { AgentToken, Cluster, Provider, Queue } = classesOf[backend];
  let late = 0;
  const stack = TestStack.forAll({ clock: () => new Date(Date.now() + late) });

  const program = (where: "one" | "two") => async () => {
    const clusters = { one: new Cluster("one", { name: "One" }), two: new Cluster("two", { name: "Two" }) };
    const clusterId = clusters[where];
    new Queue("queue", { clusterId, key: "same" });
    const token = new AgentToken("token", { clusterId, description: "same" });
    const { url, accessToken, organization } = stack.emulator;
    const provider = new Provider("explicit", { accessToken, organization, baseUrl: url });
    new Cluster("other", { name: "Other" }, { provider });
    return { secret: token.token };
  };
  const writes = () =>
    stack
      .requests()
      .filter((request) => !request.startsWith("GET"))
      .map((request) => request.replace(/\/v2\/organizations\/\w+|\/[0-9a-f-]{36}/g, ""));

  test("nothing is created with a missing setting, which is reported with its places, without a stack trace", async () => {
    const env = { BUILDPIPELINE_ACCESS_TOKEN: undefined, BUILDPIPELINE_BASE_URL: undefined };
    const message = await stack.refused(stack.preview(program("one"), { env }));
    expect(message).toContain("buildpipeline:accessToken is not set");
    expect(message).toContain("BUILDPIPELINE_BASE_URL");
    expect(message).not.toMatch(/\n\s+at /);
  });

  test("a queue and a token move to another cluster with the same key", async () => {
    const { outputs: before, output } = await stack.up(program("one"));
    if (isWhole) await stack.preview(undefined, { expectNoChanges: true });
    // Not even of an explicit provider.
    expect(`${output}${stack.files()}`).not.toContain(stack.emulator.accessToken);
    const { outputs } = await stack.up(program("two"));
    const { two, queue, token } = await stack.state();
    expect([queue?.inputs.clusterId, token?.inputs.clusterId]).toEqual([two?.id, two?.id]);
    expect(outputs.secret).not.toBe(before.secret);
  });

  test.runIf(isWhole)("--replace creates a token before it revokes the old one", async () => {
    const { token } = await stack.state();
    stack.requests();
    await stack.up(undefined, { replace: [token?.urn ?? ""] });
    expect(writes()).toEqual(["POST /clusters/tokens", "DELETE /clusters/tokens"]);
  });

  test.runIf(isWhole)("destroy --target deletes only what it names", async () => {
    const { queue } = await stack.state();
    stack.requests();
    await stack.destroy({ target: [queue?.urn ?? ""] });
    expect(writes()).toEqual(["DELETE /clusters/queues"]);
    expect(Object.keys(await stack.state()).sort()).toEqual(["one", "other", "token", "two"]);
  });

  test.runIf(isWhole)("up --refresh --run-program creates what was deleted out of band", async () => {
    const { two, token } = await stack.state();
    // What was made seconds ago would be waited for.
    late = 20_000;
    await stack.colleague.sends("DELETE", `/clusters/${two?.id}/tokens/${token?.id}`);
    await stack.up(program("two"), { refresh: true, runProgram: true });
    const { queue, token: again } = await stack.state();
    expect(queue).toBeDefined();
    expect(again?.id).not.toBe(token?.id);
  });

  test("destroy deletes queues and tokens by their own requests, then their cluster", async () => {
    const { one, other, two, queue, token } = await stack.state();
    stack.requests();
    await stack.destroy({ runProgram: true });
    const deletions = stack.requests().filter((request) => request.startsWith("DELETE"));
    const deleted = deletions.map((request) => request.slice(request.lastIndexOf("/") + 1));
    expect([...deleted].sort()).toEqual([one?.id, other?.id, two?.id, queue?.id, token?.id].sort());
    // Nothing is in the other clusters, so they may be deleted before them.
    const related = [two?.id, queue?.id, token?.id];
    expect(deleted.filter((id) => related.includes(id)).at(-1)).toBe(two?.id);
  });
});
