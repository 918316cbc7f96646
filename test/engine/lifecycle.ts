import { beforeAll, describe, expect, test } from "vitest";
import type { Colleague } from "../colleague.js";
import { backends, classesOf } from "./backends.js";
import type { Change, KindCase, Surroundings, TestedElsewhere, Wire } from "./kinds/kind-case.js";
import { TestStack } from "./stack.js";

/**
 * The tests every kind must pass, in addition to those of every-kind.test.ts: creation, no change afterwards, the first
 * drift, re-creation and destroy of all kinds in one stack.
 */
export function lifecycle<Args extends object>(kindCase: KindCase<Args>): void {
  const idField = kindCase.idField ?? "id";

  describe.each(backends)(`${kindCase.kind} on the real engine, %s backend`, (backend) => {
    const classes = classesOf[backend];
    const stack = TestStack.forAll();
    let colleague: Colleague;
    let around: Surroundings;
    let args: Args;

    beforeAll(async () => {
      colleague = stack.colleague;
      around = (await kindCase.surroundings?.(colleague)) ?? {};
      args = kindCase.args(around);
    });

    const declared =
      (changed: Partial<Args> = {}) =>
      async () => {
        kindCase.declare(classes, "it", { ...args, ...changed });
      };
    const live = async (): Promise<Wire> => {
      const { it } = await stack.state();
      if (it === undefined) throw new Error("it is not in the state");
      return colleague.sends("GET", kindCase.path(around, it.id, String(it.outputs.slug)));
    };
    const count = async () => (await colleague.list(kindCase.list(around))).length;

    test("creates it with one request", async () => {
      stack.requests();
      const { steps } = await stack.up(declared());
      expect(steps.it).toEqual(["create"]);
      const writes = stack.requests().filter((request) => !request.startsWith("GET"));
      expect(writes.filter((request) => !request.endsWith("/pause_dispatch"))).toHaveLength(1);
      expect(await live()).toMatchObject(kindCase.onService(around));
    });

    test("keeps at most 200 bytes of provider code in state, and none where the plugin serves it", async () => {
      const { it } = await stack.state();
      if (backend === "plugin") expect({ ...it?.inputs, ...it?.outputs }).not.toHaveProperty("__provider");
      else expect(String(it?.inputs.__provider).length).toBeLessThanOrEqual(200);
    });

    test("updates or replaces it for each argument, as the preview announced", async () => {
      // An object for each argument, so that a command changes one argument of each.
      const changing = Object.entries<readonly Change<unknown>[] | TestedElsewhere>(kindCase.changes(around))
        .flatMap(([argument, changes]) => ("testedBy" in changes ? [] : [{ argument, changes }]))
        .map((change, index) => ({
          ...change,
          ...(index === 0 ? { name: "it", args } : another(change.argument)),
        }));
      const rounds = Math.max(...changing.map(({ changes }) => changes.length));
      const program = (round: number) => async () => {
        for (const { argument, changes, name, args } of changing) {
          const change = round === 0 ? undefined : changes[Math.min(round, changes.length) - 1];
          kindCase.declare(classes, name, change === undefined ? args : { ...args, [argument]: change.to });
        }
      };
      await stack.up(program(0));
      for (let round = 1; round <= rounds; round += 1) {
        const commands = [await stack.preview(program(round)), await stack.up(program(round))];
        const state = await stack.state();
        for (const { argument, changes, name } of changing) {
          const change = changes[round - 1];
          const observed = `${argument} to ${change?.to}`;
          for (const { steps, diffs } of commands) {
            const replacing = ["create-replacement", "replace", "delete-replaced"];
            const kinds = new Set(steps[name]?.map((step) => (replacing.includes(step) ? "replace" : step)));
            expect([...kinds], observed).toEqual([change?.expect ?? "same"]);
            if (change !== undefined) expect(diffs[name], observed).toEqual([argument]);
          }
          if (change?.onService === undefined) continue;
          const { id = "", outputs } = state[name] ?? {};
          const path = kindCase.path(around, id, String(outputs?.slug));
          expect(await colleague.sends("GET", path), observed).toMatchObject(change.onService);
        }
      }
      await stack.up(declared());
      expect(await live()).toMatchObject(kindCase.onService(around));
    });

    const another = (argument: string) => {
      if (kindCase.another === undefined)
        throw new Error(`${kindCase.kind} has no other one for ${argument}`);
      return { name: `it-${argument}`, args: kindCase.another(args, argument.toLowerCase()) };
    };

    const otherDrifts = kindCase.drifts.slice(1);
    test.runIf(otherDrifts.length > 0)("sees what was changed by hand, and repairs it", async () => {
      for (const drift of otherDrifts) {
        const { it } = await stack.state();
        const path = kindCase.path(around, it?.id ?? "", String(it?.outputs.slug));
        await colleague.sends(kindCase.updateMethod, path, drift.body);
        const { steps, diffs } = await stack.up(declared(), { refresh: true });
        expect(steps.it).toContain("update");
        expect([...(diffs.it ?? [])].sort()).toEqual([...drift.of].sort());
        expect(await live()).toMatchObject(kindCase.onService(around));
      }
    });

    // No list of its own: the cluster that it is a part of stays.
    test.runIf(kindCase.kind === "ClusterDefaultQueue")(
      "recreates it after it was cleared by hand",
      async () => {
        const { it } = await stack.state();
        await colleague.sends("PUT", kindCase.path(around, it?.id ?? ""), { default_queue_id: null });
        const { steps } = await stack.up(declared(), { refresh: true });
        expect(steps.it).toContain("create");
      },
    );

    test("reads it without managing it, and a missing one is an error", async () => {
      const { it } = await stack.state();
      const id = it?.id ?? "";
      const program = async () => {
        kindCase.declare(classes, "it", args);
        const same = kindCase.get(classes, "same", id, args);
        return { read: Object.hasOwn(same, "organization") ? Reflect.get(same, "organization") : undefined };
      };
      const { outputs } = await stack.up(program);
      expect(outputs.read).toBe(stack.emulator.organization);
      const state = await stack.state();
      expect(state.same).toMatchObject({ id, external: true });

      const gone = "00000000-0000-4000-8000-000000000000";
      const message = await stack.refused(
        stack.preview(async () => {
          kindCase.declare(classes, "it", args);
          kindCase.get(classes, "missing", gone, args);
        }),
      );
      expect(message).toContain(gone);
    });

    test("destroy leaves nothing", async () => {
      const before = await count();
      const { it } = await stack.state();
      await stack.destroy();
      expect(await stack.state()).toEqual({});
      const left = await colleague.list(kindCase.list(around));
      if (kindCase.kind === "ClusterDefaultQueue") {
        expect(left.map((cluster) => cluster.default_queue_id)).not.toContain(it?.outputs.queueId);
      } else {
        expect(left).toHaveLength(before - 1);
        expect(left.map((entry) => entry[idField])).not.toContain(it?.id);
      }
    });

    const { importName, byHand, mismatch } = kindCase;
    if (importName === undefined || byHand === undefined || mismatch === undefined) return;

    if (backend === "plugin") {
      test("is imported by the engine, and the option may stay or go", async () => {
        const existing = await byHand(colleague, around);
        const id = String(existing[idField]);
        const importing = (form: string) => async () => {
          kindCase.declare(classes, "kept", args, { import: form });
        };
        const form = importName(around, existing);
        const before = await count();
        const nothing = await stack.refused(stack.preview(importing(`${form}-not-there`)));
        expect(nothing).toContain("-not-there");
        stack.requests();
        expect((await stack.up(importing(form))).steps.kept).toEqual(["import"]);
        expect(stack.requests().filter((request) => !request.startsWith("GET"))).toEqual([]);
        expect((await stack.state()).kept?.id).toBe(id);
        await stack.preview(
          async () => {
            kindCase.declare(classes, "kept", args);
          },
          { expectNoChanges: true },
        );
        await stack.destroy();
        expect(await count(), "after destroy").toBe(before - 1);
      });
      return;
    }

    test("adopts an existing one, and never deletes it while the option is there", async () => {
      const existing = await byHand(colleague, around);
      const id = String(existing[idField]);
      const adopting =
        (name: string, form: string, changed: Partial<Args> = {}) =>
        async () => {
          kindCase.declare(classes, name, { ...args, ...changed }, { import: form });
        };
      const form = importName(around, existing);
      const before = await count();

      // A mismatch is told by the preview, property by property, without the values.
      const refusal = await stack.refused(stack.preview(adopting("kept", form, mismatch)));
      for (const name of Object.keys(mismatch)) expect(refusal).toContain(name);

      stack.requests();
      const { steps } = await stack.up(adopting("kept", form));
      expect(steps.kept).toEqual(["create"]);
      expect(stack.requests().filter((request) => !request.startsWith("GET"))).toEqual([]);
      expect((await stack.state()).kept?.id).toBe(id);
      await stack.refresh({ expectNoChanges: true });

      const { kept } = await stack.state();
      await stack.up(undefined, { replace: [kept?.urn ?? ""] });
      expect(await count(), "after --replace").toBe(before);
      await stack.up(adopting("renamed", form));
      expect(await count(), "after a rename").toBe(before);

      // With the option removed by an update that sends nothing, it is a resource like any other.
      stack.requests();
      const removed = await stack.up(async () => {
        kindCase.declare(classes, "renamed", args);
      });
      expect(removed.steps.renamed).toEqual(["update"]);
      expect(stack.requests().filter((request) => !request.startsWith("GET"))).toEqual([]);
      await stack.destroy();
      expect(await count(), "after destroy without the option").toBe(before - 1);
    });

    test("an adopted one survives destroy while the option is there", async () => {
      const existing = await byHand(colleague, around);
      const form = importName(around, existing);
      const before = await count();
      await stack.up(async () => {
        kindCase.declare(classes, "kept", args, { import: form });
      });
      const { output } = await stack.destroy();
      expect(output).toContain("nothing was sent for the");
      expect(await stack.state()).toEqual({});
      expect(await count()).toBe(before);
    });
  });
}
