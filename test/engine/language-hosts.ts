import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pulumiEnvironment } from "../../tools/dev/pulumi-cli/locate.mjs";

/**
 * Checks whether programs in a language can't run here, and prints that. The language hosts come with Pulumi's own
 * download of the CLI, not with a build from Go modules.
 */
export function missingHost(language: string): boolean {
  try {
    execFileSync("which", [`pulumi-language-${language}`], { env: pulumiEnvironment(), stdio: "ignore" });
    return false;
  } catch {
    process.stderr.write(`pulumi-language-${language} is not on the PATH: its tests were skipped.\n`);
    return true;
  }
}

/**
 * Checks whether the plugin can't run from its folder here, and prints that: Pulumi's host for Node does it. The stand-in
 * that comes with a CLI built from Go modules runs programs only.
 */
export function missingPluginHost(): boolean {
  if (missingHost("nodejs")) return true;
  const which = execFileSync("which", ["pulumi-language-nodejs"], {
    env: pulumiEnvironment(),
    encoding: "utf8",
  });
  const isStandIn = readFileSync(which.trim()).subarray(0, 2).toString() === "#!";
  if (isStandIn)
    process.stderr.write(
      "pulumi-language-nodejs is a stand-in: tests of the plugin's folder were skipped.\n",
    );
  return isStandIn;
}
