import { describe, expect, test } from "vitest";
import { insideOf } from "../../../src/cli/drawing/topology.js";
import { readPreview } from "../../../src/cli/pulumi/preview.js";
import { readStackState } from "../../../src/cli/pulumi/stack-export.js";
import { queuesThatDisappear } from "../../../src/review/drain/queues.js";
import { refactoringsOf } from "../../../src/review/plan/refactorings.js";
import { topologyOfPlan } from "../../../src/review/plan/topology.js";
import { previewOf, resourceOf, step, theStack } from "../../support/recording.js";
import { planFrom, recordedHere, said, staying } from "./reports.js";

const recordedPreview = (name: string) => readPreview(recordedHere(name));
const idsThatDisappear = (...given: Parameters<typeof queuesThatDisappear>) =>
  queuesThatDisappear(...given).map(({ id }) => id);

const told = (name: string, state?: string) => said(recordedHere(name), state && recordedHere(state));

const drawingOf = (name: string) => /```mermaid\n(.*?)```/s.exec(told(name))?.[1];

const SMALLER = "The preview shows no change";
const PENDING =
  "Queue <code>small</code> of <code>Linux</code> is deleted. An earlier deployment replaced it and couldn't delete it.";

/** What a reviewer must read in each situation, and what would mislead. */
const SITUATIONS: readonly (readonly [
  name: string,
  state: string | undefined,
  says: readonly (string | RegExp)[],
  never?: readonly (string | RegExp)[],
])[] = [
  ["unchanged", undefined, [SMALLER, "Not checked: deletions", "stack-export", "-refresh"], ["No changes"]],
  ["unchanged", "base-export", [SMALLER, "Not checked: changes outside"], ["No changes"]],
  ["unchanged-complete", undefined, ["## 🟢 No changes\n"], ["Not checked"]],
  ["unchanged-complete", "base-export", ["## 🟢 No changes\n"], ["Not checked"]],
  ["refresh", undefined, ["## 🟢 Drift: No changes\n"]],
  ["pending", undefined, [SMALLER, "Not checked: deletions"], ["No changes"]],
  ["pending", "pending-export", [PENDING, "**1 to delete**"]],
  [
    "pending-steps",
    undefined,
    [PENDING.replace("Linux</code>", "linux</code> (its name in the program)"), "**1 to delete**"],
  ],
  ["pending-refresh", undefined, [PENDING, "**1 to delete**"]],
  ["pending-complete", "pending-export", [PENDING, "**1 to delete**"]],
  ["pending-without-large", undefined, [PENDING, "**2 to delete**", "Queue <code>large</code>"]],
  [
    "failed",
    undefined,
    [/^## 🔴 Pipeline template .* can't be created yet/m, "failed with 401"],
    ["No changes", "shows no change", "Drift"],
  ],
  [
    "failed-complete",
    undefined,
    ["## 🔴 The preview failed\n", "(and 12 more errors like it)"],
    ["Drift", "No changes"],
  ],
  ["failed-refresh", undefined, ["## 🔴 The refresh failed\n", "there may be more drift"], ["No changes"]],
  [
    "moved-complete",
    undefined,
    [
      "Queue <code>arm</code> of <code>Linux</code> moves to <code>GPU</code> (a new queue; jobs that wait in the old one are not moved).",
    ],
    ["linux-default", /[0-9a-f]{8}-/],
  ],
  [
    "moved",
    undefined,
    ["moves from <code>linux</code> (its name in the program) to <code>gpu</code> (its name in the program)"],
    ["linux-default", /[0-9a-f]{8}-[0-9a-f]{4}/],
  ],
  ["moved", "base-export", ["moves from <code>Linux</code> to <code>GPU</code>"]],
  [
    "without-token-complete",
    undefined,
    [
      "Agent token <code>Agents</code> (<code>agents-b</code> in the program) of <code>Linux</code> is revoked",
    ],
  ],
  [
    "without-token",
    undefined,
    [
      "Agent token <code>Agents</code> (<code>agents-b</code> in the program) of <code>linux</code> (its name in the program) is revoked",
    ],
  ],
  [
    "component-complete",
    undefined,
    [
      /2 agent tokens of .* are replaced, and their secrets change/,
      "{ aliases&#58; &#91;&#123; parent&#58; pulumi.rootStackResource".replace("{", "&#123;"),
    ],
    ["already exists"],
  ],
  ["component-aliased", undefined, ["## 🟢 No changes\n"], ["Resources of other packages"]],
  [
    "without-large-complete",
    undefined,
    [
      /template <code>Release<\/code> still names in its steps the queue <code>large<\/code>.*, which this deployment takes away/,
    ],
  ],
  [
    "renamed-queue",
    undefined,
    [
      "> - The program declares again what this stack has under another name or parent: queue <code>large</code>.",
      /> {3}- <code>large<\/code>: <code>aliases&#58; .*urn.*Queue.*linux-large/,
    ],
    ["is taken by", "&#123; import"],
  ],
  ["team", undefined, ["<code>platform-engineering</code> instead of <code>platform</code>"]],
  ["drift", undefined, ["**1 gone** · **1 to delete** · 1 changed", PENDING]],
  [
    "drift-complete",
    undefined,
    [
      "description: <code>Changed by a colleague</code> → none (undoes an out-of-band change)",
      "Changed outside of the program, and undone by this deployment (2)",
      "queue <code>arm</code> of <code>Linux</code>: deleted",
      "Changed outside of the program, and left alone by this deployment (1)",
      "dispatchPaused: <code>false</code> → <code>true</code>",
    ],
  ],
  [
    "interrupted",
    "interrupted-export",
    [
      "## 🔴 The last deployment was interrupted\n",
      "**The preview failed, so this is not all that would change**",
      "npx pulumi-buildpipeline recover",
      "extra",
    ],
  ],
  ["interrupted-complete", "interrupted-export", ["## 🔴 The last deployment was interrupted\n"]],
];

describe("A report of what the real engine wrote", () => {
  test.for(SITUATIONS)("%s with %s", ([name, state, says, never = []]) => {
    const text = told(name, state);
    for (const one of says) expect(text).toMatch(one);
    for (const one of never) expect(text).not.toMatch(one);
  });

  test("is the same for a deletion that is pending, whichever input shows it", () => {
    const both = ["pending", "pending-steps"].map((name) => told(name, "pending-export"));
    const dangers = [...both, told("pending-refresh")].map((text) =>
      text.slice(text.indexOf("> [!CAUTION]"), text.indexOf("| action")),
    );
    expect(new Set(dangers).size).toBe(1);
  });

  test("draws a queue that is still to be deleted beside the one that replaced it", () => {
    const drawing = drawingOf("pending-complete");
    expect(drawing).toMatch(/"#8722; small"\]:::removed/);
    expect(drawing).toMatch(/"#9733; tiny"\]\n/);
  });

  test("draws a queue that moves in both clusters", () => {
    expect(drawingOf("moved-complete")).toMatch(
      /"GPU"\][\s\S]*"#43; arm"\]:::added[\s\S]*"Linux"\][\s\S]*"#8722; arm"\]:::removed/,
    );
  });

  test("gives drain the queue that is still to be deleted, and none that stays", () => {
    const given = readStackState(recordedHere("pending-export"));
    const ids = given.resources.flatMap(({ id, pendingDeletion }) => (pendingDeletion ? [id] : []));
    expect(ids).toHaveLength(1);
    for (const name of ["pending-steps", "pending-refresh", "pending-complete", "drift"])
      expect(idsThatDisappear(recordedPreview(name))).toEqual(ids);
    expect(idsThatDisappear(recordedPreview("pending"), given)).toEqual(ids);
    expect(idsThatDisappear(recordedPreview("unchanged-complete"))).toEqual([]);
  });
});

const found = (name: string) =>
  refactoringsOf(recordedPreview(name).planned).map(({ from, code }) => [from.split("::").at(-1), code]);

describe("A refactoring", () => {
  test("into a component needs the old parent", () => {
    const code = "{ aliases: [{ parent: pulumi.rootStackResource }] }";
    expect(found("component-complete").sort()).toEqual([
      ["linux", code],
      ["linux-large", code],
      ["linux-small", code],
    ]);
  });

  test("is none with the alias that the report prints", () => {
    expect(found("component-aliased")).toEqual([]);
    const ops = recordedPreview("component-aliased").planned.map(({ op }) => op);
    expect(ops.filter((op) => op !== "same")).toEqual(["create"]);
  });

  test.each([undefined, "base-export"])(
    "with the alias has each object once in plan and drawing, read from a refresh or from the state %s",
    (state) => {
      const plan = planFrom(recordedHere("component-aliased"), state && recordedHere(state));
      const urns = plan.resources.map(({ urn }) => urn);
      expect(urns.filter((urn) => urn.endsWith("Queue::linux-large"))).toEqual([
        expect.stringContaining("acme:index:Farm$"),
      ]);
      const drawn = insideOf(topologyOfPlan(plan).nodes).map(({ kind, name }) => `${kind} ${name}`);
      expect(drawn.filter((one) => one === "Queue large")).toHaveLength(1);
    },
  );

  test("to another name needs the old name", () => {
    expect(found("renamed")).toEqual([["release", '{ aliases: [{ name: "release" }] }']]);
  });

  test.each(["moved", "without-large", "without-gpu", "without-token", "unchanged"])(
    "isn't seen in %s",
    (name) => {
      expect(found(name)).toEqual([]);
    },
  );

  test("has no code for a program in another language", () => {
    const { planned } = recordedPreview("renamed");
    const elsewhere = JSON.parse(JSON.stringify(planned).replaceAll("index.js#", "__main__.py#"));
    expect(refactoringsOf(elsewhere)).toMatchObject([{ isTypeScript: false }]);
  });
});

describe("The drawing of a changed pair", () => {
  const team = resourceOf("Team", "web", "t-1", { name: "Web" });
  const idOf = (name: string) => `00000000-0000-4000-8000-${`${name.length}`.padStart(12, "0")}`;
  const pipeline = (name: string) => resourceOf("Pipeline", `the-${name}`, idOf(name), { name });
  const pair = (name: string, accessLevel: string) =>
    resourceOf("TeamPipeline", `web-${name}`, `tp-${name}`, {
      teamId: "t-1",
      pipelineId: idOf(name),
      accessLevel,
    });
  const changed = (op: string) =>
    step(op, pair("Shop", "read_only"), pair("Shop", "build_and_read"), "accessLevel");
  const others = [team, pipeline("Shop"), pipeline("Quiet"), pair("Quiet", "read_only")];
  const all = (op: string) => [theStack, ...others].map((one) => step(op, one, one));
  const refreshed = step("refresh", pair("Shop", "read_only"), pair("Shop", "read_only"));

  test.each([
    ["a preview", [...all("refresh"), refreshed, ...all("same"), changed("update")]],
    ["drift", [...all("refresh"), changed("update")]],
  ])("has what it goes with, and is called after it, in %s", (_, steps) => {
    const drawn = insideOf(topologyOfPlan(planFrom(previewOf(steps))).nodes);
    expect(drawn.map(({ kind, name, change = "same" }) => `${kind} ${name} ${change}`).sort()).toEqual([
      "Pipeline Shop same",
      "Team Web same",
      "TeamPipeline Shop update",
      // What not everybody may see isn't named by what stays.
      "TeamPipeline web-Quiet same",
    ]);
  });
});

describe("What somebody changed that the program doesn't state", () => {
  const inputs = { name: "Shop", repository: "git@x:y.git" };
  const shop = (outputs: object, description?: string) =>
    resourceOf("Pipeline", "shop", "p-1", { ...inputs, description }, { outputs: { ...inputs, ...outputs } });
  const closed = { visibility: "private", providerSettings: { buildPullRequestForks: false } };
  const open = { visibility: "public", providerSettings: { buildPullRequestForks: true } };
  const stack = (op: string) => step(op, theStack, theStack);
  const previewed = (op: string, now: object, description?: string) =>
    said(
      previewOf([
        ...[stack("refresh"), step("refresh", shop(closed), shop(closed)), stack("same")],
        step(op, shop(now), shop(now, description), ...(description === undefined ? [] : ["description"])),
      ]),
    );

  test.each([
    ["same", undefined],
    ["update", "Builds the shop"],
  ])("has its dangers in a preview's report beside a step %s", (op, description) => {
    const text = previewed(op, open, description);
    expect(text).toMatch(/^## 🔴 Pipeline <code>Shop<\/code> .*1 more danger/m);
    expect(text).toContain("builds pull requests from forks");
    expect(text).toContain("becomes public: everybody can see its builds and their logs");
    expect(text).toContain("left alone by this deployment (1)");
    expect(text).toContain("**Before the merge:** Undo it on Buildkite, or state it in the program.");
  });

  test("is no danger where an operator did it", () => {
    const queue = (dispatchPaused: boolean) =>
      resourceOf("Queue", "small", "q-1", { key: "small" }, { outputs: { key: "small", dispatchPaused } });
    const text = said(
      previewOf([
        ...[stack("refresh"), step("refresh", queue(false), queue(false)), stack("same")],
        staying(queue(true)),
      ]),
    );
    expect(text).toMatch(/^## 🟢 No changes$/m);
    expect(text).toContain("left alone by this deployment (1)");
    expect(text).not.toContain("Undo it");
  });
});
