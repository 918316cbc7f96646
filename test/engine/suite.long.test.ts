import { describe, expect, test } from "vitest";
import type { SuiteArgs } from "../../src/index.js";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("A suite on the real engine, %s backend", (backend) => {
  const { Suite, Team } = classesOf[backend];
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
