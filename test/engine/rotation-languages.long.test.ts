import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { blockMarked } from "../examples/documents.js";
import { missingHost } from "./language-hosts.js";
import { type PluginRelease, startPluginRelease } from "./plugin-release.js";
import { Project } from "./project.js";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 600_000 });

/** The file of each pattern, and the configuration of each generation. */
const LANGUAGES = [
  ["python", "__main__.py", (generation: number) => [["tokenGeneration", generation]] as const],
  [
    "yaml",
    "Pulumi.yaml",
    (generation: number) =>
      [
        ["odd", generation - 1 + (generation % 2)],
        ["even", generation - (generation % 2)],
      ] as const,
  ],
] as const;

describe.each(LANGUAGES)("The two tokens of a rotation in %s", (language, file, configurationOf) => {
  let release: PluginRelease;
  let project: Project;
  beforeAll(async () => {
    if (!missingHost(language)) release = await startPluginRelease();
  });
  afterAll(() => release?.close());
  afterEach(() => project?.close());

  test.skipIf(missingHost(language))("overlap for one generation", async () => {
    project = await Project.start(`quickstart-${language}`, { seed: false });
    project.withoutInstalledCommands();
    await project.shell(`${release.override} pulumi install`);
    project.write(file, blockMarked("file", `rotation-${language}/${file}`).text);
    await project.newStack();
    for (const generation of [2, 3, 4]) {
      for (const [key, value] of configurationOf(generation))
        await project.pulumi("config", "set", key, String(value));
      await project.pulumi("up", "--yes", "--skip-preview");
      const tokens = project.emulator.organizationData.agentTokens.list();
      const descriptions = tokens.map(({ description }) => description);
      expect(descriptions.sort()).toEqual([`Agents #${generation - 1}`, `Agents #${generation}`]);
      await project.pulumi("preview", "--expect-no-changes");
    }
  });
});
