import { readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { buildpipeline, settingsOf } from "../../support/command.js";
import { client, emulator, restart, scratch, serviceForEach } from "../../support/command-service.js";
import { exported, stackExport } from "../../support/recording.js";

serviceForEach();
beforeEach(() => restart({ variations: { largestPage: 2 } }));

/** Templates of these names, and how each command is run beside a state that owns some of them. */
async function commandsAfter(names: readonly string[], isOwned: (name: string) => boolean) {
  for (const name of names) await client.pipelineTemplates.create({ name, configuration: "steps: []" });
  const owned = (await client.pipelineTemplates.list().all()).filter(({ name }) => isOwned(name));
  const state = stackExport(...owned.map(({ uuid }) => exported("PipelineTemplate", uuid)));
  writeFileSync(scratch.path("state.json"), state);
  return (command: string) => {
    const stack = command === "graph" ? [] : ["--stack-export", "state.json"];
    const form = command === "adopt" ? ["project"] : ["--json"];
    return buildpipeline([command, ...form, ...stack], { cwd: scratch.directory, env: settingsOf(emulator) });
  };
}

/** Deletes the first template when a list of templates is asked for. */
function deleteFirst(isDue: (pages: number) => boolean): void {
  let pages = 0;
  const { pipelineTemplates } = emulator.organizationData;
  emulator.onRequest(({ operation }) => {
    if (operation === "pipelineTemplates.list" && isDue(++pages))
      pipelineTemplates.delete(pipelineTemplates.list()[0]?.id ?? "");
  });
}

describe.each(["unmanaged", "adopt", "graph"])("`%s`", (command) => {
  test("shows an object that moved to a page which was read already", async () => {
    const names = ["first", "second", "moves", "last"];
    const run = await commandsAfter(names, (name) => name === "second" || name === "last");
    deleteFirst((pages) => pages === 2);
    const { code, stdout } = await run(command);
    expect(code).toBe(command === "unmanaged" ? 1 : 0);
    const shown = command === "adopt" ? readFileSync(scratch.path("project/import.json"), "utf8") : stdout;
    expect(shown).toContain("moves");
    expect(shown).not.toContain("first");
  });

  test("fails where a list changes each time it is read", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `Template ${index}`);
    const run = await commandsAfter(names, () => false);
    deleteFirst(() => true);
    const { code, stdout, stderr } = await run(command);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("The list of pipeline templates changed during each of 5 reads.");
  });
});
