import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parsePairs } from "../../../src/commands/import/pairs.js";
import { recorded } from "../../support/recording.js";

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

test("The pairs of an exported state leave out a replaced object whose deletion is due", () => {
  const script = join(__dirname, "..", "..", "..", "examples", "import-pairs", "pairs.js");
  const input = readFileSync(recorded("refused-deletion"), "utf8");
  const pairs = parsePairs(String(execFileSync(process.execPath, [script], { input })));
  const [cluster = { importName: "" }, ...others] = pairs;
  expect(cluster).toMatchObject({ kind: "Cluster", name: "linux" });
  const importName = `${cluster.importName}/30e0ce0c-a71a-4ec8-b37f-6bc6d8b59092`;
  expect(others).toEqual([{ kind: "Queue", name: "queue", importName }]);
});
