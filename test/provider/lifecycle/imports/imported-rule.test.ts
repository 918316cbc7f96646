import { expect, test } from "vitest";
import { serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

test.each([
  [undefined, "a replacement would lose them: add those that the web interface shows"],
  [["source.build.branch == 'main'"], "To be sure, replace it"],
])(
  "A refresh of an imported rule whose conditions the program gives as %j says what to do",
  async (conditions, says) => {
    const pipeline = async (name: string) =>
      (await service.driver.create("Pipeline", { name, repository: "git@github.com:acme/a.git" })).id;
    const [sourcePipelineId, targetPipelineId] = [await pipeline("Shop"), await pipeline("Web")];
    const args = { type: "pipeline.trigger_build.pipeline", sourcePipelineId, targetPipelineId };
    const { id } = await service.driver.create("OrganizationRule", {
      ...args,
      conditions: ["source.build.tag"],
    });
    const run = service.newRun();
    const rule = await run.create("OrganizationRule", { ...args, conditions, import: id });
    const next = service.newRun();
    await next.read(rule);
    expect(next.warnings.join()).toContain(says);
  },
);
