import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { beforeEach, describe, expect, test } from "vitest";
import { AgentToken, Cluster, PipelineTemplate, Queue } from "../../src/index.js";
import { TestStack } from "./stack.js";

/**
 * A resource is renamed with the import option, as the error about a taken key advises, and the command ends before
 * the old entry is gone: the state then has two entries of one object.
 */
describe("A rename with the import option that was interrupted before its deletions", () => {
  const stack = TestStack.forEach();
  let clusterId: string;
  beforeEach(async () => {
    clusterId = String((await stack.colleague.sends("POST", "/clusters", { name: "Shared" })).id);
  });

  /** A later resource that fails, so that the engine skips the deletions which were due. */
  const failing = (after: Queue | AgentToken | PipelineTemplate) => {
    new Cluster("late", { name: "Late" }, { dependsOn: after });
  };
  const renamed =
    (name: string, more: { import?: string } = {}, then: (queue: Queue) => void = () => {}): PulumiFn =>
    async () => {
      then(new Queue(name, { clusterId, key: "same" }, more));
    };
  const queues = async () =>
    (await stack.colleague.list(`/clusters/${clusterId}/queues`)).map(({ id }) => id);

  /** Leaves the state with `old`, which is managed, and `new`, which has adopted its object. */
  async function interrupted(): Promise<{ id: string; adopting: { import: string } }> {
    await stack.up(renamed("old"));
    const id = (await stack.state()).old?.id ?? "";
    const adopting = { import: `${clusterId}/${id}` };
    const fault = stack.emulator.fault({ operation: "clusters.create", action: { status: 422 } });
    await stack.refused(stack.up(renamed("new", adopting, failing)));
    expect(fault.hits).toBe(1);
    expect(await stack.state()).toMatchObject({ old: { id }, new: { id } });
    return { id, adopting };
  }

  test("does not delete the object in the next update", async () => {
    const { id, adopting } = await interrupted();
    await stack.up(renamed("new", adopting));
    expect(await queues()).toEqual([id]);
    expect(Object.keys(await stack.state())).toEqual(["new"]);
    await stack.preview(undefined, { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
  });

  test("does not delete the object when the option goes in the next update", async () => {
    const { id } = await interrupted();
    await stack.up(renamed("new"));
    expect(await queues()).toEqual([id]);
    expect((await stack.state()).new?.id).toBe(id);
    await stack.preview(undefined, { expectNoChanges: true });
  });

  test("does not delete the object after an update of only the new entry", async () => {
    const { id, adopting } = await interrupted();
    const { new: entry } = await stack.state();
    await stack.up(renamed("new", adopting), { target: [entry?.urn ?? ""] });
    expect(await queues()).toEqual([id]);
    await stack.up(renamed("new", adopting));
    expect(await queues()).toEqual([id]);
    expect(Object.keys(await stack.state())).toEqual(["new"]);
  });

  test("deletes the object in a destroy, as the old entry owns it, and sends nothing for the new one", async () => {
    const { id } = await interrupted();
    const { output } = await stack.destroy();
    expect(await queues()).toEqual([]);
    expect(output).toContain(`nothing was sent for the queue ${id}`);
    expect(output).not.toContain("stays");
    expect(await stack.state()).toEqual({});
  });

  test("does not revoke a token", async () => {
    const token =
      (
        name: string,
        more: { import?: string } = {},
        then: (entry: AgentToken) => void = () => {},
      ): PulumiFn =>
      async () => {
        then(new AgentToken(name, { clusterId, description: "farm" }, more));
      };
    await stack.up(token("old"));
    const id = (await stack.state()).old?.id;
    const adopting = { import: `Shared/${id}` };
    stack.emulator.fault({ operation: "clusters.create", action: { status: 422 } });
    await stack.refused(stack.up(token("new", adopting, failing)));
    await stack.up(token("new", adopting));
    expect(stack.emulator.organizationData.agentTokens.list().map((record) => record.id)).toEqual([id]);
    expect(Object.keys(await stack.state())).toEqual(["new"]);
  });

  test("does not delete a template", async () => {
    const template =
      (
        name: string,
        more: { import?: string } = {},
        then: (entry: PipelineTemplate) => void = () => {},
      ): PulumiFn =>
      async () => {
        then(new PipelineTemplate(name, { name: "Node", configuration: "steps: []" }, more));
      };
    await stack.up(template("old"));
    const id = (await stack.state()).old?.id;
    stack.emulator.fault({ operation: "clusters.create", action: { status: 422 } });
    await stack.refused(stack.up(template("new", { import: "Node" }, failing)));
    await stack.up(template("new", { import: "Node" }));
    expect((await stack.colleague.list("/pipeline-templates")).map(({ uuid }) => uuid)).toEqual([id]);
  });

  test("deletes the object with its new entry once the option is gone", async () => {
    await interrupted();
    await stack.up(renamed("new"));
    await stack.destroy();
    expect(await queues()).toEqual([]);
  });
});
