import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { type ArgumentChanges, everyKind, objectsOf, type Subject } from "./kinds/every-kind.js";
import { TestStack } from "./stack.js";

/** Returns the first change of the first argument. */
function firstOf([first]: readonly ArgumentChanges[]) {
  const change = first?.changes[0];
  if (first === undefined || change === undefined) throw new Error("A resource type lists no change.");
  return { argument: first.argument, expected: change.expect, values: { [first.argument]: change.to } };
}

describe.each(backends)("A program with one resource of each type, %s backend", (backend) => {
  const classes = classesOf[backend];
  const stack = TestStack.forAll();
  let subjects: readonly Subject[];
  let before: readonly object[];
  beforeAll(async () => {
    subjects = await everyKind(stack.colleague);
    before = objectsOf(stack.emulator);
  });

  const program = async () => {
    for (const { declare } of subjects) declare(classes);
  };
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
  /** The secrets of the agent token and of the suite, as the state has them. */
  const secrets = async () => {
    const { AgentToken, Suite } = await stack.state();
    const read = (value: unknown) => String(JSON.parse(String(Reflect.get(Object(value), "plaintext"))));
    return { token: read(AgentToken?.outputs.token), apiToken: read(Suite?.outputs.apiToken) };
  };

  test("creates each with one request, and then is unchanged in a preview", async () => {
    stack.requests();
    expect((await stack.up(program)).steps).toEqual(steps("create"));
    expect(stack.writes()).toHaveLength(subjects.length);
    await expectDeployed();

    stack.requests();
    await stack.preview(undefined, { expectNoChanges: true });
    expect(stack.requests()).toEqual(["GET /v2/access-token"]);
  });

  test("detects drift in a refresh, where nothing else changes, and repairs it", async () => {
    const state = await stack.state();
    const before = await secrets();
    const drifting = subjects.filter(({ drifts }) => drifts.length > 0);
    for (const { kind, path, updateMethod, drifts } of drifting) {
      const { id = "", outputs } = state[kind] ?? {};
      await stack.colleague.sends(updateMethod, path(id, String(outputs?.slug)), drifts[0]?.body ?? {});
    }
    stack.requests();
    await stack.refresh();
    expect(stack.writes()).toEqual([]);
    const { steps: repaired, diffs } = await stack.up(program);
    for (const { kind, drifts } of subjects) {
      const [drift] = drifts;
      expect(repaired[kind], kind).toEqual([drift === undefined ? "same" : "update"]);
      expect([...(diffs[kind] ?? [])].sort(), kind).toEqual([...(drift?.of ?? [])].sort());
    }
    await expectDeployed();
    expect(await secrets()).toEqual(before);
  });

  test("re-creates each that was deleted out of band, in one command with a refresh", async () => {
    const state = await stack.state();
    const deletable = subjects.filter(({ kind }) => kind !== "ClusterDefaultQueue");
    for (const { kind, path } of deletable) {
      const { id = "", outputs } = state[kind] ?? {};
      await stack.colleague.sends("DELETE", path(id, String(outputs?.slug)));
    }
    const { steps: repaired } = await stack.up(program, { refresh: true });
    for (const { kind } of deletable) expect(repaired[kind], kind).toContain("create");
    await expectDeployed();
  });

  test("updates and replaces each by an update plan, as the preview shows", async () => {
    const { token, apiToken } = await secrets();
    const changed = async () => {
      for (const { declare, changes } of subjects) declare(classes, { changed: firstOf(changes).values });
    };
    const plan = join(stack.directory, "plan.json");
    const shown = await stack.preview(changed, { plan });
    const done = await stack.up(changed, { plan });
    for (const { kind, changes } of subjects) {
      const { argument, expected } = firstOf(changes);
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
