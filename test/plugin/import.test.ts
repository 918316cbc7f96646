import { expect, test } from "vitest";
import { Served, urnOf } from "./served.js";

const SECRETS = ["token", "apiToken"];

/** The arguments that a program has after an import: Pulumi writes them from the inputs. */
function programOf(inputs: Record<string, unknown>): Record<string, unknown> {
  const { organization: _, ...args } = inputs;
  return args;
}

test.each([
  ["Cluster", "Main"],
  ["Queue", "Main/linux"],
  ["ClusterDefaultQueue", "Main"],
  ["AgentToken", "Main/farm"],
  ["PipelineTemplate", "Release"],
  ["Team", "platform"],
  ["Team", "Platform"],
  ["Suite", "rspec"],
])(
  "%s %s is imported by its name, and the program that says the same changes nothing",
  async (kind, name) => {
    const engine = await Served.configured();
    const deployed = new Map<string, Record<string, unknown>>();
    const deploy = async (of: string, args: Record<string, unknown>) => {
      const made = await engine.deploy(urnOf(of), args);
      deployed.set(of, made.outs);
      return made.id;
    };
    const clusterId = await deploy("Cluster", { name: "Main", color: "#ff0000" });
    const queueId = await deploy("Queue", { clusterId, key: "linux", dispatchPaused: true });
    await deploy("ClusterDefaultQueue", { clusterId, queueId });
    await deploy("AgentToken", { clusterId, description: "farm", allowedIpAddresses: ["192.0.2.7"] });
    await deploy("PipelineTemplate", { name: "Release", configuration: "steps: []\n", available: true });
    await deploy("Team", { name: "Platform", privacy: "visible" });
    await deploy("Suite", { name: "RSpec", defaultBranch: "main" });

    const colleague = await Served.beside(engine);
    const urn = urnOf(kind, "imported");
    const { id, inputs, outs } = await colleague.read(urn, name);
    for (const [output, value] of Object.entries(outs)) {
      expect(SECRETS).not.toContain(output);
      // What an import cannot know is whether the program manages the pause, what the cluster's default will be, and
      // arguments that the API doesn't return.
      if (!["__managed", "__untold", "defaultQueueId", "defaultQueueUrl"].includes(output))
        expect([output, value]).toEqual([output, deployed.get(kind)?.[output]]);
    }
    const checked = await colleague.check(urn, programOf(inputs), inputs);
    expect(checked.failures).toEqual([]);
    expect(await colleague.diff(urn, id, outs, checked.inputs, inputs)).toMatchObject({
      changed: false,
      lines: {},
    });
  },
);

test("What the API doesn't return of an imported suite is as the program says, until the program changes it", async () => {
  const engine = await Served.configured();
  const { slug } = await engine.colleague.sends("POST", "/suites", {
    name: "Unit tests",
    default_branch: "main",
    color: "#F0CCFF",
  });
  const urn = urnOf("Suite", "imported");
  const { id, inputs, outs } = await engine.read(urn, String(slug));
  const args = { name: "Unit tests", defaultBranch: "main", color: "#f0ccff", emoji: ":test_tube:" };
  const first = await engine.check(urn, args, inputs);
  expect(await engine.diff(urn, id, outs, first.inputs, inputs)).toMatchObject({ changed: false });
  const next = await engine.check(urn, { ...args, color: "#000000" }, first.inputs);
  expect(await engine.diff(urn, id, outs, next.inputs, first.inputs)).toMatchObject({
    changed: true,
    lines: { color: "update" },
  });
});

test("An id is a name, too, and a name that nothing has is an error", async () => {
  const engine = await Served.configured();
  const { id } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  expect((await engine.read(urnOf("Cluster", "imported"), id)).id).toBe(id);
  await expect(engine.read(urnOf("Cluster", "imported"), "Nope")).rejects.toThrow(
    'Cluster.import: the organization "acme" has no cluster "Nope"',
  );
  await expect(engine.read(urnOf("Queue", "imported"), "linux")).rejects.toThrow(
    'Queue.import: expected <cluster uuid|name>/<queue uuid|key>, got "linux".',
  );
});

test("A conflict is about the argument that has the name, and other problems are about none", async () => {
  const engine = await Served.configured();
  await engine.deploy(urnOf("Team"), { name: "Platform" });
  const properties = async (settings: Record<string, unknown>) => {
    const run = await Served.beside(engine);
    await run.configure(settings);
    return (await run.check(urnOf("Team"), { name: "Platform" })).failures.map(({ property }) => property);
  };
  expect(await properties({})).toEqual(["name"]);
  expect(await properties({ organization: "acne" })).toEqual([""]);
  expect(await properties({ baseUrl: "http://127.0.0.1:9" })).toEqual([""]);
  expect(await properties({ accessToken: engine.emulator.readOnlyAccessToken })).toEqual([""]);
});

test("X.get reads by the id and what the program says of the object, and a missing one is an error", async () => {
  const engine = await Served.configured();
  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  const { id } = await engine.deploy(urnOf("Queue"), { clusterId, key: "linux" });
  const nowhere = "11111111-2222-4333-8444-555555555555";
  expect((await engine.read(urnOf("Queue", "read"), id, { clusterId })).outs).toMatchObject({ key: "linux" });
  expect((await engine.read(urnOf("Cluster", "read"), clusterId, { name: "Main" })).id).toBe(clusterId);
  await expect(engine.read(urnOf("Cluster", "read"), nowhere, { name: "Main" })).rejects.toThrow(
    "Check the id given to Cluster.get",
  );
  await expect(engine.read(urnOf("Queue", "read"), nowhere, { clusterId })).rejects.toThrow(
    "Check the id given to Queue.get",
  );
  const setting = await engine.read(urnOf("ClusterDefaultQueue", "read"), "Main").catch(String);
  expect(setting).toContain("ClusterDefaultQueue");
});

test("A team's roles, which the service does not tell, are the program's word and never guessed", async () => {
  const engine = await Served.configured();
  await engine.deploy(urnOf("Team"), { name: "Platform", defaultMemberRole: "maintainer" });
  const colleague = await Served.beside(engine);
  const urn = urnOf("Team", "imported");
  const { id, inputs, outs } = await colleague.read(urn, "platform");
  expect(inputs).not.toHaveProperty("defaultMemberRole");
  expect(outs).not.toHaveProperty("__untold");
  expect(colleague.warnings()).toEqual([
    expect.stringContaining("API doesn't return defaultMemberRole and membersCanCreatePipelines"),
  ]);
  const said = { ...programOf(inputs), defaultMemberRole: "maintainer" };
  const first = await colleague.check(urn, said, inputs);
  expect((await colleague.diff(urn, id, outs, first.inputs, inputs)).changed).toBe(false);
  const refreshed = await colleague.read(urn, id, outs, first.inputs);
  expect(refreshed.inputs).toEqual(first.inputs);
  const later = await colleague.check(urn, { ...said, defaultMemberRole: "member" }, first.inputs);
  for (const known of [outs, refreshed.outs]) {
    const { lines } = await colleague.diff(urn, id, known, later.inputs, first.inputs);
    expect(lines).toEqual({ defaultMemberRole: "update" });
  }
});

test("An imported token has no secret, and a warning says so", async () => {
  const engine = await Served.configured();
  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  await engine.deploy(urnOf("AgentToken"), { clusterId, description: "farm" });
  const colleague = await Served.beside(engine);
  const { outs } = await colleague.read(urnOf("AgentToken", "imported"), "Main/farm");
  expect(outs).not.toHaveProperty("token");
  expect(colleague.warnings()).toEqual([expect.stringContaining("the output `token` is undefined")]);
});

test("Two resources of a program cannot have the same object", async () => {
  const engine = await Served.configured();
  await engine.deploy(urnOf("Cluster"), { name: "Main" });
  const colleague = await Served.beside(engine);
  const adopt = async (name: string) => {
    const urn = urnOf("Cluster", name);
    const { id, inputs, outs } = await colleague.read(urn, "Main");
    const checked = await colleague.check(urn, programOf(inputs), inputs);
    return colleague.diff(urn, id, outs, checked.inputs, inputs);
  };
  expect((await adopt("one")).changed).toBe(false);
  expect((await adopt("one")).changed).toBe(false);
  await expect(adopt("two")).rejects.toThrow("which another resource of this program manages");
});
