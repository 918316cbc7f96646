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

    const lines = linesOf(await stack.preview(program), /^imports |^\d+ resources? shown as create/);
    expect(lines.slice(0, 3).sort()).toEqual([
      `imports the cluster Linux ${clusterId}; nothing is created`,
      `imports the queue Linux/large ${large.id}; nothing is created`,
      `imports the queue Linux/small ${small.id}; nothing is created`,
    ]);
    expect(lines.slice(3)).toEqual(["3 resources shown as create will be imported instead."]);

    const adopted = linesOf(await stack.up(program), /^imported /);
    expect(adopted.sort()).toEqual([
      `imported the cluster Linux ${clusterId}, nothing was created`,
      `imported the queue Linux/large ${large.id}, nothing was created`,
      `imported the queue Linux/small ${small.id}, nothing was created`,
    ]);
    expect((await stack.preview(program, { expectNoChanges: true })).output).not.toMatch(
      /imports? the|will be imported/,
    );
  });
});
