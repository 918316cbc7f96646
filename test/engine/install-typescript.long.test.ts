import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { blockMarked } from "../examples/documents.js";
import { importByCommand, runEveryCommand } from "./installed.js";
import { type NpmRegistry, packPackage, startNpmRegistry } from "./npm-registry.js";
import { type PluginRelease, startPluginRelease } from "./plugin-release.js";
import { Project } from "./project.js";

vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 600_000 });

const PATH_IN_CHECKOUT = "path: ../../plugin";

let directory: string;
let tarball: string;
let registry: NpmRegistry;
let release: PluginRelease;
let project: Project;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "buildpipeline-install-"));
  tarball = packPackage(directory);
  registry = await startNpmRegistry(tarball);
  release = await startPluginRelease();
});
afterAll(async () => {
  await registry?.close();
  await release?.close();
  rmSync(directory, { recursive: true, force: true });
});
afterEach(() => project?.close());

/** A copy of an example where Node finds only what is installed. */
async function copyOf(example: string): Promise<Project> {
  const started = await Project.start(example, { seed: false }, directory);
  // npm uses what the preloaded module leaves out.
  started.forget("NODE_OPTIONS");
  return started;
}

/** Names another source of the package, which an example takes from its own repository. */
function dependOn(source: string): void {
  const manifest = JSON.parse(project.read("package.json"));
  manifest.dependencies["pulumi-buildpipeline"] = source;
  project.write("package.json", JSON.stringify(manifest));
}

// Another run's registry may have had the same address.
const fromRegistry = () =>
  `npm_config_prefer_offline=false npm_config_registry=${registry.url} pulumi install`;

test("The dynamic backend from a released version: install, preview, up, refresh, import, destroy", async () => {
  project = await copyOf("quickstart");
  dependOn("^0.1.0");
  await project.shell(fromRegistry());
  expect(registry.requests).toContain("/pulumi-buildpipeline");
  project.withoutInstalledCommands();
  await runEveryCommand(project, () => importByCommand(project));
});

test("The dynamic backend from a tarball: install, preview, up, refresh, import, destroy", async () => {
  project = await copyOf("quickstart");
  copyFileSync(tarball, join(project.directory, basename(tarball)));
  await project.shell(`${blockMarked("run", "share-tarball").text} && pulumi install`);
  project.withoutInstalledCommands();
  await runEveryCommand(project, () => importByCommand(project));
});

test("The dynamic provider from a private registry: install, preview, up, refresh, import, destroy", async () => {
  const own = await startNpmRegistry();
  onTestFinished(() => own.close());
  project = await copyOf("quickstart");
  const block = (verb: string, name: string) =>
    blockMarked(verb, name).text.replaceAll("https://npm.acme.example", own.url);
  const access = `${own.url.replace("http:", "")}/:_authToken=some`;
  project.write(".npmrc", `${block("file", "share/.npmrc")}\n${access}\n`);
  const publish = block("run", "share")
    .replace(/^npm pack .*/, `cp ${tarball} .`)
    .replace("cd package", "cd package && cp ../.npmrc .");
  await project.shell(publish.replaceAll("\n", " && "));
  expect(own.requests).toEqual([]);

  dependOn(JSON.parse(block("file", "share/package.json")).dependencies["pulumi-buildpipeline"]);
  await project.shell("rm -r package && npm_config_prefer_offline=false pulumi install");
  expect(own.requests).toContain("/@acme/pulumi-buildpipeline");
  project.withoutInstalledCommands();
  await runEveryCommand(project, () => importByCommand(project));
});

test("The plugin from a released version: install, preview, up, refresh, import, destroy", async () => {
  project = await copyOf("quickstart-plugin");
  dependOn("^0.1.0");
  // An installed plugin needs no folder.
  project.write("Pulumi.yaml", project.read("Pulumi.yaml").replace(/^# In a project[\s\S]*/m, ""));
  const install = blockMarked("run", "share-plugin").text;
  await project.shell(install.replace("https://plugins.acme.example", release.url));
  await project.shell(fromRegistry());
  project.withoutInstalledCommands();
  await runEveryCommand(project);
});

test("The plugin from a tarball: install, preview, up, refresh, import, destroy", async () => {
  project = await copyOf("quickstart-plugin");
  dependOn(`file:${tarball}`);
  const settings = project.read("Pulumi.yaml");
  expect(settings).toContain(PATH_IN_CHECKOUT);
  project.write(
    "Pulumi.yaml",
    settings.replace(PATH_IN_CHECKOUT, "path: node_modules/pulumi-buildpipeline/plugin"),
  );
  // Pulumi looks for the plugin's folder before it installs packages.
  await expect(project.shell("pulumi install")).rejects.toThrow("no folder at path");
  await project.shell("npm install --no-audit --no-fund && pulumi install");
  project.withoutInstalledCommands();
  await runEveryCommand(project);
});
