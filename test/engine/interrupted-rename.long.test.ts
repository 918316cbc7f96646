import type { Resource } from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { beforeEach, describe, expect, test } from "vitest";
import { AgentToken, Cluster, PipelineTemplate, Queue } from "../../src/index.js";
import { TestStack } from "./stack.js";

/**
 * Resources are renamed with the import option, as the error about a taken key advises, and the command ends before the
 * old entries are gone: the state then has two entries of each object.
 */
describe("A rename with the import option that was interrupted before its deletions", () => {
  const stack = TestStack.forEach();
  let clusterId: string;
  beforeEach(async () => {
    clusterId = String((await stack.colleague.sends("POST", "/clusters", { name: "Shared" })).id);
  });

  /** A queue, a token and a template. */
  const declared = (prefix: "old" | "new", importing: boolean): Resource[] => {
    const from = (form: string) => (importing ? { import: form } : {});
    const template = { name: "Node", configuration: "steps: []" };
    return [
      new Queue(`${prefix}-queue`, { clusterId, key: "same" }, from("Shared/same")),
      new AgentToken(`${prefix}-token`, { clusterId, description: "farm" }, from("Shared/farm")),
      new PipelineTemplate(`${prefix}-template`, template, from("Node")),
    ];
  };
  const old: PulumiFn = async () => void declared("old", false);
  const renamed =
    (importing: boolean): PulumiFn =>
    async () =>
      void declared("new", importing);
  const live = () => {
    const { queues, agentTokens, pipelineTemplates } = stack.emulator.organizationData;
    return [...queues.list(), ...agentTokens.list(), ...pipelineTemplates.list()].map(({ id }) => id);
  };
  const names = async () => Object.keys(await stack.state()).sort();
  const NEW = ["new-queue", "new-template", "new-token"];

  /** Leaves the state with old entries, which are managed, and new ones, which have adopted the objects. */
  async function interrupted(): Promise<readonly string[]> {
    await stack.up(old);
    const before = live();
    const fault = stack.emulator.fault({ operation: "clusters.create", action: { status: 422 } });
    // A last resource that fails, so that the engine skips the deletions which were due.
    const failing = async () =>
      void new Cluster("late", { name: "Late" }, { dependsOn: declared("new", true) });
    await stack.refused(stack.up(failing));
    expect(fault.hits).toBe(1);
    expect(await names()).toEqual([...NEW, "old-queue", "old-template", "old-token"]);
    return before;
  }

  test("deletes no object in the next updates, with the option and without it, and each in a destroy then", async () => {
    const before = await interrupted();
    await stack.up(renamed(true));
    expect(live()).toEqual(before);
    expect(await names()).toEqual(NEW);
    await stack.preview(undefined, { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
    await stack.up(renamed(false));
    await stack.destroy();
    expect(live()).toEqual([]);
  });

  test("deletes no object when the option goes in the next update", async () => {
    const before = await interrupted();
    await stack.up(renamed(false));
    expect(live()).toEqual(before);
    expect(await names()).toEqual(NEW);
    await stack.preview(undefined, { expectNoChanges: true });
  });

  test("deletes no object after an update of only the new entries", async () => {
    const before = await interrupted();
    const state = await stack.state();
    await stack.up(renamed(true), { target: NEW.map((name) => state[name]?.urn ?? "") });
    expect(live()).toEqual(before);
    await stack.up(renamed(true));
    expect(live()).toEqual(before);
    expect(await names()).toEqual(NEW);
  });

  test("deletes the objects in a destroy, as the old entries own them, and sends nothing for the new ones", async () => {
    const before = await interrupted();
    const { output } = await stack.destroy();
    expect(live()).toEqual([]);
    for (const id of before) expect(output).toMatch(new RegExp(`nothing was sent for the .* ${id}`));
    expect(output).not.toContain("stays");
    expect(await stack.state()).toEqual({});
  });
});
