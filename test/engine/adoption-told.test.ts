import { describe, expect, test } from "vitest";
import { Cluster, Queue } from "../../src/index.js";
import { TestStack } from "./stack.js";

describe("An adoption on the real engine", () => {
  const stack = TestStack.forAll();

  test("is told for each object and in number by the preview, and as done by the update", async () => {
    const { id: clusterId } = await stack.colleague.sends("POST", "/clusters", { name: "Linux" });
    const path = `/clusters/${clusterId}/queues`;
    const [small, large] = [
      await stack.colleague.sends("POST", path, { key: "small" }),
      await stack.colleague.sends("POST", path, { key: "large" }),
    ];
    const program = async () => {
      const linux = new Cluster("linux", { name: "Linux" }, { import: "Linux" });
      for (const key of ["small", "large"])
        new Queue(key, { clusterId: linux, key }, { import: `Linux/${key}` });
      new Cluster("mac", { name: "Mac" });
    };
    const linesOf = ({ output }: { output: string }, words: RegExp) => {
      const lines = output.split("\n").map((line) => line.trim());
      return [...new Set(lines.filter((line) => words.test(line)))];
    };

    const lines = linesOf(await stack.preview(program), /^adopts |^\d+ of .*adopted/);
    expect(lines.slice(0, 3).sort()).toEqual([
      `adopts the cluster Linux ${clusterId}, nothing is created`,
      `adopts the queue Linux/large ${large.id}, nothing is created`,
      `adopts the queue Linux/small ${small.id}, nothing is created`,
    ]);
    expect(lines.slice(3)).toEqual([
      "3 of the resources to create are adopted, not created: what they stand for exists already.",
    ]);

    const adopted = linesOf(await stack.up(program), /^adopted /);
    expect(adopted.sort()).toEqual([
      `adopted the cluster Linux ${clusterId}, nothing was created`,
      `adopted the queue Linux/large ${large.id}, nothing was created`,
      `adopted the queue Linux/small ${small.id}, nothing was created`,
    ]);
    expect((await stack.preview(program, { expectNoChanges: true })).output).not.toContain("adopt");
  });
});
