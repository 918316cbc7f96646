import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { refactoringsOf } from "../../../src/commands/shared/plan/refactorings.js";
import { type Preview, readPreview } from "../../../src/commands/shared/pulumi/preview.js";

function recorded(name: string): Preview {
  return readPreview(JSON.parse(readFileSync(join(__dirname, "recorded", `${name}.json`), "utf8")));
}

const found = (name: string) =>
  refactoringsOf(recorded(name).planned).map(({ from, code }) => [from.split("::").at(-1), code]);

describe("A refactoring", () => {
  test("into a component needs the old parent", () => {
    const code = "{ aliases: [{ parent: pulumi.rootStackResource }] }";
    expect(found("component-complete").sort()).toEqual([
      ["linux", code],
      ["linux-large", code],
      ["linux-small", code],
    ]);
  });

  test("is none with the alias that the report prints", () => {
    expect(found("component-aliased")).toEqual([]);
    const ops = recorded("component-aliased").planned.map(({ op }) => op);
    expect(ops.filter((op) => op !== "same")).toEqual(["create"]);
  });

  test("to another name needs the old name", () => {
    expect(found("renamed")).toEqual([["release", '{ aliases: [{ name: "release" }] }']]);
  });

  test.each(["moved", "without-large", "without-gpu", "without-token", "unchanged"])(
    "isn't seen in %s",
    (name) => {
      expect(found(name)).toEqual([]);
    },
  );

  test("has no code for a program in another language", () => {
    const { planned } = recorded("renamed");
    const elsewhere = JSON.parse(JSON.stringify(planned).replaceAll("index.js#", "__main__.py#"));
    expect(refactoringsOf(elsewhere)).toMatchObject([{ isTypeScript: false }]);
  });
});
