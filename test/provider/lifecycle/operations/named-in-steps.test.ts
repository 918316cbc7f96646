import { beforeEach, describe, expect, test } from "vitest";
import { grammar } from "../../../../src/provider/lifecycle/values/kinds.js";
import { documentDigest, readCode, readStepCode } from "../../../../src/shared/protocol/message-codes.js";
import { startProvider } from "../../../stories/histories/engine/start-provider.js";
import { colleague, colleagueForEach, emulator } from "../../../support/colleague.js";
import { SimulatedClock, UNKNOWN } from "../../../support/driver.js";
import { BACKENDS } from "../../../support/program.js";

const repository = "git@github.com:acme/storefront.git";
let clusterId: string;
let other: string;
let small: string;

colleagueForEach();
beforeEach(async () => {
  clusterId = await colleague.makes("/clusters", { name: "Linux" });
  other = await colleague.makes("/clusters", { name: "Mac" });
  small = await colleague.makes(`/clusters/${clusterId}/queues`, { key: "small" });
  const deploy = { name: "Deploy", repository, cluster_id: clusterId, configuration: "steps: []" };
  await colleague.makes("/pipelines", deploy);
});

/** Steps that name an object of each kind that steps can name. */
const stepsWith = ({ queue, secret, allowed_teams, trigger }: Record<string, unknown>) => [
  { command: "a", agents: { queue }, secrets: [secret] },
  { block: "Go", allowed_teams },
  { trigger },
];

describe.each(BACKENDS)("By the backend %s,", (backend) => {
  const start = () =>
    startProvider({ backend, service: emulator, clock: new SimulatedClock() }, {}, () => undefined);
  let provider: ReturnType<typeof start>;
  beforeEach(() => {
    provider = start();
  });
  const check = (name: string, kind: string, args: object, olds: object = {}) =>
    provider.check({ name, kind, ignores: [] }, { ...olds }, { ...args });
  const pipeline = (configuration: unknown, more: object = {}) =>
    check("storefront", "Pipeline", { name: "Storefront", repository, clusterId, configuration, ...more });
  const said = () => provider.messages.filter((line) => line.includes("configuration"));

  test("new steps are compared with the organization, by one list and one read for each trigger", async () => {
    const step = (queue: string, trigger: string) => [{ command: "a", agents: { queue } }, { trigger }];
    await pipeline({
      steps: [...step("smal", "deplyo"), ...step("small", "deploy"), ...step("smal", "deplyo")],
    });
    expect(said()).toEqual([
      expect.stringMatching(
        /Pipeline\.configuration: steps\[0\]\.agents\.queue: "smal" is no queue .* Did you mean "small"\?/,
      ),
      expect.stringMatching(/steps\[1\]\.trigger: "deplyo" is the slug of no pipeline/),
      expect.stringContaining("steps[4].agents.queue"),
      expect.stringContaining("steps[5].trigger"),
    ]);
    const operations = emulator.requests.map(
      ({ operation, path }) => `${operation} ${path.split("/").at(-1)}`,
    );
    expect(operations.filter((one) => one === "queues.list queues")).toHaveLength(1);
    // The list that the creation needs has every trigger.
    expect(operations.filter((one) => one === "pipelines.get deplyo")).toHaveLength(0);
  });

  test("a template's triggers are read by their slugs, each once", async () => {
    const steps = ["deplyo", "deplyo", "deploy"].map((trigger) => ({ trigger }));
    await check("node", "PipelineTemplate", { name: "Node", configuration: { steps } });
    expect(said()).toEqual([
      expect.stringContaining("steps[0].trigger"),
      expect.stringContaining("steps[1].trigger"),
    ]);
    const read = emulator.requests.filter(({ operation }) => operation === "pipelines.get");
    expect(read.map(({ path }) => path.split("/").at(-1))).toEqual(["deplyo", "deploy"]);
  });

  test("a code says of which text a remark is, and what it names", async () => {
    const { inputs } = await pipeline({ steps: [{ command: "a", agents: { queue: "smal ]" }, lable: "b" }] });
    const codes = provider.messages.flatMap((line) => readStepCode(readCode(line).code) ?? []);
    const document = documentDigest(inputs.configuration);
    expect(codes).toEqual([
      { document, isRejected: true },
      { document, isRejected: true, kind: "Queue", name: "smal ]" },
    ]);
  });

  test("a line of a text is named, and a UUID with the key of its queue", async () => {
    await pipeline(`steps:\n  - command: a\n    agents:\n      queue: ${small}\n`);
    expect(said()).toEqual([
      expect.stringContaining(
        `line 4, steps[0].agents.queue: "${small}" is a UUID, and steps name it by its key. Write small, its key. `,
      ),
    ]);
  });

  test("what the program declares may follow the steps that name it", async () => {
    await Promise.all([
      pipeline({ steps: [{ command: "a", agents: { queue: "gpu" } }, { trigger: "nightly" }] }),
      check("gpu", "Queue", { clusterId, key: "gpu" }),
      check("nightly", "Pipeline", { name: "Nightly", repository, clusterId }),
    ]);
    expect(said()).toEqual([]);
  });

  test("a queue that the program declares in another cluster doesn't help", async () => {
    await Promise.all([
      pipeline({ steps: [{ command: "a", agents: { queue: "gpu" } }] }),
      check("gpu", "Queue", { clusterId: other, key: "gpu" }),
    ]);
    expect(said()).toEqual([expect.stringContaining('"gpu" is no queue')]);
  });

  test("what this deployment created is known by what steps call it, as the API made that", async () => {
    // The lists from before the creations lack everything.
    const unknown = { queue: "nobody", allowed_teams: "nobody", secret: "NOBODY", trigger: "nobody" };
    await pipeline({ steps: stepsWith(unknown) });
    expect(said()).toHaveLength(grammar.size);
    emulator.fault({
      operation: "pipelines.create",
      action: { change: (made) => ({ ...Object(made), slug: "nightly-2" }) },
    });
    const args: Readonly<Record<string, object>> = {
      Queue: { clusterId, key: "new" },
      ClusterSecret: { clusterId, key: "NEW", value: "x" },
      Team: { name: "Web" },
      Pipeline: { name: "Nightly", repository, clusterId },
    };
    const made = new Map<string, unknown>();
    for (const [kind, { output }] of grammar) {
      const { inputs } = await check("new", kind, args[kind] ?? {});
      const { id, outs } = await provider.create({ name: "new", kind }, inputs);
      made.set(kind, { ...outs, id }[output]);
    }
    expect(made.get("Pipeline")).toBe("nightly-2");
    const [queue, secret, allowed_teams, trigger] = ["Queue", "ClusterSecret", "Team", "Pipeline"].map(
      (kind) => made.get(kind),
    );
    const configuration = { steps: stepsWith({ queue, secret, allowed_teams, trigger }) };
    await check("b", "Pipeline", { name: "B", repository, clusterId, configuration });
    expect(said()).toHaveLength(grammar.size);
  });

  test("nothing is said of unchanged steps, of a cluster that is left out or not known, and of a pipeline that moves", async () => {
    const configuration = "steps:\n  - command: a\n    agents: { queue: gpu }\n";
    const { inputs } = await pipeline(configuration);
    expect(said()).toHaveLength(1);
    provider = start();
    const before = emulator.requests.length;
    await check("storefront", "Pipeline", inputs, inputs);
    expect(emulator.requests.slice(before).map(({ operation }) => operation)).toEqual(["accessToken.get"]);
    await check(
      "storefront",
      "Pipeline",
      { ...inputs, clusterId: other, configuration: `${configuration}#` },
      inputs,
    );
    for (const clusterId of [undefined, "", UNKNOWN]) await pipeline(configuration, { clusterId });
    expect(said()).toEqual([]);
  });
});
