import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "./compiler.js";
import { tableOf } from "./markdown-table.js";

const design = readFileSync(join(CHECKOUT, "docs", "internals", "design.md"), "utf8");
const rows = tableOf(design, "## Map").map(({ folder = "", files = "" }): [string, string] => [
  folder.replaceAll("`", ""),
  files,
]);
const map = new Map(rows);
map.set(
  "src/provider",
  tableOf(design, "### The provider")
    .map((row) => row["file in `src/provider`"])
    .join(),
);

const sources = readdirSync(join(CHECKOUT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => join("src", file));

const sections = readdirSync(join(CHECKOUT, "src", "client"))
  .filter((file) => readdirSync(join(CHECKOUT, "src", "emulator")).includes(file))
  .map((file) => file.replace(".ts", ""));

test("The map of the source leaves no folder and no file out, and has none that is not there", () => {
  const folders = new Set(sources.map((file) => dirname(file)));
  expect([...map.keys()].sort()).toEqual([...folders].sort());
  const unnamed = sources.filter((file) => {
    const row = map.get(dirname(file)) ?? "";
    const name = file.slice(dirname(file).length + 1, -".ts".length);
    if (row.includes(`\`${name}\``)) return false;
    if (row.includes("a file for each class")) return !name.endsWith("-error");
    return !(row.includes("a file for each section") && sections.includes(name));
  });
  expect(unnamed).toEqual([]);
});

test("The map's order is the direction of imports", () => {
  const rooms = [
    ...new Set(rows.map(([folder]) => folder.split("/")[1]).filter((room) => room !== undefined)),
  ];
  const upward = sources.flatMap((file) => {
    const room = file.split("/")[1] ?? "";
    const text = readFileSync(join(CHECKOUT, file), "utf8");
    const targets = [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(
      ([, target = ""]) => join(dirname(file), target).split("/")[1] ?? "",
    );
    const above = targets.filter(
      (target) => rooms.indexOf(target) < rooms.indexOf(room) && rooms.includes(target),
    );
    return rooms.includes(room) ? above.map((target) => `${file} uses ${target}`) : [];
  });
  expect(upward).toEqual([]);
  expect(rooms.length).toBeGreaterThan(5);
});
