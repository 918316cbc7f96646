import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMAND, Project } from "./project.js";

const COMPONENT = `import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "pulumi-buildpipeline";
export class Setup extends pulumi.ComponentResource {
  constructor(name: string) {
    super("acme:index:Setup", name);
    new Cluster(name, { name }, { parent: this });
  }
}
`;
const PROGRAM = `import { Cluster } from "pulumi-buildpipeline";
import { Setup } from "./setup";
new Cluster("plain", { name: "plain" });
for (const name of ["loop-a", "loop-b"]) {
  new Cluster(name, { name });
}
["callback-a", "callback-b"].map((name) =>
  new Cluster(name, { name }));
new Setup("component");
`;

test("Pulumi records the line of a resource in a loop, a callback and a component, and the report has it", async () => {
  const project = await Project.start("quickstart");
  project.write("setup.ts", COMPONENT);
  project.write("index.ts", PROGRAM);
  await project.newStack();
  mkdirSync(join(project.directory, "out"));
  await project.shell(`pulumi preview --json > preview.json && ${COMMAND} report preview.json --out out`);
  const { annotations } = JSON.parse(project.read("out/summary.json"));
  const lines = annotations.map(
    ({ file, line, message }: Record<string, unknown>) => `${message} ${file}:${line}`,
  );
  expect(lines.sort()).toEqual([
    // Of a callback, which has no name, Pulumi records the call that it is an argument of.
    "Create cluster callback-a. index.ts:7",
    "Create cluster callback-b. index.ts:7",
    "Create cluster component. setup.ts:6",
    "Create cluster loop-a. index.ts:5",
    "Create cluster loop-b. index.ts:5",
    "Create cluster plain. index.ts:3",
  ]);
});
