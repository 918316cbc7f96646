import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import type { RotatingAgentTokenArgs } from "../../src/index.js";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("A rotating token on the real engine, %s backend", (backend) => {
  const { AgentToken, Cluster, PipelineTemplate, RotatingAgentToken } = classesOf[backend];
  const stack = TestStack.forEach();

  /** A program with a store that agents start from: a template, whose text has the secret. */
  const program =
    (args: Partial<RotatingAgentTokenArgs>, opts?: pulumi.ComponentResourceOptions) => async () => {
      const linux = new Cluster("linux", { name: "Linux" });
      const farm = new RotatingAgentToken(
        "farm",
        { clusterId: linux, description: "Farm", generation: 1, ...args },
        opts,
      );
      const configuration = pulumi.interpolate`env: { TOKEN: ${farm.token} }`;
      new PipelineTemplate("store", { name: "Store", configuration });
      return { token: farm.token, previousToken: farm.previousToken };
    };

  const tokens = () =>
    stack.emulator.organizationData.agentTokens.list().map(({ description }) => description);

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
    const said = await stack.refused(stack.preview(program({ initialTriggers })));
    expect(said).toContain("generation goes back from 2 to 1");
  });

  test("refuses to go back to its first token, also after a refresh", async () => {
    await stack.up(program({}));
    await stack.up(program({ generation: 2 }));
    await stack.refresh();
    await stack.preview(program({ generation: 2 }), { expectNoChanges: true });
    const said = await stack.refused(stack.preview(program({})));
    expect(said).toContain("generation goes back from 2 to 1");
  });

  test("waits for its turn while a raised generation is no target, or a token is left out", async () => {
    await stack.up(program({}));
    await stack.up(program({ generation: 2 }));
    const { linux, "farm-odd": odd, "farm-even": even } = await stack.state();
    const next = program({ generation: 3 });
    expect((await stack.up(next, { target: [`${linux?.urn}`] })).steps.linux).toEqual(["same"]);
    expect(tokens()).toEqual(["Farm", "Farm #2"]);
    for (const flags of [{ target: [`${odd?.urn}`] }, { exclude: [`${even?.urn}`] }])
      expect((await stack.preview(next, flags)).steps["farm-odd"]).toContain("replace");
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
