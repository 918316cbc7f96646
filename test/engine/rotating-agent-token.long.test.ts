import * as pulumi from "@pulumi/pulumi";
import { afterEach, describe, expect, test } from "vitest";
import type { RotatingAgentTokenArgs } from "../../src/index.js";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("A rotating token on the real engine, %s backend", (backend) => {
  const { AgentToken, Cluster, PipelineTemplate, RotatingAgentToken } = classesOf[backend];
  const stack = TestStack.forEach();

  /** A program with a store that agents start from: a template, whose text has the secret. */
  const program =
    (
      args: Partial<RotatingAgentTokenArgs>,
      opts?: pulumi.ComponentResourceOptions,
      classes: Pick<typeof classesOf.dynamic, "RotatingAgentToken"> = { RotatingAgentToken },
    ) =>
    async () => {
      const linux = new Cluster("linux", { name: "Linux" });
      const farm = new classes.RotatingAgentToken(
        "farm",
        { clusterId: linux, description: "Farm", generation: 1, ...args },
        opts,
      );
      const configuration = pulumi.interpolate`env: { TOKEN: ${farm.token} }`;
      new PipelineTemplate("store", { name: "Store", configuration });
      return { token: farm.token, previousToken: farm.previousToken, generation: farm.generation };
    };

  /** Starts an agent with what is in the store. */
  function startAgent(): void {
    const [store] = stack.emulator.organizationData.pipelineTemplates.list();
    const [, token] = /TOKEN: (\S+)/.exec(store?.configuration ?? "") ?? [];
    if (token !== undefined) stack.emulator.connectAgent({ token });
  }

  const tokens = () =>
    stack.emulator.organizationData.agentTokens.list().map(({ description }) => description);

  /** Tries to start an agent whenever a request arrives. */
  function watch() {
    const failures: string[] = [];
    const stop = stack.emulator.onRequest(({ operation }) => {
      try {
        startAgent();
      } catch {
        failures.push(String(operation));
      }
    });
    stops.push(stop);
    return failures;
  }
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  test("lets an agent start with what is in the store at any moment of six generations", async () => {
    const failures = watch();
    let before: Readonly<Record<string, unknown>> = {};
    for (let generation = 1; generation <= 6; generation += 1) {
      const { steps, outputs, output } = await stack.up(program({ generation }));
      startAgent();
      const [newest, kept] = generation % 2 === 1 ? ["farm-odd", "farm-even"] : ["farm-even", "farm-odd"];
      expect(steps[newest]).toEqual(
        generation <= 2 ? ["create"] : ["create-replacement", "replace", "delete-replaced"],
      );
      expect(steps[kept] ?? ["same"]).toEqual(["same"]);
      // Pulumi itself warns of the undefined output `previousToken` of the first generation.
      expect(output).not.toContain('RotatingAgentToken "farm": ');
      expect(outputs).toMatchObject({ generation });
      expect(outputs.previousToken).toBe(before.token);
      before = outputs;
      const last = generation - 1;
      const names = [last, generation].filter((one) => one > 0);
      expect(tokens().sort()).toEqual(names.map((one) => (one === 1 ? "Farm" : `Farm #${one}`)));
    }
    expect(failures).toEqual([]);
    await stack.preview(undefined, { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
    await stack.preview(undefined, { expectNoChanges: true });
  });

  test("takes over an AgentToken in use without a change, and keeps its secret for one generation", async () => {
    const initialTriggers = { rotated: "2026" };
    const { outputs } = await stack.up(async () => {
      const linux = new Cluster("linux", { name: "Linux" });
      const { token } = new AgentToken("agents", {
        clusterId: linux,
        description: "Farm",
        triggers: initialTriggers,
      });
      new PipelineTemplate("store", {
        name: "Store",
        configuration: pulumi.interpolate`env: { TOKEN: ${token} }`,
      });
      return { token };
    });
    stack.requests();
    const opts = { aliases: [{ name: "agents" }] };
    const moved = await stack.up(program({ initialTriggers }, opts));
    expect(moved.steps).toEqual({
      linux: ["same"],
      "farm-odd": ["same"],
      store: ["same"],
      ...(moved.steps.farm && { farm: moved.steps.farm }),
    });
    expect(moved.outputs.token).toBe(outputs.token);
    expect(stack.writes()).toEqual([]);
    await stack.preview(program({ initialTriggers }), { expectNoChanges: true });
    const rotated = await stack.up(program({ initialTriggers, generation: 2 }));
    expect(rotated.outputs.previousToken).toBe(outputs.token);
    expect(tokens()).toEqual(["Farm", "Farm #2"]);
  });

  test("makes an imported token the previous one", async () => {
    const { id: clusterId } = await stack.colleague.sends("POST", "/clusters", { name: "Shared" });
    await stack.colleague.sends("POST", `/clusters/${clusterId}/tokens`, { description: "Farm" });
    const args = { clusterId: String(clusterId), description: "Farm" };
    await stack.up(async () => {
      new AgentToken("farm", args, { import: "Shared/Farm" });
    });
    await stack.up(async () => {
      new AgentToken("farm", args);
    });
    const rotating = (generation: number) => async () => {
      const farm = new RotatingAgentToken("farm", { ...args, generation }, { aliases: [{ name: "farm" }] });
      return { token: farm.token, previousToken: farm.previousToken };
    };
    expect((await stack.up(rotating(1))).outputs.token).toBeUndefined();
    const { outputs, steps } = await stack.up(rotating(2));
    expect(steps["farm-odd"]).toEqual(["same"]);
    expect(outputs.previousToken).toBeUndefined();
    stack.emulator.connectAgent({ token: String(outputs.token) });
    expect(tokens()).toEqual(["Farm", "Farm #2"]);
    await stack.up(rotating(3));
    expect(tokens().sort()).toEqual(["Farm #2", "Farm #3"]);
  });

  test.each([
    [1, 4],
    [2, 4],
  ])(
    "warns in the preview from generation %i to %i, which leaves the store without a gap, and refuses to go back",
    async (from, to) => {
      await stack.up(program({ generation: from }));
      const failures = watch();
      const { output } = await stack.preview(program({ generation: to }));
      expect(output).toContain(
        `RotatingAgentToken "farm": generation ${to} revokes the secret in use, because it replaces both`,
      );
      await stack.up(program({ generation: to }));
      startAgent();
      expect(failures).toEqual([]);

      const before = tokens();
      const said = await stack.refused(stack.up(program({ generation: to - 1 })));
      expect(said).toContain(
        `RotatingAgentToken "farm": generation goes back from ${to} to ${to - 1}. A revoked secret can't come back, so ` +
          `set generation to ${to} to keep the tokens, or to ${to + 1} to rotate.`,
      );
      expect(tokens()).toEqual(before);
    },
  );
});

describe("A rotating token that changes its backend", () => {
  const stack = TestStack.forAll();

  test("keeps its tokens, there and back", async () => {
    const program = (backend: "dynamic" | "plugin", generation: number) => async () => {
      const { Cluster, RotatingAgentToken } = classesOf[backend];
      const clusterId = new Cluster("linux", { name: "Linux" });
      const farm = new RotatingAgentToken("farm", { clusterId, description: "Farm", generation });
      return { token: farm.token };
    };
    await stack.up(program("dynamic", 2));
    const { outputs } = await stack.up(program("dynamic", 3));
    for (const backend of ["plugin", "dynamic"] as const) {
      const moved = await stack.up(program(backend, 3), { expectNoChanges: true });
      expect(moved.outputs).toEqual(outputs);
    }
    const said = await stack.refused(stack.preview(program("plugin", 2)));
    expect(said).toContain("generation goes back from 3 to 2");
  });
});
