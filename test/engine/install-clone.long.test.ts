import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { importByCommand, runEveryCommand } from "./installed.js";
import { Project } from "./project.js";
import { quickStart } from "./quick-start.js";

vi.setConfig({ testTimeout: 1_200_000 });

const CHECKOUT = join(__dirname, "..", "..");

test("Both backends from a fresh clone: install, preview, up, refresh, import, destroy", async () => {
  const directory = mkdtempSync(join(tmpdir(), "buildpipeline-clone-"));
  const project = await Project.start(undefined, { seed: false }, directory);
  onTestFinished(async () => {
    await project.close();
    rmSync(directory, { recursive: true, force: true });
  });
  // Nothing that makes commands faster here: the programs are type-checked, as for users.
  project.forget(...Object.keys(quickStart));
  await project.shell(`git clone --quiet --depth 1 file://${CHECKOUT} .`);
  await project.shell("cd examples/quickstart && pulumi install");
  project.withoutInstalledCommands();
  expect(await project.shell("git status --porcelain")).toBe("\n");
  await runEveryCommand(
    project,
    () => importByCommand(project, "examples/quickstart"),
    join("examples", "quickstart"),
  );

  await project.shell("cd examples/quickstart-plugin && pulumi install");
  await runEveryCommand(project, undefined, join("examples", "quickstart-plugin"));
});
