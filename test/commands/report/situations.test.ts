import { describe, expect, test } from "vitest";
import { queuesThatDisappear } from "../../../src/commands/drain/queues.js";
import { refactoringsOf } from "../../../src/commands/shared/plan/refactorings.js";
import { readPreview } from "../../../src/commands/shared/pulumi/preview.js";
import { readStackState } from "../../../src/commands/shared/pulumi/stack-export.js";
import { recordedHere, said } from "./reports.js";

const recordedPreview = (name: string) => readPreview(recordedHere(name));
const idsThatDisappear = (...given: Parameters<typeof queuesThatDisappear>) =>
  queuesThatDisappear(...given).map(({ id }) => id);

const told = (name: string, state?: string) => said(recordedHere(name), state && recordedHere(state));

const drawingOf = (name: string) => /```mermaid\n(.*?)```/s.exec(told(name))?.[1];

const SMALLER = "The preview shows no change";
const PENDING =
  "Queue <code>small</code> of <code>Linux</code> is deleted. An earlier deployment replaced it and couldn't delete it.";

/** What a reviewer must read in each situation, and what would mislead. */
const SITUATIONS: readonly {
  name: string;
  state?: string;
  says: readonly (string | RegExp)[];
  never?: readonly (string | RegExp)[];
}[] = [
  {
    name: "unchanged",
    says: [SMALLER, "Not checked: deletions", "stack-export", "-refresh"],
    never: ["No changes"],
  },
  {
    name: "unchanged",
    state: "base-export",
    says: [SMALLER, "Not checked: changes outside"],
    never: ["No changes"],
  },
  { name: "unchanged-complete", says: ["## Preview of", "No changes."], never: ["Not checked"] },
  { name: "unchanged-complete", state: "base-export", says: ["No changes."], never: ["Not checked"] },
  { name: "refresh", says: ["## Drift of", "No changes."] },
  { name: "pending", says: [SMALLER, "Not checked: deletions"], never: ["No changes"] },
  { name: "pending", state: "pending-export", says: [PENDING, "**1 to delete**"] },
  {
    name: "pending-steps",
    says: [PENDING.replace("Linux</code>", "linux</code> (its name in the program)"), "**1 to delete**"],
  },
  { name: "pending-refresh", says: [PENDING, "**1 to delete**"] },
  { name: "pending-complete", state: "pending-export", says: [PENDING, "**1 to delete**."] },
  { name: "pending-without-large", says: [PENDING, "**2 to delete**.", "Queue <code>large</code>"] },
  {
    name: "failed",
    says: ["## Failed preview of", "failed with 401"],
    never: ["No changes", "shows no change", "Drift"],
  },
  {
    name: "failed-complete",
    says: ["## Failed preview of", "(and 12 more errors like it)"],
    never: ["Drift", "No changes"],
  },
  {
    name: "failed-refresh",
    says: ["## Failed refresh of", "there may be more drift"],
    never: ["No changes"],
  },
  {
    name: "moved-complete",
    says: [
      "Queue <code>arm</code> of <code>Linux</code> moves to <code>GPU</code> (a new queue; jobs that wait in the old one are not moved).",
    ],
    never: ["linux-default", /[0-9a-f]{8}-/],
  },
  {
    name: "moved",
    says: [
      "moves from <code>linux</code> (its name in the program) to <code>gpu</code> (its name in the program)",
    ],
    never: ["linux-default", /[0-9a-f]{8}-[0-9a-f]{4}/],
  },
  { name: "moved", state: "base-export", says: ["moves from <code>Linux</code> to <code>GPU</code>"] },
  {
    name: "without-token-complete",
    says: [
      "Agent token <code>Agents</code> (<code>agents-b</code> in the program) of <code>Linux</code> is revoked",
    ],
  },
  {
    name: "without-token",
    says: [
      "Agent token <code>Agents</code> (<code>agents-b</code> in the program) of <code>linux</code> (its name in the program) is revoked",
    ],
  },
  {
    name: "component-complete",
    says: [
      /Agent token .* is replaced, and its secret changes/,
      "{ aliases&#58; &#91;&#123; parent&#58; pulumi.rootStackResource".replace("{", "&#123;"),
    ],
    never: ["already exists"],
  },
  { name: "component-aliased", says: ["No changes."], never: ["Resources of other packages"] },
  {
    name: "without-large-complete",
    says: ["takes away the last known queue <code>large</code>", "<code>Release</code>"],
  },
  {
    name: "renamed-queue",
    says: [
      "> - The program declares again what this stack has under another name or parent: queue <code>large</code>.",
      /> {3}- <code>large<\/code>: <code>aliases&#58; .*urn.*Queue.*linux-large/,
    ],
    never: ["is taken by", "&#123; import"],
  },
  { name: "team", says: ["<code>platform-engineering</code> instead of <code>platform</code>"] },
  { name: "drift", says: ["**1 gone**, **1 to delete**, 1 changed.", PENDING] },
  {
    name: "drift-complete",
    says: [
      "description: <code>Changed by a colleague</code> → none (undoes an out-of-band change)",
      "Undone by this deployment (2)",
      "queue <code>arm</code> of <code>Linux</code>: deleted",
      "Left alone by this deployment (1)",
      "dispatchPaused: <code>false</code> → <code>true</code>",
    ],
  },
  {
    name: "interrupted",
    state: "interrupted-export",
    says: [
      "## Failed preview of",
      "**The last deployment was interrupted**",
      "npx pulumi-buildpipeline recover",
      "extra",
    ],
  },
  {
    name: "interrupted-complete",
    state: "interrupted-export",
    says: ["**The last deployment was interrupted**"],
  },
];

describe("A report of what the real engine wrote", () => {
  test.each(SITUATIONS)("$name with $state", ({ name, state, says, never = [] }) => {
    const text = told(name, state);
    for (const one of says) expect(text).toMatch(one);
    for (const one of never) expect(text).not.toMatch(one);
  });

  test("is the same for a deletion that is pending, whichever input shows it", () => {
    const both = ["pending", "pending-steps"].map((name) => told(name, "pending-export"));
    const dangers = [...both, told("pending-refresh")].map((text) =>
      text.slice(text.indexOf("> [!CAUTION]"), text.indexOf("### Changes")),
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
