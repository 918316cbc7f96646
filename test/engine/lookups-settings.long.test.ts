import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Project } from "./project.js";

describe("Lookups with settings in the stack's configuration", () => {
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
    await project.colleague.sends("POST", "/clusters", { name: "Shared" });
  });
  afterAll(() => project.close());

  test("the stack's configuration counts, secrets included", async () => {
    const { accessToken, url } = project.emulator;
    project.forget("BUILDPIPELINE_ACCESS_TOKEN", "BUILDPIPELINE_BASE_URL");
    await project.pulumi("config", "set", "--secret", "buildpipeline:accessToken", accessToken);
    await project.pulumi("config", "set", "buildpipeline:baseUrl", url);

    await project.pulumi("up", "--yes", "--non-interactive");

    await project.pulumi("config", "set", "buildpipeline:organization", "elsewhere");
    const failure = await project.shell("pulumi preview --non-interactive 2>&1 || true");
    expect(failure).toContain("/v2/organizations/elsewhere/clusters failed with 404");
    expect(failure).not.toContain(accessToken);
  });
});
