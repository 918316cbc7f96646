import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../../src/emulator/index.js";
import { buildpipeline, clientOf, Scratch, settingsOf } from "../../../support/command.js";
import { exported, stackExport } from "../../../support/recording.js";

let emulator: Emulator;
let scratch: Scratch;
beforeEach(async () => {
  emulator = await startEmulator({ seed: false, variations: { largestPage: 2 } });
  scratch = new Scratch();
});
afterEach(async () => {
  await emulator.close();
  scratch.remove();
});

test.each(["unmanaged", "adopt", "graph"])(
  "`%s` shows an object that moved to a page which was read already",
  async (command) => {
    const client = clientOf(emulator);
    for (const name of ["first", "second", "moves", "last"])
      await client.pipelineTemplates.create({ name, configuration: "steps: []" });
    const [first, ...others] = await client.pipelineTemplates.list().all();
    const owned = others.filter(({ name }) => name !== "moves");
    writeFileSync(
      scratch.path("state.json"),
      stackExport(...owned.map(({ uuid }) => exported("PipelineTemplate", uuid))),
    );
    let pages = 0;
    emulator.onRequest(({ operation }) => {
      if (operation === "pipelineTemplates.list" && ++pages === 2)
        emulator.organizationData.pipelineTemplates.delete(first?.uuid ?? "");
    });
    const args = {
      unmanaged: ["--json", "--stack-export", "state.json"],
      adopt: ["project", "--stack-export", "state.json"],
      graph: ["--json"],
    }[command];
    const { code, stdout } = await buildpipeline([command, ...(args ?? [])], {
      cwd: scratch.directory,
      env: settingsOf(emulator),
    });
    expect(code).toBe(command === "unmanaged" ? 1 : 0);
    const shown = command === "adopt" ? readFileSync(scratch.path("project/import.json"), "utf8") : stdout;
    expect(shown).toContain("moves");
    expect(shown).not.toContain("first");
  },
);

test.each(["unmanaged", "adopt", "graph"])(
  "`%s` fails where a list changes each time it is read",
  async (command) => {
    const client = clientOf(emulator);
    for (let index = 0; index < 40; index++)
      await client.pipelineTemplates.create({ name: `Template ${index}`, configuration: "steps: []" });
    emulator.onRequest(({ operation }) => {
      const [first] = emulator.organizationData.pipelineTemplates.list();
      if (operation === "pipelineTemplates.list")
        emulator.organizationData.pipelineTemplates.delete(first?.id ?? "");
    });
    writeFileSync(scratch.path("state.json"), stackExport());
    const args =
      command === "adopt" ? ["project"] : command === "graph" ? [] : ["--stack-export", "state.json"];
    const { code, stdout, stderr } = await buildpipeline([command, ...args], {
      cwd: scratch.directory,
      env: settingsOf(emulator),
    });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("The list of pipeline templates changed during each of 5 reads.");
  },
);
