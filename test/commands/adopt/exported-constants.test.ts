// biome-ignore-all lint/suspicious/noTemplateCurlyInString: programs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exportedConstants } from "../../../src/commands/adopt/exported-constants.js";

/** Finds the cluster `linux` in a file of a project in this checkout, which has TypeScript. */
const found = (text: string) =>
  exportedConstants(__dirname, new Map([["clusters/linux.ts", text]]))("Cluster", "linux");

test.each([
  ["export const machines = new Cluster('linux', {});", "machines"],
  ["export let linux = new ci.Cluster(\n  `linux`,", "linux"],
  [
    'import "x";\n\n// export const wrong = new Cluster("linux");\nexport const lïnux =\n  new Cluster("linux");',
    "lïnux",
  ],
  ['export const other = 1, linux = new Cluster("linux", { name: "Linux" });', "linux"],
  [
    'export const linux = cluster("linux");\nfunction cluster(name: string) { return new Cluster(name, { name }); }',
    "linux",
  ],
  [
    'function cluster(word: string) {\n  return new Cluster(`l${word}x`, {});\n}\nexport const machines = cluster("inu", {});',
    "machines",
  ],
])("The constant of a resource is found in %j", (text, identifier) => {
  expect(found(text)).toEqual({ file: "clusters/linux.ts", identifier });
});

test.each([
  'const linux = new Cluster("linux", {});',
  'export const linux = cluster("linux");',
  'function cluster(name) { return new Queue(name, {}); }\nexport const linux = cluster("linux");',
  'function cluster(name) { return new Cluster(`${name}-${name}`, {}); }\nexport const linux = cluster("linux");',
  'export const linux = new Cluster("linux-2", {});',
  'export const linux = new Queue("linux", {});',
  "export const linux = new Cluster(name, {});",
  'export function linux() { const linux = new Cluster("linux", {}); }',
  '/* export const linux = new Cluster("linux", {}); */',
  'const text = `\nexport const linux = new Cluster("linux", {});\n`;',
])("No constant of the resource is found in %j", (text) => {
  expect(found(text)).toBeUndefined();
});

test("Without TypeScript in the project nothing is found, and other files are not read", () => {
  const folder = mkdtempSync(join(tmpdir(), "project-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = 'export const linux = new Cluster("linux", {});';
  expect(exportedConstants(folder, new Map([["linux.ts", text]]))("Cluster", "linux")).toBeUndefined();
  expect(exportedConstants(__dirname, new Map([["linux.txt", text]]))("Cluster", "linux")).toBeUndefined();
});
