import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("On the terminal, %s backend", (backend) => {
  const { Cluster, Provider } = classesOf[backend];
  const stack = TestStack.forAll();

  const program = async () => {
    new Cluster("linux", { name: "Linux" });
  };

  test("a missing setting is reported with the places to set it, without a stack trace", async () => {
    const env = { BUILDPIPELINE_ACCESS_TOKEN: undefined, BUILDPIPELINE_BASE_URL: undefined };
    const message = await stack.refused(stack.preview(program, { env }));
    expect(message).toContain("buildpipeline:accessToken is not set");
    expect(message).toContain("BUILDPIPELINE_BASE_URL");
    expect(message).not.toMatch(/\n\s+at /);
  });

  test("an explicit provider deploys, is unchanged then, and its access token shows nowhere", async () => {
    const { url, accessToken, organization } = stack.emulator;
    const explicit = async () => {
      const provider = new Provider("explicit", { accessToken, organization, baseUrl: url });
      new Cluster("other", { name: "Other" }, { provider });
    };
    const { output } = await stack.up(explicit);
    await stack.preview(undefined, { expectNoChanges: true });
    expect(`${output}${stack.files()}`).not.toContain(accessToken);
  });
});
