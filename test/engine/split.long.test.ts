import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import { COMMAND, Project } from "./project.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const LIMIT = 15;
const CLUSTERS = ["Linux", "Mac"];

/** The tests of this file follow each other: each begins where the one before it ended. */
describe("An organization in several projects", () => {
  let project: Project;
  let client: BuildPipelineClient;

  beforeAll(async () => {
    project = await Project.start(undefined, {
      seed: false,
      limits: { userPerMinute: LIMIT, windowSeconds: 5 },
    });
    const { url: baseUrl, accessToken, organization } = project.emulator;
    client = new BuildPipelineClient({ baseUrl, accessToken, organization });
    for (const name of CLUSTERS) {
      const { id } = await client.clusters.create({ name });
      const queue = await client.queues.create(id, { key: "small" });
      await client.clusters.update(id, { default_queue_id: queue.id });
      await client.agentTokens.create(id, { description: "Machines" });
    }
    await client.suites.create({ name: "Unit", default_branch: "main" });
    project.emulator.clearRequests();
  });
  afterAll(async () => {
    await client?.close();
    await project?.close();
  });

  const inFolder = (folder: string, line: string) => project.shell(`cd infrastructure/${folder}\n${line}`);
  const noChanges = (...folders: readonly string[]) =>
    Promise.all(folders.map((folder) => inFolder(folder, "pulumi preview --expect-no-changes")));
  const edit = (file: string, change: (text: string) => string) => {
    const path = join("infrastructure", file);
    project.write(path, change(project.read(path)));
  };
  /** What everything owns together, and what nothing owns. */
  const unmanaged = (folders: readonly string[]) =>
    project.shell(`
      for p in ${folders.join(" ")}; do (cd infrastructure/$p; pulumi stack export) > $p.export.json; done
      ${COMMAND} unmanaged --json --stack-export ${folders.map((folder) => `${folder}.export.json`).join(" ")} 2>/dev/null || true`);

  test("the printed commands import it, in an order in which each finds what it refers to", async () => {
    const printed = await project.shell(`${COMMAND} adopt infrastructure --split kind`);
    const [, steps = ""] = /Next:\n((?: {2}.*\n)+)/.exec(printed) ?? [];
    expect(steps).toContain("npm install\n");
    // The package under test is found in the checkout.
    const output = await project.shell(steps.replace("npm install\n", "\n"));
    expect(output.match(/= \d+ imported/g)).toEqual([
      "= 2 imported",
      "= 2 imported",
      "= 4 imported",
      "= 1 imported",
    ]);
    expect(project.writes()).toEqual([]);
    await noChanges("clusters", "queues", "agent-tokens", "suites");
  });

  test("two teams deploy at the same time with one access token", async () => {
    const names = Array.from({ length: 12 }, (_, index) => index);
    for (const [folder, kind, key] of [
      ["queues", "Queue", "key"],
      ["agent-tokens", "AgentToken", "description"],
    ] as const) {
      const declarations = names.map(
        (n) => `new ${kind}("linux-new-${n}", { clusterId, ${key}: "new-${n}" });`,
      );
      edit(`${folder}/clusters/linux.ts`, (text) => `${text}\n${declarations.join("\n")}\n`);
    }
    project.emulator.clearRequests();
    const outputs = await Promise.all(
      ["queues", "agent-tokens"].map((folder) => inFolder(folder, "pulumi up --yes --skip-preview")),
    );
    for (const output of outputs) expect(output).toContain("+ 12 created");
    const created = project.emulator.requests.filter(
      ({ method, status }) => method !== "GET" && status !== 429,
    );
    expect(created.map(({ operation }) => operation).sort()).toEqual([
      ...names.map(() => "agentTokens.create"),
      ...names.map(() => "queues.create"),
    ]);
    await noChanges("queues", "agent-tokens");
  });

  test("together the stacks own everything", async () => {
    const all = ["clusters", "queues", "agent-tokens", "suites"];
    expect(JSON.parse(await unmanaged(all))).toEqual({ unmanaged: [], gone: [] });
    const others = JSON.parse(await unmanaged(all.slice(0, -1)));
    expect(others).toMatchObject({ unmanaged: [{ name: "Unit" }], gone: [] });
  });
});
