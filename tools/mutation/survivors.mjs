// A reporter of Stryker that prints each mutant that no test noticed, as soon as that is known. A run takes an hour or
// more, and what is interrupted has no report.
import { relative } from "node:path";

class Survivors {
  /** @param {{ status: string, fileName: string, location: { start: { line: number } }, replacement?: string }} mutant */
  onMutantTested({ status, fileName, location, replacement = "" }) {
    if (status !== "Survived" && status !== "NoCoverage") return;
    const text = replacement.replaceAll(/\s+/g, " ").slice(0, 100);
    process.stdout.write(
      `${status}: ${relative(process.cwd(), fileName)}:${location.start.line} becomes ${text}\n`,
    );
  }
}

export const strykerPlugins = [{ kind: "Reporter", name: "survivors", injectableClass: Survivors }];
