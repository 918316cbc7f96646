import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { CHECKOUT, temporaryFolder } from "./ending.js";
import { deploys } from "./installed.js";
import { missingHost } from "./language-hosts.js";
import { packPackage, startNpmRegistry } from "./npm-registry.js";
import { type PluginRelease, startPluginRelease } from "./plugin-release.js";
import { Project } from "./project.js";
import { quickStart } from "./quick-start.js";

const TEMPLATES = join(CHECKOUT, "templates");

let release: PluginRelease;
let project: Project;
beforeAll(async () => {
  release = await startPluginRelease();
});

/** Deploys what a template made, with the settings of the stack's configuration only. */
async function deploysConfigured(): Promise<void> {
  project.forgetSettings();
  await deploys(project, ["Linux"]);
}

const settings = () => {
  const { organization, url, accessToken } = project.emulator;
  const values = { organization, baseUrl: url, accessToken };
  return Object.entries(values)
    .map(([name, value]) => `-c buildpipeline:${name}=${value}`)
    .join(" ");
};

test.skipIf(missingHost("yaml"))("pulumi new makes a project in YAML that deploys", async () => {
  project = await Project.start();
  project.withoutInstalledCommands();
  await project.shell(
    `${release.override} pulumi new ${TEMPLATES}/buildpipeline-yaml ` +
      `--yes --name made --description "Made by a test" --stack dev ${settings()}`,
  );
  // `pulumi new` installs no packages for YAML.
  await project.shell(`${release.override} pulumi install`);
  expect(project.read("Pulumi.yaml")).toMatch(/^name: made\ndescription: Made by a test\n/);
  await deploysConfigured();
});

test.skipIf(missingHost("python"))("pulumi new makes a project in Python that deploys", async () => {
  project = await Project.start();
  project.withoutInstalledCommands();
  await project.shell(
    `${release.override} pulumi new ${TEMPLATES}/buildpipeline-python ` +
      '--generate-only --yes --name made --description "Made by a test"',
  );
  await project.shell(`${release.override} pulumi install`);
  await project.newStack();
  await project.useStackConfiguration();
  await deploysConfigured();
});

test("pulumi new makes a project in TypeScript that deploys", async () => {
  const directory = temporaryFolder("template");
  const registry = await startNpmRegistry(packPackage(directory));
  project = await Project.start(undefined, {}, directory);
  project.forget(...Object.keys(quickStart));
  await project.shell(
    `npm_config_registry=${registry.url} pulumi new ${TEMPLATES}/buildpipeline-typescript ` +
      `--yes --name made --description "Made by a test" --stack dev ${settings()}`,
  );
  project.withoutInstalledCommands();
  expect(JSON.parse(project.read("package.json"))).toMatchObject({ name: "made", main: "index.ts" });
  // The launcher starts the CLI that it has installed.
  expect(await project.shell("npx --no-install pulumi stack --show-name")).toContain("dev");
  await deploysConfigured();
});
