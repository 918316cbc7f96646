import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { isWhole } from "../support/cases.js";
import { type Backend, backends, backendsOr, classesOf, declare } from "./backends.js";
import { everyKind, objectsOf, type Subject } from "./every-kind.js";
import { TestStack } from "./stack.js";

describe.each(backendsOr("dynamic"))("A program with one resource of each type, %s backend", (backend) => {
  const classes = classesOf[backend];
  // Else the deletion of a pipeline can't be confirmed.
  let late = 0;
  const clock = () => new Date(Date.now() + late);
  const stack = TestStack.forAll({ variations: { archivedPipelinesInList: true }, clock });
  let subjects: readonly Subject[];
  let before: readonly object[];
  beforeAll(async () => {
    subjects = await everyKind(stack.colleague, stack.emulator);
    before = objectsOf(stack.emulator);
  });

  const declared = (by: Backend) => async () => {
    for (const { kind, args } of subjects) declare(classesOf[by], kind, kind, args);
    new classesOf[by].Cluster("ignoring", { name: `By the ${by}` }, { ignoreChanges: ["*"] });
  };
  const program = declared(backend);
  const pathIn = (state: Awaited<ReturnType<TestStack["state"]>>, { kind, path }: Subject) =>
    path(state[kind]?.id ?? "", String(state[kind]?.outputs.slug));
  const expectDeployed = async () => {
    const state = await stack.state();
    for (const subject of subjects)
      expect(await stack.colleague.sends("GET", pathIn(state, subject)), subject.kind).toMatchObject(
        subject.onService,
      );
  };
  /** The secrets of the agent token and of the suite, as the state has them. */
  const secrets = async () => {
    const { AgentToken, Suite } = await stack.state();
    const read = (value: unknown) => String(JSON.parse(String(Reflect.get(Object(value), "plaintext"))));
    return { token: read(AgentToken?.outputs.token), apiToken: read(Suite?.outputs.apiToken) };
  };

  test("creates each with one request, and then is unchanged in a preview", async () => {
    stack.requests();
    const { steps } = await stack.up(program);
    expect(Object.keys(steps)).toHaveLength(subjects.length + 1);
    expect(new Set(Object.values(steps).flat())).toEqual(new Set(["create"]));
    expect(stack.writes()).toHaveLength(subjects.length + 1);
    await expectDeployed();
    for (const [kind, { inputs, outputs }] of Object.entries(await stack.state())) {
      if (backend === "plugin") expect({ ...inputs, ...outputs }, kind).not.toHaveProperty("__provider");
      else expect(String(inputs.__provider).length, kind).toBeLessThanOrEqual(200);
    }

    stack.requests();
    await stack.preview(undefined, { expectNoChanges: true });
    expect(stack.requests()).toEqual(["GET /v2/access-token"]);
  });

  test.runIf(isWhole)(
    "is served by the other backend and again by its own, which sends nothing",
    async () => {
      /** Ids and secrets, by the names in the program. */
      const kept = async () =>
        Object.entries(await stack.state())
          .map(([name, { id, outputs }]) => [name, id, outputs.token ?? outputs.apiToken])
          .sort();
      const before = await kept();
      for (const by of [...backends.filter((one) => one !== backend), backend]) {
        stack.requests();
        // The dynamic provider adds to what the plugin recorded.
        const adds = backend === "plugin" && by === "dynamic";
        if (adds) {
          // Pulumi's server of dynamic providers loads the provider from what the state has, before any of our code runs.
          const refresh = stack.refresh({ runProgram: true, program: declared(by) });
          expect(await stack.refused(refresh)).toContain("code must be a string, not undefined");
          expect(await kept()).toEqual(before);
        }
        await stack.up(declared(by), adds ? { refresh: true } : { expectNoChanges: true });
        const sent = stack.requests().filter((request) => request !== "GET /v2/access-token");
        expect(adds ? sent.filter((request) => !request.startsWith("GET")) : sent).toEqual([]);
        const type = by === "plugin" ? "buildpipeline:index:" : "pulumi-nodejs:dynamic/buildpipeline:";
        for (const resource of await stack.entries()) expect(resource.type).toContain(type);
        expect(await kept()).toEqual(before);
        if (!adds) continue;
        await stack.refresh({ runProgram: true, program: declared(by), expectNoChanges: true });
        await stack.preview(undefined, { expectNoChanges: true });
      }
    },
  );

  test("detects drift in a refresh, where nothing else changes, and repairs it", async () => {
    const state = await stack.state();
    const before = await secrets();
    for (const subject of subjects) {
      const { drift, updateMethod } = subject;
      if (drift) await stack.colleague.sends(updateMethod, pathIn(state, subject), drift.body);
    }
    stack.requests();
    await stack.refresh();
    expect(stack.writes()).toEqual([]);
    const { steps: repaired, diffs } = await stack.up(program);
    for (const { kind, drift } of subjects) {
      expect(repaired[kind], kind).toEqual([drift === undefined ? "same" : "update"]);
      expect([...(diffs[kind] ?? [])].sort(), kind).toEqual([...(drift?.of ?? [])].sort());
    }
    await expectDeployed();
    expect(await secrets()).toEqual(before);
  });

  test.runIf(isWhole)(
    "re-creates each that was deleted out of band, in one command with a refresh",
    async () => {
      const state = await stack.state();
      // What was made seconds ago would be waited for.
      late = 20_000;
      const deletable = subjects.filter(({ isLasting }) => !isLasting);
      for (const subject of deletable) await stack.colleague.sends("DELETE", pathIn(state, subject));
      const { steps: repaired } = await stack.up(program, { refresh: true });
      for (const { kind } of deletable) expect(repaired[kind], kind).toContain("create");
      await expectDeployed();
    },
  );

  test.runIf(isWhole)("reads each without managing it, and a missing one is an error", async () => {
    const state = await stack.state();
    const reading =
      (changedId = "") =>
      async () => {
        await program();
        for (const { kind, within } of subjects) {
          const id = changedId || state[kind]?.id;
          Reflect.apply(Reflect.get(classes[kind], "get"), classes[kind], [`same-${kind}`, id, within]);
        }
      };
    await stack.up(reading());
    const read = await stack.state();
    for (const { kind } of subjects)
      expect(read[`same-${kind}`], kind).toMatchObject({ id: state[kind]?.id, external: true });
    late = 40_000;
    const gone = "00000000-0000-4000-8000-000000000000";
    expect(await stack.refused(stack.preview(reading(gone)))).toContain(gone);
  });

  test("updates and replaces each by an update plan, as the preview shows", async () => {
    const { token, apiToken } = await secrets();
    const changed = async () => {
      for (const { kind, args, change } of subjects)
        declare(classes, kind, kind, { ...args, [change[0]]: change[1] });
    };
    const plan = join(stack.directory, "plan.json");
    const shown = await stack.preview(changed, { plan });
    const done = await stack.up(changed, { plan });
    for (const {
      kind,
      change: [argument, , expected],
    } of subjects) {
      const replacing = ["create-replacement", "replace", "delete-replaced"];
      const outcomes = [shown, done].map((outcome) => [
        ...new Set(outcome.steps[kind]?.map((step) => (replacing.includes(step) ? "replace" : step))),
      ]);
      expect(outcomes, kind).toEqual([[expected], [expected]]);
      expect([shown.diffs[kind], done.diffs[kind]], kind).toEqual([[argument], [argument]]);
    }
    const later = await secrets();
    expect(later).toEqual({ token: expect.any(String), apiToken });
    expect(later.token).not.toBe(token);
    const shownAndKept = `${shown.output}${done.output}${stack.files()}`;
    for (const value of [token, later.token, apiToken]) expect(shownAndKept).not.toContain(value);
  });

  test("is destroyed, and nothing of it is left", async () => {
    await stack.destroy();
    expect(await stack.state()).toEqual({});
    expect(objectsOf(stack.emulator)).toEqual(before);
  });
});
