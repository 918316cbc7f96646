import { isDeepStrictEqual } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { emulatorOperations } from "../../../../src/emulator/index.js";
import { type AnyKind, deletionScopes, kinds } from "../../../../src/provider/for-commands/kinds.js";
import { Driver, failure, minimalOfAll, serviceForEach } from "../../../support/driver.js";
import { valuesOf } from "../../../support/each-kind.js";

type Properties = Record<string, unknown>;

const service = serviceForEach();

const made = async (kind: string): Promise<Properties> => ({
  ...(await minimalOfAll(service))[kind],
  ...(kind === "Queue" && { dispatchPaused: true }),
  ...(kind === "Pipeline" && { onDelete: "delete" }),
  ...(kind === "PipelineTemplate" && { available: true }),
});

/** A change that is an update, best of the description; none of a kind that each change replaces. */
function changeOf({ name, arguments: fields }: AnyKind, from: Properties): Properties {
  const values = valuesOf(name);
  const changes = Object.entries(fields)
    .filter(
      ([, { replaces, sentAs, refersTo }]) => !replaces && sentAs !== undefined && refersTo === undefined,
    )
    .flatMap(([argument]) => values.map((all) => ({ [argument]: all[argument] })))
    .filter((change) =>
      Object.entries(change).some(
        ([argument, to]) => !isDeepStrictEqual(to ?? from[argument], from[argument]),
      ),
    );
  return {
    ...(changes.find(({ description }) => description !== undefined) ?? changes[0]),
    ...(name === "Queue" && { dispatchPaused: false }),
  };
}

describe.each([...kinds.values()].map((kind) => [kind.name, kind] as const))(
  "The scopes of %s",
  (name, kind) => {
    const declared = [...kind.scopes.read, ...kind.scopes.write];
    const ofContents = deletionScopes(kind);
    // A deletion tells the last build, if it may read builds.
    const optional = name === "Pipeline" ? ["read_builds"] : [];

    test("are enough for a whole life, and are those that its operations need", async () => {
      const first = await made(name);
      const second = { ...first, ...changeOf(kind, first) };

      const scopes = [...declared, ...ofContents].map(([scope]) => String(scope));
      const accessToken = service.emulator.createAccessToken({ scopes });
      const driver = Driver.for(service.emulator, { "buildpipeline:accessToken": accessToken });
      service.emulator.clearRequests();
      const created = await driver.create(name, first);
      expect(await driver.failures(name, second, created.inputs)).toEqual([]);
      const { outs = {} } = await driver.update(created, second);
      const updated = { ...created, outs };
      expect((await driver.read(updated)).id).toBe(created.id);
      // Removed in a later run: what a run set, it does not take back. And not every service clears a default queue.
      const later = Driver.for(service.emulator, { "buildpipeline:accessToken": accessToken });
      await later.delete(updated);
      // An access token that may only read pipelines can't tell a hidden one from one that is gone.
      if (name === "Pipeline")
        expect(service.emulator.organizationData.pipelines.get(created.id)).toBeUndefined();
      else if (name !== "ClusterDefaultQueue" && !kind.isSetting)
        expect((await later.read(updated)).id).toBe("");

      const scopeOf = new Map(emulatorOperations.map((operation) => [operation.id, operation.scope]));
      const needed = new Set<string | undefined>(
        service.emulator.requests
          // What the token may not do is done without, such as reading the last build of a pipeline.
          .filter(({ status }) => status !== 403)
          .map(({ operation }) => scopeOf.get(operation ?? "") ?? undefined),
      );
      needed.delete(undefined);
      const known = [...declared, ...ofContents, optional].flat();
      for (const scope of needed) expect(known, "a scope that an operation needs").toContain(scope);
      for (const alternatives of declared) {
        const isNeeded = alternatives.some((scope) => needed.has(scope));
        expect(isNeeded, `${alternatives.join(" or ")} is needed`).toBe(true);
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
        const reasons = await driver.failures(name, await made(name));
        expect(reasons).toEqual([expect.stringContaining(`lacks the scope ${words}`)]);
      },
    );
  },
);

describe("A run that may not write", () => {
  afterEach(() => vi.unstubAllEnvs());

  async function reader(): Promise<Driver> {
    const read = [...kinds.values()].flatMap(({ scopes }) => scopes.read.flat());
    const accessToken = service.emulator.createAccessToken({ scopes: read });
    return Driver.for(service.emulator, { "buildpipeline:accessToken": accessToken });
  }

  test("previews changes with an access token that can only read", async () => {
    const driver = await reader();
    expect(await driver.failures("Team", { name: "new" })).toHaveLength(1);
    const all = await minimalOfAll(service);
    vi.stubEnv("BUILDPIPELINE_READ_ONLY", "true");
    for (const name of kinds.keys()) {
      expect(await (await reader()).failures(name, all[name] ?? {}), name).toEqual([]);
    }
  });

  test("sends nothing but reads, whatever its access token may do", async () => {
    const team = await service.driver.create("Team", { name: "old" });
    vi.stubEnv("BUILDPIPELINE_READ_ONLY", "true");
    const run = Driver.for(service.emulator);
    const provider = await run.kind("Team");
    await run.failures("Team", { name: "new" });
    service.emulator.clearRequests();
    const writes = [
      () => provider.create({ ...team.inputs, name: "new" }),
      () => run.update(team, { name: "other" }),
      () => run.delete(team),
    ];
    for (const write of writes)
      expect(await failure(write())).toBe(
        "Read-only mode (BUILDPIPELINE_READ_ONLY=true): nothing was sent. " +
          "To deploy, unset BUILDPIPELINE_READ_ONLY and run again.",
      );
    expect((await run.read(team)).id).toBe(team.id);
    // The update reads the team first. Nobody looks for what a refused creation made.
    expect(service.operations).toEqual(["teams.get", "teams.get"]);
  });

  test("is asked for by true and by nothing else", async () => {
    vi.stubEnv("BUILDPIPELINE_READ_ONLY", "yes");
    await expect(Driver.for(service.emulator).failures("Team", { name: "new" })).rejects.toThrow(
      "BUILDPIPELINE_READ_ONLY must be true or false",
    );
  });
});
