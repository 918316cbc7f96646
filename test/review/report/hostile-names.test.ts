import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readPreview } from "../../../src/cli/pulumi/preview.js";
import { findingsOf, readViolations } from "../../../src/review/findings/findings.js";
import { planOf } from "../../../src/review/plan/plan.js";
import { lineDiff } from "../../../src/shared/messages/lines.js";
import { cases } from "../../support/cases.js";
import { OBEYED } from "../../support/command.js";
import { character } from "../../support/foreign-text.js";
import { resourceOf, step } from "../../support/recording.js";
import { deleting, formsOf } from "./reports.js";

const HOSTILE = [
  "</details> @acme/admins <img src=x onerror=alert(1)>",
  "https://example.com",
  "www.example.com",
  "\\|",
  "- x",
  "&lt;",
  "$x$",
  "\u202e",
  "@everyone",
  "#1",
  "a|b",
  "`x`",
  "**b**",
  "[x](https://example.com)",
  "a\n\n# b",
  ...["\r", "\r\n", "\u2028", "\u2029", "\u0085", "\v", "\f"].map(
    (end) => `a${end}# 🟢 Nothing dangerous${end}> b`,
  ),
  "# b",
  "- [ ] b",
  "+ b",
  "1. b",
  "2) b",
  "---",
  "~~~",
  "<!-- x -->",
  "__proto__",
  "valueOf",
  "constructor",
];
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: character }));

test("No name, key or value is Markdown, HTML, a mention or a link, wherever a report writes it", () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom("create", "update", "delete"), (key, value, op) => {
      const of = (own: string) => {
        const triggers = Object.fromEntries([[key, own]]);
        const inputs = { description: own, clusterId: value, triggers, ...triggers };
        return resourceOf("AgentToken", "agents", value, inputs, { outputs: {} });
      };
      const [old, next] = [of(`${value} old`), of(value)];
      const queue = (name: string) => resourceOf("Queue", name, "", { key: value, description: value });
      const preview = readPreview({
        steps: [
          step(op, op === "create" ? undefined : old, op === "delete" ? undefined : next, key, "triggers"),
          step("create", undefined, queue("mine")),
          deleting(queue("yours")),
          { op: `${key}`, urn: `urn:pulumi:production::ci::aws:x:Y::${value}` },
        ],
        diagnostics: [{ severity: "warning", message: value }],
      });
      const broken = {
        policyName: key,
        resourceUrn: next.urn,
        message: value,
        enforcementLevel: "mandatory",
      };
      const violations = readViolations([{ sequence: 1, policyEvent: broken }]);
      const { Markdown, CommonMark, page } = formsOf(findingsOf(planOf(preview), undefined, violations));
      const [withAlerts = ""] = Markdown.split("```mermaid");
      for (const prose of [withAlerts, CommonMark]) {
        for (const [, quoted = ""] of prose.matchAll(/<code>(.*?)<\/code>/gs))
          expect(quoted).not.toMatch(/[|`<>*[\]@:\n\\~$_]|www\.|&(?!#\d+;)|(?<!&)#/);
        const rest = prose
          .replaceAll(/<code>[^<>@`|\n]*<\/code>/g, "")
          .replaceAll(
            /<\/?(?:details|summary|br)(?: open)?>|<!-- buildpipeline report [\w./-]* -->|````?diff\n.*?\n````?/gs,
            "",
          );
        expect(rest).not.toMatch(/[<@`]|\]\(/);
        // Every line is one that the report begins, and no item or cell begins a block of its own.
        expect(rest).not.toMatch(OBEYED);
        expect(rest).not.toMatch(/[\u2028\u2029]/);
        for (const line of rest.split("\n"))
          expect(line).toMatch(
            /^(?:$|<!--|## [🔴🟠🟢⚪] |(?:> )?(?:\[!|\*\*| {0,2}- (?![-+#>~]|\d+[.)] ))|> This| · |_|\||[\w(])/u,
          );
        const widths = rest
          .split("\n")
          .filter((line) => line.startsWith("|"))
          .map((row) => row.match(/\|/g)?.length);
        expect(new Set(widths).size).toBeLessThanOrEqual(1);
      }
      expect(page).not.toMatch(/<img|onerror=alert\(1\)>|<!-- x/);
    }),
    { numRuns: cases(300) },
  );
});

test("Texts that differ in very many lines are compared by counts, and the others line by line", () => {
  const lines = (count: number, of: string) => Array.from({ length: count }, (_, index) => `${of} ${index}`);
  const many = lineDiff(lines(50_000, "old").join("\n"), lines(40_000, "new").join("\n"));
  expect(many).toEqual({ lines: [], added: 40_000, removed: 50_000 });
  const same = lines(50_000, "same");
  const few = lineDiff(same.join("\n"), [...same.slice(0, 25_000), "more", ...same.slice(25_000)].join("\n"));
  expect({ ...few, lines: few.lines.length }).toEqual({ lines: 7, added: 1, removed: 0 });
});
