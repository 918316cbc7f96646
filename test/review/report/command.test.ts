import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildpipeline, OBEYED, printed } from "../../support/command.js";
import { previewOf, recorded, stepOf } from "../../support/recording.js";
import { failedWith, scratchOfEach } from "./reports.js";

const scratch = scratchOfEach();

/** A preview in a file. */
function preview(content: object): string {
  const file = scratch.path("preview.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const report = (file: string, ...args: readonly string[]) => printed(["report", file, ...args]);

const withoutTime = (text: string) => text.replace(/\d\d:\d\d UTC/, "");

const COMMIT = "4f1c2a9be07d1e6c5a3f0b9d8e7c6a5b4d3e2f10";
const OTHER = COMMIT.replaceAll("4", "0");

/** What CI systems obey in a log: GitHub at the beginning of a line, GitHub, Azure and TeamCity anywhere. */
const LOG_COMMAND = /^\s*::|##\w*\[/m;

describe("buildpipeline report", () => {
  test("writes the page to the file that --html names, and never over an input", async () => {
    const file = preview(JSON.parse(readFileSync(recorded("preview"), "utf8")));
    const page = scratch.path("page.html");
    expect(await report(file, "--html", page)).toBe("");
    expect(readFileSync(page, "utf8")).toMatch(/^<!doctype html>/);
    // Before the input and after it, the option without a name prints the page.
    for (const args of [
      ["--html", file],
      [file, "--html"],
    ])
      expect(await printed(["report", ...args])).toMatch(/^<!doctype html>/);
    const before = readFileSync(file, "utf8");
    for (const args of [
      ["--html", "--out", file],
      ["--out", file],
      ["--html", "preview.json"],
      ["--html", page, "--out", page],
    ]) {
      const { code, stderr } = await buildpipeline(["report", file, ...args]);
      expect({ code, lines: stderr.trim().split("\n").length }).toEqual({ code: 2, lines: 1 });
    }
    expect(readFileSync(file, "utf8")).toBe(before);
    expect((await buildpipeline(["report", "--html", page])).stderr).toContain(
      "The preview's file is missing",
    );
  });

  test("prints the form that is asked for, with no secret and no command for a CI system", async () => {
    for (const [args, form] of [
      [[], /^<!-- buildpipeline report ci\/production -->/],
      [["--html"], /^<!doctype html>/],
      [["--json"], /^\{\n? *"format":/],
    ] as const) {
      const text = await report(recorded("preview"), ...args);
      expect(text).toMatch(form);
      expect(text).not.toMatch(/__provider|__secrets|exports\.handler/);
      expect(text).not.toMatch(OBEYED);
    }
    const short = await report(recorded("preview"), "--max-length", "2000");
    expect(short).toContain("shortened to 2000 characters");
  });

  test.each([
    ["preview", 1],
    ["preview-unchanged", 0],
    ["failed", 1],
  ])("with --exit-code ends as %s deserves", async (name, expected) => {
    const failed = failedWith("AgentToken.description: is blank");
    const file = name === "failed" ? preview(failed) : recorded(name);
    expect((await buildpipeline(["report", file, "--exit-code"])).code).toBe(expected);
  });

  test.each<[string, Record<string, string>, string]>([
    ["GitHub", { GITHUB_ACTIONS: "true", GITHUB_REF: "refs/heads/main", GITHUB_SHA: COMMIT }, "4f1c2a9b"],
    [
      "a pull request on GitHub",
      {
        GITHUB_ACTIONS: "true",
        GITHUB_REF: "refs/pull/128/merge",
        GITHUB_SHA: OTHER,
        GITHUB_EVENT_PATH: "event",
      },
      "#128 · 4f1c2a9b",
    ],
    [
      "a merge request on GitLab",
      {
        GITLAB_CI: "true",
        CI_MERGE_REQUEST_IID: "7",
        CI_COMMIT_SHA: COMMIT,
        CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "",
      },
      "!7 · 4f1c2a9b",
    ],
    [
      "Buildkite",
      { BUILDKITE: "true", BUILDKITE_PULL_REQUEST: "false", BUILDKITE_COMMIT: COMMIT },
      "4f1c2a9b",
    ],
    ["Buildkite, without a commit", { BUILDKITE: "true", BUILDKITE_COMMIT: "HEAD" }, ""],
    ["a variable that is no commit", { GITLAB_CI: "true", CI_COMMIT_SHA: "<img src=x>" }, ""],
  ])("names organization, pull request, commit and time on %s", async (_, variables, expected) => {
    const event = scratch.path("event.json");
    writeFileSync(event, JSON.stringify({ pull_request: { head: { sha: COMMIT } } }));
    const env = { ...variables, ...(variables.GITHUB_EVENT_PATH && { GITHUB_EVENT_PATH: event }) };
    const { stdout } = await buildpipeline(["report", recorded("preview")], { env });
    const [, title, , origin] = stdout.split("\n");
    expect(title).toMatch(/^## 🔴 Cluster <code>Old machines<\/code> is deleted .*, and 2 more dangers/);
    const time = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC";
    expect(origin).toMatch(new RegExp(` · acme · ${expected}${expected && " · "}${time}$`));
  });

  test("has no line that a CI system obeys, whatever names are in it", async () => {
    const commands = ["::add-mask::x", "##[error]x", "##vso[task.complete]", "##teamcity[x]"];
    const lines = commands.flatMap((command) => [command, `  ${command}`, `echo ${command}`]).join("\n");
    const before = `steps: []\n${lines}\nlast`;
    const old = stepOf("create", "PipelineTemplate", "node", { name: "##[error]n", configuration: before });
    const inputs = { name: "::stop-commands::x", configuration: `${before}\n${lines}` };
    const change = {
      ...old,
      op: "update",
      oldState: old.newState,
      newState: { ...old.newState, inputs },
      diffReasons: ["name", "configuration"],
    };
    const diagnostics = [{ severity: "warning", message: lines }];
    const file = preview({ ...previewOf([change]), diagnostics });
    for (const args of [[], ["--json"]]) expect(await report(file, ...args)).not.toMatch(LOG_COMMAND);
  });

  test.each([
    ["/dev/null", /is not JSON/],
    [recorded("stack-export"), /is not what `pulumi preview --json` prints/],
    ["missing.json", /cannot be read/],
  ])("ends with exit code 2 for %s", async (file, message) => {
    const { code, stdout, stderr } = await buildpipeline(["report", file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("reads a preview from standard input, so that a pipe needs no file", async () => {
    const { code, stdout } = await buildpipeline(["report", "-"], {
      input: readFileSync(recorded("preview")),
    });
    expect(code).toBe(0);
    expect(withoutTime(stdout)).toBe(withoutTime(await report(recorded("preview"))));
  });
});
