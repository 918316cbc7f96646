import { describe, expect, test } from "vitest";
import { isDangerous } from "../../../src/review/findings/report.js";
import { brakeOf } from "../../../src/review/plan/brake.js";
import { plainText } from "../../../src/review/plan/text.js";
import { planFrom, reportFrom } from "../report/reports.js";
import { type Entry, many, previewOf } from "./brakes.js";

const brakeFor = (...args: Parameters<typeof previewOf>) => brakeOf(planFrom(previewOf(...args)));
const said = (entries: readonly Entry[], isDrift = false) => {
  const brake = brakeFor(entries, "acme", isDrift);
  return brake && plainText(brake.sentence);
};

const deleted = { does: "delete", was: { onDelete: "delete" } } as const;
const archived = { does: "delete", was: { onDelete: "archive" } } as const;

/** What is not braked: five of five would be. */
const LOSES_NOTHING: readonly (readonly [what: string, entries: readonly Entry[]])[] = [
  ["rotations and moves, which are replacements", many(43, { kind: "AgentToken", does: "replace" })],
  ["what Pulumi keeps", many(43, { does: "delete", options: { retainOnDelete: true } })],
  ["what was imported, and keeps the option", many(43, { does: "delete", was: { import: "web" } })],
  ["what is archived already", many(43, { does: "delete", was: { archived: true, onDelete: "archive" } })],
  ["settings", many(43, { kind: "ClusterMaintainer", does: "delete" })],
  [
    "default queues",
    many(43, {}).flatMap(({ name }) => [
      { kind: "Queue", name, id: name, does: "delete" },
      { kind: "ClusterDefaultQueue", name, does: "delete", was: { queueId: name } },
    ]),
  ],
  [
    "what is imported under another name",
    many(43, {}).flatMap(({ name }) => [
      { name, id: name, does: "delete" },
      { name: `new-${name}`, id: name, does: "import", is: { import: name } },
    ]),
  ],
];

describe("the brake", () => {
  test("holds an emptied folder", () => {
    const entries = [...many(12, archived, "pipeline"), ...many(31, { ...deleted, kind: "Queue" })];
    expect(said(entries)).toBe("None of today's 43 objects remains (12 are archived).");
    const key = brakeFor(entries)?.key;
    expect(key).toMatch(/^43-[0-9a-f]{6}$/);
    const report = reportFrom(previewOf(entries));
    expect(plainText(report.headline)).toBe(said(entries));
    expect(JSON.stringify(report.notices)).toContain(`--allow-deletions ${key}`);
    expect(isDangerous(report)).toBe(true);
  });

  test("holds a program that renamed everything, and names aliases", () => {
    const made = many(43, { does: "create" }, "new");
    const entries = [...many(12, archived), ...many(31, { ...deleted, kind: "Queue" }), ...made];
    expect(said(entries)).toBe(
      "None of today's 43 objects remains (12 are archived). 43 others are created: if these are the same, aliases keep them.",
    );
  });

  test.each([false, true])("holds a refresh that finds much gone (drift alone: %s)", (isDrift) => {
    const entries = [...many(200, { isGone: true }), ...many(10, {}, "seen")];
    expect(said(entries, isDrift)).toBe(
      "The refresh finds 200 of today's 210 objects gone, which a deployment would create again: check the organization, " +
        "and the role of the API access token.",
    );
    // Nothing deploys what a refresh alone found.
    expect(brakeFor(entries, "acme", isDrift)?.key === undefined).toBe(isDrift);
  });

  test.each(LOSES_NOTHING)("passes %s", (_, entries) => {
    expect(said(entries)).toBeUndefined();
  });

  test.each([
    [4, 0, undefined],
    [5, 0, "None of today's 5 objects remains."],
    [5, 1, undefined],
    [10, 10, undefined],
    [11, 25, "11 of today's 36 objects are deleted."],
    [11, 26, undefined],
  ])("judges %i deletions beside %i objects that stay", (count, staying, words) => {
    expect(said([...many(count, deleted), ...many(staying, {}, "staying")])).toBe(words);
  });

  test("counts archivings by an update", () => {
    const archiving = { does: "update", was: { archived: false }, is: { archived: true } } as const;
    expect(said([...many(11, archiving), ...many(9, {}, "staying")])).toBe(
      "11 of today's 20 objects are deleted (all are archived).",
    );
  });

  test("says that the share isn't known without a state", () => {
    const { steps, changeSummary } = previewOf(many(11, deleted));
    const alone = { steps: steps.filter(({ op }) => op !== "refresh"), changeSummary };
    const brake = brakeOf(planFrom(alone));
    expect(brake?.key).toBeUndefined();
    expect(plainText(brake?.sentence ?? [])).toBe(
      "11 objects are deleted. What share of the stack's objects that is isn't known: give --stack-export the output of " +
        "pulumi stack export.",
    );
  });

  test("takes its own key, and that of a plan with a few more of the stack's objects", () => {
    const staying = many(20, {}, "staying");
    const own = brakeFor([...many(43, deleted), ...staying]);
    const key = own?.key ?? "";
    expect(own?.allows(key)).toBe(true);
    const part = brakeFor([
      ...many(43, deleted).map((one, at) => (at < 41 ? one : { name: one.name })),
      ...staying,
    ]);
    expect(part?.allows(key)).toBe(true);
    const others = [
      brakeFor([...many(43, deleted), ...staying], "acme-other"),
      brakeFor([...many(43, deleted, "other"), ...staying]),
      brakeFor([...many(44, deleted), ...staying]),
    ];
    expect(others.map((one) => one?.allows(key))).toEqual([false, false, false]);
  });
});
