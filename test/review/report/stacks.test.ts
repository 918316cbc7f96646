import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EVERY_PROJECT } from "../../../src/cli/pulumi/stack-listing.js";
import { EFFECTS } from "../../../src/provider/for-commands/kinds.js";
import { type Report, reportSchema } from "../../../src/review/findings/report.js";
import { sentence } from "../../../src/review/forms/markdown.js";
import { combinedMarkdown } from "../../../src/review/forms/stacks.js";
import { buildpipeline, printed } from "../../support/command.js";
import { recorded } from "../../support/recording.js";
import { reportFrom, scratchOfEach, violation } from "./reports.js";

const scratch = scratchOfEach();

interface Listed {
  readonly project: string;
  readonly affected?: string | null;
  readonly after?: string[];
  readonly stack?: string;
  /** The recorded preview of its report, and what else is in its summary. */
  readonly preview?: string;
  readonly more?: Partial<Report>;
}

const summaries = new Map<string, Report>();
function summaryFrom(preview: string): Report {
  const content = () => JSON.parse(readFileSync(recorded(preview), "utf8"));
  const summary = summaries.get(preview) ?? reportSchema.parse(reportFrom(content()));
  summaries.set(preview, summary);
  return summary;
}

const listed = ({
  project,
  affected = `${project}/index.ts changed`,
  after = [],
  stack = "production",
}: Listed) => ({ folder: project, project, stack, wave: 1, reads: after, affected, after });

const combined = (stacks: readonly Listed[], longest = 65_536) =>
  combinedMarkdown(
    stacks.map(({ preview, more, ...one }) => ({
      stack: listed(one),
      report: preview === undefined ? undefined : { ...summaryFrom(preview), ...more },
    })),
    longest,
  );

const headings = (text: string) => text.match(/^#{2,3} .*$/gm);

describe("A report of several stacks", () => {
  test("has dangers first, then each stack, the worst first, and the others in one line", () => {
    const text = combined([
      { project: "quiet", affected: null },
      { project: "calm", preview: "preview-unchanged" },
      { project: "bold", after: ["calm"], affected: "it reads calm", preview: "preview" },
      { project: "still", affected: null },
    ]);
    expect(text.split("\n").slice(0, 4)).toEqual([
      "<!-- buildpipeline report projects/production -->",
      expect.stringMatching(
        /^## 🔴 <code>bold\/production<\/code>: Cluster <code>Old machines<\/code> is deleted/,
      ),
      "",
      expect.stringMatching(/^Preview of 2 of 4 stacks · 3 dangerous · /),
    ]);
    const places = [
      "> - <code>bold/production</code>: ",
      "Not affected: <code>quiet/production</code>, <code>still/production</code>.",
      "### <code>bold/production</code>: ",
      "### <code>calm/production</code>: ",
    ].map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
    expect(text).toContain(
      "_Previewed against deployed outputs of <code>calm</code>, which this change affects as well. It is planned again after them._",
    );
    expect(text).toContain("_Affected because <code>calm/index.ts changed</code>._");
    const [danger] = summaryFrom("preview").consequences;
    expect(text.split(sentence(danger?.message ?? []))).toHaveLength(2);
  });

  test("gives no reason for a project that was asked for", () => {
    const asked = { affected: EVERY_PROJECT, preview: "preview-unchanged" };
    const text = combined(["one", "two"].map((project) => ({ ...asked, project })));
    expect(text).toContain("### <code>two/production</code>");
    expect(text).not.toMatch(/because|asked for/);
  });

  test("begins with the worst of all stacks, and counts what is as grave in the others", () => {
    const report = summaryFrom("preview");
    const [one] = report.consequences;
    if (one === undefined) throw new Error("The recording has no consequence.");
    const of = (effect: (typeof EFFECTS)[number], dangerous: number) => ({
      project: effect,
      preview: "preview",
      more: { consequences: [{ ...one, effect }], verdict: { ...report.verdict, dangerous } },
    });
    const all = EFFECTS.map((effect, index) => of(effect, index + 1)).toReversed();
    const text = combined(all);
    expect(text).toMatch(/^## 🔴 <code>opened\/production<\/code>: .*, and 9 dangers in other stacks$/m);
    expect(text.match(/(?<=^### <code>)\w+/gm)).toEqual(EFFECTS);
  });

  test("is a danger if an affected stack has no report, and reassures nobody", () => {
    const text = combined([{ project: "calm", preview: "preview-unchanged" }, { project: "lost" }]);
    expect(text).toContain(
      "> - <code>lost/production</code> has no report. Its job failed or was not started; the job's log has the reason.",
    );
    expect(text).toMatch(/^## 🔴 1 failed$/m);
    expect(text).not.toContain("🟢");
  });

  test("says that nothing changes only if every affected stack's own report proves it", () => {
    const one = { project: "one", preview: "refresh-unchanged" };
    const proven = combined([one, { project: "two", preview: "refresh-unchanged" }]);
    expect(proven).toMatch(/^## 🟢 No changes\n\nDrift of 2 stacks · No changes$/m);
    const open = combined([one, { project: "two", preview: "preview-unchanged" }]);
    // One of them is a preview, which is more than drift.
    expect(open).toMatch(/^Preview of 2 stacks · /m);
    expect(open).not.toContain("🟢");
    // Nothing is known to change in the other one.
    expect(open).toMatch(/ · 1 without · 1 not checked completely$/m);
  });

  test("says that no stack is affected", () => {
    const text = combined(["one", "two"].map((project) => ({ project, affected: null })));
    expect(headings(text)).toEqual(["## ⚪ The change affects no stack"]);
    expect(text).toContain("Preview of 0 of 2 stacks");
  });

  test("fits into a comment with fifty stacks: dangers stay, and each stack has a line at least", () => {
    const stacks = Array.from({ length: 50 }, (_, index) => ({
      project: `team-${index}`,
      preview: "preview",
    }));
    const text = combined(stacks);
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(headings(text)?.filter((line) => line.startsWith("### <code>team-"))).toHaveLength(50);
    expect(text).toContain("This report was shortened to 65536 characters.");
    expect(text.match(/^> - <code>team-\d+\/production<\/code>: /gm)).toHaveLength(150);
    // Shorter than the headings alone.
    const shortest = combined(stacks, 5_000);
    expect(shortest.length).toBeLessThanOrEqual(5_000);
    expect(shortest).toMatch(/This report was shortened to 5000 characters\..* the end of the report\.$/m);
  });

  test.each([false, true])("sums what runs now in what the changes delete or replace", (atLeast) => {
    const busy = (project: string, running: number) => ({
      project,
      preview: "preview",
      more: { load: { busy: 1, running, waiting: 1, atLeast, proven: true } },
    });
    expect(combined([busy("one", 2), busy("two", 3)])).toContain(
      `**Impact now:** ${atLeast ? "at least " : ""}5 running, 2 waiting in 2 things that these changes delete or replace.`,
    );
  });

  test.each([
    ["several stacks", ["one", "two"], "production", "projects/production"],
    ["other stacks", ["one", "two"], "staging", "projects/staging"],
    ["one stack", ["ci"], "production", "ci/production"],
  ])("of %s has a marker of its own, the same whatever a push affects", (_, projects, stack, marker) => {
    for (const affected of [null, "index.ts changed"]) {
      const text = combined(projects.map((project) => ({ project, affected, stack })));
      expect(text.split("\n", 1)).toEqual([`<!-- buildpipeline report ${marker} -->`]);
    }
  });
});

test("What a report leaves for the report of several stacks is data, which has no form of output", () => {
  const kept = JSON.stringify(summaryFrom("preview"));
  expect(kept).toContain('{"code":"small"}');
  expect(kept.match(/<\w+>|\[!\w+\]|\*\*|&#\d+;/g)).toBeNull();
});

describe("buildpipeline report of a folder", () => {
  /** A folder as `projects` writes it, with the report of the first stack. */
  async function review(...projects: string[]): Promise<string> {
    const folder = scratch.path("review");
    mkdirSync(join(folder, "one.production"), { recursive: true });
    const stacks = projects.map((project) => listed({ project }));
    writeFileSync(join(folder, "projects.json"), JSON.stringify({ format: 1, affected: [], stacks }));
    await printed(["report", recorded("preview"), "--out", join(folder, "one.production")]);
    return folder;
  }

  test("is the report of the stack itself where the repository has only one", async () => {
    const text = await printed(["report", await review("one")]);
    const alone = await printed(["report", recorded("preview")]);
    expect(text.split("\n").slice(0, 2)).toEqual(alone.split("\n").slice(0, 2));
    expect(text).toContain("<!-- buildpipeline report ci/production -->");
  });

  test("names the file that isn't what it should be", async () => {
    const folder = await review("one", "two");
    expect(await printed(["report", folder])).toContain("<code>two/production</code> has no report.");
    const own = join(folder, "one.production");
    for (const foreign of ["{}", readFileSync(join(own, "report.json"), "utf8")]) {
      writeFileSync(join(own, "summary.json"), foreign);
      const { code, stdout, stderr } = await buildpipeline(["report", folder]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain("summary.json is not a report's summary that");
    }
    writeFileSync(join(folder, "projects.json"), "{}");
    const { code, stderr } = await buildpipeline(["report", folder]);
    expect(code).toBe(2);
    expect(stderr).toContain("projects.json is not what `buildpipeline projects --json` prints.");
    const options = "--html --fail-on=busy --fail-on=left-out --policies=none --stack-export=none";
    for (const option of options.split(" "))
      expect(await buildpipeline(["report", folder, option])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("The report of a folder is Markdown"),
      });
  });
});

describe("buildpipeline report --policies", () => {
  const summary = { sequence: 1, timestamp: 0, summaryEvent: { result: "failed" } };
  const policies = (...events: readonly object[]) => {
    const file = scratch.path("policies.json");
    writeFileSync(file, events.map((one) => `${JSON.stringify(one)}\n`).join(""));
    return file;
  };
  const report = (file: string, ...args: readonly string[]) =>
    buildpipeline(["report", recorded("refresh-unchanged"), "--policies", file, ...args]);

  test("adds mandatory rules that are broken as dangers, and advisory ones as cautions", async () => {
    const file = policies(
      violation(
        "agent-token-age",
        "mandatory",
        'Agent tokens are rotated.\n"agents" is 326 days old, and 90 are allowed.',
      ),
      violation("description", "advisory", "Objects have a description."),
      summary,
    );
    const { stdout, code } = await report(file, "--exit-code");
    expect(code).toBe(1);
    expect(stdout).toContain(
      '<code>agent-token-age</code> is broken by <code>agents</code>: "agents" is 326 days old, and 90 are allowed.',
    );
    expect(JSON.parse((await report(file, "--json")).stdout).dangers).toEqual([
      expect.objectContaining({
        level: "danger",
        message: 'agent-token-age is broken by agents: "agents" is 326 days old, and 90 are allowed.',
      }),
      expect.objectContaining({
        level: "caution",
        message: "description is broken by agents: Objects have a description.",
      }),
    ]);
  });

  test("adds nothing if no rule is broken, and refuses a file that is something else", async () => {
    expect((await report(policies(summary))).stdout).toContain("No changes");
    const { code, stderr } = await report(policies({ level: "info" }));
    expect(code).toBe(2);
    expect(stderr).toContain("policies.json is not what `pulumi policy analyze --json` prints.");
  });
});
