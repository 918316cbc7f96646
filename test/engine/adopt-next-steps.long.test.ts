import { beforeAll, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "./ending.js";
import { packPackage } from "./npm-registry.js";
import { Project } from "./project.js";

let project: Project;
beforeAll(async () => {
  const directory = temporaryFolder("adopt");
  project = await Project.start(undefined, {}, directory);
  const { id } = await project.colleague.sends("POST", "/clusters", { name: "Linux" });
  await project.colleague.sends("POST", `/clusters/${id}/queues`, { key: "small" });
  const repository = "git@github.com:acme/shop.git";
  const shop = await project.colleague.sends("POST", "/pipelines", {
    name: "Shop",
    repository,
    cluster_id: id,
    configuration: "steps: []",
  });
  await project.colleague.sends("POST", "/pipelines/shop/schedules", {
    label: "Nightly",
    cronline: "@daily",
  });
  const team = await project.colleague.sends("POST", "/teams", {
    name: "Payments",
    description: "",
    privacy: "visible",
    is_default_team: false,
    default_member_role: "member",
    members_can_create_pipelines: false,
  });
  await project.colleague.sends("POST", `/teams/${team.id}/pipelines`, {
    pipeline_id: shop.id,
    access_level: "manage_build_and_read",
  });
  // The settings are those of another project's stack.
  project.write("Pulumi.yaml", "name: settings\nruntime: nodejs\n");
  await project.newStack("shared");
  await project.useStackConfiguration();
  await project.shell(`env -u NODE_OPTIONS npm install --no-audit --no-fund ${packPackage(directory)}`);
  project.withoutInstalledCommands();
});
beforeEach(() => project.emulator.clearRequests());

/** Adopts the organization into a folder, and returns the steps that the command prints. */
async function adopt(folder: string, flags = ""): Promise<string> {
  const printed = await project.shell(`npx --no-install pulumi-buildpipeline adopt '${folder}' ${flags}`);
  return /Next:\n((?: {2}.+\n)+)/.exec(printed)?.[1] ?? "";
}

/** Pastes steps into a shell, by a person who answers the question of `pulumi import` with yes. */
const paste = (steps: string) =>
  project.shell(`unset NODE_OPTIONS; export PULUMI_SKIP_CONFIRMATIONS=true\n${steps}`);

test.each([
  ["dynamic provider", "our infrastructure", "", "pulumi-nodejs:dynamic/buildpipeline"],
  ["plugin", "with plugin", "--native", "buildpipeline:index"],
  ["several projects", "split", "--split team cluster", "pulumi-nodejs:dynamic/buildpipeline"],
])("The printed next steps import the organization as pasted: %s", async (_, folder, flags, type) => {
  const split = flags.startsWith("--split");
  await paste(await adopt(folder, flags));
  const typesIn = async (part: string) =>
    (await project.resources("--cwd", `'${folder}${split ? part : ""}'`)).map((resource) => resource.type);
  for (const [part, kinds] of [
    ["/linux", ["Cluster", "Queue"]],
    ["/payments", ["Pipeline", "PipelineSchedule", "Team", "TeamPipeline"]],
  ] as const)
    expect(await typesIn(part)).toEqual(expect.arrayContaining(kinds.map((kind) => `${type}:${kind}`)));
  expect(project.writes()).toEqual([]);
  const tracked = await project.shell(`cd '${folder}' && git init --quiet && git add . && git ls-files`);
  expect(tracked).toContain("index.ts");
  expect(tracked).not.toContain("import.json");
});

test("The steps end at an existing stack of the same name, and leave its state alone", async () => {
  const exported = "cd 'our infrastructure' && pulumi stack export 2>/dev/null";
  const before = await project.shell(exported);
  const steps = await adopt("other/our infrastructure");
  await expect(paste(steps)).rejects.toThrow("already exists");
  expect(await project.shell(exported)).toBe(before);
});
