import { beforeAll, describe, expect, test } from "vitest";
import { classesOf } from "./backends.js";
import { type Declaration, everyKind, type Importing, type Subject } from "./kinds/every-kind.js";
import { TestStack } from "./stack.js";

/** Resource types that have the option `import`, all in one stack, so that a command of the CLI serves all of them. */
type Importable = Subject & { readonly importing: Importing };

/** An object that was created out of band, and what `import` takes for it. */
interface Existing {
  readonly subject: Importable;
  readonly id: string;
  readonly form: string;
}

function importables(stack: TestStack) {
  let subjects: readonly Importable[];
  beforeAll(async () => {
    subjects = (await everyKind(stack.colleague)).flatMap(({ importing, ...subject }) =>
      importing === undefined ? [] : [{ ...subject, importing }],
    );
  });
  return {
    /** Creates one object of each type. */
    byHand: async (): Promise<readonly Existing[]> =>
      Promise.all(subjects.map(async (subject) => ({ subject, ...(await subject.importing.byHand()) }))),
    /** Returns how many objects each type has on the service, with so many more. */
    counts: async (more = 0) => {
      const counted = subjects.map(async ({ kind, list }) => {
        const { length } = await stack.colleague.list(list);
        return [kind, length + more] as const;
      });
      return Object.fromEntries(await Promise.all(counted));
    },
    /** The same steps for each type. */
    steps: (prefix: string, step: string) =>
      Object.fromEntries(subjects.map(({ kind }) => [`${prefix}-${kind}`, [step]])),
  };
}

describe("Existing objects of every resource type, dynamic backend", () => {
  const stack = TestStack.forAll();
  const { byHand, counts, steps } = importables(stack);
  const program =
    (prefix: string, existing: readonly Existing[], of: (existing: Existing) => Declaration) => async () => {
      for (const one of existing) {
        const { kind, declare } = one.subject;
        const { unreturned } = one.subject.importing;
        declare(classesOf.dynamic, { name: `${prefix}-${kind}`, changed: unreturned, ...of(one) });
      }
    };

  test("are imported, and never deleted while the option is there", async () => {
    const existing = await byHand();
    const before = await counts();
    const importing = (prefix: string) => program(prefix, existing, ({ form }) => ({ import: form }));

    const differing = ({ subject, form }: Existing) => ({
      import: form,
      changed: subject.importing.mismatch,
    });
    const refused = await stack.refused(stack.preview(program("kept", existing, differing)));
    for (const { subject, id } of existing) {
      const { kind, importing: option } = subject;
      const error = refused
        .split("error: ")
        .find((text) => text.startsWith(`"kept-${kind}": ${kind}.import:`));
      expect(error, kind).toContain(id);
      for (const argument of Object.keys(option.mismatch)) expect(error, kind).toContain(`${argument}: `);
    }

    stack.requests();
    expect((await stack.up(importing("kept"))).steps).toEqual(steps("kept", "create"));
    expect(stack.writes()).toEqual([]);
    const state = await stack.state();
    for (const { subject, id } of existing) expect(state[`kept-${subject.kind}`]?.id, subject.kind).toBe(id);
    await stack.refresh({ expectNoChanges: true });
    await stack.preview(importing("kept"), { expectNoChanges: true });

    await stack.up(undefined, { replace: Object.values(state).map(({ urn }) => urn) });
    expect(await counts(), "after --replace").toEqual(before);
    await stack.up(importing("renamed"));
    expect(await counts(), "after a rename").toEqual(before);

    // With the option removed by an update that sends nothing, each is a resource like any other.
    stack.requests();
    const removed = await stack.up(program("renamed", existing, () => ({})));
    expect(removed.steps).toEqual(steps("renamed", "update"));
    expect(stack.writes()).toEqual([]);
    await stack.destroy();
    expect(await counts(1), "after destroy without the option").toEqual(before);
  });

  test("survive destroy while the option is there", async () => {
    const existing = await byHand();
    const before = await counts();
    await stack.up(program("kept", existing, ({ form }) => ({ import: form })));
    const { output } = await stack.destroy();
    for (const { subject, id } of existing)
      expect(output, subject.kind).toMatch(new RegExp(`nothing was sent for the .* ${id}, `));
    expect(await stack.state()).toEqual({});
    expect(await counts()).toEqual(before);
  });
});

describe("Existing objects of every resource type, plugin backend", () => {
  const stack = TestStack.forAll();
  const { byHand, counts, steps } = importables(stack);
  const program = (existing: readonly Existing[], of: (existing: Existing) => Declaration) => async () => {
    for (const one of existing) {
      const { kind, declare, importing } = one.subject;
      declare(classesOf.plugin, { name: `kept-${kind}`, changed: importing.unreturned, ...of(one) });
    }
  };

  test("are imported by the engine, and the option may stay or go", async () => {
    const existing = await byHand();
    const before = await counts();
    const absent = program(existing, ({ form }) => ({ import: `${form}-not-there` }));
    expect(await stack.refused(stack.preview(absent))).toContain("-not-there");

    stack.requests();
    const imported = await stack.up(program(existing, ({ form }) => ({ import: form })));
    expect(imported.steps).toEqual(steps("kept", "import"));
    expect(stack.writes()).toEqual([]);
    const state = await stack.state();
    for (const { subject, id } of existing) expect(state[`kept-${subject.kind}`]?.id, subject.kind).toBe(id);
    const unchanged = program(existing, () => ({}));
    await stack.preview(unchanged, { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
    await stack.up(unchanged, { expectNoChanges: true });
    expect(stack.writes()).toEqual([]);
    await stack.destroy();
    expect(await counts(1), "after destroy").toEqual(before);
  });
});
