import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { pulumiEnvironment } from "../../tools/pulumi-cli/locate.mjs";
import { DOWNLOAD_URL, type PluginRelease, startPluginRelease } from "./plugin-release.js";
import { Project } from "./project.js";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 600_000 });

const TEMPLATES = join(__dirname, "..", "..", "templates");

let release: PluginRelease;
let project: Project;
beforeAll(async () => {
  release = await startPluginRelease();
});
afterAll(() => release?.close());
afterEach(() => project?.close());

/** The language hosts come with Pulumi's own download of the CLI, not with a build from Go modules. */
function missingHost(language: string): boolean {
  try {
    execFileSync("which", [`pulumi-language-${language}`], { env: pulumiEnvironment(), stdio: "ignore" });
    return false;
  } catch {
    process.stderr.write(`pulumi-language-${language} is not on the PATH: its template was not used.\n`);
    return true;
  }
}

/** Deploys what a template made, with the settings of the stack's configuration only, and destroys it. */
async function deploys(): Promise<void> {
  project.forget("BUILDPIPELINE_BASE_URL", "BUILDPIPELINE_ORGANIZATION", "BUILDPIPELINE_ACCESS_TOKEN");
  await project.pulumi("up", "--yes", "--skip-preview");
  expect((await project.inventory())["/clusters"]).toEqual(["Linux"]);
  await project.pulumi("preview", "--expect-no-changes");
  await project.pulumi("destroy", "--yes", "--skip-preview");
  expect((await project.inventory())["/clusters"]).toEqual([]);
}

const settings = () => {
  const { organization, url, accessToken } = project.emulator;
  const values = { organization, baseUrl: url, accessToken };
  return Object.entries(values)
    .map(([name, value]) => `-c buildpipeline:${name}=${value}`)
    .join(" ");
};

test.skipIf(missingHost("yaml"))("pulumi new makes a project in YAML that deploys", async () => {
  project = await Project.start(undefined, { seed: false });
  project.withoutInstalledCommands();
  await project.shell(
    `PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES='^${DOWNLOAD_URL}=${release.url}' ` +
      `pulumi new ${TEMPLATES}/buildpipeline-yaml --yes --name made --description "Made by a test" --stack dev ${settings()}`,
  );
  // `pulumi new` installs no packages for YAML.
  await project.shell(
    `PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES='^${DOWNLOAD_URL}=${release.url}' pulumi install`,
  );
  expect(project.read("Pulumi.yaml")).toMatch(/^name: made\ndescription: Made by a test\n/);
  await deploys();
});

test.skipIf(missingHost("python"))("pulumi new makes a project in Python that deploys", async () => {
  project = await Project.start(undefined, { seed: false });
  project.withoutInstalledCommands();
  await project.shell(
    `PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES='^${DOWNLOAD_URL}=${release.url}' ` +
      `pulumi new ${TEMPLATES}/buildpipeline-python --generate-only --yes --name made --description "Made by a test"`,
  );
  await project.shell(
    `PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES='^${DOWNLOAD_URL}=${release.url}' pulumi install`,
  );
  await project.newStack();
  await configure();
  await deploys();
});

test("pulumi new makes a project in TypeScript that deploys", async () => {
  project = await Project.start(undefined, { seed: false });
  // The package under test stands where Node finds it, and the version that package.json names is on no registry yet.
  await project.shell(
    `pulumi new ${TEMPLATES}/buildpipeline-typescript --generate-only --yes --name made --description "Made by a test"`,
  );
  expect(JSON.parse(project.read("package.json"))).toMatchObject({ name: "made", main: "index.ts" });
  await project.newStack();
  await configure();
  await deploys();
});

async function configure(): Promise<void> {
  const { organization, url, accessToken } = project.emulator;
  await project.pulumi("config", "set", "buildpipeline:organization", organization);
  await project.pulumi("config", "set", "buildpipeline:baseUrl", url);
  await project.shell("pulumi config set --secret buildpipeline:accessToken", accessToken);
}
