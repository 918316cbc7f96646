import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reveal } from "../../src/shared/protocol/encoded-values.js";
import { Monitor } from "../provider/plugin/monitor.js";
import { Served } from "../provider/plugin/served.js";
import { cases } from "../support/cases.js";
import { counted } from "./histories/count.js";
import { playRotation, type Rotation, rotationHistory } from "./histories/rotation.js";
import type { Component } from "./histories/rotation-program.js";

/** Starts a plugin that declares the component by `Construct`, over gRPC. */
async function byConstruct(): Promise<Component> {
  const [plugin, monitor] = [await Served.configured(), await Monitor.start()];
  const clusterId = "11111111-2222-4333-8444-555555555555";
  return async (generation) => {
    monitor.registered.length = 0;
    const { state } = await monitor.construct(plugin, { clusterId, description: "Farm", generation });
    const tokens = monitor.tokens.map(({ name, inputs }) => ({
      ...{ name, kind: "AgentToken", args: { ...inputs, clusterId: { idOf: "linux" } } },
    }));
    return { tokens, newest: String(reveal(state.token)).replace("secret of ", "") };
  };
}

const { count: COUNT, replay } = counted(cases(30), 20261122);

test(`an agent starts with what is in the store at any moment of ${COUNT} histories of rotations`, async () => {
  const total = {
    ...{ generations: 0, requests: 0, faults: 0, interruptions: 0, targets: 0, alarms: 0 },
    ...{ constructions: 0, reverts: 0, takenBack: 0, warned: 0 },
  };
  const construct = await byConstruct();
  await fc.assert(
    fc.asyncProperty(rotationHistory, async (history) => {
      const { wrong, count } = await playRotation(history, construct);
      for (const what of Object.keys(total) as (keyof typeof total)[]) total[what] += count[what];
      expect(wrong).toEqual([]);
    }),
    { numRuns: COUNT, ...replay },
  );
  process.stdout.write(`${COUNT} histories of rotations: ${JSON.stringify(total)}\n`);
  // A few histories show little.
  if (COUNT < 30) return;
  expect(total.generations / COUNT).toBeGreaterThan(3);
  expect(total.faults).toBeGreaterThan(COUNT / 2);
  expect(total.interruptions).toBeGreaterThan(COUNT / 2);
  expect(total.targets).toBeGreaterThan(COUNT / 2);
  expect(total.alarms).toBeGreaterThan(COUNT / 4);
  expect(total.constructions).toBeGreaterThan(COUNT);
  expect(total.reverts).toBeGreaterThan(COUNT / 2);
  expect(total.takenBack).toBeGreaterThan(0);
  expect(total.warned).toBeGreaterThan(0);
}, 7_200_000);

describe("No order of operations can avoid that an agent which read the store before the deployment can't start", () => {
  const deploys = (raises: Rotation["raises"], trouble?: Rotation["trouble"]): Rotation => ({
    raises,
    refreshes: false,
    trouble,
    interruption: undefined,
  });
  const played = async (...commands: Rotation[]) => {
    const { wrong, foretold } = await playRotation({ backend: "dynamic", order: 0, commands });
    return { wrong: [...new Set(wrong)], foretold: [...new Set(foretold)] };
  };

  test("when a generation is left out", async () => {
    const { wrong, foretold } = await played(deploys("no"), deploys("once deployed"), deploys("by two"));
    expect(wrong).toEqual([]);
    expect(foretold).toEqual(["generation 4: an agent that read the store before can't start"]);
  });

  test("when a generation follows one that didn't reach the store", async () => {
    const storeFails = { operation: "pipelineTemplates.update", mishap: "refused" };
    const { wrong } = await played(
      ...[deploys("no"), deploys("once deployed")],
      ...[deploys("once deployed", storeFails), deploys("too early")],
    );
    expect(wrong).toEqual(["generation 4: an agent that read the store before can't start"]);
    const { wrong: waits } = await played(
      ...[deploys("no"), deploys("once deployed")],
      ...[deploys("once deployed", storeFails), deploys("no"), deploys("once deployed")],
    );
    expect(waits).toEqual([]);
  });
});
