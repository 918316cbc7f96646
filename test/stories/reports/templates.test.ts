import { expect, test } from "vitest";
import { serviceForEach } from "../../support/driver.js";

/** What went wrong for people who keep templates in other tools. */

const service = serviceForEach();

const MERGED = `defaults: &defaults
  agents: { queue: linux }
retries: &retries
  retry: { automatic: true }
steps:
  - <<: *defaults
    <<: *retries
    command: make
`;

test("A map with two merge keys, which Buildkite's parser merges, is deployed and unchanged afterwards", async () => {
  const { driver } = service;
  const made = await driver.create("PipelineTemplate", { name: "Node", configuration: MERGED });
  expect(await driver.plan(made)).toEqual({ changes: false });
  const { props = {} } = await driver.read(made);
  expect(await driver.plan({ ...made, outs: props })).toEqual({ changes: false });
});

test.each(["<<: *defaults\n    ", "<<: *retries\n    "])(
  "The loss of one of two merge keys (%j) is drift",
  async (lost) => {
    const { driver, colleague } = service;
    const made = await driver.create("PipelineTemplate", { name: "Node", configuration: MERGED });
    const configuration = MERGED.replace(lost, "");
    await colleague.sends("PATCH", `/pipeline-templates/${made.id}`, { configuration });
    const { inputs } = await driver.read(made);
    expect(inputs).toMatchObject({ configuration });
  },
);

test("A template with two merge keys that somebody made is imported as it is", async () => {
  const { driver, colleague } = service;
  const { uuid } = await colleague.sends("POST", "/pipeline-templates", {
    name: "Node",
    configuration: MERGED,
  });
  const imported = await driver.create("PipelineTemplate", {
    ...{ name: "Node", configuration: MERGED },
    import: "Node",
  });
  expect(imported.id).toBe(uuid);
});

test("Two quoted keys << are one key twice, which no parser merges", async () => {
  const configuration = 'steps:\n  - "<<": 1\n    "<<": 2\n';
  const reasons = await service.driver.failures("PipelineTemplate", { name: "Node", configuration });
  expect(reasons.join()).toContain("is not valid YAML at line 3 (DUPLICATE_KEY)");
});
