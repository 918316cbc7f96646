import { beforeAll, expect, test } from "vitest";
import { Project } from "./project.js";

const NAME = "<{%x%}> team";
const SHOWN = "\\u{3c}{%x%}> team";

const PROGRAM = `
const backends = { dynamic: require("pulumi-buildpipeline"), native: require("pulumi-buildpipeline/native") };
for (const [backend, { AgentToken, Cluster, Team }] of Object.entries(backends)) {
  const cluster = new Cluster(backend + "-cluster", { name: backend });
  const tokens = ["one", "two"].map((description) =>
    new AgentToken(backend + "-" + description, { clusterId: cluster, description: backend + " " + description }));
  new Team(backend + "-team", { name: "Platform" }, { dependsOn: tokens });
}
`;

let project: Project;
beforeAll(async () => {
  project = await Project.start();
  project.declare(PROGRAM);
  project.linkPackage();
  await project.newStack();
});

test("An `up` in color that the API refuses with the name of a color no CLI knows keeps the secret of each token", async () => {
  const body = { message: `The name "${NAME}" has already been taken` };
  project.emulator.fault({ operation: "teams.create", times: 2, action: { status: 422, body } });
  const line = "pulumi up --yes --skip-preview --color always --continue-on-error";
  const output = await project.refused(line);
  expect(output).not.toContain("panic");
  // Once for each backend.
  for (const backend of ["dynamic", "buildpipeline:index"]) expect(output).toContain(backend);
  expect(output.split(`The name "${SHOWN}" has already been taken`).length).toBeGreaterThan(2);

  const tokens = (await project.resources("--show-secrets")).filter(({ type }) => /AgentToken/.test(type));
  expect(tokens.map(({ id }) => id).sort()).toEqual(
    project.emulator.organizationData.agentTokens
      .list()
      .map(({ id }) => id)
      .sort(),
  );
  expect(tokens).toHaveLength(4);
  for (const { outputs } of tokens) expect(JSON.stringify(outputs?.token)).toMatch(/plaintext/);
});

test("A colleague's name that no CLI can show in color is announced by the refresh that finds it", async () => {
  const [cluster] = await project.colleague.list("/clusters");
  await project.colleague.sends("PUT", `/clusters/${cluster?.id}`, { name: NAME });
  const output = await project.pulumi("refresh", "--yes", "--skip-preview", "--color", "always");
  expect(output).toMatch(
    /Cluster\.name: the value contains \\u\{3c\}\{%, which begins a color .* Add --color never/,
  );
});
