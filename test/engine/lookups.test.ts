import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Project } from "./project.js";

describe("Lookups in a user's project", () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.start();
    project.declare(
      `const { getCluster, getClusterOutput } = require("pulumi-buildpipeline");
       module.exports = async () => {
         const { id, organization } = await getCluster({ name: "Shared" });
         return { id, organization, same: getClusterOutput({ id }).name };
       };`,
    );
    await project.newStack();
  });
  afterAll(() => project.close());

  test("what is missing is an error of one clean line, and found once it exists", async () => {
    const failure = await project.shell("pulumi preview --non-interactive 2>&1 || true");
    expect(failure).toContain('getCluster({ name: "Shared" }): none of the 0 clusters');
    expect(failure).not.toMatch(/\n\s+at /);

    const { id } = await project.colleague.sends("POST", "/clusters", { name: "Shared" });
    const done = await project.pulumi("up", "--yes", "--skip-preview");
    expect(done).toMatch(new RegExp(`id +: "${id}"\\s+organization: "acme"\\s+same +: "Shared"`));
  });
});
