import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { reportOf } from "../../../src/commands/report/report.js";
import { terminalForm } from "../../../src/commands/report/terminal-form.js";
import { planOf } from "../../../src/commands/shared/plan/plan.js";
import { readPreview } from "../../../src/commands/shared/pulumi/preview.js";
import { recorded } from "../../support/recording.js";

/** A report as a terminal of a width shows it. */
function shown(columns: number): string {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, hasColors: () => true });
  const preview = readPreview(JSON.parse(readFileSync(recorded("preview"), "utf8")));
  return terminalForm(reportOf(planOf(preview)), stream as never);
}

test.each([60, 100])(
  "A terminal of %i columns shows sentences and names, and nothing of Markdown",
  (columns) => {
    const text = shown(columns);
    const plain = stripVTControlCharacters(text);
    expect(text).not.toBe(plain);
    expect(plain).not.toMatch(/<\/?code>|&#\d+;|<!--|\*\*|^```|^\|/m);
    expect(plain).toMatch(/^Preview of ci\/production\n🔴 3 dangerous · 5 noticeable · 10 others\n/);
    expect(plain.replaceAll(/\s+/g, " ")).toContain(
      "Queue small of Linux is replaced by tiny. Look for jobs that wait",
    );
    expect(plain.replaceAll(/\s+/g, " ")).toContain("± replace queue small key: small → tiny (replaces)");
    // The lines of a template keep their indentation.
    expect(plain).toContain("  -    command: make step-40\n  +    command: make step-40 --fast");
    const sentences = plain.split("\n").filter((line) => !/^ {2}[-+ ⋯]/.test(line) && line.includes(" "));
    for (const line of sentences) if (line.length > columns) expect(line.trim().split(" ")).toHaveLength(1);
  },
);
