import { readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { someOf } from "../../support/cases.js";
import { buildpipeline, OBEYED, printed, settingsOf } from "../../support/command.js";
import { emulator, scratch, serviceForEach } from "../../support/command-service.js";
import { linkCommands } from "../../support/commands-on-path.js";
import { hasPseudoTerminal, onTerminal } from "../../support/pseudo-terminal.js";
import { stackExport } from "../../support/recording.js";

/** How the line of progress is taken away, which is no color. */
const CLEARED = "\r\u001b[K";

/** Columns of a terminal: two for each of these characters, and none for an accent by itself. */
const wide = (line: string) => line.replaceAll(/[クラスタ本番🚀]/gu, "xx").replaceAll("\u0301", "");

serviceForEach();
beforeEach(() => {
  for (const name of ["Linux", "Mac"]) {
    const { body } = emulator.perform("clusters.create", { body: { name } });
    const params = { cluster_id: String(Object(body).id) };
    emulator.perform("queues.create", { params, body: { key: "small" } });
  }
  emulator.clearRequests();
  writeFileSync(scratch.path("export.json"), stackExport());
});

describe.runIf(hasPseudoTerminal)("On a terminal", () => {
  test.each(
    someOf([
      [["doctor"], /^✓ Node /],
      [["doctor", "--json"], /^\{$/],
      [["unmanaged", "--stack-export", "export.json"], /^The stack doesn't own 4:$/],
      [["unmanaged", "--stack-export", "export.json", "--json"], /^\{$/],
      [["graph"], /^├─ /],
      [["graph", "--json"], /^\{$/],
      [["adopt", "ci", "--dry-run"], /^added /],
      [["adopt", "ci", "--dry-run", "--json"], /^\{$/],
      [["drain", "Linux/small", "--json"], /^\{$/],
      [["drain", "Linux/small", "--resume", "--json"], /^\{$/],
    ]),
  )("%j shows its result on a line of its own, and no progress in the end", async (args, first) => {
    const { lines } = await onTerminal(args, {
      cwd: scratch.directory,
      env: { ...settingsOf(emulator), PULUMI_HOME: scratch.directory },
    });
    expect(lines).toContainEqual(expect.stringMatching(first));
    expect(lines.filter((line) => /…|read: \d+ of \d+/.test(line))).toEqual([]);
  });

  test("a probe writes nothing if its question can't be shown", async () => {
    const env = { ...settingsOf(emulator), PULUMI_HOME: scratch.directory };
    const terminal = { cwd: scratch.directory, env, stderr: "stderr.txt" };
    const { code } = await onTerminal(["probe", "--write"], terminal);
    expect(code).toBe(2);
    expect(readFileSync(scratch.path("stderr.txt"), "utf8")).toContain("Nothing was sent.");
    expect(emulator.requests).toEqual([]);
  });

  test("each missing setting has a line of its own, problems come first, and the sum comes last", async () => {
    linkCommands(scratch.path("bin"), ["script", "stty"]);
    const withoutPulumi = { PATH: scratch.path("bin") };
    const terminal = { cwd: scratch.directory, env: withoutPulumi };
    const { lines } = await onTerminal(["doctor"], { ...terminal, columns: 120 });
    // What fixes a problem has a line of its own where it doesn't fit.
    expect(lines.filter((line) => !line.startsWith("    →")).slice(0, 4)).toEqual([
      expect.stringMatching(/^✗ .*Pulumi CLI/),
      "✗ accessToken is not set. Set BUILDPIPELINE_ACCESS_TOKEN, or run `pulumi config set --secret buildpipeline:accessToken`.",
      "✗ organization is not set. Run `pulumi config set buildpipeline:organization …`, or set BUILDPIPELINE_ORGANIZATION.",
      "✗ baseUrl is not set. Run `pulumi config set buildpipeline:baseUrl …`, or set BUILDPIPELINE_BASE_URL.",
    ]);
    expect(lines.filter(Boolean).at(-1)).toBe("4 problems, 1 skipped check, 3 passed checks.");
    const graph = await onTerminal(["graph"], { ...terminal, columns: 80 });
    expect(graph.lines.map((line) => /^.*?(\w+) is missing\./.exec(line)?.[1]).filter(Boolean)).toEqual([
      "accessToken",
      "organization",
      "baseUrl",
    ]);
  });
});

describe.each([80, 120])("On a terminal of %i columns", (columns) => {
  const shown = async (...args: readonly string[]) => {
    const env = { ...settingsOf(emulator), PULUMI_HOME: scratch.directory };
    const { stdout, stderr } = await buildpipeline(args, { cwd: scratch.directory, env, columns });
    return (stderr + stdout).split("\n").map((line) => line.split(CLEARED).at(-1) ?? "");
  };
  /** Lines that a terminal would break, but for commands to copy. */
  const tooLong = (lines: readonly string[]) =>
    lines.filter((line) => wide(line).length > columns && !/^ +.*(?:buildpipeline|pulumi) /.test(line));

  const commands = ["doctor", "adopt", "import", "unmanaged", "graph", "report", "drain", "probe", "recover"];
  test.each(someOf(["emulator", ...commands]))("help for %s fits, with full lines", async (name) => {
    const lines = await shown(name, "--help");
    expect(tooLong(lines)).toEqual([]);
    const words = (text: string) => text.split(/\s+/).sort();
    expect(words(lines.join("\n"))).toEqual(words(await printed([name, "--help"])));
  });

  test("results and remarks fit", async () => {
    emulator.perform("suites.create", { body: { name: "Tests", default_branch: "main" } });
    const adopted = await shown("adopt", "ci");
    const doctor = await shown("doctor", "--only", "Team");
    const drained = await shown("drain", "本番クラスタ ".repeat(20).trim());
    expect(tooLong([...adopted, ...doctor, ...drained])).toEqual([]);
    expect(drained.join("")).toContain("本番クラスタ");
    expect(adopted.join(" ")).toMatch(/hostedAgents +\(not +returned\)/);
    expect(adopted.slice(adopted.indexOf("Next:")).every((line) => /^(?:Next:$| {2}\S|$)/.test(line))).toBe(
      true,
    );
  });
});

test("Columns stay aligned under names in Japanese, with emoji and with accents by themselves", async () => {
  for (const name of ["本番クラスタ", "🚀 Rockets", "Cafe\u0301"])
    emulator.perform("clusters.create", { body: { name } });
  const table = await buildpipeline(["unmanaged", "--stack-export", "export.json"], {
    cwd: scratch.directory,
    env: settingsOf(emulator),
  });
  const [head = "", ...rows] = table.stdout.split("\n").filter((line) => /^(?:kind|Cluster) /.test(line));
  expect(rows).toHaveLength(5);
  const starts = rows.map((row) => wide(row.slice(0, row.search(/ \d{4}-\d\d-\d\d/) + 1)).length);
  expect(new Set(starts)).toEqual(new Set([head.indexOf("created")]));
});

test("Progress stays on one line, which alone can be taken away, under a name in Japanese", async () => {
  const { body } = emulator.perform("clusters.create", { body: { name: "本番クラスタ".repeat(5) } });
  const params = { cluster_id: String(Object(body).id) };
  emulator.perform("queues.create", { params, body: { key: "large" } });
  const { stderr } = await buildpipeline(["drain", "large"], {
    cwd: scratch.directory,
    env: settingsOf(emulator),
    columns: 40,
  });
  const shown = stderr.split(CLEARED).filter((line) => line.startsWith("Draining "));
  expect(shown).not.toEqual([]);
  for (const line of shown) expect(wide(line).length).toBeLessThan(40);
});

test("Without a terminal, and with NO_COLOR on one, nothing but text is written", async () => {
  const env = settingsOf(emulator);
  for (const args of someOf([["doctor"], ["unmanaged", "--stack-export", "export.json"]])) {
    const { stdout, stderr } = await buildpipeline(args, { cwd: scratch.directory, env });
    expect(stdout + stderr).not.toMatch(OBEYED);
    if (!hasPseudoTerminal) continue;
    const { written } = await onTerminal(args, { cwd: scratch.directory, env: { ...env, NO_COLOR: "1" } });
    expect(written.replaceAll(CLEARED, "").replaceAll("\r\n", "\n")).not.toMatch(OBEYED);
  }
});
