import { describe, expect, test } from "vitest";
import { MISTAKES, mistakenProject, OBSTACLES, PROGRAM } from "./mistaken.js";

describe("Mistakes in a program", () => {
  const { project, clusterId, refused, times } = mistakenProject();

  test("are all reported by one preview, each once, with their values", async () => {
    project().write("index.js", PROGRAM);
    const output = await refused("pulumi preview --config buildpipeline:organisation=acme");
    for (const [name, text, value] of MISTAKES) {
      const shown = text.startsWith("PipelineTemplate") ? value.slice(1) : value && `${value} `;
      expect(output).toContain(`error: "${name}": ${text.replace("{}", shown)}`);
      expect(times(output, text.split(": ")[0] ?? ""), name).toBe(1);
    }
    expect(times(output, "buildpipeline:organisation isn't a setting and has no effect.")).toBe(1);
    // Everything is previewed all the same.
    expect(output).toContain("+ 14 to create");
  });

  test("that only the service knows are all reported by one preview, equal ones once", async () => {
    project().write("index.js", OBSTACLES);
    const output = await refused(`CLUSTER=${clusterId()} pulumi preview`);
    for (const text of [
      'error: "small": Queue.key: is taken by the queue ',
      'error: "large": Queue.key: is taken by the queue ',
      ': Queue.clusterId: there is no cluster 22222222-2222-4333-8444-555555555555 in the organization "acme"',
      'error: "gone-too": AgentToken.clusterId: there is no cluster 22222222-2222-4333-8444-555555555555',
      'error: "late": Queue.clusterId: there is no cluster 11111111-2222-4333-8444-555555555555',
      'error: "taken": Team.name: is taken by the team ',
      'error: "differs": Cluster.import: the cluster ',
      'description: the program has "public-value", the service has none',
      'error: "differs-in-secret": Queue.import: the queue ',
      "description: the program has text of 12 characters, the service has none",
      'error: "nothing": Cluster.import: the organization "acme" has no cluster "Sharde"',
      'error: "green": Cluster.color: "green-value" is not a hex color code',
      "imports the cluster Other ",
      "1 resource shown as create will be imported instead",
    ]) {
      expect(times(output, text), text).toBe(1);
    }
    expect(output).toMatch(/error: "gone(-as-well)?", "gone(-as-well)?": Queue\.clusterId: there is no/);
    expect(times(output, "error: ")).toBe(10);
    expect(output).not.toContain("secret-value");
    expect(output).toContain("+ 14 to create");
  });
});
