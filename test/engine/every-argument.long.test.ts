import { beforeAll, describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { everyKind, objectsOf, type Subject } from "./kinds/every-kind.js";
import type { Change } from "./kinds/kind-case.js";
import { TestStack } from "./stack.js";

/** An argument, its changes one after the other, and the resource that shows them. */
interface Changing {
  readonly subject: Subject;
  readonly argument: string;
  readonly changes: readonly Change<unknown>[];
  readonly name: string;
  /** Part of the object's name, where it is not the first of its type. */
  readonly another: string | undefined;
}

/** Each resource type in one stack, so that a command of the CLI serves all of them. */
describe.each(backends)("Every argument of every resource type, %s backend", (backend) => {
  const classes = classesOf[backend];
  const stack = TestStack.forAll();
  let subjects: readonly Subject[];
  let before: readonly object[];
  let changing: readonly Changing[];
  beforeAll(async () => {
    subjects = await everyKind(stack.colleague);
    before = objectsOf(stack.emulator);
    // A resource for each argument, so that a command changes one argument of each.
    changing = subjects.flatMap((subject) =>
      subject.changes.map(({ argument, changes }, index) => {
        const first = index === 0;
        const name = first ? subject.kind : `${subject.kind}-${argument}`;
        return { subject, argument, changes, name, another: first ? undefined : argument.toLowerCase() };
      }),
    );
  });

  const program = async () => {
    for (const { declare } of subjects) declare(classes);
  };
  /** Every argument as its change of that number left it. */
  const changed = (round: number) => async () => {
    for (const { subject, argument, changes, name, another } of changing) {
      const change = round === 0 ? undefined : changes[Math.min(round, changes.length) - 1];
      const values = change === undefined ? {} : { [argument]: change.to };
      subject.declare(classes, { name, another, changed: values });
    }
  };
  const inState = async (name: string) => {
    const resource = (await stack.state())[name];
    if (resource === undefined) throw new Error(`${name} is not in the state.`);
    return resource;
  };
  const pathOf = async ({ path }: Subject, name: string) => {
    const { id, outputs } = await inState(name);
    return path(id, String(outputs.slug));
  };
  const live = async (subject: Subject, name = subject.kind) =>
    stack.colleague.sends("GET", await pathOf(subject, name));
  /** Checks that the service has what the program declares. */
  const expectDeployed = async () => {
    for (const subject of subjects) {
      expect(await live(subject), subject.kind).toMatchObject(subject.onService);
    }
  };

  test("each has at most 200 bytes of provider code in state, and none where the plugin serves it", async () => {
    await stack.up(changed(0));
    await expectDeployed();
    for (const { name } of changing) {
      const { inputs, outputs } = await inState(name);
      if (backend === "plugin") expect({ ...inputs, ...outputs }, name).not.toHaveProperty("__provider");
      else expect(String(inputs.__provider).length, name).toBeLessThanOrEqual(200);
    }
  });

  test("each is updated or replaced for each argument, as the preview announced", async () => {
    const rounds = Math.max(...changing.map(({ changes }) => changes.length));
    for (let round = 1; round <= rounds; round += 1) {
      const commands = [await stack.preview(changed(round)), await stack.up(changed(round))];
      for (const { subject, argument, changes, name } of changing) {
        const change = changes[round - 1];
        const observed = `${subject.kind}: ${argument} to ${change?.to}`;
        for (const { steps, diffs } of commands) {
          const replacing = ["create-replacement", "replace", "delete-replaced"];
          const kinds = new Set(steps[name]?.map((step) => (replacing.includes(step) ? "replace" : step)));
          expect([...kinds], observed).toEqual([change?.expect ?? "same"]);
          if (change !== undefined) expect(diffs[name], observed).toEqual([argument]);
        }
        if (change?.onService === undefined) continue;
        expect(await live(subject, name), observed).toMatchObject(change.onService);
      }
    }
    await stack.up(program);
    await expectDeployed();
  });

  test("each other drift is repaired, and a default queue that was cleared is re-created", async () => {
    const defaultQueue = subjects.find(({ kind }) => kind === "ClusterDefaultQueue");
    await stack.colleague.sends("PUT", defaultQueue?.path("") ?? "", { default_queue_id: null });
    const ofDefaultQueue: string[] = [];
    const rounds = Math.max(...subjects.map(({ drifts }) => drifts.length));
    // every-kind.test.ts has the first drift of each.
    for (let round = 1; round < rounds; round += 1) {
      for (const subject of subjects) {
        const body = subject.drifts[round]?.body;
        const { kind, updateMethod } = subject;
        if (body !== undefined) await stack.colleague.sends(updateMethod, await pathOf(subject, kind), body);
      }
      const { steps, diffs } = await stack.up(program, { refresh: true });
      for (const { kind, drifts } of subjects) {
        const drift = drifts[round];
        if (drift === undefined) continue;
        expect(steps[kind], kind).toContain("update");
        expect([...(diffs[kind] ?? [])].sort(), kind).toEqual([...drift.of].sort());
      }
      await expectDeployed();
      ofDefaultQueue.push(...(steps.ClusterDefaultQueue ?? []));
    }
    expect(ofDefaultQueue).toContain("create");
  });

  test("each is read without being managed, and a missing one is an error", async () => {
    const state = await stack.state();
    const idOf = (kind: string) => state[kind]?.id ?? "";
    const { outputs } = await stack.up(async () => {
      await program();
      return Object.fromEntries(
        subjects.map(({ kind, get }) => {
          const same = get(classes, `same-${kind}`, idOf(kind));
          return [kind, Object.hasOwn(same, "organization") ? Reflect.get(same, "organization") : undefined];
        }),
      );
    });
    const read = await stack.state();
    for (const { kind } of subjects) {
      expect(outputs[kind], kind).toBe(stack.emulator.organization);
      expect(read[`same-${kind}`], kind).toMatchObject({ id: idOf(kind), external: true });
    }

    const gone = "00000000-0000-4000-8000-000000000000";
    const missing = async () => {
      await program();
      classes.Team.get("missing", gone);
    };
    expect(await stack.refused(stack.preview(missing))).toContain(gone);
  });

  test("destroy leaves nothing, where each is both managed and read", async () => {
    await stack.destroy();
    expect(await stack.state()).toEqual({});
    expect(objectsOf(stack.emulator)).toEqual(before);
  });
});
