import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHECKOUT } from "./ending.js";
import { objectsOf } from "./every-kind.js";
import { startExample } from "./example-project.js";
import { missingHost, missingPluginHost } from "./language-hosts.js";
import { Project } from "./project.js";

const EXAMPLES = join(CHECKOUT, "examples");

const examples = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter(({ name }) => existsSync(join(EXAMPLES, name, "Pulumi.yaml")))
  .map(({ name }) => name)
  // These have separate tests.
  .filter((name) => !/^(?:quickstart|rotation)|^build-after-deploy$/.test(name));

describe("Examples on the real engine", () => {
  const titled = "%s: up, then no changes, and one destroy leaves nothing that it made";
  const language = (example: string) => /-(go|python|yaml)$/.exec(example)?.[1];
  test.each(examples.filter((example) => language(example) === undefined))(titled, deployAndDestroy);
  for (const other of ["go", "python", "yaml"])
    test
      .skipIf(missingHost(other) || missingPluginHost())
      .each(examples.filter((example) => language(example) === other))(titled, deployAndDestroy);
});

async function deployAndDestroy(example: string): Promise<void> {
  const project = await startExample(example);
  const ids = () => objectsOf(project.emulator).map((entity) => Reflect.get(entity, "id"));
  const before = ids();

  await project.up();
  await project.unchanged();
  if (example === "from-terraform") expect(project.writes()).toEqual(["clusters.update"]);
  if (example === "adopt-existing") await endAdoption(project);
  await project.destroy();

  expect(ids()).toEqual(example === "adopt-existing" ? [] : before);
}

async function endAdoption(project: Project): Promise<void> {
  const adopted = await project.inventory();
  project.emulator.clearRequests();
  const program = project.read("index.ts");
  const without = program.replaceAll(/,\s*\{ import: (?:"[^"]*"|`[^`]*`|ids\.require\("[^"]*"\)) \},?/g, "");
  expect(without).not.toContain("{ import: ");
  project.write("index.ts", without);

  await project.up();
  expect(project.writes()).toEqual([]);
  expect(await project.inventory()).toEqual(adopted);
  await project.unchanged();
}

describe("The example build-after-deploy", () => {
  test("starts one build for each deployment that changes the template, and none otherwise", async () => {
    const project = await startExample("build-after-deploy");
    const started = () =>
      project.emulator.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/builds"))
        .length;

    await project.pulumi("preview");
    expect(started()).toBe(0);
    const output = await project.up();
    expect(output).toMatch(/Started build \d+ of storefront: http/);
    expect(started()).toBe(1);

    await project.up("--expect-no-changes");
    expect(started()).toBe(1);

    project.write(
      "index.ts",
      project.read("index.ts").replace("npm ci && npm test", "npm ci && npm run test:all"),
    );
    await project.up();
    expect(started()).toBe(2);

    await project.destroy();
    expect((await project.inventory())["/pipeline-templates"]).toEqual([]);
  });

  test("deploys with a warning where the build cannot be started", async () => {
    const project = await startExample("build-after-deploy");
    await project.useStackConfiguration("pipeline=no-such-pipeline");
    const output = await project.up();
    expect(output).toMatch(/warning: No build of no-such-pipeline was started\..*404/);
    expect(output).not.toContain(project.emulator.accessToken);
    expect((await project.inventory())["/pipeline-templates"]).toEqual(["Node service"]);
  });
});

test.each(["test-with-engine", "test-with-mocks"])(
  "Examples that test themselves: %s: its own `npm test` passes",
  async (example) => {
    const project = await Project.start(example);
    const output = await project.shell("npm test");
    expect(output).toMatch(/Test Files +1 passed/);
    expect(output).not.toMatch(/failed|skipped/);
  },
);
