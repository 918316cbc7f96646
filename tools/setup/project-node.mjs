// The project's own Node: a locked package of tools/node/package.json, on the platforms that have one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, projectNode } from "../checkout.mjs";
import { run } from "../child.mjs";
import { Problem } from "../problem.mjs";
import { isAtLeast } from "../versions.mjs";

/** Makes sure that the Node among the dependencies, or else the machine's own, runs and is recent enough. */
export async function checkProjectNode() {
  const command = projectNode();
  const result = await run(command, ["--version"], { killAfterMs: 20_000 });
  const least = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")).engines.node.replace(
    ">=",
    "",
  );
  if (result.code === 0 && isAtLeast(result.stdout.trim(), least)) return;
  throw new Problem(
    command === process.execPath
      ? `This is Node ${process.versions.node}, and npm installed no other for ${process.platform} on ${process.arch}. Install Node ${least} or later and try again.`
      : `${command} does not run here: ${result.output.trim()}\nInstall Node ${least} or later, remove that file and try again.`,
  );
}
