import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../../src/emulator/index.js";
import { Driver, type Made, UNKNOWN } from "../../../support/driver.js";

type Properties = Record<string, unknown>;

const LATER = "2999-01-01T00:00:00.000Z";
const HOSTED = { instanceShape: "LINUX_AMD64_4X16" };

let emulator: Emulator;
let driver: Driver;
let cluster: Made;
let queue: Made;

beforeAll(async () => {
  emulator = await startEmulator({ seed: false });
  driver = Driver.for(emulator);
  cluster = await driver.create("Cluster", { name: "Linux", description: "Builds", color: "#AABBCC" });
  queue = await driver.create("Queue", { clusterId: cluster.id, key: "large", description: "16 cores" });
  await driver.create("Cluster", { name: "Twin" });
  await driver.create("Cluster", { name: "Twin" });
});
// Each test is a run of its own: within one, no two resources adopt one object.
beforeEach(() => {
  driver = Driver.for(emulator);
});
afterAll(() => emulator.close());

/** The arguments of the queue that is there, with the option. */
const large = (name: string) => ({
  ...{ clusterId: cluster.id, key: "large", description: "16 cores" },
  import: name,
});

describe("an import name", () => {
  const permissions = { defaultMemberRole: "member", membersCanCreatePipelines: false };

  const idOf = ({ id }: Made) => id;
  const inCluster = (name: string) => [
    () => `Linux/${name}`,
    ({ outs }: Made) => `${outs.clusterId}/${name}`,
    ({ id }: Made) => `Linux/${id}`,
    ({ id, outs }: Made) => `${outs.clusterId}/${id}`,
  ];

  test.each<[kind: string, args: Properties, forms: readonly ((made: Made) => string)[]]>([
    ["Cluster", { name: "Mac" }, [() => "Mac", idOf, ({ id }) => id.toUpperCase()]],
    ["Queue", { key: "formed" }, inCluster("formed")],
    ["AgentToken", { description: "Formed" }, inCluster("Formed")],
    ["PipelineTemplate", { name: "Formed", configuration: "steps: []" }, [() => "Formed", idOf]],
    ["Team", { name: "Formed Team", ...permissions }, [() => "Formed Team", () => "formed-team", idOf]],
    ["Suite", { name: "Formed Suite", defaultBranch: "main" }, [() => "formed-suite", idOf]],
  ])("of a %s leads to it in every form", async (kind, args, forms) => {
    const inside = kind === "Queue" || kind === "AgentToken" ? { clusterId: cluster.id } : {};
    const made = await driver.create(kind, { ...args, ...inside });
    for (const form of forms) {
      const name = form(made);
      const { id } = await Driver.for(emulator).create(kind, { ...args, ...inside, import: name });
      expect(id, name).toBe(made.id);
    }
  });

  test("is looked up in lists that are shared: forty queues of a cluster cost two requests", async () => {
    const fresh = Driver.for(emulator);
    emulator.clearRequests();
    await Promise.all(Array.from({ length: 40 }, () => fresh.failures("Queue", large("Linux/large"))));
    expect(emulator.requests.filter(({ path }) => path !== "/v2/access-token")).toHaveLength(2);
  });
});

describe("an adoption", () => {
  test("is announced by the preview, and reported once it is done", async () => {
    const provider = await driver.kind("Queue");
    const previewed = await provider.check({}, { ...large("Linux/large"), __problems: [] });
    expect(driver.observed).toEqual([
      `queue of cluster ${cluster.id}: imports the queue "Linux/large" ${queue.id}; nothing is created`,
    ]);
    expect(previewed.inputs).not.toHaveProperty("__problems");

    const deploying = Driver.for(emulator);
    await deploying.create("Queue", large("Linux/large"));
    expect(deploying.observed).toEqual([
      `queue "large" of cluster ${cluster.id}: imported the queue "Linux/large" ${queue.id}, nothing was created`,
    ]);
  });

  test("by ids is reported without saying the id twice", async () => {
    const ids = `${cluster.id}/${queue.id}`;
    await driver.failures("Queue", { ...large(ids), __problems: [] });
    expect(driver.observed).toEqual([
      `queue of cluster ${cluster.id}: imports the queue "${ids}"; nothing is created`,
    ]);
  });
});

describe("arguments that differ from what is there", () => {
  test("are described without the constructor's word, even where they look like ids, except the cluster's id", async () => {
    const secret = "12345678-1234-4234-8234-123456789012";
    const inputs = { clusterId: secret, key: "large", description: secret, import: "Linux/large" };
    const [reason] = await driver.failures("Queue", inputs);
    expect(reason).toContain("description: the program has text of 36 characters");
    expect(reason).toContain(`clusterId: the program has ${secret}, the service has ${cluster.id}`);
  });

  test("are not shown line by line in a text that is secret", async () => {
    const text = (command: string) => `steps:\n  - label: test\n    command: ${command}\n`;
    await driver.create("PipelineTemplate", { name: "Node", configuration: text("npm test") });
    const inputs = { name: "Node", configuration: text("make s3cret"), import: "Node" };
    const [hidden] = await driver.failures("PipelineTemplate", { ...inputs, __secrets: ["configuration"] });
    expect(hidden).toContain("PipelineTemplate.import");
    expect(hidden).not.toMatch(/s3cret|npm test/);
  });

  test("are fine for a clusterId in ignoreChanges, and pausing stays unmanaged", async () => {
    const elsewhere = await driver.create("Cluster", { name: "Elsewhere" });
    const provider = await driver.kind("Queue");
    const inCluster = { clusterId: elsewhere.id, key: "large" };
    const named = { ...inCluster, import: "Linux/large", importIgnoreChanges: ["*"] };
    const { inputs = {}, failures } = await provider.check({}, named);
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ clusterId: cluster.id, description: "16 cores" });
    expect(inputs).not.toHaveProperty("dispatchPaused");
    expect((await provider.create(inputs)).id).toBe(queue.id);
  });

  test("only in spelling are no difference, and unknown ones are not judged", async () => {
    const inputs = { name: UNKNOWN, description: "Builds", color: "#abc", import: "Linux" };
    expect(await driver.failures("Cluster", inputs)).toEqual([]);
  });

  test("are fine for the names in ignoreChanges, which take what is there", async () => {
    const provider = await driver.kind("Cluster");
    const { inputs, failures } = await provider.check(
      {},
      { name: "Linux", description: "mine", import: "Linux", importIgnoreChanges: ["description", "color"] },
    );
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ description: "Builds", color: "#AABBCC" });
    expect(inputs).not.toHaveProperty("importIgnoreChanges");
  });
});

describe("a team's permissions, which the API doesn't return,", () => {
  const args = { name: "Platform", import: "platform" };
  const permissions = { defaultMemberRole: "maintainer", membersCanCreatePipelines: true };
  beforeAll(() => driver.create("Team", { name: "Platform", ...permissions }));

  test.each([
    {},
    { defaultMemberRole: "maintainer" },
    { membersCanCreatePipelines: true },
    { importIgnoreChanges: ["description"] },
  ])("must be given: %j", async (given) => {
    const reasons = (await driver.failures("Team", { ...args, ...given })).join("\n");
    for (const name of Object.keys(permissions)) {
      if (!(name in given)) expect(reasons).toContain(`Team.${name}`);
    }
  });
});

describe("an argument that may stay unmanaged and that no response has", () => {
  const permissions = { defaultMemberRole: "maintainer", membersCanCreatePipelines: true };
  const inCluster = () => ({ clusterId: cluster.id });

  test.each<[kind: string, args: () => Properties, import_: string, stated: Properties]>([
    [
      "AgentToken",
      () => ({ ...inCluster(), description: "Unlimited" }),
      "Linux/Unlimited",
      { expiresAt: LATER },
    ],
    ["Queue", () => ({ ...inCluster(), key: "plain" }), "Linux/plain", { hostedAgents: HOSTED }],
    ["Team", () => ({ name: "Quality", ...permissions }), "quality", { membersCanCreateSuites: true }],
  ])(
    "of a %s is warned of, because the state takes the program's value",
    async (kind, args, name, stated) => {
      await driver.create(kind, args());
      const importing = Driver.for(emulator);
      await importing.create(kind, { ...args(), import: name });
      expect(importing.warnings.join("\n")).not.toContain("without a check");

      const stating = Driver.for(emulator);
      const { id } = await stating.create(kind, { ...args(), ...stated, import: name });
      const [argument] = Object.keys(stated);
      expect(stating.warnings.join("\n")).toMatch(
        new RegExp(`the API doesn't return ${argument} of the [a-z ]+ ${id}\\..* without a check`, "m"),
      );
    },
  );
});
