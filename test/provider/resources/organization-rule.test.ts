import { beforeEach, describe, expect, test } from "vitest";
import { listOrganization } from "../../../src/cli/inventory/listing.js";
import { declarable } from "../../../src/provider/for-commands/objects.js";
import { colleague, colleagueForEach, emulator } from "../../support/colleague.js";
import { clientOf } from "../../support/command.js";
import { Driver, failure, UNKNOWN } from "../../support/driver.js";
import { BACKENDS, ResourceOfProgram } from "../../support/program.js";

let ids: string[];

colleagueForEach();
beforeEach(async () => {
  const steps = { repository: "git@github.com:acme/x.git", configuration: "steps: [wait]" };
  ids = [];
  for (const name of ["Shop", "Deploy"]) ids.push(await colleague.makes("/pipelines", { name, ...steps }));
  emulator.clearRequests();
});

const TRIGGER = "pipeline.trigger_build.pipeline";
const CONDITIONS = ["source.build.branch == 'main'"];
const rule = (more: object = {}) => ({
  ...{ type: TRIGGER, sourcePipelineId: ids[0], targetPipelineId: ids[1] },
  ...more,
});
const writes = () =>
  emulator.requests.flatMap(({ method, operation, body }) => (method === "GET" ? [] : [[operation, body]]));

describe.each(BACKENDS)("An organization rule, by the backend %s,", (backend) => {
  const it = () => new ResourceOfProgram(backend, emulator, "OrganizationRule");

  test("keeps its conditions, which no response has, and is unchanged after a refresh", async () => {
    const args = rule({ conditions: CONDITIONS });
    const made = await it().up(args);
    const value = { source_pipeline: ids[0], target_pipeline: ids[1], conditions: CONDITIONS };
    expect(writes()).toEqual([["organizationRules.create", { type: TRIGGER, value }]]);
    const one = it();
    const read = await one.refresh(made);
    expect(read?.inputs).toEqual(made.inputs);
    expect(one.said).toEqual([]);
    expect((await it().preview(args, read)).changes).toBe(false);
  });

  test("is not replaced for an id that isn't known yet, or for another case of one", async () => {
    const made = await it().up(rule());
    for (const sourcePipelineId of [UNKNOWN, ids[0]?.toUpperCase()])
      expect((await it().preview(rule({ sourcePipelineId }), made)).replaces).toEqual([]);
  });

  test("that the API refuses beside an equal one says that the old one stays, and what replaces it", async () => {
    const made = await it().up(rule());
    const args = rule({ conditions: CONDITIONS });
    const stays = `The organization rule ${made.id} has the same type, sourcePipelineId and targetPipelineId, and stays as it is.`;
    const replaced = await failure(it().replace(args, made));
    expect(replaced).toContain(`${stays} To replace it, set deleteBeforeReplace: true, which`);
    expect(replaced).not.toContain("import");
    const forced = await failure(it().replace(args, made, false));
    expect(forced).toContain(`${stays} If it is the one to replace, set deleteBeforeReplace: true`);
    const other = await failure(it().up(args));
    expect(other).toContain(`${stays} To manage it here, add { import: "${TRIGGER}:${ids.join(":")}" }`);
    expect(other).not.toContain("deleteBeforeReplace");
    expect(emulator.organizationData.organizationRules.size).toBe(1);
  });

  test("is called by its pipelines, as far as they are known, and the preview says that an equal one may hinder it", async () => {
    const made = await it().up(rule());
    const { provider } = await it().preview(rule({ conditions: CONDITIONS }));
    const said = provider.messages.join("\n");
    expect(said).toContain(
      `an organization rule with the same type, sourcePipelineId and targetPipelineId already exists: ${made.id}`,
    );
    expect(said).toContain("Pulumi will create a second one. If the API refuses that, the deployment fails.");
    if (backend === "dynamic") expect(said).toContain(`organization rule "${ids.join(" triggers ")}": an `);
  });

  test("is imported by its pipelines' slugs, sends nothing for its conditions, and each refresh says that", async () => {
    const { id } = await it().up(rule({ conditions: CONDITIONS }));
    emulator.clearRequests();
    const name = `${TRIGGER}:shop:deploy`;
    const args = rule({ conditions: ["source.build.branch == 'other'"] });
    const imported = await it().imports(name, args);
    expect(imported?.id).toBe(id);
    const one = it();
    const read = await one.refresh({ inputs: {}, outs: {}, id: "", ...imported });
    expect(one.said.join()).toContain("nobody knows");
    expect((await it().preview(args, read)).replaces).toEqual([]);
    expect(writes()).toEqual([]);
  });
});

describe("An organization rule", () => {
  const lose = () => emulator.fault({ operation: "organizationRules.create", when: "after", action: "drop" });

  test("whose creation got no response is an error with the import, unless its creator is known", async () => {
    lose();
    expect(await failure(Driver.for(emulator).create("OrganizationRule", rule()))).toMatch(
      /could not confirm.*import/s,
    );
    for (const { id } of emulator.organizationData.organizationRules.list())
      emulator.organizationData.organizationRules.delete(id);
    const run = Driver.for(emulator);
    await run.create("Cluster", { name: "Known" });
    lose();
    const { id } = await run.create("OrganizationRule", rule());
    expect(emulator.organizationData.organizationRules.list().map((one) => one.id)).toEqual([id]);
  });

  test("of a type that this package doesn't know is left out by adopt, with the reason", async () => {
    const { id } = await Driver.for(emulator).create("OrganizationRule", rule());
    emulator.organizationData.organizationRules.update(id, { type: "pipeline.other.pipeline" });
    const { objects } = await listOrganization(clientOf(emulator), { kinds: new Set(["OrganizationRule"]) });
    expect(objects.map((one) => declarable(one).problems[0])).toEqual([
      'The organization rule has the type "pipeline.other.pipeline", which this package doesn\'t know.',
    ]);
  });
});
