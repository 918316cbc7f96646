import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { addWork, changedExample } from "../../tools/dev/showcase.mjs";
import { read } from "../support/checkout.js";
import { Colleague } from "../support/colleague.js";

describe("What `npm start` shows", () => {
  test("has queues where jobs run, wait, and have no agent, also after a second start", async () => {
    const emulator = await startEmulator({ seed: false });
    onTestFinished(() => emulator.close());
    const colleague = new Colleague(emulator);
    const { id } = await colleague.sends("POST", "/clusters", { name: "Linux" });
    for (const key of ["small", "large"]) await colleague.sends("POST", `/clusters/${id}/queues`, { key });
    addWork(emulator);
    const states = () =>
      emulator.organizationData.builds
        .list()
        .flatMap(({ jobs }) => jobs.map(({ name, state }) => `${name} ${state}`));
    const first = states();
    expect(new Set(first)).toEqual(
      new Set([
        "Lint passed",
        "Test passed",
        "Lint running",
        "Test running",
        "Test scheduled",
        "Package scheduled",
      ]),
    );
    expect(emulator.organizationData.agents.list()).toHaveLength(3);
    addWork(emulator);
    expect(states()).toEqual(first);
  });

  test("is a change of the example that replaces a queue in use and opens a pipeline to forks, as a report must say", () => {
    const program = readFileSync(join(changedExample() ?? "", "index.ts"), "utf8");
    const example = read("examples/quickstart/index.ts");
    const lines = example.split("\n");
    const changed = program.split("\n").filter((line) => line !== "" && !lines.includes(line));
    expect(changed.flatMap((one) => /key: "(\w+)"/.exec(one)?.[1] ?? [])).toEqual(["tiny", "large", "arm64"]);
    expect(changed.join()).toContain("buildPullRequestForks: true");
  });
});
