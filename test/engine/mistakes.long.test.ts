import { describe, expect, test } from "vitest";
import { CONFLICTS, MISTAKES, mistakenProject, PROGRAM, SECRET } from "./mistaken.js";

describe("Mistakes in a program", () => {
  const { project, refused, times } = mistakenProject();

  test("are reported without secret values", async () => {
    project().write("index.js", PROGRAM);
    const output = await refused("WITH_SECRETS=1 pulumi preview");
    for (const [name, text, value] of MISTAKES) {
      const shown = SECRET.includes(name) || value === "" ? "" : `${value} `;
      expect(output).toContain(`error: "${name}": ${text.replace("{}", shown)}`);
      expect(times(output, text.split(": ")[0] ?? ""), name).toBe(1);
    }
    expect(output).not.toMatch(/green-value|key value|network-value|yaml-value|public-value|team-value/);
  });

  test("end an update without a preview at the first one", async () => {
    project().write("index.js", PROGRAM);
    const output = await refused("pulumi up --yes --skip-preview");
    expect(output).toContain('error: "blank": Cluster.name: " " is blank');
    expect(times(output, "error: ")).toBe(1);
  });

  test("that only an output holds end an update, too, before anything more is registered", async () => {
    project().write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
       const { Cluster } = require("pulumi-buildpipeline");
       const bad = new Cluster("bad", { name: "Bad", color: Promise.resolve("green-value") });
       new Cluster("after", { name: "After", description: bad.name });
       setImmediate(() => setImmediate(() => setImmediate(() => new Cluster("later", { name: "Later" }))));`,
    );
    const output = await refused("pulumi up --yes --skip-preview");
    expect(times(output, 'error: "bad": Cluster.color: "green-value" is not a hex color code')).toBe(1);
    expect(times(output, "error: ")).toBe(1);
  });

  test("of resources that get in each other's way are reported before anything is written", async () => {
    project().write("index.js", CONFLICTS);
    const output = await refused("pulumi preview");
    for (const text of [
      'error: "fast-twin": Queue.key: "fast" is the key of "fast" in the same cluster already.',
      'error: "default-twin": ClusterDefaultQueue.clusterId: is the cluster whose default queue "default" sets already.',
      'error: "team-twin": Team.name: "plat-form" makes the same slug as the name of "team".',
      'error: "suite-twin": Suite.name: "unit!" makes the same slug as the name of "suite".',
      'error: "adopted-twin": Cluster.import: "Shared" is imported by "adopted" of this program already.',
      'warning: "linux-twin": Cluster.name: "Linux" is the name of "linux" already',
      'warning: "template-twin": PipelineTemplate.name: "Node" is the name of "template" already',
    ]) {
      expect(times(output, text), text).toBe(1);
    }
    expect(times(output, "error: ")).toBe(5);
  });
});
