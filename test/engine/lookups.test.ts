import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Project } from "./project.js";

describe("Lookups in a user's project", () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.start();
    project.write("Pulumi.yaml", "name: lookups\nruntime: nodejs\n");
    project.write("package.json", '{ "private": true, "main": "index.js" }\n');
    project.write(
      "index.js",
      `const { getCluster, getClusterOutput } = require("pulumi-buildpipeline");
       module.exports = async () => {
         const { id, organization } = await getCluster({ name: "Shared" });
         return { id, organization, same: getClusterOutput({ id }).name };
       };\n`,
    );
    await project.newStack();
  });
  afterAll(() => project.close());

  test("what is not there is told in one clean line, and found once it is there", async () => {
    const failure = await project.shell("pulumi preview --non-interactive 2>&1 || true");
    expect(failure).toContain('getCluster({ name: "Shared" }): none of the 0 clusters');
    expect(failure).not.toMatch(/\n\s+at /);

    const { id } = await project.colleague.sends("POST", "/clusters", { name: "Shared" });
    await project.pulumi("up", "--yes", "--non-interactive");
    expect(JSON.parse(await project.shell("pulumi stack output --json"))).toEqual({
      id,
      organization: "acme",
      same: "Shared",
    });
  });

  test("the stack's configuration counts, secrets included", async () => {
    const { accessToken, url } = project.emulator;
    project.forget("BUILDPIPELINE_ACCESS_TOKEN", "BUILDPIPELINE_BASE_URL");
    await project.pulumi("config", "set", "--secret", "buildpipeline:accessToken", accessToken);
    await project.pulumi("config", "set", "buildpipeline:baseUrl", url);

    await project.pulumi("preview", "--non-interactive", "--expect-no-changes");

    await project.pulumi("config", "set", "buildpipeline:organization", "elsewhere");
    const failure = await project.shell("pulumi preview --non-interactive 2>&1 || true");
    expect(failure).toContain("/v2/organizations/elsewhere/clusters failed with 404");
    expect(failure).not.toContain(accessToken);
  });
});
