import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("A name that is secret, %s backend", (backend) => {
  const { Suite, Team } = classesOf[backend];
  const stack = TestStack.forEach();

  test("does not show in the outputs that spell it", async () => {
    const program = (branch: string) => async () => {
      const name = pulumi.secret("Project Nightingale");
      const suite = new Suite("suite", { name, defaultBranch: branch });
      const team = new Team("team", { name });
      return { suite: suite.slug, url: suite.url, webUrl: suite.webUrl, team: team.slug };
    };
    const printed: string[] = [];
    const created = await stack.up(program("main"));
    expect(created.outputs).toMatchObject({ suite: "project-nightingale", team: "project-nightingale" });
    printed.push(created.output);
    printed.push((await stack.refresh()).output);
    printed.push((await stack.preview(program("trunk"))).output);
    printed.push((await stack.up(program("trunk"))).output);
    for (const text of [...printed, stack.files()]) expect(text.toLowerCase()).not.toContain("nightingale");
  });
});
