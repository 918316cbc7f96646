import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { blockMarked } from "../examples/documents.js";
import { CHECKOUT, temporaryFolder } from "./ending.js";
import { runEveryCommand } from "./installed.js";
import { type NpmRegistry, packPackage, startNpmRegistry } from "./npm-registry.js";
import { type PluginRelease, startPluginRelease } from "./plugin-release.js";
import { Project } from "./project.js";
import { quickStart } from "./quick-start.js";

const PATH_IN_CHECKOUT = "path: ../../plugin";

let directory: string;
let tarball: string;
let registry: NpmRegistry;
let release: PluginRelease;
let project: Project;
beforeAll(async () => {
  directory = temporaryFolder("install");
  tarball = packPackage(directory);
  registry = await startNpmRegistry(tarball);
  release = await startPluginRelease();
});

/** Names another source of the package, which an example takes from its own repository. */
function dependOn(source: string): void {
  const manifest = JSON.parse(project.read("package.json"));
  manifest.dependencies["pulumi-buildpipeline"] = source;
  project.write("package.json", JSON.stringify(manifest));
}

async function fromRegistry(): Promise<void> {
  dependOn("^0.1.0");
  // Another run's registry may have had the same address.
  await project.shell(`npm_config_prefer_offline=false npm_config_registry=${registry.url} pulumi install`);
  expect(registry.requests).toContain("/pulumi-buildpipeline");
}

async function fromTarball(): Promise<void> {
  copyFileSync(tarball, join(project.directory, basename(tarball)));
  await project.shell(`${blockMarked("run", "share-tarball").text} && pulumi install`);
}

async function fromPrivateRegistry(): Promise<void> {
  const own = await startNpmRegistry();
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
}

async function withReleasedPlugin(): Promise<void> {
  // An installed plugin needs no folder.
  project.write("Pulumi.yaml", project.read("Pulumi.yaml").replace(/^# In a project[\s\S]*/m, ""));
  const install = blockMarked("run", "share-plugin").text;
  await project.shell(install.replace("https://plugins.acme.example", release.url));
  await fromRegistry();
}

async function withPluginInTarball(): Promise<void> {
  dependOn(`file:${tarball}`);
  const settings = project.read("Pulumi.yaml");
  expect(settings).toContain(PATH_IN_CHECKOUT);
  const installed = "path: node_modules/pulumi-buildpipeline/plugin";
  project.write("Pulumi.yaml", settings.replace(PATH_IN_CHECKOUT, installed));
  // Pulumi looks for the plugin's folder before it installs packages.
  await expect(project.shell("pulumi install")).rejects.toThrow("no folder at path");
  await project.shell("npm install --no-audit --no-fund && pulumi install");
}

test.each([
  ["dynamic", "a released version", fromRegistry],
  ["dynamic", "a tarball", fromTarball],
  ["dynamic", "a private registry", fromPrivateRegistry],
  ["plugin", "a released version", withReleasedPlugin],
  ["plugin", "a tarball", withPluginInTarball],
] as const)(
  "The %s backend from %s: install, preview, up, refresh, import, destroy",
  async (backend, _, install) => {
    // A copy where Node finds only what is installed.
    const example = backend === "plugin" ? "quickstart-plugin" : "quickstart";
    project = await Project.start(example, {}, directory);
    // npm uses what the preloaded module leaves out.
    project.forget("NODE_OPTIONS");
    await install();
    await runEveryCommand(project, backend);
  },
);

test("Both backends from a fresh clone: install, preview, up, refresh, import, destroy", async () => {
  project = await Project.start(undefined, {}, directory);
  // Nothing that makes commands faster here: the programs are type-checked, as for users.
  project.forget(...Object.keys(quickStart));
  await project.shell(`git clone --quiet --depth 1 file://${CHECKOUT} .`);
  await project.shell("cd examples/quickstart && pulumi install");
  expect(await project.shell("git status --porcelain")).toBe("\n");
  await runEveryCommand(project, "dynamic", join("examples", "quickstart"));

  await project.shell("cd examples/quickstart-plugin && pulumi install");
  await runEveryCommand(project, "plugin", join("examples", "quickstart-plugin"));
});
