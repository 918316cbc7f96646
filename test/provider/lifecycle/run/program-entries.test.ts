import { describe, expect, test } from "vitest";
import { ProgramEntries, RunRecord } from "../../../../src/provider/lifecycle/run/memory.js";
import type { Inputs } from "../../../../src/provider/lifecycle/values/state.js";
import { kindOf } from "../../../support/driver.js";

const [kind, other] = [kindOf("Cluster"), kindOf("Team")];
const key = { organization: "acme", kind, id: "1" };

const inputs = (args: Record<string, unknown>, more: Partial<Inputs> = {}) => ({
  kind,
  organization: "acme",
  import: undefined,
  secretNames: undefined,
  args,
  ...more,
});

/** The entries of a program, and a function that begins the call about a resource. */
function begun() {
  let urn: string | undefined = "urn";
  const run = new RunRecord();
  const call = (next: string | undefined) => {
    urn = next;
  };
  return { run, entries: new ProgramEntries(run, () => urn), call };
}

describe("A diff belongs to the program", () => {
  const args = { name: "a", list: ["x", "y"], map: { k: 1, l: { m: null } } };
  const checked = () => {
    const { entries, call } = begun();
    entries.noteCheck(inputs(args), inputs(args));
    return { entries, call };
  };

  test("if its inputs are those of a check, in whatever order", () => {
    const reordered = { map: { l: { m: null }, k: 1 }, list: ["x", "y"], name: "a" };
    expect(checked().entries.isOfProgram(inputs(reordered))).toBe(true);
  });

  test.each([
    ["another order of a list", inputs({ ...args, list: ["y", "x"] })],
    ["another value in a map", inputs({ ...args, map: { k: 1, l: { m: 0 } } })],
    ["another organization", inputs(args, { organization: "acne" })],
    ["another import", inputs(args, { import: "a" })],
  ])("and not with %s", (_, changed) => {
    expect(checked().entries.isOfProgram(changed)).toBe(false);
  });

  test("and not of another resource, or of another type", () => {
    const { entries, call } = checked();
    expect(entries.isOfProgram(inputs(args, { kind: other }))).toBe(false);
    call("urn of another");
    expect(entries.isOfProgram(inputs(args))).toBe(false);
  });
});

test("An object that is about to be imported is not another resource's", () => {
  const { entries } = begun();
  expect(entries.reserve(key)).toBe(true);
  expect(entries.reserve(key)).toBe(false);
  expect(entries.plan(key, {}, inputs({ name: "a" }))).toBe(false);
});

test("An object that nothing imported belongs to each entry", () => {
  const { entries, run } = begun();
  entries.noteImported(key, {});
  expect(run.of(key).importedBy).toBeUndefined();
  expect(entries.isOthers(key, { importMark: "m" })).toBe(false);
});

test("An engine without URNs imports nothing itself", () => {
  const { entries, call } = begun();
  call(undefined);
  entries.noteReadByName({ name: "Main", id: "c1", unwritten: [] });
  expect(entries.isEngineImport()).toBe(false);
});
