import { expect, test } from "vitest";
import { parsePairs } from "../../src/import/pairs.js";

test("Pairs stand in lines, with comments, quoted names, and import names to the end", () => {
  const text =
    '# what exists\r\n\r\nqueue linux-small Linux/small\n  AgentToken "a \\"b\\"" Linux/Build machines  \n';
  expect(parsePairs(text)).toEqual([
    { kind: "Queue", name: "linux-small", importName: "Linux/small" },
    { kind: "AgentToken", name: 'a "b"', importName: "Linux/Build machines" },
  ]);
});

test.each([
  ["Queue linux-small", "Line 1: Expected <Kind> <name> <import name>."],
  ["\nQueu a b", "Line 2: There is no kind Queu. The kinds are Cluster, Queue"],
])("A line that is no pair is an error: %j", (text, message) => {
  expect(() => parsePairs(text)).toThrow(message);
});
