import { beforeAll, describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { everyKind, type Subject } from "./kinds/every-kind.js";
import { TestStack } from "./stack.js";

describe.each(backends)("A program with one resource of each type, %s backend", (backend) => {
  const classes = classesOf[backend];
  const stack = TestStack.forAll();
  let subjects: readonly Subject[];
  beforeAll(async () => {
    subjects = await everyKind(stack.colleague);
  });

  const program = async () => {
    for (const { declare } of subjects) declare(classes);
  };
  const writes = () => stack.requests().filter((request) => !request.startsWith("GET"));
  const steps = (step: string) => Object.fromEntries(subjects.map(({ kind }) => [kind, [step]]));
  /** Checks that the service has what the program declares. */
  const expectDeployed = async () => {
    const state = await stack.state();
    for (const { kind, path, onService } of subjects) {
      const { id = "", outputs } = state[kind] ?? {};
      expect(await stack.colleague.sends("GET", path(id, String(outputs?.slug))), kind).toMatchObject(
        onService,
      );
    }
  };

  test("creates each with one request, and then is unchanged in a preview and a refresh", async () => {
    stack.requests();
    expect((await stack.up(program)).steps).toEqual(steps("create"));
    expect(writes()).toHaveLength(subjects.length);
    await expectDeployed();

    stack.requests();
    await stack.preview(undefined, { expectNoChanges: true });
    expect(stack.requests()).toEqual(["GET /v2/access-token"]);
    await stack.refresh({ expectNoChanges: true });
    expect(writes()).toEqual([]);
  });

  test("keeps one-time secrets encrypted in the state", async () => {
    const { agentTokens } = stack.emulator.organizationData;
    const secrets = agentTokens.list().map(({ token }) => token);
    const state = await stack.state();
    expect(secrets).toContain(
      JSON.parse(String(Reflect.get(Object(state.AgentToken?.outputs.token), "plaintext"))),
    );
    const files = stack.files();
    for (const secret of secrets) expect(files).not.toContain(secret);
  });

  test("updates and replaces each as the preview shows", async () => {
    const changed = async () => {
      for (const { declareChanged } of subjects) declareChanged(classes);
    };
    const shown = await stack.preview(changed);
    const done = await stack.up(changed);
    for (const { kind, change } of subjects) {
      const replacing = ["create-replacement", "replace", "delete-replaced"];
      const outcomes = [shown, done].map((outcome) => [
        ...new Set(outcome.steps[kind]?.map((step) => (replacing.includes(step) ? "replace" : step))),
      ]);
      expect(outcomes, kind).toEqual([[change.expect], [change.expect]]);
      expect([shown.diffs[kind], done.diffs[kind]], kind).toEqual([[change.argument], [change.argument]]);
    }
    await stack.up(program);
    await expectDeployed();
  });

  test("detects drift of each in a refresh, and repairs it", async () => {
    const state = await stack.state();
    const drifting = subjects.filter(({ drift }) => drift !== undefined);
    for (const { kind, path, updateMethod, drift } of drifting) {
      const { id = "", outputs } = state[kind] ?? {};
      await stack.colleague.sends(updateMethod, path(id, String(outputs?.slug)), drift?.body ?? {});
    }
    await stack.refresh();
    const { steps: repaired, diffs } = await stack.up(program);
    for (const { kind, drift } of drifting) {
      expect(repaired[kind], kind).toEqual(["update"]);
      expect([...(diffs[kind] ?? [])].sort(), kind).toEqual([...(drift?.of ?? [])].sort());
    }
    await expectDeployed();
  });

  test("re-creates each that was deleted out of band, and a destroy leaves nothing of its own", async () => {
    const state = await stack.state();
    const deletable = subjects.filter(({ kind }) => kind !== "ClusterDefaultQueue");
    for (const { kind, path } of deletable) {
      const { id = "", outputs } = state[kind] ?? {};
      await stack.colleague.sends("DELETE", path(id, String(outputs?.slug)));
    }
    await stack.refresh();
    expect(Object.keys(await stack.state())).toEqual(["ClusterDefaultQueue"]);
    const { steps: repaired } = await stack.up(program);
    for (const { kind } of deletable) expect(repaired[kind], kind).toEqual(["create"]);
    await expectDeployed();

    const deployed = await stack.state();
    await stack.destroy();
    expect(await stack.state()).toEqual({});
    for (const { kind, list, idField } of deletable) {
      const left = (await stack.colleague.list(list)).map((object) => object[idField]);
      expect(left, kind).not.toContain(deployed[kind]?.id);
    }
  });
});
