import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, test } from "vitest";
import { AgentToken, Cluster, Queue } from "../../src/index.js";
import { type Options, TestStack } from "./stack.js";

/** Does what was asked, or says at preview that it cannot and names the way; nothing in between. */
async function endsWellOrSaysSo(
  stack: TestStack,
  program: PulumiFn,
  options: Options,
  way: RegExp,
): Promise<"done" | "refused"> {
  stack.requests();
  const refusal = await stack.preview(program, options).then(
    () => undefined,
    (error: unknown) => String(error),
  );
  if (refusal !== undefined) {
    expect(refusal).toMatch(way);
    expect(stack.requests().filter((request) => !request.startsWith("GET"))).toEqual([]);
    return "refused";
  }
  await stack.up(program, options);
  await stack.preview(program, { expectNoChanges: true });
  return "done";
}

describe("Replacing queues whose keys stay", () => {
  const stack = TestStack.forEach();
  const live = () => stack.emulator.organizationData.queues.list();

  const program =
    (
      keys: Readonly<Record<string, string>>,
      opts: { replaceOnChanges?: string[] } = {},
      description = "",
    ): PulumiFn =>
    async () => {
      const linux = new Cluster("linux", { name: "Linux" });
      for (const [name, key] of Object.entries(keys)) {
        new Queue(name, { clusterId: linux, key, ...(description && { description }) }, opts);
      }
    };

  test("by --replace ends well, or is refused by the preview", async () => {
    await stack.up(program({ a: "one" }));
    const { a } = await stack.state();
    const end = await endsWellOrSaysSo(
      stack,
      program({ a: "one" }),
      { replace: [a?.urn ?? ""] },
      /deleteBeforeReplace/,
    );
    expect(live()).toHaveLength(1);
    expect(live().map(({ id }) => id === a?.id)).toEqual([end === "refused"]);
  });

  test("by replaceOnChanges ends well, or is refused by the preview", async () => {
    const opts = { replaceOnChanges: ["description"] };
    await stack.up(program({ a: "one" }, opts));
    const { a } = await stack.state();
    const end = await endsWellOrSaysSo(stack, program({ a: "one" }, opts, "new"), {}, /deleteBeforeReplace/);
    expect(live()).toHaveLength(1);
    expect(live().map(({ id }) => id === a?.id)).toEqual([end === "refused"]);
  });

  test("by swapping them ends well, or is refused by the preview", async () => {
    await stack.up(program({ a: "one", b: "two" }));
    await endsWellOrSaysSo(stack, program({ a: "two", b: "one" }), {}, /alias|rename|two steps|another key/i);
    const keys = live().map(({ id, key }) => [id, key]);
    const { a, b } = await stack.state();
    expect(new Map(keys as [string, string][])).toEqual(
      new Map([
        [a?.id, a?.outputs.key],
        [b?.id, b?.outputs.key],
      ]),
    );
  });
});

describe("A move to another cluster whose answer was lost", () => {
  const stack = TestStack.forEach();
  const data = () => stack.emulator.organizationData;

  /** Loses the answer to a creation, and every way to find out what became of it. */
  function lose(operation: "queues.create" | "agentTokens.create"): () => void {
    const list = operation.replace("create", "list");
    const faults = [
      stack.emulator.fault({ operation, when: "after", action: "drop" }),
      stack.emulator.fault({ operation: list, times: 1000, action: { status: 403, body: {} } }),
    ];
    return () => {
      for (const fault of faults) fault.remove();
    };
  }

  test("has a way out for a queue: the import that the error names", async () => {
    const program =
      (where: "one" | "two", more: { import?: string } = {}): PulumiFn =>
      async () => {
        const clusters = {
          one: new Cluster("one", { name: "One" }),
          two: new Cluster("two", { name: "Two" }),
        };
        new Queue("queue", { clusterId: clusters[where], key: "same" }, more);
      };
    await stack.up(program("one"));
    const found = lose("queues.create");
    const message = await stack.refused(stack.up(program("two")));
    found();
    const { two } = await stack.state();
    expect(message).toContain("import");
    expect(message).toContain("same");

    await stack.up(program("two", { import: "Two/same" }));
    const { queue } = await stack.state();
    expect(data().queues.list()).toEqual([expect.objectContaining({ id: queue?.id, cluster_id: two?.id })]);
    await stack.up(program("two"));
    await stack.preview(undefined, { expectNoChanges: true });
    await stack.destroy();
    expect(data().queues.list()).toEqual([]);
  });

  test("has a way out for a token, whose old one is revoked only then", async () => {
    const program =
      (where: "one" | "two", more: { import?: string } = {}): PulumiFn =>
      async () => {
        const clusters = {
          one: new Cluster("one", { name: "One" }),
          two: new Cluster("two", { name: "Two" }),
        };
        new AgentToken("token", { clusterId: clusters[where], description: "farm" }, more);
      };
    await stack.up(program("one"));
    const { token: old } = await stack.state();
    const found = lose("agentTokens.create");
    const message = await stack.refused(stack.up(program("two")));
    found();
    expect(message).toContain("farm");
    expect((await stack.state()).token?.id).toBe(old?.id);
    const orphan = data()
      .agentTokens.list()
      .find(({ id }) => id !== old?.id);

    await stack.up(program("two", { import: `Two/${orphan?.id}` }));
    expect((await stack.state()).token?.id).toBe(orphan?.id);
    expect(
      data()
        .agentTokens.list()
        .map(({ id }) => id),
    ).toEqual([orphan?.id]);
  });
});
