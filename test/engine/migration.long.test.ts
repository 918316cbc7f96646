import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Project } from "./project.js";

const PLUGIN = join(__dirname, "..", "..", "plugin");

/** What of a stack's resources must stay as it is when the stack crosses. */
interface Kept {
  readonly id: string;
  readonly secrets: unknown;
}

describe("The quickstart's stack, deployed by the dynamic provider", () => {
  let project: Project;
  let dynamicProgram: string;
  let before: Readonly<Record<string, Kept>>;

  beforeAll(async () => {
    project = await Project.start("quickstart", { seed: false });
    dynamicProgram = project.read("index.ts");
    await project.newStack();
    await project.pulumi("up", "--yes", "--skip-preview");
    before = await kept();
  });
  afterAll(() => project.close());

  /** Ids and secrets of the package's resources, by their names in the program. */
  async function kept(): Promise<Record<string, Kept>> {
    const { deployment } = JSON.parse(await project.shell("pulumi stack export --show-secrets"));
    const found: Record<string, Kept> = {};
    for (const { urn, type, id, outputs } of deployment.resources) {
      if (!/buildpipeline:(?:index:)?[A-Z]\w+$/.test(type)) continue;
      found[urn.split("::").at(-1)] = { id, secrets: outputs.token ?? outputs.apiToken };
    }
    return found;
  }

  /** Changes the import and deploys. Returns what was asked of the service. */
  async function crosses(module: string): Promise<string[]> {
    project.write("index.ts", dynamicProgram.replace('"pulumi-buildpipeline"', `"${module}"`));
    project.emulator.clearRequests();
    await project.pulumi("up", "--yes", "--expect-no-changes");
    return project.emulator.requests.map(({ method, path }) => `${method} ${path}`);
  }

  async function types(): Promise<string[]> {
    const { deployment } = JSON.parse(await project.shell("pulumi stack export"));
    const all: string[] = deployment.resources.map(({ type }: { type: string }) => type);
    return [...new Set(all.filter((type) => type.endsWith(":Cluster")))];
  }

  test("crosses to the plugin by a changed import: no change, nothing asked but the scopes, secrets the same", async () => {
    const settings = project.read("Pulumi.yaml");
    project.write(
      "Pulumi.yaml",
      `${settings}plugins: { providers: [{ name: buildpipeline, path: ${PLUGIN} }] }\n`,
    );
    const requests = await crosses("pulumi-buildpipeline/native");
    expect(new Set(requests)).toEqual(new Set(["GET /v2/access-token"]));
    expect(await types()).toEqual(["buildpipeline:index:Cluster"]);
    await project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
    expect(await kept()).toEqual(before);
  });

  test("and crosses back the same way", async () => {
    const requests = await crosses("pulumi-buildpipeline");
    expect(new Set(requests)).toEqual(new Set(["GET /v2/access-token"]));
    expect(await types()).toEqual(["pulumi-nodejs:dynamic/buildpipeline:Cluster"]);
    expect(await kept()).toEqual(before);
  });

  test("and what the plugin made crosses by updates that send nothing, and is destroyed", async () => {
    await project.pulumi("destroy", "--yes", "--skip-preview");
    project.write(
      "index.ts",
      dynamicProgram.replace('"pulumi-buildpipeline"', '"pulumi-buildpipeline/native"'),
    );
    await project.pulumi("up", "--yes", "--skip-preview");
    expect(await types()).toEqual(["buildpipeline:index:Cluster"]);
    await project.pulumi("preview", "--expect-no-changes");
    await project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
    before = await kept();

    project.write("index.ts", dynamicProgram);
    project.emulator.clearRequests();
    await project.pulumi("up", "--yes", "--skip-preview");
    expect(project.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await kept()).toEqual(before);
    await project.pulumi("destroy", "--yes", "--skip-preview");
    const nothing = { "/clusters": [], "/pipeline-templates": [], "/teams": [], "/suites": [] };
    expect(await project.inventory()).toEqual(nothing);
  });
});
