import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildpipeline, OBEYED, printed, Scratch } from "../../support/command.js";
import { previewOf, recorded, stepOf } from "../../support/recording.js";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.remove());

/** A preview in a file. */
function preview({
  steps,
  ...rest
}: {
  readonly steps: readonly { readonly op: string; readonly [field: string]: unknown }[];
  readonly diagnostics?: object;
}): string {
  const file = scratch.path("preview.json");
  writeFileSync(file, JSON.stringify({ ...previewOf(steps), ...rest }));
  return file;
}

const report = (file: string, ...args: readonly string[]) => printed(["report", file, ...args]);

const withoutTime = (text: string) => text.replace(/\d\d:\d\d UTC/, "");

const COMMIT = "4f1c2a9be07d1e6c5a3f0b9d8e7c6a5b4d3e2f10";
const OTHER = COMMIT.replaceAll("4", "0");

/** What CI systems obey in a log: GitHub at the beginning of a line, GitHub, Azure and TeamCity anywhere. */
const LOG_COMMAND = /^\s*::|##\w*\[/m;

/** Fifty clusters in which everything is deleted, with long names. */
const largeDeletion = Array.from({ length: 50 }, (_, index) => {
  const clusterId = `id-of-c${index}`;
  return [
    stepOf("delete", "Cluster", `c${index}`, { name: `Cluster ${index} ${"long ".repeat(20)}` }),
    ...Array.from({ length: 8 }, (_, queue) =>
      stepOf("delete", "Queue", `c${index}-q${queue}`, {
        clusterId,
        key: `queue-${queue}-${"k".repeat(60)}`,
      }),
    ),
    stepOf("delete", "AgentToken", `c${index}-t`, { clusterId, description: `Agents ${index}` }),
  ];
}).flat();

describe("buildpipeline report, of what the real engine previewed", () => {
  test("says first, and loudly, what is dangerous", async () => {
    const text = await report(recorded("preview"));
    const dangerous = text.slice(text.indexOf("> [!CAUTION]"), text.indexOf("> [!WARNING]"));
    expect(dangerous.match(/^> - /gm)).toHaveLength(3);
    expect(dangerous).toMatch(
      /Cluster <code>Old machines<\/code> is deleted with its queues .*one.*three.*two.*Old agents/,
    );
    expect(dangerous).toMatch(
      /Queue <code>small<\/code> of <code>Linux<\/code> is replaced by <code>tiny<\/code>\. Look for jobs that wait for this queue\..*tiny/,
    );
    expect(dangerous).toMatch(
      /Agent token <code>Build machines<\/code> .* is replaced, and its secret changes\. Connected agents stay connected;/,
    );
    expect(text.indexOf("> [!CAUTION]")).toBeLessThan(text.indexOf("<details"));
    expect(text).toMatch(/Queue <code>large<\/code> .* is paused/);
    expect(text).toContain(
      "The default queue of <code>Linux</code> changes from <code>small</code> to <code>tiny</code>.",
    );
    expect(text).toMatch(
      /\*\*5 to delete\*\*, \*\*2 to replace\*\*, 9 to update, 3 to create, 1 to import, 1 to release/,
    );
  });

  test("groups changes by cluster in tables, with what is imported, released or not known yet", async () => {
    const text = await report(recorded("preview"));
    const summaries = [...text.matchAll(/<summary>(Cluster [^\n]*|Templates[^\n]*)<\/summary>/g)].map(
      ([, summary]) => summary,
    );
    expect(summaries).toEqual([
      "Cluster <code>Old machines</code>: 5 to delete · 1 dangerous",
      "Cluster <code>Linux</code>: 2 to replace, 4 to update, 1 to import · 2 dangerous",
      "Cluster <code>awkward</code> (its name in the program): 1 to update",
      "Cluster <code>Windows</code>: 3 to create",
      "Templates, teams and suites: 4 to update, 1 to release",
    ]);
    expect(text).toContain(
      "| **± replace** | queue | <code>small</code> | key: <code>small</code> → <code>tiny</code> (replaces) |",
    );
    expect(text).toContain("| = import | queue | <code>by-hand</code> | adopts <code>Linux/by-hand</code> |");
    expect(text).toContain(
      "| ○ release | team | <code>Leavers</code> | is removed from state; nothing is deleted on the service |",
    );
    expect(text).toContain("privacy: <code>visible</code> → <code>secret</code>");
    expect(text).toMatch(/<code>Connect<\/code> \| configuration: secret → known after deployment \|/);
    expect(text.match(/<details open><summary>Cluster/g)).toHaveLength(4);
  });

  test("shows the changed lines of a template with some context, and no more", async () => {
    const text = await report(recorded("preview"));
    const [, diff = ""] = /````diff\n(.*?)\n````/s.exec(text) ?? [];
    expect(diff.split("\n").filter((line) => /^[+-]/.test(line))).toEqual([
      "-    command: make step-40",
      "+    command: make step-40 --fast",
      "+  - wait",
      '+  - command: echo "```" done',
    ]);
    expect(diff.split("\n").length).toBeLessThan(20);
  });

  test("draws what is added, adopted, changed, replaced and removed", async () => {
    const text = await report(recorded("preview"));
    const [, drawing = ""] = /```mermaid\n(.*?)```/s.exec(text) ?? [];
    for (const [label, change] of [
      ["#43; #9733; first", "added"],
      ["#61; by-hand", "adopted"],
      ["#126; ⏸ large", "changed"],
      ["#177; #9733; tiny", "replaced"],
      ["#8722; one", "removed"],
    ]) {
      expect(drawing).toMatch(new RegExp(`"${label}"[\\])}]+:::${change}`, "u"));
    }
  });

  test.each([
    [12, /subgraph .*"Cluster 1"/],
    [13, /"Cluster 1 #183; 2 queues, 2 to change"/],
  ])("draws %i changed clusters, more than 12 with a line for each", async (count, first) => {
    const id = (place: number) => `id-of-cluster-${place + 1}`;
    const steps = Array.from({ length: count }, (_, place) => {
      const cluster = stepOf("same", "Cluster", `cluster-${place + 1}`, { name: `Cluster ${place + 1}` });
      const queues = ["small", "large"].map((key) =>
        stepOf("create", "Queue", `${key}-${place + 1}`, { clusterId: id(place), key }),
      );
      return [cluster, ...queues];
    });
    const text = await report(preview({ steps: steps.flat() }));
    const [, drawing = ""] = /```mermaid\n(.*?)```/s.exec(text) ?? [];
    expect(drawing).toMatch(first);
  });

  test("of three changes is as long with 181 objects that stay as without them", async () => {
    const cluster = stepOf("same", "Cluster", "linux", { name: "Linux" });
    const queues = (op: "create" | "same", count: number) =>
      Array.from({ length: count }, (_, index) =>
        stepOf(op, "Queue", `${op}-${index}`, { clusterId: "id-of-linux", key: `${op}-${index}` }),
      );
    const lines = async (stay: number) => {
      const steps = [cluster, ...queues("same", stay), ...queues("create", 3)];
      return (await report(preview({ steps }))).split("\n").length;
    };
    expect(await lines(181)).toBe(await lines(0));
  });

  test("has nothing of how a resource finds its provider, and no secret", async () => {
    for (const args of [[], ["--html"], ["--json"]]) {
      const text = await report(recorded("preview"), ...args);
      expect(text).not.toMatch(/__provider|__secrets|exports\.handler|hunter2/);
      expect(text).toMatch(/another secret/);
      expect(text).not.toMatch(OBEYED);
    }
  });

  test("is the same whichever steps of a replacement are shown, and of the native provider", async () => {
    const text = async (file: string) => withoutTime(await report(file));
    const expected = await text(recorded("preview"));
    expect(await text(recorded("preview-replacement-steps"))).toBe(expected);
    const native = readFileSync(recorded("preview"), "utf8").replaceAll(
      "pulumi-nodejs:dynamic/buildpipeline:",
      "buildpipeline:index:",
    );
    expect(await text(preview(JSON.parse(native)))).toBe(expected);
  });

  test("names clusters that stay as they are, from the state or from a preview with unchanged resources", async () => {
    for (const args of [
      [recorded("preview"), "--stack-export", recorded("stack-export")],
      [recorded("preview-sames")],
    ]) {
      const [file = "", ...rest] = args;
      expect(await report(file, ...rest)).toContain(
        "Cluster <code>Mac 🍏 &#34;beta&#34; &#96;x&#96; &#124; &#60;b&#62;",
      );
    }
  });

  test("is a page of its own with --html", async () => {
    const out = scratch.path("report.html");
    await report(recorded("preview"), "--html", "--out", out);
    const page = readFileSync(out, "utf8");
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toMatch(/<script|<link(?! rel="icon" href="data:,")|src=|url\(|@import/);
    expect(page).toContain("light-dark(");
    // For a wide window, and for a telephone and paper.
    expect(page.match(/<svg [^>]*width="(\d+)"/g)).toHaveLength(2);
    const [wide = 0, narrow = 0] = [...page.matchAll(/<svg [^>]*width="(\d+)"/g)].map(([, width]) =>
      Number(width),
    );
    expect(narrow).toBeLessThanOrEqual(500);
    expect(wide).toBeGreaterThan(narrow);
    expect(new Set(page.match(/ id="[^"]*"/g)).size).toBe(page.match(/ id="[^"]*"/g)?.length);
    expect(page).toContain('<span class="create">+    command: make step-40 --fast</span>');
  });

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

  test("is JSON with --json", async () => {
    const { stack, verdict, organization, commit, counts, dangers, changes } = JSON.parse(
      await report(recorded("preview"), "--json"),
    );
    expect(stack).toBe("production");
    expect(verdict).toMatchObject({ level: "danger", dangerous: 3, noticeable: 5, others: 10 });
    expect({ organization, commit }).toEqual({ organization: "acme", commit: null });
    expect(counts).toEqual({ delete: 5, replace: 2, update: 9, create: 3, adopt: 1, release: 1 });
    expect(dangers.filter(({ level }: { level: string }) => level === "danger")).toHaveLength(3);
    expect(changes).toContainEqual({
      urn: expect.stringContaining("Queue::linux-small"),
      kind: "Queue",
      label: "small",
      action: "replace",
      cluster: "Linux",
      properties: [{ name: "key", before: "small", after: "tiny", unknown: false, replaces: true }],
    });
  });

  test.each([
    [recorded("preview"), 1],
    [recorded("preview-unchanged"), 0],
  ])("with --exit-code ends as %s deserves", async (file, expected) => {
    expect((await buildpipeline(["report", file, "--exit-code"])).code).toBe(expected);
  });
});

describe("buildpipeline report", () => {
  test("of fifty clusters fits a comment, keeps what is dangerous, and says what is missing", async () => {
    const file = preview({ steps: largeDeletion });
    for (const longest of [65_536, 20_000, 2_000]) {
      const text = await report(file, "--max-length", String(longest));
      expect(text.length).toBeLessThanOrEqual(longest);
      expect(text).toMatch(/Cluster <code>Cluster \d+ long .* is deleted/);
      expect(text).toContain(`shortened to ${longest} characters`);
      expect(text).toContain("**500 to delete**");
    }
    const page = await report(file, "--html");
    for (let index = 0; index < 50; index++) expect(page).toContain(`Cluster ${index} long`);
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
    const [, , , verdict, , , , origin] = stdout.split("\n");
    expect(verdict).toBe("🔴 **3 dangerous** · 5 noticeable · 10 others");
    const time = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC";
    expect(origin).toMatch(new RegExp(`^_acme · ${expected}${expected && " · "}${time}_$`));
  });

  test("takes plain secrets out, and withholds what else may be secret", async () => {
    const text = JSON.stringify(JSON.parse(readFileSync(recorded("preview"), "utf8")));
    const plain = text
      .replaceAll('"token":"[secret]"', '"token":"bkct_plain"')
      .replaceAll('"[secret]"', '"deploy --password hunter2"')
      .replaceAll("by-hand", "bkct_plain");
    for (const args of [[], ["--html"], ["--json"]]) {
      const said = await report(preview(JSON.parse(plain)), ...args);
      expect(said).not.toMatch(/bkct_plain|hunter2/);
      expect(said).toContain("withheld");
    }
    expect(await report(preview(JSON.parse(plain)))).toContain("--show-secrets");
  });

  test("has no line that a CI system obeys", async () => {
    const commands = ["::add-mask::x", "##[error]x", "##vso[task.complete]", "##teamcity[x]"];
    const lines = commands.flatMap((command) => [command, `  ${command}`, `echo ${command}`]).join("\n");
    const before = `steps: []\n${lines}\nlast`;
    const old = stepOf("create", "PipelineTemplate", "node", {
      name: "##[error]node",
      configuration: before,
    });
    const inputs = { name: "::stop-commands::x", configuration: `${before}\n${lines}` };
    const change = {
      ...old,
      op: "update",
      oldState: old.newState,
      newState: { ...old.newState, inputs },
      diffReasons: ["name", "configuration"],
    };
    const file = preview({
      steps: [change],
      diagnostics: [{ severity: "warning", message: lines }],
    });
    for (const args of [[], ["--json"]]) expect(await report(file, ...args)).not.toMatch(LOG_COMMAND);
  });

  test("has the warnings of a dynamic provider, which the engine takes for information", async () => {
    for (const name of ["preview", "preview-sames"])
      expect(await report(recorded(name))).toMatch(/Warnings \(1\)[\s\S]*which this stack manages/);
    const log = recorded("preview-events").replace(/\.json$/, ".jsonl");
    expect(await report(log)).toMatch(/Warnings \(1\)/);
  });

  test("of a preview that failed says so before anything else", async () => {
    const file = preview({
      steps: [],
      diagnostics: [
        { severity: "error", message: "<{%reset%}>AgentToken.description: is blank\u001b[31m<{%reset%}>\n" },
        { severity: "warning", message: "look" },
      ],
    });
    const text = await report(file);
    expect(text.split("\n").slice(1, 6)).toEqual([
      "## Failed preview",
      "",
      "> [!CAUTION]",
      "> **The preview failed**, so this is not all that would change:",
      "> - <code>AgentToken.description&#58; is blank</code>",
    ]);
    expect(text).not.toMatch(OBEYED);
    expect((await buildpipeline(["report", file, "--exit-code"])).code).toBe(1);
  });

  test("shows warnings whole, and says once that they are warnings", async () => {
    const message = `warning: ${"a long sentence about what to do, ".repeat(8)}end.`;
    const file = preview({ steps: [], diagnostics: [{ severity: "info#err", message }] });
    for (const args of [[], ["--html"]]) {
      const text = await report(file, ...args);
      expect(text).toMatch(/about what to do, end\./);
      expect(text.match(/warning: /gi)).toBeNull();
      expect(text.match(/warning&#58; /gi)).toBeNull();
    }
  });

  test("warns of agent tokens that expire within 14 days, unless the deployment replaces or revokes them", async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const token = (op: "same" | "delete", name: string, expiresAt: unknown) =>
      stepOf(op, "AgentToken", name, { clusterId: "c", description: name }, { outputs: { expiresAt } });
    const file = preview({
      steps: [
        token("same", "soon", inDays(13)),
        token("same", "later", inDays(15)),
        token("same", "odd", 7),
        token("delete", "revoked", inDays(1)),
      ],
    });
    const { warnings, verdict } = JSON.parse(await report(file, "--json"));
    expect(warnings).toEqual([
      `Agent token "soon" expires on ${inDays(13).slice(0, 10)}. Rotate it first: agents can't start or reconnect with an expired token.`,
    ]);
    expect(await report(file)).toContain("expires on");
    const without = preview({
      steps: [token("same", "soon", undefined), token("delete", "revoked", undefined)],
    });
    expect(verdict).toEqual(JSON.parse(await report(without, "--json")).verdict);
  });

  test("counts what other packages do, and does not describe it", async () => {
    const urn = "urn:pulumi:production::ci::aws:s3/bucket:Bucket::bucket";
    const newState = { urn, type: "aws:s3/bucket:Bucket" };
    const text = await report(preview({ steps: [{ op: "create", urn, newState }] }));
    expect(text).toContain("<code>1 create</code>");
    expect(text).toContain("The preview shows no change of a resource of this package.");
  });

  test("calls a resource by its whole name, colons included", async () => {
    const unnamed = stepOf("create", "Queue", "team::small", {});
    const said = await report(preview({ steps: [unnamed] }), "--json");
    expect(JSON.parse(said).changes).toMatchObject([{ label: "team::small" }]);
  });

  test("finds children of components, and clusters that were given as ids", async () => {
    const cluster = stepOf("delete", "Cluster", "farm", { name: "Farm" });
    const queue = stepOf("delete", "Queue", "inside", { key: "inside", clusterId: "id-of-farm" });
    const urn = queue.urn.replace("::pulumi-nodejs:", "::acme:index:Farm$pulumi-nodejs:");
    const inside = { ...queue, urn, oldState: { ...queue.oldState, urn } };
    const text = await report(preview({ steps: [cluster, inside] }));
    expect(text).toMatch(/with its queues \(<code>inside<\/code>\)/);
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

  test("reads standard input", async () => {
    const { code, stdout } = await buildpipeline(["report", "-"], {
      input: readFileSync(recorded("preview")),
    });
    expect(code).toBe(0);
    expect(withoutTime(stdout)).toBe(withoutTime(await report(recorded("preview"))));
  });
});
