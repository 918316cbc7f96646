import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("The teams of an existing suite, %s backend", (backend) => {
  const { Suite, Team } = classesOf[backend];
  const stack = TestStack.forEach();

  const program =
    (more: { branch?: string } = {}): PulumiFn =>
    async () => {
      // Names of teams are unique, so the old team goes before the new one is made.
      const opts = { deleteBeforeReplace: true };
      const team = new Team("team", { name: "Team" }, opts);
      new Suite("suite", { name: "Unit", defaultBranch: more.branch ?? "main", teamIds: [team.id] });
    };

  test("that become unknown because a team is made anew are a warning; the update records them and sends nothing", async () => {
    await stack.up(program());
    const { team: before } = await stack.state();
    const replace = [before?.urn ?? ""];
    const preview = await stack.preview(program(), { replace });
    expect(preview.output).toMatch(/warning:[^\n]*teamIds/);

    stack.requests();
    const { output } = await stack.up(program(), { replace });
    expect(output).toMatch(/warning:[^\n]*teamIds/);
    expect(output).toMatch(/web interface/);
    const { team, suite } = await stack.state();
    expect(team?.id).not.toBe(before?.id);
    expect(suite?.outputs.teamIds).toEqual([team?.id]);
    expect(suite?.inputs.teamIds).toEqual([team?.id]);
    const sent = stack.requests().filter((request) => !request.startsWith("GET"));
    expect(sent.filter((request) => request.includes("/suites"))).toEqual([]);
    await stack.preview(undefined, { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
  });

  test("that become unknown beside another change leave the other change to be sent", async () => {
    await stack.up(program());
    const { team, suite } = await stack.state();
    await stack.up(program({ branch: "trunk" }), { replace: [team?.urn ?? ""] });
    const [live] = stack.emulator.organizationData.suites.list();
    expect(live).toMatchObject({ id: suite?.id, default_branch: "trunk" });
    await stack.preview(undefined, { expectNoChanges: true });
  });

  test("that are known and differ stay a refusal at preview", async () => {
    await stack.up(program());
    const message = await stack.refused(
      stack.preview(async () => {
        new Team("team", { name: "Team" });
        new Suite("suite", {
          name: "Unit",
          defaultBranch: "main",
          teamIds: ["11111111-2222-4333-8444-555555555555"],
        });
      }),
    );
    expect(message).toContain('ignoreChanges: ["teamIds"]');
  });
});
