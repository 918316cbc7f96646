import { beforeEach, describe, expect, test } from "vitest";
import { ProgramEntries, RunRecord } from "../../src/provider/run/memory.js";
import { kinds } from "../../src/provider/values/kinds.js";

const [kind, other] = [...kinds.values()];
if (kind === undefined || other === undefined) throw new Error("There are too few kinds.");

/** URN of the resource of the current call. */
let urn: string | undefined = "urn";
beforeEach(() => {
  urn = "urn";
});

const inputs = (args: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  organization: "acme",
  import: undefined,
  secretNames: undefined,
  args,
  ...more,
});

const key = { organization: "acme", kind, id: "1" };

function begun() {
  const run = new RunRecord();
  return { run, entries: new ProgramEntries(run, () => urn) };
}

describe("A diff belongs to the program", () => {
  const args = { name: "a", list: ["x", "y"], map: { k: 1, l: { m: null } } };
  const checked = () => {
    const { entries } = begun();
    entries.noteCheck(kind, inputs(args), inputs(args));
    return entries;
  };

  test("if its inputs are those of a check, in whatever order", () => {
    const reordered = { map: { l: { m: null }, k: 1 }, list: ["x", "y"], name: "a" };
    expect(checked().isOfProgram(kind, inputs(reordered))).toBe(true);
  });

  test.each([
    ["another argument", inputs({ ...args, name: "b" })],
    ["another order of a list", inputs({ ...args, list: ["y", "x"] })],
    ["another value in a map", inputs({ ...args, map: { k: 1, l: { m: 0 } } })],
    ["another organization", inputs(args, { organization: "acne" })],
    ["another import", inputs(args, { import: "a" })],
  ])("and not with %s", (_, changed) => {
    expect(checked().isOfProgram(kind, changed)).toBe(false);
  });

  test("and not of another resource, or of another type", () => {
    const entries = checked();
    expect(entries.isOfProgram(other, inputs(args))).toBe(false);
    urn = "urn of another";
    expect(entries.isOfProgram(kind, inputs(args))).toBe(false);
  });

  test("and not after the check of a creation or replacement, which shows the program all the same", () => {
    const { entries } = begun();
    expect(entries.knowsProgram).toBe(false);
    entries.noteCheck(kind, inputs(args), undefined);
    expect(entries.isOfProgram(kind, inputs(args))).toBe(false);
    expect(entries.knowsProgram).toBe(true);
  });
});

describe("An object", () => {
  test("has one entry of the program", () => {
    const { entries } = begun();
    expect(entries.plan(key, {})).toBe(true);
    expect(entries.plan(key, {})).toBe(true);
    urn = "urn of another";
    expect(entries.plan(key, {})).toBe(false);
  });

  test("that is about to be imported is not another resource's", () => {
    const { entries } = begun();
    expect(entries.reserve(key)).toBe(true);
    expect(entries.reserve(key)).toBe(false);
    expect(entries.plan(key, {})).toBe(false);
  });

  test("that a resource has can't be imported", () => {
    const { entries } = begun();
    entries.plan(key, {});
    expect(entries.reserve(key)).toBe(false);
  });

  test("belongs to others than the entry with another mark", () => {
    const { entries } = begun();
    entries.noteImported(key, { import: "a", importMark: "m" });
    expect(entries.isOthers(key, { importMark: "m" })).toBe(false);
    expect(entries.isOthers(key, { importMark: "n" })).toBe(true);
    expect(entries.isOthers(key, {})).toBe(true);
  });

  test("that nothing imported belongs to each entry", () => {
    const { entries, run } = begun();
    entries.noteImported(key, {});
    expect(run.of(key)).toEqual({});
    expect(entries.isOthers(key, {})).toBe(false);
    expect(entries.isOthers(key, { importMark: "m" })).toBe(false);
  });

  test("belongs to others than the entry with another URN", () => {
    const { entries } = begun();
    entries.plan(key, {});
    expect(entries.isOthers(key, {})).toBe(false);
    urn = "urn of another";
    expect(entries.isOthers(key, {})).toBe(true);
  });
});

describe("Names of a type's objects may be shown", () => {
  const label = kind.words.label;

  test("until a resource of the program has a secret one, or its secrets are not known", () => {
    for (const [secretNames, shown] of [
      [[], true],
      [["description"], label !== "description"],
      [[label], false],
      [undefined, false],
      ["unknown", false],
    ] as const) {
      const { entries } = begun();
      entries.noteSecretNames(kind, secretNames);
      expect(entries.mayShowLabels(kind)).toBe(shown);
      expect(entries.mayShowLabels(other)).toBe(true);
    }
  });
});

test("The engine imports what it read without state", () => {
  const { entries } = begun();
  entries.noteReadByName();
  expect(entries.isEngineImport()).toBe(true);
  urn = "urn of another";
  expect(entries.isEngineImport()).toBe(false);
});

test("An engine without URNs shows no import of its own", () => {
  const { entries } = begun();
  urn = undefined;
  entries.noteReadByName();
  expect(entries.isEngineImport()).toBe(false);
});
