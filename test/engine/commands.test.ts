import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMAND, Project } from "./project.js";

describe("Commands in a project's directory", () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.start(undefined, { seed: false });
    project.declare(
      `const { Cluster } = require("pulumi-buildpipeline");
       new Cluster("releases", { name: "Releases" });
       new Cluster("contributions", { name: "Contributions" });`,
    );
    await project.pulumi("stack", "init", "test");
    await project.useStackConfiguration();
    await project.pulumi("up", "--yes", "--skip-preview");
  });
  afterAll(() => project?.close());

  /** What a command prints, and how it ends. */
  const ended = (line: string) => project.shell(`${line} && echo "exit code 0" || echo "exit code $?"`);

  test("take each setting from the selected stack before the environment, and never print the access token", async () => {
    const output = await ended(`BUILDPIPELINE_ORGANIZATION=another ${COMMAND} unmanaged`);
    expect(output).toContain("Everything is owned by a stack");
    expect(output).toContain("exit code 0");
    expect(output).not.toContain(project.emulator.accessToken);
  });

  test("find a credential that nobody owns, and what was deleted by hand", async () => {
    const [cluster] = await project.colleague.list("/clusters");
    const token = await project.colleague.sends("POST", `/clusters/${cluster?.id}/tokens`, {
      description: "forgotten",
    });
    const found = await ended(`${COMMAND} unmanaged --json --only AgentToken`);
    expect(found).toContain(String(token.id));
    expect(found).toContain("exit code 1");
    for (const { id } of await project.colleague.list("/clusters"))
      await project.colleague.sends("DELETE", `/clusters/${id}`);
    const gone = await ended(`pulumi stack export | ${COMMAND} unmanaged --stack-export -`);
    expect(gone).toContain("gone from the service");
    expect(gone).toContain("dynamic/buildpipeline:Cluster::");
    expect(gone).toContain("exit code 1");
  });

  test("say why the stack's configuration cannot be read", async () => {
    const wrong = await ended(`PULUMI_CONFIG_PASSPHRASE=wrong ${COMMAND} unmanaged 2>&1`);
    expect(wrong).toContain("incorrect passphrase");
    expect(wrong).toContain("exit code 2");
    const named = await ended(`${COMMAND} unmanaged --stack nowhere 2>&1`);
    expect(named).toContain("nowhere");
    expect(named).toContain("exit code 2");
  });
});
