import { beforeAll, describe, expect, test } from "vitest";
import { MEDIUM, makeAwkwardOrganization } from "../support/awkward-organization.js";
import { makeOrganization, usualOrganization } from "../support/usual-organization.js";
import { stopwatch } from "./adopting.js";
import { missingHost } from "./language-hosts.js";
import { type PluginRelease, startPluginRelease } from "./plugin-release.js";
import { COMMAND, Project } from "./project.js";

const LANGUAGES = { yaml: "Main.yaml", python: "__main__.py", go: "main.go" };

const missing = new Set(Object.keys(LANGUAGES).filter(missingHost));

let release: PluginRelease;
beforeAll(async () => {
  if (missing.size < Object.keys(LANGUAGES).length) release = await startPluginRelease();
});

describe.each(Object.entries(LANGUAGES))("An organization of 300 awkward objects in %s", (language, file) => {
  test.skipIf(missing.has(language))("is adopted, imported, unchanged and changed", async () => {
    const project = await Project.start();
    await makeAwkwardOrganization(project.client, MEDIUM);
    await makeOrganization(usualOrganization(), project.emulator, project.client);
    await project.client.clusters.create({ name: "Last", description: "Before" });
    project.withoutInstalledCommands();

    const { seconds, timed } = stopwatch(project);
    project.emulator.clearRequests();
    await timed("adopt", `${COMMAND} adopt ci --language ${language}`);
    // Its address is a placeholder until somebody owns it, and the program then has none.
    await project.shell(`pulumi plugin install resource buildpipeline 0.1.0 --file ${release.archive}`);
    await timed("install", "cd ci && git init --quiet && pulumi install");
    await project.shell("cd ci && pulumi stack init test --secrets-provider passphrase");
    const imported = await timed(
      "import",
      "cd ci && pulumi import --file import.json --generate-code=false --protect=false --yes",
    );
    expect(imported).toMatch(
      new RegExp(`= ${JSON.parse(project.read("ci/import.json")).resources.length} imported`),
    );
    await timed("preview", "cd ci && pulumi preview --expect-no-changes --diff");
    expect(project.writes()).toEqual([]);
    const ignored = await project.shell("cd ci && git status --porcelain --untracked-files=all");
    expect(ignored).not.toMatch(/import\.json|sdks|venv/);

    project.write(`ci/${file}`, project.read(`ci/${file}`).replace("Before", "After"));
    await timed("up", "cd ci && pulumi up --yes --skip-preview");
    expect(project.writes()).toEqual(["clusters.update"]);
    console.log({ language, seconds });
  });
});
