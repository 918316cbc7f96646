import { expect, test } from "vitest";
import { findDeclaration } from "../../src/adoption/existing-project.js";

const found = (text: string) =>
  findDeclaration(
    { files: new Map([["linux.ts", text]]), importFile: { resources: [] } },
    "Cluster",
    "linux",
  );

test.each([
  ['const machines = new Cluster("linux", {', "machines"],
  ["export const linux = new Cluster('linux', {", "linux"],
  ["export let linux = new ci.Cluster(\n  `linux`,", "linux"],
  ['import "x";\n\nexport const lïnux =\n  new Cluster("linux");', "lïnux"],
])("A cluster is found by its name in %j", (text, identifier) => {
  expect(found(text)).toEqual({ file: "linux.ts", identifier });
});

test.each([
  'export const linux = new Cluster("linux-2", {',
  'export const linux = new Queue("linux", {',
  'new Cluster("linux", {',
  // A constant of a component or a function has no name in the rest of the module.
  'class Farm {\n  constructor() {\n    const cluster = new Cluster("linux", {}, { parent: this });\n  }\n}',
])("No constant of the module is the cluster in %j", (text) => {
  expect(found(text)).toBeUndefined();
});
