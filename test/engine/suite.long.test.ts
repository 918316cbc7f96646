import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("A suite and its teams, %s backend", (backend) => {
  const { Suite, Team } = classesOf[backend];
  const stack = TestStack.forAll();

  const program = (branch: string) => async () => {
    // Names of teams are unique, so the old team goes before the new one is made.
    const team = new Team("team", { name: "Team" }, { deleteBeforeReplace: true });
    new Suite("suite", { name: "Unit", defaultBranch: branch, teamIds: [team.id] });
  };

  test("teams that become unknown because one is replaced are a warning; the update records them and sends the rest", async () => {
    await stack.up(program("main"));
    const { team: before } = await stack.state();
    const replace = [before?.urn ?? ""];
    const preview = await stack.preview(program("trunk"), { replace });
    expect(preview.output).toMatch(/warning:[^\n]*teamIds/);

    stack.emulator.clearRequests();
    const { output } = await stack.up(program("trunk"), { replace });
    expect(output).toMatch(/warning:[^\n]*teamIds/);
    expect(output).toMatch(/web interface/);
    const { team, suite } = await stack.state();
    expect(team?.id).not.toBe(before?.id);
    expect(suite?.outputs.teamIds).toEqual([team?.id]);
    expect(suite?.inputs.teamIds).toEqual([team?.id]);
    const [update] = stack.emulator.requests.filter(({ operation }) => operation === "suites.update");
    expect(update?.body).not.toHaveProperty("team_ids");
    const [live] = stack.emulator.organizationData.suites.list();
    expect(live).toMatchObject({ id: suite?.id, default_branch: "trunk" });
    await stack.preview(undefined, { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
  });

  test("refuses a later change of teamIds and names the way on", async () => {
    const other = (opts: object) => async () => {
      new Team("team", { name: "Team" });
      const teamIds = ["11111111-2222-4333-8444-555555555555"];
      new Suite("suite", { name: "Unit", defaultBranch: "trunk", teamIds }, opts);
    };
    expect(await stack.refused(stack.preview(other({})))).toContain('ignoreChanges: ["teamIds"]');
    await stack.preview(other({ ignoreChanges: ["teamIds"] }), { expectNoChanges: true });
  });

  test("is found again when its slug was changed by hand", async () => {
    const { suite } = await stack.state();
    stack.emulator.organizationData.suites.update(String(suite?.id), { slug: "another-slug" });
    await stack.refresh();
    expect((await stack.state()).suite).toMatchObject({ id: suite?.id, outputs: { slug: "another-slug" } });
    await stack.up(program("release"));
    expect(await stack.colleague.sends("GET", "/suites/another-slug")).toMatchObject({
      default_branch: "release",
    });
  });
});
