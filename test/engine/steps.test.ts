import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("The order of the engine's steps, %s backend", (backend) => {
  const { AgentToken, Cluster, Queue } = classesOf[backend];
  const stack = TestStack.forAll();

  const program = (where: "one" | "two") => async () => {
    const clusters = { one: new Cluster("one", { name: "One" }), two: new Cluster("two", { name: "Two" }) };
    const clusterId = clusters[where];
    new Queue("queue", { clusterId, key: "same" });
    const token = new AgentToken("token", { clusterId, description: "same" });
    return { secret: token.token };
  };
  const writes = () =>
    stack
      .requests()
      .filter((request) => !request.startsWith("GET"))
      .map((request) => request.replace(/\/v2\/organizations\/\w+|\/[0-9a-f-]{36}/g, ""));

  test("a queue and a token move to another cluster with the same key", async () => {
    const before = (await stack.up(program("one"))).outputs.secret;
    const { outputs } = await stack.up(program("two"));
    const { two, queue, token } = await stack.state();
    expect([queue?.inputs.clusterId, token?.inputs.clusterId]).toEqual([two?.id, two?.id]);
    expect(outputs.secret).not.toBe(before);
  });

  test("--replace creates a token before it revokes the old one", async () => {
    const { token } = await stack.state();
    stack.requests();
    await stack.up(undefined, { replace: [token?.urn ?? ""] });
    expect(writes()).toEqual(["POST /clusters/tokens", "DELETE /clusters/tokens"]);
  });

  test("destroy --target deletes only what it names", async () => {
    const { queue } = await stack.state();
    stack.requests();
    await stack.destroy({ target: [queue?.urn ?? ""] });
    expect(writes()).toEqual(["DELETE /clusters/queues"]);
    expect(Object.keys(await stack.state()).sort()).toEqual(["one", "token", "two"]);
  });

  test("up --refresh --run-program creates what was deleted out of band", async () => {
    const { two, token } = await stack.state();
    await stack.colleague.sends("DELETE", `/clusters/${two?.id}/tokens/${token?.id}`);
    await stack.up(program("two"), { refresh: true, runProgram: true });
    const { queue, token: again } = await stack.state();
    expect(queue).toBeDefined();
    expect(again?.id).not.toBe(token?.id);
  });

  test("destroy deletes queues and tokens by their own requests, then their cluster", async () => {
    const { one, two, queue, token } = await stack.state();
    stack.requests();
    await stack.destroy({ runProgram: true });
    const deletions = stack.requests().filter((request) => request.startsWith("DELETE"));
    const deleted = deletions.map((request) => request.slice(request.lastIndexOf("/") + 1));
    expect([...deleted].sort()).toEqual([one?.id, two?.id, queue?.id, token?.id].sort());
    // Nothing is in the other cluster, so it may be deleted before them.
    expect(deleted.filter((id) => id !== one?.id).at(-1)).toBe(two?.id);
  });
});
