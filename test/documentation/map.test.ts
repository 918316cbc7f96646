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

/** The room of each file: a folder of `src`, or the main entry. Other files of `src` belong to every entry. */
function roomOf(file: string): string | undefined {
  const [, room = ""] = file.split("/");
  if (!room.endsWith(".ts")) return room;
  return room === "index.ts" ? "index" : undefined;
}

/** Imports between rooms: "room used-room" with the files of each. */
const used = new Map<string, string[]>();
for (const file of sources) {
  const text = readFileSync(join(CHECKOUT, file), "utf8");
  for (const [, target = ""] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.js"/g)) {
    const from = roomOf(file);
    const to = roomOf(join(dirname(file), `${target}.ts`));
    if (from === undefined || to === undefined || from === to) continue;
    used.set(`${from} ${to}`, [...(used.get(`${from} ${to}`) ?? []), file]);
  }
}

test("The map's order is the direction of imports", () => {
  const rooms = [...new Set(rows.map(([folder]) => folder.split("/")[1]))];
  const upward = [...used].filter(([arrow]) => {
    const [from = "", to = ""] = arrow.split(" ");
    return from !== "index" && (to === "index" || rooms.indexOf(to) < rooms.indexOf(from));
  });
  expect(upward).toEqual([]);
  expect(rooms.length).toBeGreaterThan(15);
});

test("The picture of folders has every import between them, drawn or implied, and no other arrow", () => {
  const [picture = ""] = picturesIn(section("## Folders"));
  const drawn = new Map<string, string[]>();
  for (const [, from = "", to = ""] of picture.matchAll(/^ +(\S+) --> (.+)$/gm)) {
    drawn.set(from, [...(drawn.get(from) ?? []), ...to.split(" & ")]);
  }
  const reachable = (from: string): string[] =>
    (drawn.get(from) ?? []).flatMap((to) => [to, ...reachable(to)]);
  const missing = [...used].filter(([arrow]) => {
    const [from = "", to = ""] = arrow.split(" ");
    return !reachable(from).includes(to);
  });
  expect(missing).toEqual([]);
  const arrows = [...drawn].flatMap(([from, targets]) => targets.map((to) => `${from} ${to}`));
  expect(arrows.filter((arrow) => !used.has(arrow))).toEqual([]);
  expect(arrows.length).toBeGreaterThan(15);
});

test("The functions on the way of a value are where the table says, and the picture shows those functions", () => {
  const heading = "## The way of a value";
  const steps = tableOf(design, heading).map(({ function: name = "", file = "" }) => ({
    name: name.slice(1, -"()`".length),
    file: file.replaceAll("`", ""),
  }));
  for (const { name, file } of steps) {
    const text = readFileSync(join(CHECKOUT, "src", file), "utf8");
    expect(text, file).toMatch(new RegExp(`^export (?:async )?function ${name}\\b`, "m"));
  }
  const provider = sources.filter((file) => /^src\/(?:provider|resources)\//.test(file));
  const declared = provider.map((file) => readFileSync(join(CHECKOUT, file), "utf8")).join("\n");
  const [picture = ""] = picturesIn(section(heading));
  const shown = [...picture.matchAll(/(?<![.\w])(\w+)\(\)/g)].map(([, name = ""]) => name);
  expect(shown.filter((name) => !declared.includes(`function ${name}(`))).toEqual([]);
  expect(shown).toEqual(expect.arrayContaining(["register", "check", "encode", "decode", "reconcile"]));
});

/** Returns the part of the document below a heading. */
function section(heading: string): string {
  const start = design.indexOf(`\n${heading}\n`);
  return design.slice(start, design.indexOf("\n## ", start + 1));
}

/** Returns the Mermaid pictures in a part of the document. */
function picturesIn(text: string): string[] {
  return [...text.matchAll(/```mermaid\n(.*?)```/gs)].map(([, picture = ""]) => picture);
}
