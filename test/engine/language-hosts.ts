import { execFileSync } from "node:child_process";
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
