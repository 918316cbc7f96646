import { beforeAll, describe, expect, test } from "vitest";
import { COMMAND, Project } from "./project.js";

const PROGRAM = `import { Cluster } from "pulumi-buildpipeline";
new Cluster("linux", { name: "Linux", description: "Builds" });
`;

/** A project with its access token in stack configuration, where `refresh: always` needs a way out. */
describe("A project with refresh: always and its settings in stack configuration", () => {
  let project: Project;
  let first: string;

  beforeAll(async () => {
    project = await Project.start();
    project.write("Pulumi.yaml", "name: drift\nruntime: nodejs\noptions:\n  refresh: always\n");
    project.write("package.json", '{ "main": "index.ts" }');
    project.write("index.ts", PROGRAM);
    await project.newStack();
    await project.useStackConfiguration();
    first = newToken();
    await configure(first);
    await project.up();
  });

  // A cluster is deleted only by a token that can list its secrets.
  const scopes = ["read_clusters", "write_clusters", "read_secrets_details"];
  const newToken = () => project.emulator.createAccessToken({ scopes });
  const configure = (accessToken: string) =>
    project.shell("pulumi config set --secret buildpipeline:accessToken", accessToken);

  test("a plain preview shows drift", async () => {
    const [cluster] = await project.colleague.list("/clusters");
    await project.colleague.sends("PUT", `/clusters/${cluster?.id}`, { description: "By hand" });
    expect(await project.pulumi("preview", "--diff")).toMatch(/description: "By hand" => "Builds"/);
    await project.up();
    expect((await project.colleague.list("/clusters"))[0]?.description).toBe("Builds");
  });

  test("after the token was rotated, the 401 names the ways out, and both work", async () => {
    const rotated = newToken();
    project.emulator.revokeAccessToken(first);
    await configure(rotated);
    for (const command of ["preview", "up --yes --skip-preview", "destroy --yes --skip-preview"]) {
      const output = await project.refused(`pulumi ${command}`);
      expect(output).toContain("failed with 401");
      expect(output).toContain("run pulumi up --refresh=false, pulumi refresh --run-program, or");
    }
    await project.pulumi("refresh", "--yes", "--skip-preview", "--run-program", "--expect-no-changes");
    await project.up("--refresh=false");
    await project.unchanged();
  });

  test("after baseUrl was corrected, the same flag leads out", async () => {
    // As if the last deployment had recorded an address that is gone.
    const state = await project.shell("pulumi stack export --show-secrets 2>/dev/null");
    await project.shell(
      "pulumi stack import",
      state
        .replaceAll(`"baseUrl": "${project.emulator.url}"`, '"baseUrl": "http://127.0.0.1:1"')
        .replaceAll(
          `"buildpipeline:baseUrl": "${project.emulator.url}"`,
          '"buildpipeline:baseUrl": "http://127.0.0.1:1"',
        ),
    );
    expect(await project.refused("pulumi preview")).toContain("127.0.0.1:1");
    await project.up("--refresh=false");
    await project.unchanged();
  });

  test("offline, a preview sends nothing if it doesn't refresh", async () => {
    project.emulator.clearRequests();
    await project.shell("BUILDPIPELINE_OFFLINE=true pulumi preview --expect-no-changes --refresh=false");
    expect(project.emulator.requests).toEqual([]);
    await project.shell("BUILDPIPELINE_OFFLINE=true pulumi preview --expect-no-changes");
    expect(project.emulator.requests).not.toEqual([]);
  });

  test("with an expired token, a destroy runs the program instead of the refresh", async () => {
    const { emulator } = project;
    const expired = (await project.shell("pulumi config get buildpipeline:accessToken")).trim();
    await configure(newToken());
    emulator.revokeAccessToken(expired);
    expect(await project.refused("pulumi destroy --yes --skip-preview")).toContain(
      "pulumi destroy --refresh=false --run-program",
    );
    await project.pulumi("destroy", "--yes", "--skip-preview", "--refresh=false", "--run-program");
    expect(await project.colleague.list("/clusters")).toEqual([]);
  });
});

test("adopt says what a preview of its project costs, and a plain preview shows drift for that", async () => {
  const project = await Project.start();
  for (const name of ["Linux", "Mac"]) {
    const { id } = await project.colleague.sends("POST", "/clusters", { name });
    await project.colleague.sends("POST", `/clusters/${id}/queues`, { key: "small" });
    await project.colleague.sends("POST", `/clusters/${id}/tokens`, { description: "Agents" });
  }
  await project.colleague.sends("POST", "/pipeline-templates", {
    name: "Deploy",
    configuration: "steps: []",
  });
  const printed = await project.shell(`${COMMAND} adopt infrastructure 2>&1`);
  const [, requests = ""] =
    /Previewing all of it sends about (\d+) requests: less than a minute/.exec(printed) ?? [];
  await project.shell(`cd infrastructure && pulumi stack init production
    pulumi import --file import.json --generate-code=false --protect=false --yes --skip-preview`);
  const { id } = (await project.colleague.list("/clusters"))[0] ?? {};
  await project.colleague.sends("PUT", `/clusters/${id}`, { description: "By hand" });
  project.emulator.clearRequests();
  const preview = await project.shell("cd infrastructure && pulumi preview --diff --parallel 32");
  expect(preview).toContain("By hand");
  expect(project.emulator.requests.length).toBeLessThanOrEqual(Number(requests) + 1);
  expect(project.emulator.requests.length).toBeGreaterThanOrEqual(Number(requests) - 2);
});
