import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { pulumiCommand } from "../../tools/dev/pulumi-cli/locate.mjs";
import { deploys, runEveryCommand } from "./installed.js";
import { missingHost } from "./language-hosts.js";
import { type PluginRelease, startPluginRelease } from "./plugin-release.js";
import { Project } from "./project.js";

let release: PluginRelease;
let project: Project;
beforeAll(async () => {
  release = await startPluginRelease();
});

/** How a project gets the plugin, with nothing in it edited. */
const SOURCES = {
  "a released version": () => `${release.override} pulumi install`,
  "an archive, offline": fromArchive,
};

/** Installs the plugin from its archive. Later requests go to a server that isn't there. */
function fromArchive(): string {
  return (
    `pulumi plugin install resource buildpipeline 0.1.0 --file ${release.archive} && ` +
    "PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES='.*=http://127.0.0.1:1' pulumi install"
  );
}

describe.each(["yaml", "python", "go"])("The quickstart in %s", (language) => {
  test.skipIf(missingHost(language)).each(Object.entries(SOURCES))(
    "from %s: install, preview, up, refresh, import, destroy",
    async (name, install) => {
      project = await Project.start(`quickstart-${language}`);
      project.withoutInstalledCommands();
      await project.shell("git init --quiet && git add . ");
      const asked = release.requests.length;

      await project.shell(install());

      expect(release.requests.slice(asked)).toHaveLength(name === "a released version" ? 1 : 0);
      // What `pulumi install` writes is ignored by Git, and what was there is as it was.
      expect(await project.shell("git status --porcelain | grep -v '^A  ' || true")).toBe("\n");
      await runEveryCommand(project);
      if (language !== "yaml") return;
      await project.colleague.sends("POST", "/clusters", { name: "Shelf" });
      expect(await project.pulumi("do", "buildpipeline:Cluster", "list")).toContain('"name": "Shelf"');
    },
  );
});

test.skipIf(missingHost("python"))(
  "A refused argument in Python is reported without a traceback",
  async () => {
    project = await Project.start("quickstart-python");
    project.withoutInstalledCommands();
    await project.shell(fromArchive());
    const program = project.read("__main__.py");
    const refused = program.replace('name="Everyone"', 'name="Everyone", privacy="wrong"');
    expect(refused).not.toBe(program);
    project.write("__main__.py", refused);
    await project.newStack();

    const printed = await project.pulumi("preview").catch(String);

    expect(printed).toContain('Team.privacy: "wrong" is not one of the allowed values');
    expect(printed).not.toContain("Traceback");
  },
);

test.skipIf(missingHost("yaml"))("The quickstart in YAML finds the plugin of the npm package", async () => {
  project = await Project.start("quickstart-yaml");
  project.linkPackage();
  const text = project.read("Pulumi.yaml");
  const [above = "", commented = ""] = text.split(/^# With the npm package.*\n/m);
  const [header = ""] = above.split(/^# `pulumi install`/m);
  project.write("Pulumi.yaml", header + commented.replaceAll(/^# {3}/gm, ""));

  await project.pulumi("install", "--no-plugins");
  await project.newStack();
  await deploys(project, ["Linux", "Production"]);
});

test("The executable serves where only it and the Pulumi CLI are", async () => {
  project = await Project.start();
  await project.colleague.sends("POST", "/clusters", { name: "Linux" });
  project.write("Pulumi.yaml", "name: empty\n");
  mkdirSync(join(project.directory, "bin"));
  symlinkSync(pulumiCommand(), join(project.directory, "bin", "pulumi"));
  const alone = "export PATH=$PWD/bin &&";
  await expect(project.shell(`${alone} node --version`)).rejects.toThrow("node: command not found");

  await project.shell(`${alone} pulumi plugin install resource buildpipeline 0.1.0 --server ${release.url}`);
  // npm refuses the path that the npm package's plugin names, and Pulumi generates a package of this name otherwise.
  const { language, resources } = JSON.parse(
    await project.shell(`${alone} pulumi package get-schema buildpipeline`),
  );
  expect(Object.keys(resources)).toContain("buildpipeline:index:Team");
  expect(language.nodejs).not.toHaveProperty("packageName");

  await project.newStack();
  const importing = "--yes --generate-code=false --protect=false";
  const imported = await project.shell(
    `${alone} pulumi import buildpipeline:index:Cluster linux Linux ${importing}`,
  );
  expect(imported).toContain("= 1 imported");
  await project.shell(`${alone} pulumi refresh --yes --skip-preview --expect-no-changes`);
  await project.shell(`${alone} pulumi destroy --yes --skip-preview`);
  expect((await project.inventory())["/clusters"]).toEqual([]);
});
