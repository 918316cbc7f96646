import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildpipeline, printed, Scratch } from "../../support/command.js";
import { recorded } from "../../support/recording.js";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.remove());

interface Listed {
  readonly project: string;
  readonly affected?: string | null;
  readonly after?: readonly string[];
}

/** A folder as `projects` writes it, with the reports of recorded previews, by project. */
async function review(
  stacks: readonly Listed[],
  previews: Readonly<Record<string, string>>,
  stack = "production",
): Promise<string> {
  const folder = scratch.path("review");
  mkdirSync(folder);
  const listed = stacks.map(({ project, affected = `${project}/index.ts changed`, after = [] }) => ({
    folder: project,
    project,
    stack,
    wave: 1,
    reads: after,
    affected,
    after,
  }));
  writeFileSync(join(folder, "projects.json"), JSON.stringify({ format: 1, affected: [], stacks: listed }));
  for (const [project, preview] of Object.entries(previews)) {
    const out = join(folder, `${project}.${stack}`);
    mkdirSync(out);
    expect((await buildpipeline(["report", recorded(preview), "--out", out])).stderr).toBe("");
  }
  return folder;
}

const combined = (folder: string, ...args: readonly string[]) => printed(["report", folder, ...args]);

const headings = (text: string) => text.match(/^#{2,3} .*$/gm);

describe("buildpipeline report of a folder", () => {
  test("writes one report: dangers first, then each stack, the worst first, and the others in one line", async () => {
    const folder = await review(
      [
        { project: "quiet", affected: null },
        { project: "calm" },
        { project: "bold", after: ["calm"], affected: "it reads calm" },
        { project: "still", affected: null },
      ],
      { calm: "preview-unchanged", bold: "preview" },
    );
    const text = await combined(folder);
    expect(text.split("\n").slice(0, 2)).toEqual([
      "<!-- buildpipeline report projects/production -->",
      "## Preview of 2 of 4 stacks",
    ]);
    expect(text).toMatch(/^🔴 \*\*\d+ dangerous\*\* /m);
    const [danger, bold, calm, others] = [
      "> - <code>bold/production</code>: ",
      "### <code>bold/production</code>: ",
      "### <code>calm/production</code>: ",
      "Not affected: <code>quiet/production</code>, <code>still/production</code>.",
    ].map((part) => text.indexOf(part));
    expect([danger, bold, calm, others]).toEqual(
      [danger, bold, calm, others].sort((a, b) => Number(a) - Number(b)),
    );
    expect(danger).toBeGreaterThan(0);
    expect(text).toContain(
      "_Previewed against deployed outputs of <code>calm</code>, which this change affects as well. It is planned again after them._",
    );
    expect(text).toContain("_Affected because <code>calm/index.ts changed</code>._");
  });

  test("calls it a danger if an affected stack has no report, and reassures nobody", async () => {
    const text = await combined(
      await review([{ project: "calm" }, { project: "lost" }], { calm: "preview-unchanged" }),
    );
    expect(text).toContain(
      "> - <code>lost/production</code> has no report. Its job failed or was not started; the job's log has the reason.",
    );
    expect(text).toMatch(/^🔴 \*\*1 failed\*\*/m);
    expect(text).not.toContain("🟢");
  });

  test("says that nothing changes only if every affected stack's own report proves it", async () => {
    const proven = await combined(
      await review([{ project: "one" }, { project: "two" }], {
        one: "refresh-unchanged",
        two: "refresh-unchanged",
      }),
    );
    expect(proven).toMatch(/^## Drift of 2 stacks\n\n🟢 \*\*No changes\*\*\.$/m);
    scratch.remove();
    scratch = new Scratch();
    const open = await combined(
      await review([{ project: "one" }, { project: "two" }], {
        one: "refresh-unchanged",
        two: "preview-unchanged",
      }),
    );
    expect(open).not.toContain("🟢");
    // Nothing is known to change in the other one.
    expect(open).toMatch(/^⚪ \*\*1 without\*\* · 1 not checked completely\.$/m);
  });

  test("says that no stack is affected", async () => {
    const text = await combined(
      await review(
        [
          { project: "one", affected: null },
          { project: "two", affected: null },
        ],
        {},
      ),
    );
    expect(text).toContain("The change affects no stack.");
    expect(headings(text)).toEqual(["## Preview of 0 of 2 stacks"]);
  });

  test("is the report of the stack itself where the repository has only one", async () => {
    const text = await combined(await review([{ project: "ci" }], { ci: "preview" }));
    const alone = await buildpipeline(["report", recorded("preview")]);
    expect(text.split("\n").slice(0, 2)).toEqual(alone.stdout.split("\n").slice(0, 2));
    expect(text).toContain("<!-- buildpipeline report ci/production -->");
  });

  test("fits into a comment with fifty stacks: dangers stay, and each stack has a line at least", async () => {
    const projects = Array.from({ length: 50 }, (_, index) => `team-${index}`);
    const folder = await review(
      projects.map((project) => ({ project })),
      Object.fromEntries(projects.map((project) => [project, "preview"])),
    );
    const text = await combined(folder);
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(headings(text)?.filter((line) => line.startsWith("### <code>team-"))).toHaveLength(50);
    expect(text).toContain("This report was shortened to 65536 characters.");
    // Shorter than the headings alone.
    const shortest = await combined(folder, "--max-length", "9000");
    expect(shortest.length).toBeLessThanOrEqual(9_000);
    expect(shortest).toMatch(/This report was shortened to 9000 characters\..* the end of the report\.$/m);
  });

  test("sums what runs now in what the changes delete or replace", async () => {
    const folder = await review([{ project: "one" }, { project: "two" }], { one: "preview", two: "preview" });
    for (const atLeast of [false, true]) {
      for (const [project, running] of [
        ["one", 2],
        ["two", 3],
      ] as const) {
        const file = join(folder, `${project}.production`, "summary.json");
        const impact = { busy: 1, running, waiting: 1, atLeast, proven: true };
        writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), impact }));
      }
      expect(await combined(folder)).toContain(
        `**Impact now:** ${atLeast ? "at least " : ""}5 running, 2 waiting in 2 things that these changes delete or replace.`,
      );
    }
  });

  test.each([
    ["several stacks", ["one", "two"], "production", "projects/production"],
    ["other stacks", ["one", "two"], "staging", "projects/staging"],
    ["one stack", ["ci"], "production", "ci/production"],
  ])(
    "of %s has a marker of its own, the same whatever a push affects",
    async (_, projects, stack, marker) => {
      for (const affected of [null, "index.ts changed"]) {
        const text = await combined(
          await review(
            projects.map((project) => ({ project, affected })),
            {},
            stack,
          ),
        );
        expect(text.split("\n", 1)).toEqual([`<!-- buildpipeline report ${marker} -->`]);
        scratch.remove();
        scratch = new Scratch();
      }
    },
  );

  test("names the file that isn't what it should be", async () => {
    const folder = await review([{ project: "one" }, { project: "two" }], { one: "preview" });
    const own = join(folder, "one.production");
    for (const foreign of [{}, JSON.parse(readFileSync(join(own, "report.json"), "utf8"))]) {
      writeFileSync(join(own, "summary.json"), JSON.stringify(foreign));
      const { code, stdout, stderr } = await buildpipeline(["report", folder]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain("summary.json is not a report's summary that");
    }
    writeFileSync(join(folder, "projects.json"), "{}");
    const { code, stderr } = await buildpipeline(["report", folder]);
    expect(code).toBe(2);
    expect(stderr).toContain("projects.json is not what `buildpipeline projects --json` prints.");
    const refused = await buildpipeline(["report", folder, "--html"]);
    expect(refused.stderr).toContain("The report of a folder is Markdown");
  });
});

describe("buildpipeline report --policies", () => {
  const event = (policyName: string, enforcementLevel: string, message: string) => ({
    sequence: 0,
    timestamp: 0,
    policyEvent: {
      policyName,
      enforcementLevel,
      message,
      resourceUrn: "urn:pulumi:production::ci::buildpipeline:index:AgentToken::agents",
      color: "",
      policyPackName: "buildpipeline",
      policyPackVersion: "1.0.0",
    },
  });
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
      event(
        "agent-token-age",
        "mandatory",
        'Agent tokens are rotated.\n"agents" is 326 days old, and 90 are allowed.',
      ),
      event("description", "advisory", "Objects have a description."),
      summary,
    );
    const { stdout, code } = await report(file, "--exit-code");
    expect(code).toBe(1);
    expect(stdout).toContain(
      '<code>agent-token-age</code> is broken by <code>agents</code>: "agents" is 326 days old, and 90 are allowed.',
    );
    expect(JSON.parse((await report(file, "--json")).stdout).dangers).toEqual([
      {
        level: "danger",
        message: 'agent-token-age is broken by agents: "agents" is 326 days old, and 90 are allowed.',
      },
      { level: "caution", message: "description is broken by agents: Objects have a description." },
    ]);
  });

  test("adds nothing if no rule is broken, and refuses a file that is something else", async () => {
    expect((await report(policies(summary))).stdout).toContain("No changes");
    const { code, stderr } = await report(policies({ level: "info" }));
    expect(code).toBe(2);
    expect(stderr).toContain("policies.json is not what `pulumi policy analyze --json` prints.");
  });
});
