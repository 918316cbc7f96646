import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { reportOf } from "../../../src/review/findings/report.js";
import { html } from "../../../src/review/forms/html.js";
import { reportAsJson } from "../../../src/review/forms/json.js";
import { markdown } from "../../../src/review/forms/markdown.js";
import { previewOf, recorded, resourceOf, step, stepOf } from "../../support/recording.js";
import { formsOf as everyForm, failedWith, findingsFrom, onTerminal, reportFrom } from "./reports.js";

const read = (name: string) => JSON.parse(readFileSync(recorded(name), "utf8"));

function formsOf(preview: object, state?: object) {
  const findings = findingsFrom(preview, state);
  const report = reportOf(findings);
  const json = JSON.parse(JSON.stringify(reportAsJson(findings, report)));
  return { report, text: markdown(report, 65_536), page: html(report), json };
}

/** All forms of a report, one after another. */
function allOf(preview: object): string {
  return Object.values(everyForm(findingsFrom(preview))).join("\n");
}

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

describe("A report of what the real engine previewed", () => {
  const { text, page, json } = formsOf(read("preview"));

  test("says first, and loudly, what is dangerous", () => {
    expect(text).toMatch(
      /^<!-- .* -->\n## 🔴 Cluster <code>Old machines<\/code> is deleted with its queues, .*, and 2 more dangers/,
    );
    const dangerous = text.slice(text.indexOf("> [!CAUTION]"), text.indexOf("> [!WARNING]"));
    expect(dangerous.match(/^> - /gm)).toHaveLength(3);
    expect(dangerous).toMatch(
      /Cluster <code>Old machines<\/code> is deleted with its queues .*one.*three.*two.*Old agents/,
    );
    expect(text.indexOf("> [!CAUTION]")).toBeLessThan(text.indexOf("| action"));
    expect(text).toContain(
      "The default queue of <code>Linux</code> changes from <code>small</code> to <code>tiny</code>.",
    );
    expect(text).toContain(
      "**5 to delete** · **2 to replace** · 9 to update · 3 to create · 1 to import · 1 to release",
    );
  });

  test("has one table, the worst first, with what is imported, released or not known yet", () => {
    expect(text.match(/^\| action \|/gm)).toHaveLength(1);
    const marks = [...text.matchAll(/^\| (🔴|🟠|[^🔴🟠]).*\|$/gmu)].map(([, mark = ""]) =>
      "🔴🟠".indexOf(mark),
    );
    const levels = marks.slice(2).map((mark) => (mark < 0 ? 9 : mark));
    expect(levels).toEqual(levels.toSorted((one, other) => one - other));
    for (const row of [
      "| 🔴 **− delete** | 3 queues: <code>one</code>, <code>three</code>, <code>two</code> | <code>Old machines</code> |  |",
      "| 🔴 **± replace** | queue <code>small</code> | <code>Linux</code> | key: <code>small</code> → <code>tiny</code> (replaces) |",
      "| ~ update | queue <code>signing</code> | <code>awkward</code> (its name in the program) |",
      "| = import | queue <code>by-hand</code> | <code>Linux</code> | adopts <code>Linux/by-hand</code> |",
      "| ○ release | team <code>Leavers</code> |  | is removed from state; nothing is deleted on the service |",
    ])
      expect(text).toContain(row);
    expect(text).toContain("privacy: <code>visible</code> → <code>secret</code>");
    expect(text).toMatch(/<code>Connect<\/code> \| {2}\| configuration: secret → known after deployment \|/);
  });

  test("shows the changed lines of a template with some context, and no more", () => {
    const diffs = [...text.matchAll(/(?<!`)````?diff\n(.*?)\n````?\n/gs)].map(([, diff = ""]) =>
      diff.split("\n"),
    );
    expect(diffs.flat().filter((line) => /^[+-].*[a-z]{4}/.test(line))).toEqual([
      "-    command: make step-40",
      "+    command: make step-40 --fast",
      "+  - wait",
      '+  - command: echo "```" done',
    ]);
    expect(diffs.flat().length).toBeLessThan(20);
    expect(text).toContain(
      "configuration: step <code>Step 40</code>, &#43; step <code>wait</code>, &#43; step <code>echo",
    );
  });

  test("draws what is added, adopted, changed, replaced and removed", () => {
    const [, drawing = ""] = /```mermaid\n(.*?)```/s.exec(text) ?? [];
    for (const member of [
      '#43; #9733; first"]:::added',
      '#61; by-hand"]:::adopted',
      '#126; ⏸ large"]:::changed',
      '#177; #9733; tiny"]:::replaced',
      '#8722; one"]:::removed',
    ])
      expect(drawing).toContain(member);
  });

  test("is the same whichever steps of a replacement are shown, and of the native provider", () => {
    expect(formsOf(read("preview-replacement-steps")).text).toBe(text);
    const native = JSON.stringify(read("preview")).replaceAll(
      "pulumi-nodejs:dynamic/buildpipeline:",
      "buildpipeline:index:",
    );
    expect(formsOf(JSON.parse(native)).text).toBe(text);
  });

  test("names clusters that stay as they are, from the state or from a preview with unchanged resources", () => {
    for (const { text } of [formsOf(read("preview"), read("stack-export")), formsOf(read("preview-sames"))]) {
      expect(text).toContain("| <code>Mac 🍏 &#34;beta&#34; &#96;x&#96; &#124; &#60;b&#62;");
      // A warning of a dynamic provider, which the engine takes for information.
      expect(text).toMatch(/Warnings \(1\)[\s\S]*which this stack manages/);
    }
  });

  test("is a page of its own", () => {
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

  test("is JSON for programs", () => {
    const { stack, verdict, organization, commit, counts, dangers, changes } = json;
    expect(stack).toBe("production");
    expect(verdict).toMatchObject({ level: "danger", dangerous: 3, noticeable: 5, others: 10 });
    expect({ organization, commit }).toEqual({ organization: "acme", commit: null });
    expect(counts).toEqual({ delete: 5, replace: 2, update: 9, create: 3, adopt: 1, release: 1 });
    expect(dangers.filter(({ level }: { level: string }) => level === "danger")).toHaveLength(3);
    expect(dangers[0]).toEqual({
      level: "danger",
      effect: "lost",
      message: expect.stringContaining("Cluster Old machines is deleted"),
      of: expect.arrayContaining([
        expect.stringMatching(/Cluster::old$/),
        expect.stringMatching(/Queue::old-one$/),
      ]),
      todo: null,
    });
    expect(changes).toContainEqual({
      urn: expect.stringContaining("Queue::linux-small"),
      kind: "Queue",
      label: "small",
      action: "replace",
      cluster: "Linux",
      properties: [{ name: "key", before: "small", after: "tiny", unknown: false, replaces: true }],
    });
  });
});

describe("A report", () => {
  test("of fifty clusters fits a comment, keeps what is dangerous, and says what is missing", () => {
    const { report, page } = formsOf(previewOf(largeDeletion));
    for (const longest of [65_536, 20_000, 2_000]) {
      const text = markdown(report, longest);
      expect(text.length).toBeLessThanOrEqual(longest);
      expect(text).toMatch(
        /50 clusters .*<code>Cluster \d+ long .* are deleted|Cluster <code>Cluster \d+ long .* is deleted/,
      );
      expect(text).toContain(`shortened to ${longest} characters`);
      expect(text).toContain("**500 to delete**");
    }
    for (let index = 0; index < 50; index++) expect(page).toContain(`Cluster ${index} long`);
  });

  test("of three changes has one row, and says how many objects stay", () => {
    const cluster = stepOf("same", "Cluster", "linux", { name: "Linux" });
    const queues = (op: "create" | "same", count: number) =>
      Array.from({ length: count }, (_, index) =>
        stepOf(op, "Queue", `${op}-${index}`, { clusterId: "id-of-linux", key: `${op}-${index}` }),
      );
    const of = (stay: number) =>
      formsOf(previewOf([cluster, ...queues("same", stay), ...queues("create", 3)]));
    const { report, text, page } = of(180);
    expect(text.split("\n").length).toBe(of(0).text.split("\n").length);
    for (const form of [text, page]) {
      expect(form.match(/181 objects unchanged\./g)).toHaveLength(1);
      expect(form).not.toContain("same-1");
    }
    expect(of(39).text).toContain("same-1");
    const lines = stripVTControlCharacters(onTerminal(report, 80)).split("\n");
    expect(lines.filter((line) => line.includes("+ create 3 queues"))).toHaveLength(1);
    expect(lines.filter((line) => /same-|unchanged/.test(line))).toEqual([
      expect.stringContaining("181 objects"),
    ]);
  });

  test("of the default queues of two clusters has one row, without the names of the program", () => {
    const steps = ["linux", "mac"].flatMap((name) => [
      stepOf("same", "Cluster", name, { name }),
      stepOf("delete", "ClusterDefaultQueue", `${name}-default`, {
        clusterId: `id-of-${name}`,
        queueId: "q",
      }),
    ]);
    expect(formsOf(previewOf(steps)).text).toContain(
      "| 2 default queues | <code>linux</code>, <code>mac</code> |",
    );
  });

  test("shows a policy that comes or goes as a whole, because half of one tells nobody who is left out", () => {
    const policy = "- pipeline_slug: shop\n- pipeline_slug: web\n- pipeline_slug: api\n";
    const secret = (id: string | undefined, more: object) =>
      resourceOf("ClusterSecret", "s", id, { clusterId: "c", key: "S", ...more });
    const of = (before: object, after: object) =>
      formsOf(previewOf([step("update", secret("s", before), secret(undefined, after), "policy")])).text;
    const comes = of({}, { policy });
    expect(comes).toContain("policy: every pipeline of the cluster → 3 lines, see below");
    expect(comes).toContain(
      "```diff\n+- pipeline_slug: shop\n+- pipeline_slug: web\n+- pipeline_slug: api\n```",
    );
    const goes = of({ policy }, {});
    expect(goes).toContain("policy: 3 lines, see below → every pipeline of the cluster");
    expect(goes).toContain("```diff\n-- pipeline_slug: shop\n");
  });

  test("takes plain secrets out, and withholds what else may be secret", () => {
    const plain = JSON.stringify(read("preview"))
      .replaceAll('"token":"[secret]"', '"token":"bkct_plain"')
      .replaceAll('"[secret]"', '"deploy --password hunter2"')
      .replaceAll("by-hand", "bkct_plain");
    const said = allOf(JSON.parse(plain));
    expect(said).not.toMatch(/bkct_plain|hunter2/);
    expect(said.match(/withheld/g)?.length).toBeGreaterThan(2);
    expect(said).toContain("--show-secrets");
  });

  test.each<[string, unknown]>([
    ["a text of three letters", "abc"],
    ["a list", ["10.20.0.0/16", "hunter2"]],
    ["an object", { inner: { word: "hunter2" } }],
    ["a number", 4711],
    ["a flag", true],
  ])("withholds every value as soon as a secret isn't masked: %s", (_, secret) => {
    const noted = stepOf("create", "AgentToken", "farm", {
      description: "hunter2 or abc or 4711, but not abcd",
      triggers: secret,
      __secrets: ["triggers"],
    });
    const values = { name: "Linux", emoji: ":withhold-me:", description: "hunter2" };
    const other = stepOf("create", "Cluster", "linux", values);
    const diagnostics = [{ severity: "warning", message: "hunter2 in 10.20.0.0/16" }];
    const said = allOf({ ...previewOf([noted, other]), diagnostics });
    const texts = JSON.stringify(secret).match(/hunter2|\babc\b|4711|10\.20\.0\.0/g) ?? [];
    for (const text of texts) expect(said).not.toMatch(new RegExp(`\\b${text}\\b`));
    expect(said).not.toContain("withhold-me");
    expect(said).toContain("withheld");
  });

  test("withholds nothing of a preview in which the engine masks secrets", () => {
    const list = stepOf("create", "AgentToken", "farm", {
      description: "farm",
      allowedIpAddresses: ["10.20.0.0/16", "[secret]"],
      triggers: "[secret]",
      __secrets: ["triggers", "allowedIpAddresses"],
    });
    const other = stepOf("create", "Cluster", "linux", { name: "Linux", color: "#101010" });
    const { text } = formsOf(previewOf([list, other]));
    expect(text).toContain("101010");
    expect(text).not.toContain("--show-secrets");
  });

  test("of a preview that failed says so before anything else, without the colors of the error", () => {
    const message = "<{%reset%}>AgentToken.description: is blank\u001b[31m<{%reset%}>\n";
    const { text } = formsOf(failedWith(message));
    expect(text.split("\n").slice(1, 6)).toEqual([
      "## 🔴 The preview failed",
      "",
      "> [!CAUTION]",
      "> **The preview failed, so this is not all that would change**",
      "> - <code>AgentToken.description&#58; is blank</code>",
    ]);
  });

  test("shows warnings whole, and says once that they are warnings", () => {
    const message = `warning: ${"a long sentence about what to do, ".repeat(8)}end.`;
    const { text, page } = formsOf({ steps: [], diagnostics: [{ severity: "info#err", message }] });
    for (const form of [text, page]) {
      expect(form).toMatch(/about what to do, end\./);
      expect(form).not.toMatch(/warning(?:&#58;|:) /i);
    }
  });

  test("warns of agent tokens that expire within 14 days, unless the deployment replaces or revokes them", () => {
    const now = Date.now();
    const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString();
    const token = (op: "same" | "delete", name: string, expiresAt: unknown) =>
      stepOf(op, "AgentToken", name, { clusterId: "c", description: name }, { outputs: { expiresAt } });
    const { json, text } = formsOf(
      previewOf([
        token("same", "soon", inDays(13)),
        token("same", "later", inDays(15)),
        token("same", "odd", 7),
        token("delete", "revoked", inDays(1)),
      ]),
    );
    expect(json.warnings).toEqual([
      `Agent token "soon" expires on ${inDays(13).slice(0, 10)}. Rotate it first: agents can't start or reconnect with an expired token.`,
    ]);
    expect(text).toContain("expires on");
    const without = [token("same", "soon", undefined), token("delete", "revoked", undefined)];
    expect(json.verdict).toEqual(formsOf(previewOf(without)).json.verdict);
  });

  test("counts what other packages do, and does not describe it", () => {
    const urn = "urn:pulumi:production::ci::aws:s3/bucket:Bucket::bucket";
    const newState = { urn, type: "aws:s3/bucket:Bucket" };
    const { text } = formsOf(previewOf([{ op: "create", urn, newState }]));
    expect(text).toContain("<code>1 create</code>");
    expect(text).toContain("## ⚪ The preview shows no change of a resource of this package (not checked: ");
  });

  test("calls a resource by its whole name, and finds children of components", () => {
    const unnamed = stepOf("create", "Queue", "team::small", {});
    expect(formsOf(previewOf([unnamed])).json.changes).toMatchObject([{ label: "team::small" }]);
    const cluster = stepOf("delete", "Cluster", "farm", { name: "Farm" });
    const queue = stepOf("delete", "Queue", "inside", { key: "inside", clusterId: "id-of-farm" });
    const urn = queue.urn.replace("::pulumi-nodejs:", "::acme:index:Farm$pulumi-nodejs:");
    const inside = { ...queue, urn, oldState: { ...queue.oldState, urn } };
    expect(formsOf(previewOf([cluster, inside])).text).toMatch(/with its queues \(<code>inside<\/code>\)/);
  });
});

test.each([60, 100])(
  "A terminal of %i columns shows sentences and names, and nothing of Markdown",
  (columns) => {
    const text = onTerminal(reportFrom(read("preview")), columns);
    const plain = stripVTControlCharacters(text);
    expect(text).not.toBe(plain);
    expect(plain).not.toMatch(/<\/?code>|&#\d+;|<!--|\*\*|^```|^\|/m);
    expect(plain).toMatch(/^🔴 Cluster Old machines is deleted with its queues/);
    expect(plain.replaceAll(/\s+/g, " ")).toContain(
      "Queue small of Linux is replaced by tiny. Steps and agents that name small must name tiny",
    );
    expect(plain.replaceAll(/\s+/g, " ")).toContain(
      "± replace queue small in Linux key: small → tiny (replaces)",
    );
    // The lines of a template keep their indentation.
    expect(plain).toContain("  -    command: make step-40\n  +    command: make step-40 --fast");
    const sentences = plain.split("\n").filter((line) => !/^ {2}[-+ ⋯]/.test(line) && line.includes(" "));
    for (const line of sentences) if (line.length > columns) expect(line.trim().split(" ")).toHaveLength(1);
  },
);

test("The row of a new pipeline begins with what it is, without defaults, and no form shows credentials of an address", () => {
  const repository = "https://bot:ghp_1234567890abcdef@github.com/acme/shop.git";
  const inputs = { allowRebuilds: true, archived: false, configuration: "steps:\n  - wait\n", name: "Shop" };
  const all = { ...inputs, repository, visibility: "private", onDelete: "archive" };
  const made = resourceOf("Pipeline", "shop", "", all);
  const findings = findingsFrom({ steps: [step("create", undefined, made)], changeSummary: { create: 1 } });
  for (const [form, text] of Object.entries(everyForm(findings))) {
    expect(text).not.toContain("ghp_1234");
    if (form === "Markdown")
      expect(text).toMatch(/repository: <code>https&#58;\S+github\.com\/acme\/shop\.git/);
    if (form !== "JSON") expect(text).not.toContain("onDelete");
  }
});
