import { afterEach, beforeEach, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../../src/emulator/index.js";
import { interruptible } from "../../../stories/histories/engine/start-provider.js";
import { Gate } from "../../../stories/histories/gate.js";
import { ModelEngine } from "../../../stories/histories/model-engine.js";
import type { Program } from "../../../stories/histories/program.js";
import { tokensOf } from "../../../stories/histories/rotation-program.js";
import { SimulatedClock } from "../../../support/driver.js";

const CLUSTERS = 30;
const TOKENS = 40;

/** Rotating tokens, several of them in one cluster. */
const program = (generation: number): Program => [
  ...Array.from({ length: CLUSTERS }, (_, index) => ({
    name: `cluster-${index}`,
    kind: "Cluster",
    args: { name: `Cluster ${index}` },
  })),
  ...Array.from({ length: TOKENS }, (_, index) =>
    tokensOf(generation).map(({ name, kind, args }) => {
      const clusterId = { idOf: `cluster-${index % CLUSTERS}` };
      const description = `${args.description} of ${index}`;
      return { name: `${name}-${index}`, kind, args: { ...args, clusterId, description } };
    }),
  ).flat(),
];

const clock = new SimulatedClock();
let gate: Gate;
let emulator: Emulator;
let stopped: boolean;
beforeEach(async () => {
  stopped = false;
  emulator = await startEmulator({ seed: false, limits: "real", clock: () => new Date(clock.now()) });
  gate = new Gate(0, { target: emulator.url });
});
afterEach(async () => {
  await gate.close();
  await emulator.close();
});

const requests = (name: string) => emulator.requests.filter(({ operation }) => operation === name).length;
const created = () => requests("agentTokens.create");
const revoked = () => requests("agentTokens.delete");

test.each(["dynamic", "plugin"] as const)(
  `${TOKENS} tokens in ${CLUSTERS} clusters are rotated within the limit, also after a stop in the middle, %s backend`,
  async (backend) => {
    const interrupted = () => stopped;
    const engine = new ModelEngine(() =>
      interruptible({ backend, service: emulator, gate, clock }, interrupted),
    );
    for (const generation of [1, 2]) expect((await engine.up(program(generation))).errors).toEqual([]);
    expect(emulator.organizationData.agentTokens.size).toBe(2 * TOKENS);

    emulator.clearRequests();
    const stop = emulator.onRequest(() => {
      stopped ||= created() >= TOKENS / 2;
    });
    expect((await engine.up(program(3))).succeeded).toBe(false);
    stop();
    stopped = false;
    expect(revoked()).toBe(0);
    expect((await engine.up(program(3))).errors).toEqual([]);

    expect([created(), revoked()]).toEqual([TOKENS, TOKENS]);
    const owned = engine.entries.filter(({ kind }) => kind === "AgentToken").map(({ id }) => id);
    const alive = emulator.organizationData.agentTokens.list().map(({ id }) => id);
    expect(alive.sort()).toEqual(owned.sort());
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(emulator.requests.length).toBeLessThanOrEqual(4 * TOKENS);
  },
  120_000,
);
