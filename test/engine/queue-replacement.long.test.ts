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
    expect(stack.writes()).toEqual([]);
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

  test.each(["--replace", "replaceOnChanges"])(
    "by %s ends well, or is refused by the preview",
    async (way) => {
      const opts = { replaceOnChanges: ["description"] };
      await stack.up(program({ a: "one" }, opts));
      const { a } = await stack.state();
      const [options, description] = way === "--replace" ? [{ replace: [a?.urn ?? ""] }, ""] : [{}, "new"];
      const changed = program({ a: "one" }, opts, description);
      const end = await endsWellOrSaysSo(stack, changed, options, /deleteBeforeReplace/);
      expect(live()).toHaveLength(1);
      expect(live().map(({ id }) => id === a?.id)).toEqual([end === "refused"]);
    },
  );

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
  type Options = { import?: string };

  const program =
    (
      where: "one" | "two",
      declare: (clusterId: Cluster, opts: Options) => void,
      opts: Options = {},
    ): PulumiFn =>
    async () => {
      const clusters = { one: new Cluster("one", { name: "One" }), two: new Cluster("two", { name: "Two" }) };
      declare(clusters[where], opts);
    };

  /** Moves a resource, and loses the answer to its creation and every way to find out what became of it. */
  async function moved(operation: string, declare: (clusterId: Cluster, opts: Options) => void) {
    await stack.up(program("one", declare));
    const action = { status: 403, body: {} };
    const faults = [
      stack.emulator.fault({ operation: `${operation}.create`, when: "after", action: "drop" }),
      stack.emulator.fault({ operation: `${operation}.list`, times: 1000, action }),
    ];
    const message = await stack.refused(stack.up(program("two", declare)));
    for (const fault of faults) fault.remove();
    return message;
  }

  test("has a way out for a queue: the import that the error names", async () => {
    const declare = (clusterId: Cluster, opts: Options) =>
      void new Queue("queue", { clusterId, key: "same" }, opts);
    const message = await moved("queues", declare);
    expect(message).toContain("import");
    expect(message).toContain("same");

    await stack.up(program("two", declare, { import: "Two/same" }));
    const { queue, two } = await stack.state();
    const { queues } = stack.emulator.organizationData;
    expect(queues.list()).toEqual([expect.objectContaining({ id: queue?.id, cluster_id: two?.id })]);
    await stack.up(program("two", declare));
    await stack.preview(undefined, { expectNoChanges: true });
    await stack.destroy();
    expect(queues.list()).toEqual([]);
  });

  test("has a way out for a token, whose old one is revoked only then", async () => {
    const declare = (clusterId: Cluster, opts: Options) =>
      void new AgentToken("token", { clusterId, description: "farm" }, opts);
    expect(await moved("agentTokens", declare)).toContain("farm");
    const tokens = () => stack.emulator.organizationData.agentTokens.list().map(({ id }) => id);
    const old = (await stack.state()).token?.id ?? "";
    expect(tokens()).toContain(old);
    const orphan = tokens().find((id) => id !== old);

    await stack.up(program("two", declare, { import: `Two/${orphan}` }));
    expect((await stack.state()).token?.id).toBe(orphan);
    expect(tokens()).toEqual([orphan]);
  });
});
