import { describe, expect, test } from "vitest";
import type { SuiteArgs } from "../../src/index.js";
import { Suite, Team, throughEither } from "./doors.js";
import { lifecycle } from "./lifecycle.js";
import { TestStack } from "./stack.js";

lifecycle<SuiteArgs>({
  kind: "Suite",
  declare: (classes, name, args, opts) => new classes.Suite(name, args, opts),
  get: (classes, name, id) => classes.Suite.get(name, id),
  args: () => ({
    name: "Unit tests",
    defaultBranch: "main",
    applicationName: "shop",
    color: "#f0ccff",
    emoji: ":test_tube:",
  }),
  another: (args, name) => ({ ...args, name: `${args.name} ${name}` }),
  onService: () => ({ name: "Unit tests", default_branch: "main" }),
  changes: () => ({
    name: [{ to: "All tests", expect: "update", onService: { name: "All tests" } }],
    defaultBranch: [{ to: "trunk", expect: "update", onService: { default_branch: "trunk" } }],
    teamIds: { testedBy: "refuses a later change of teamIds and names the way on" },
    applicationName: [{ to: undefined, expect: "update" }],
    color: [{ to: "#000", expect: "update" }],
    emoji: [{ to: "🧪", expect: "update" }],
  }),
  drifts: [{ of: ["name", "defaultBranch"], body: { name: "By hand", default_branch: "by-hand" } }],
  path: (_, __, slug) => `/suites/${slug}`,
  list: () => "/suites",
  updateMethod: "PATCH",
  importName: (_, suite) => String(suite.slug),
  byHand: (colleague) =>
    colleague.sends("POST", "/suites", {
      name: "Unit tests",
      default_branch: "main",
      application_name: "shop",
      color: "#F0CCFF",
      emoji: ":test_tube:",
    }),
  mismatch: { defaultBranch: "develop" },
});

describe(throughEither("A suite on the real engine"), () => {
  const stack = TestStack.forAll();

  const program =
    (args: Partial<SuiteArgs> = {}, opts = {}) =>
    async () => {
      const one = new Team("one", { name: "One" });
      const two = new Team("two", { name: "Two" });
      const teams = { both: [one.id, two.id], first: [one.id] };
      const suite = new Suite(
        "it",
        { name: "Unit", defaultBranch: "main", teamIds: teams.first, ...args },
        opts,
      );
      return { apiToken: suite.apiToken, teams };
    };

  test("keeps its API token, encrypted", async () => {
    const { outputs, output } = await stack.up(program());
    const secret = String(outputs.apiToken);
    expect(secret.length).toBeGreaterThan(10);
    await stack.refresh({ expectNoChanges: true });
    expect((await stack.up(program({ name: "Units" }))).outputs.apiToken).toBe(secret);
    expect(`${output}${stack.files()}`).not.toContain(secret);
    await stack.up(program());
  });

  test("refuses a later change of teamIds and names the way on", async () => {
    const { outputs } = await stack.up(program());
    const { both } = outputs.teams as { both: string[] };
    expect(await stack.refused(stack.preview(program({ teamIds: both })))).toContain(
      'ignoreChanges: ["teamIds"]',
    );
    await stack.preview(program({ teamIds: both }, { ignoreChanges: ["teamIds"] }), {
      expectNoChanges: true,
    });
    await stack.preview(program({ teamIds: [...both].reverse().slice(1) }), { expectNoChanges: true });
  });

  test("is found again when its slug was changed by hand", async () => {
    const { it } = await stack.state();
    stack.emulator.organizationData.suites.update(String(it?.id), { slug: "another-slug" });
    await stack.refresh();
    expect((await stack.state()).it).toMatchObject({ id: it?.id, outputs: { slug: "another-slug" } });
    await stack.up(program({ name: "Renamed" }));
    expect(await stack.colleague.sends("GET", "/suites/another-slug")).toMatchObject({ name: "Renamed" });
  });
});
