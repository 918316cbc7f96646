import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pulumiEnvironment } from "../../tools/pulumi-cli/locate.mjs";
import { Project } from "./project.js";

const CHECKOUT = join(__dirname, "..", "..");

/** Whether the engine finds what runs programs of a language. It comes with Pulumi's own download, not with a build. */
function canRun(language: string): boolean {
  try {
    execFileSync("which", [`pulumi-language-${language}`], { env: pulumiEnvironment() });
    return true;
  } catch {
    process.stderr.write(`pulumi-language-${language} is not on the PATH: the example is not run.\n`);
    return false;
  }
}

/** What a program in a language needs before it runs. */
const preparations: Readonly<Record<string, (project: Project) => Promise<void>>> = {
  yaml: async () => undefined,
  python: async (project) => {
    await project.shell(
      "python3 -m venv venv && venv/bin/pip install -q -r requirements.txt && " +
        `pulumi package gen-sdk ${join(CHECKOUT, "plugin", "pulumi-resource-buildpipeline")} --language python --out sdk && venv/bin/pip install -q ./sdk/python`,
    );
    project.write(
      "Pulumi.yaml",
      project
        .read("Pulumi.yaml")
        .replace("runtime: python", "runtime: { name: python, options: { virtualenv: venv } }"),
    );
  },
};

test.each(Object.entries(preparations))(
  "The quickstart in %s: up, no changes, refresh, and a destroy that leaves nothing, where that language can be run",
  async (language, prepare) => {
    const project = await Project.start(`quickstart-${language}`, { seed: false });
    // As `npm install pulumi-buildpipeline` would have it.
    mkdirSync(join(project.directory, "node_modules"));
    symlinkSync(CHECKOUT, join(project.directory, "node_modules", "pulumi-buildpipeline"));
    const shows = project.read("Pulumi.yaml");
    expect(shows).toContain("path: node_modules/pulumi-buildpipeline/plugin");
    if (canRun(language)) {
      await prepare(project);
      await project.newStack();
      await project.pulumi("up", "--yes", "--skip-preview");
      expect((await project.inventory())["/clusters"]).toEqual(["Linux", "Production"]);
      await project.pulumi("preview", "--expect-no-changes");
      await project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
      await project.pulumi("destroy", "--yes", "--skip-preview");
      expect(Object.values(await project.inventory()).flat()).toEqual([]);
    }
    await project.close();
  },
);
