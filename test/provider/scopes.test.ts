import { afterEach, describe, expect, test, vi } from "vitest";
import { emulatorOperations } from "../../src/emulator/index.js";
import { kinds } from "../../src/provider/values/kinds.js";
import { Driver, serviceForEach } from "./driver.js";

type Properties = Record<string, unknown>;

const service = serviceForEach();

/** What is made of each kind, and a change of it. */
const lives: Readonly<
  Record<string, (around: { cluster: string; queue: string }) => [Properties, Properties]>
> = {
  Cluster: () => [{ name: "n" }, { name: "m" }],
  Queue: ({ cluster }) => [
    { clusterId: cluster, key: "k", dispatchPaused: true },
    { clusterId: cluster, key: "k", dispatchPaused: false, description: "d" },
  ],
  ClusterDefaultQueue: ({ cluster, queue }) => [
    { clusterId: cluster, queueId: queue },
    { clusterId: cluster, queueId: queue },
  ],
  AgentToken: ({ cluster }) => [
    { clusterId: cluster, description: "d" },
    { clusterId: cluster, description: "e" },
  ],
  PipelineTemplate: () => [
    { name: "n", configuration: "steps: []", available: true },
    { name: "m", configuration: "steps: []", available: true },
  ],
  Team: () => [{ name: "n" }, { name: "m" }],
  Suite: () => [
    { name: "n", defaultBranch: "main" },
    { name: "m", defaultBranch: "main" },
  ],
};

describe.each([...kinds.values()].map((kind) => [kind.name, kind] as const))(
  "The scopes of %s",
  (name, kind) => {
    const declared = [...kind.scopes.read, ...kind.scopes.write];

    test("are enough for a whole life, and are those that its operations need", async () => {
      const cluster = (await service.driver.create("Cluster", { name: "Around" })).id;
      const queue = (await service.driver.create("Queue", { clusterId: cluster, key: "around" })).id;
      const [first, second] = lives[name]?.({ cluster, queue }) ?? [];
      if (first === undefined || second === undefined)
        throw new Error(`no life of ${name} is described here`);

      const accessToken = service.emulator.createAccessToken({
        scopes: declared.map(([scope]) => String(scope)),
      });
      const driver = Driver.for(service.emulator, { "buildpipeline:accessToken": accessToken });
      const provider = await driver.kind(name);
      service.emulator.clearRequests();
      const { id, inputs, outs } = await driver.create(name, first);
      expect(await driver.failures(name, second, inputs)).toEqual([]);
      const { inputs: next = {} } = await provider.check(inputs, second);
      const { outs: updated = {} } = await provider.update(id, outs, next);
      expect((await provider.read(id, updated)).id).toBe(id);
      // Removed in a later run: what a run set, it does not take back. And not every service clears a default queue.
      const later = await Driver.for(service.emulator, { "buildpipeline:accessToken": accessToken }).kind(
        name,
      );
      await later.delete(id, updated);
      if (name !== "ClusterDefaultQueue") expect((await later.read(id, updated)).id).toBe("");

      const scopeOf = new Map(emulatorOperations.map((operation) => [operation.id, operation.scope]));
      const needed = new Set(
        service.emulator.requests.map(({ operation }) => scopeOf.get(operation ?? "") ?? undefined),
      );
      needed.delete(undefined);
      for (const scope of needed) expect(declared.flat(), "a scope that an operation needs").toContain(scope);
      for (const alternatives of declared) {
        expect(
          alternatives.some((scope) => needed.has(scope)),
          `${alternatives.join(" or ")} is needed`,
        ).toBe(true);
      }
    });

    test.each(declared.map((alternatives) => [alternatives.join(" or "), alternatives] as const))(
      "a creation without %s is refused at preview",
      async (words, alternatives) => {
        const without = [...kinds.values()]
          .flatMap(({ scopes }) => [...scopes.read, ...scopes.write].flat())
          .filter((scope) => !alternatives.includes(scope));
        const accessToken = service.emulator.createAccessToken({ scopes: without });
        const driver = Driver.for(service.emulator, { "buildpipeline:accessToken": accessToken });
        const anywhere = "11111111-2222-4333-8444-555555555555";
        const [first] = lives[name]?.({ cluster: anywhere, queue: anywhere }) ?? [];
        const reasons = await driver.failures(name, first ?? {});
        expect(reasons).toEqual([expect.stringContaining(`lacks the scope ${words}`)]);
      },
    );
  },
);

describe("A run that may not write", () => {
  afterEach(() => vi.unstubAllEnvs());

  /** With an access token that can do no more than read. */
  async function reader(): Promise<Driver> {
    const read = [...kinds.values()].flatMap(({ scopes }) => scopes.read.flat());
    const accessToken = service.emulator.createAccessToken({ scopes: read });
    return Driver.for(service.emulator, { "buildpipeline:accessToken": accessToken });
  }

  test("previews changes with an access token that can only read", async () => {
    const driver = await reader();
    expect(await driver.failures("Team", { name: "new" })).toHaveLength(1);
    const cluster = (await service.driver.create("Cluster", { name: "Around" })).id;
    const queue = (await service.driver.create("Queue", { clusterId: cluster, key: "around" })).id;
    vi.stubEnv("BUILDPIPELINE_READ_ONLY", "true");
    for (const name of kinds.keys()) {
      const [first] = lives[name]?.({ cluster, queue }) ?? [];
      expect(await (await reader()).failures(name, first ?? {}), name).toEqual([]);
    }
  });

  test("sends nothing but reads, whatever its access token may do", async () => {
    const { id, outs, inputs } = await service.driver.create("Team", { name: "old" });
    vi.stubEnv("BUILDPIPELINE_READ_ONLY", "true");
    const team = await Driver.for(service.emulator).kind("Team");
    service.emulator.clearRequests();
    const refusal = "Read-only mode (BUILDPIPELINE_READ_ONLY=true): nothing was sent.";
    await expect(team.create({ ...inputs, name: "new" })).rejects.toThrow(refusal);
    await expect(team.update(id, outs, { ...inputs, name: "other" })).rejects.toThrow(refusal);
    await expect(team.delete(id, outs)).rejects.toThrow(refusal);
    expect((await team.read(id, outs)).id).toBe(id);
    expect(service.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("is asked for by true and by nothing else", async () => {
    vi.stubEnv("BUILDPIPELINE_READ_ONLY", "yes");
    await expect(Driver.for(service.emulator).failures("Team", { name: "new" })).rejects.toThrow(
      "BUILDPIPELINE_READ_ONLY must be true or false",
    );
  });
});
