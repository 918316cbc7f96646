import { describe, expect, test } from "vitest";
import { failure, type Made, serviceForEach, UNKNOWN } from "../../support/driver.js";

const service = serviceForEach();

const repository = "git@github.com:acme/storefront.git";
const storefront = { name: "Storefront", repository, clusterId: "" };
const configuration = "steps:\n  - command: make test\n";

/** The state after an update, as the engine has it. */
async function updated(made: Made, change: Record<string, unknown>): Promise<Made> {
  const inputs = { ...made.inputs, ...change };
  const { outs = {} } = await service.driver.update(made, change);
  return { ...made, inputs, outs };
}

async function refreshed(made: Made): Promise<Made> {
  const { props = {}, inputs = made.inputs } = await service.driver.read(made);
  return { ...made, inputs, outs: props };
}

describe("A new pipeline", () => {
  test("has what the program says and the service's values of the rest, and is unchanged afterwards", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const made = await service.driver.create("Pipeline", {
      ...storefront,
      clusterId: cluster.id,
      configuration: { steps: [{ command: "make test" }] },
      tags: ["b", "a"],
      defaultCommandStepTimeout: 10,
      providerSettings: { buildTags: true, triggerMode: "code" },
      visibility: "private",
    });
    const live = await service.colleague.sends("GET", "/pipelines/storefront");
    expect(live).toMatchObject({
      id: made.id,
      cluster_id: cluster.id,
      configuration,
      tags: ["b", "a"],
      default_command_step_timeout: 10,
      provider: { settings: { build_tags: true, trigger_mode: "code" } },
    });
    expect(made.outs).toMatchObject({ slug: "storefront", defaultBranch: "main", archived: false });
    expect(await service.driver.diff(made)).toMatchObject({ changes: false });
    const again = await refreshed(made);
    expect(again.inputs).toEqual(made.inputs);
    expect(await service.driver.plan(again, made.inputs)).toMatchObject({ changes: false });
    expect(service.driver.warnings).toEqual([]);
  });

  test("without steps or a template runs `buildkite-agent pipeline upload`", async () => {
    await service.driver.create("Pipeline", storefront);
    const live = await service.colleague.sends("GET", "/pipelines/storefront");
    expect(live.configuration).toContain("buildkite-agent pipeline upload");
  });

  test("sends no visibility that the service chooses anyway, because only admins may send one", async () => {
    await service.driver.create("Pipeline", { ...storefront, visibility: "private" });
    const sent = service.emulator.requests.find(({ operation }) => operation === "pipelines.create");
    expect(Object.keys(Object(sent?.body))).not.toContain("visibility");
  });

  test("without a cluster is warned of, because organizations differ in what they do then", async () => {
    await service.driver.create("Pipeline", { name: "Storefront", repository });
    expect(service.driver.warnings).toEqual([expect.stringMatching(/^Pipeline.clusterId: is left out\./)]);
  });

  test("whose creation got no usable response is found by its slug, its content and the time", async () => {
    service.emulator.inject({ operation: "pipelines.create", times: 1, when: "after", fault: "reset" });
    const made = await service.driver.create("Pipeline", { ...storefront, configuration });
    const listed = await service.colleague.list("/pipelines");
    expect(listed.map(({ id }) => id)).toEqual([made.id]);
  });
});
