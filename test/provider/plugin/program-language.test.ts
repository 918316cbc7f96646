import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Served, urnOf } from "./served.js";

/** A plugin that the engine starts in a folder of a project. */
async function servedIn(runtime: string): Promise<Served> {
  const project = mkdtempSync(join(tmpdir(), "language-"));
  onTestFinished(() => rmSync(project, { recursive: true }));
  writeFileSync(join(project, "Pulumi.yaml"), `name: test\nruntime: ${runtime}\n`);
  const program = join(project, "program");
  mkdirSync(program);
  const engine = await Served.start({}, program);
  await engine.configure();
  return engine;
}

/** What the plugin says of a taken key, of a name that exists already, and of a cluster that a function doesn't find. */
async function messages(engine: Served): Promise<string[]> {
  const { id: clusterId } = await engine.colleague.sends("POST", "/clusters", { name: "Main" });
  await engine.colleague.sends("POST", `/clusters/${clusterId}/queues`, { key: "linux" });
  const { failures } = await engine.check(urnOf("Queue"), { clusterId, key: "linux" });
  await engine.check(urnOf("Cluster"), { name: "Main" });
  const failed = await engine.invoke("getCluster", { name: "Other" }).then(String, String);
  return [...failures.map(({ reason }) => reason), ...engine.warnings(), failed];
}

test.each(["nodejs", "{ name: nodejs, options: { typescript: false } }", "bun"])(
  "Messages for a program with the runtime %s have its syntax",
  async (runtime) => {
    const [taken, warning, failed] = await messages(await servedIn(runtime));
    expect(taken).toContain("add { deleteBeforeReplace: true } to its options");
    expect(taken).toMatch(/add \{ import: "[^"]+\/linux" \}/);
    expect(warning).toContain('add { aliases: [{ name: "<old name>" }] } to its options');
    expect(failed).toContain('getCluster({ name: "Other" }): none of');
  },
);

test.each(["python", "go", "yaml", "{ name: python, options: { virtualenv: venv } }"])(
  "Messages for a program with the runtime %s name options and arguments without the syntax of TypeScript",
  async (runtime) => {
    const [taken, warning, failed] = await messages(await servedIn(runtime));
    expect(taken).toContain("add deleteBeforeReplace: true to its options");
    expect(taken).toMatch(/add import: "[^"]+\/linux" \(or import: "[^"]+"\); if another stack/);
    expect(warning).toContain('add aliases (name: "<old name>") to its options');
    expect(failed).toContain('getCluster(name: "Other"): none of');
    expect(`${taken} ${warning} ${failed}`).not.toMatch(/[{}]/);
  },
);
