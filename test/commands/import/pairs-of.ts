import { spawnSync } from "node:child_process";
import { join } from "node:path";

const SCRIPT = join(__dirname, "..", "..", "..", "examples", "import-pairs", "pairs.js");

/** What the example's script prints for the resources of a state. */
export function pairsOf(resources: readonly object[]) {
  const input = JSON.stringify({ deployment: { resources } });
  const { stdout, stderr, status } = spawnSync(process.execPath, [SCRIPT], { input, encoding: "utf8" });
  return { lines: stdout, errors: stderr, code: status };
}
