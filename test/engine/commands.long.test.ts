import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Project } from "./project.js";

const COMMAND = `node ${join(__dirname, "..", "..", "dist", "cli", "main.js")}`;

describe("Commands that read a preview of a project", () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.start("cluster", { seed: false });
    await project.newStack();
    await project.pulumi("up", "--yes", "--skip-preview");
  });
  afterAll(() => project?.close());

  /** What a command prints, and how it ends. */
  const ended = (line: string) => project.shell(`${line} && echo "exit code 0" || echo "exit code $?"`);

  test("report what a preview would change, and why one fails", async () => {
    const program = project.read("index.ts");
    project.write("index.ts", program.replace('name: "Releases"', 'name: "Deliveries"'));
    const changed = await ended(`pulumi preview --json | ${COMMAND} report - --exit-code`);
    expect(changed).toContain("1 to update.");
    expect(changed).toContain("name: <code>Releases</code> → <code>Deliveries</code>");
    expect(changed).toContain("exit code 0");
    project.write("index.ts", program.replace('name: "Releases"', 'name: ""'));
    const failed = await ended(`{ pulumi preview --json || true; } | ${COMMAND} report - --exit-code`);
    expect(failed).toMatch(/\*\*The preview failed\*\*.*\n> - <code>.*Cluster.name/);
    expect(failed).toContain("exit code 1");
    project.write("index.ts", program);
  });
});
