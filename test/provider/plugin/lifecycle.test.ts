import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { isSecret, MASKED, reveal, secret } from "../../../src/shared/protocol/encoded-values.js";
import { CHECKOUT } from "../../support/checkout.js";
import { minimalOfAll, UNKNOWN } from "../../support/driver.js";
import { type Properties, Served, urnOf } from "./served.js";

type Spec = { readonly properties: Readonly<Record<string, { readonly type?: string }>> };
const { resources }: { resources: Record<string, Spec> } = JSON.parse(
  readFileSync(join(CHECKOUT, "plugin", "schema.json"), "utf8"),
);

test("A creation's preview hands what is wrong to a program that listens", async () => {
  const engine = await Served.configured();
  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  await engine.deploy(urnOf("Queue", "first"), { clusterId, key: "small" });
  const urn = urnOf("Queue");
  const { inputs, failures } = await engine.check(urn, { clusterId, key: "small", __problems: [] });
  expect(failures).toEqual([]);
  const { outs } = await engine.create(urn, inputs, true);
  expect(outs.__problems).toEqual([expect.stringContaining("in the same cluster already")]);
});

test("A creation's preview knows the arguments, and an update's everything that stays", async () => {
  const engine = await Served.configured();
  const cluster = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  const urn = urnOf("AgentToken");
  const { inputs } = await engine.check(urn, { clusterId: cluster.id, description: "farm" });
  const planned = await engine.create(urn, inputs, true);
  const later = ["expiresAt", "graphqlId", "url", "clusterUrl", "createdAt", "createdBy", "token"];
  const unknown = Object.fromEntries(later.map((name) => [name, UNKNOWN]));
  expect(planned).toEqual({ id: "", outs: { ...inputs, ...unknown } });

  const { id, outs } = await engine.create(urn, inputs);
  expect(outs.token).toEqual(secret(expect.any(String)));
  const { inputs: next } = await engine.check(urn, { clusterId: cluster.id, description: "barn" }, inputs);
  const requests = engine.emulator.requests.length;
  expect(await engine.update(urn, id, outs, next, { preview: true })).toEqual({
    ...outs,
    description: "barn",
  });
  expect(engine.emulator.requests.length).toBe(requests);
  const { stables } = await engine.diff(urn, id, outs, next, inputs);
  expect(stables).toContain("token");
});

test("An update's preview leaves open what the change changes", async () => {
  const engine = await Served.configured();
  const changed = async (kind: string, args: Properties, changes: Properties) => {
    const { id, inputs: old, outs } = await engine.deploy(urnOf(kind), args);
    const { inputs } = await engine.check(urnOf(kind), { ...args, ...changes }, old);
    return { outs, preview: await engine.update(urnOf(kind), id, outs, inputs, { preview: true }) };
  };
  const team = await changed("Team", { name: "Old" }, { name: "New" });
  expect(team.preview).toEqual({ ...team.outs, name: "New", slug: UNKNOWN });

  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  const queue = await changed("Queue", { clusterId, key: "linux" }, { dispatchPaused: true });
  expect(queue.preview).toMatchObject({
    dispatchPaused: true,
    dispatchPausedAt: UNKNOWN,
    dispatchPausedBy: UNKNOWN,
    dispatchPausedNote: UNKNOWN,
    url: queue.outs.url,
  });
});

test("A difference has a line for each property, entry and line that replaces", async () => {
  const engine = await Served.configured();
  const cluster = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  const urn = urnOf("AgentToken");
  const args = {
    clusterId: cluster.id,
    description: "farm",
    allowedIpAddresses: ["10.0.0.0/8", "192.0.2.7"],
    triggers: { rotated: "2026-11", "by whom": "me" },
  };
  const planned = await engine.plan(urn, await engine.deploy(urn, args), {
    ...args,
    allowedIpAddresses: ["10.0.0.0/8", "192.0.2.8", "192.0.2.9"],
    triggers: { rotated: "2026-12" },
  });
  expect(planned).toMatchObject({
    changed: true,
    replaces: ["triggers"],
    lines: {
      "allowedIpAddresses[1]": "update",
      "allowedIpAddresses[2]": "add",
      "triggers.rotated": "update, replaces",
      'triggers["by whom"]': "delete, replaces",
    },
  });
});

test("A failure names no property of which the engine would print a secret of the program", async () => {
  const engine = await Served.configured();
  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  const imported = { clusterId, key: "KEY" };
  const urn = urnOf("ClusterSecret");
  // With `ignoreChanges`, the engine takes out what the state doesn't have, and would print what the program has.
  const state = { ...imported, organization: "acme" };
  const { failures: ofImported } = await engine.check(urn, imported, state);
  expect(ofImported).toEqual([]);
  const { failures } = await engine.check(urn, { ...imported, value: " " }, state);
  expect(failures).toEqual([{ property: "", reason: expect.stringContaining("ClusterSecret.value") }]);
  const kept = { clusterId, description: " ", organization: "acme" };
  const { failures: ofKept } = await engine.check(urnOf("AgentToken"), kept, kept);
  expect(ofKept).toEqual([
    { property: "", reason: expect.stringContaining("AgentToken.description: is blank") },
  ]);
  const { failures: ofNew } = await engine.check(urnOf("AgentToken"), { clusterId, description: " " });
  expect(ofNew).toMatchObject([{ property: "description" }]);
});

test("A secret that lost its mark after the check reaches neither the service nor the state", async () => {
  const engine = await Served.configured();
  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  const urn = urnOf("ClusterSecret");
  const args = { clusterId, key: "KEY", value: secret("hunter2") };
  const plain = await engine.check(urn, { ...args, value: "hunter2" });
  expect(plain.inputs.value).toEqual(args.value);
  const changed = { ...plain.inputs, value: "hunter2" };
  const refusal = "ClusterSecret.value: is a secret without its mark";
  for (const isPreview of [true, false])
    await expect(engine.create(urn, changed, isPreview)).rejects.toThrow(refusal);
  const { id, outs, inputs } = await engine.deploy(urn, args);
  await expect(engine.diff(urn, id, outs, changed, inputs)).rejects.toThrow(refusal);
  // What a program gave as a secret isn't plain either.
  const named = await engine.check(urnOf("Team"), { name: secret("Hidden") });
  await expect(engine.create(urnOf("Team"), { ...named.inputs, name: "Hidden" })).rejects.toThrow(
    "Team.name: is a secret without its mark",
  );
});

test("Secret arguments leave marked as they came, and what spells them is secret", async () => {
  const engine = await Served.configured();
  const urn = urnOf("Suite");
  const { inputs, outs, id } = await engine.deploy(urn, { name: secret("Hidden"), defaultBranch: "main" });
  expect(inputs).toMatchObject({ name: secret("Hidden"), defaultBranch: "main" });
  expect(outs).toMatchObject({ name: secret("Hidden"), slug: secret("hidden"), defaultBranch: "main" });
  const read = await engine.read(urn, id, outs);
  expect(read.inputs).toEqual(inputs);
  expect(read.outs).toEqual(outs);
  const { changed } = await engine.diff(urn, id, read.outs, inputs, read.inputs);
  expect(changed).toBe(false);
});

test("What is partly unknown has the type that a typed program expects, and a secret in it stays one, in every argument", async () => {
  const engine = await Served.configured();
  const part = secret("hush-hush");
  const values = [
    { a: part, b: UNKNOWN },
    [part, UNKNOWN],
    { url: UNKNOWN, deeper: [{ token: part }, UNKNOWN] },
    [{ command: part, agents: { queue: UNKNOWN } }],
    { steps: [{ command: part, agents: { queue: UNKNOWN } }] },
  ];
  const shown = (value: unknown): unknown => {
    if (isSecret(value)) return MASKED;
    if (typeof value !== "object" || value === null) return value;
    return Object.values(value).map(shown);
  };
  const whole = await minimalOfAll(engine);
  const taken = new Set<string>();
  for (const [kind, { arguments: fields }] of kinds) {
    for (const argument of Object.keys(fields)) {
      for (const value of values) {
        const { inputs, failures } = await engine.check(urnOf(kind), { ...whole[kind], [argument]: value });
        expect(JSON.stringify(failures)).not.toContain("hush");
        // The engine shows no inputs that are refused.
        if (failures.length > 0) continue;
        expect(JSON.stringify(shown(inputs))).not.toContain("hush");
        taken.add(`${kind}.${argument}`);
        const { outs } = await engine.create(urnOf(kind), inputs, true);
        expect(JSON.stringify(shown(outs))).not.toContain("hush");
        // Python's SDK ends a program whose output has another type, and prints the value.
        const { type } = resources[`buildpipeline:index:${kind}`]?.properties[argument] ?? {};
        if (fields[argument]?.isDocument) expect(typeof reveal(outs[argument])).toBe(type);
      }
    }
  }
  expect([...taken]).toEqual(expect.arrayContaining(["PipelineSchedule.env", "Pipeline.configuration"]));
});

test.each([
  ["code", "production-pipeline", "[buildpipeline:value-without-form]"],
  ["path", "visible-secret-6", "ClusterSecret.triggers.a: "],
])("A failure's %s is whole, although a secret has a word of it", async (_, value, whole) => {
  const engine = await Served.configured();
  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  const args = { clusterId, key: "KEY", value: secret(value), triggers: { a: Number.NaN } };
  const { failures } = await engine.check(urnOf("ClusterSecret"), args);
  expect(failures.map(({ reason }) => reason).join()).toContain(whole);
});

test("A secret key of a map stays hidden in a failure's path", async () => {
  const engine = await Served.configured();
  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  const args = { clusterId, key: "KEY", value: secret("hushed4711"), triggers: { hushed4711: Number.NaN } };
  const { failures } = await engine.check(urnOf("ClusterSecret"), args);
  const reasons = failures.map(({ reason }) => reason);
  expect(reasons).toEqual([expect.stringContaining("ClusterSecret.triggers.[redacted]: ")]);
});

test("A failure names its property, except a secret one", async () => {
  const engine = await Served.configured();
  const { failures } = await engine.check(urnOf("Cluster"), { name: "Main", color: "blu" });
  expect(failures).toEqual([{ property: "color", reason: expect.stringMatching(/^Cluster\.color: /) }]);
  const hidden = await engine.check(urnOf("Cluster"), { name: "Main", color: secret("topsecret") });
  expect(hidden.failures).toEqual([{ property: "", reason: expect.stringMatching(/^Cluster\.color: /) }]);
  expect(JSON.stringify(hidden.failures)).not.toContain("topsecret");
});

test("Each mistake of a resource is a failure of one check", async () => {
  const engine = await Served.configured();
  const clusterId = "0d7a5f4e-1b2c-4d3e-8f90-a1b2c3d4e5f6";
  const hostedAgents = { instance_shape: "LINUX_AMD64_2X4" };
  const { failures } = await engine.check(urnOf("Queue"), {
    clusterId,
    key: "a key",
    hostedAgents,
    colour: 1,
  });
  const reasons = failures.map(({ reason }) => reason);
  for (const mistake of [/colour: /, /hostedAgents\.instance_shape: .* Write instanceShape/, /key: "a key" /])
    expect(reasons).toContainEqual(expect.stringMatching(mistake));
});

test("What the dynamic backend keeps in the state is no change, and stays, so that a stack can cross back", async () => {
  const engine = await Served.configured();
  const urn = urnOf("Cluster");
  const { id, inputs, outs } = await engine.deploy(urn, { name: "Main" });
  const reference = { __provider: "exports.handler=()=>0" };
  const { inputs: next } = await engine.check(urn, { name: "Main" }, { ...inputs, ...reference });
  expect(next).toEqual(inputs);
  const before = { ...outs, ...reference };
  expect(await engine.diff(urn, id, before, next, { ...inputs, ...reference })).toMatchObject({
    changed: false,
    lines: {},
  });
  expect(await engine.update(urn, id, before, next)).toEqual(before);
  expect((await engine.read(urn, id, before)).outs).toEqual(before);
});

test("Warnings reach the engine with the resource that they are about", async () => {
  const engine = await Served.configured();
  await engine.colleague.sends("POST", "/clusters", { name: "Main" });
  await engine.check(urnOf("Cluster", "twin"), { name: "Main" });
  expect(engine.observed).toEqual([
    {
      severity: "warning",
      message: expect.stringContaining("a cluster with the same name already exists"),
      urn: urnOf("Cluster", "twin"),
      ephemeral: false,
    },
  ]);
});

test("Remarks reach the engine with the resource that they are about, as what a deletion did to a pipeline", async () => {
  const engine = await Served.configured();
  const urn = urnOf("Pipeline", "shop");
  const repository = "git@github.com:acme/shop.git";
  const args = { name: "Shop", repository, clusterId: "", configuration: "steps: []" };
  const { inputs } = await engine.check(urn, args);
  const { id, outs } = await engine.create(urn, inputs);
  await engine.delete(urn, id, outs);
  expect(engine.observed).toEqual([
    {
      severity: "info",
      message: expect.stringContaining('archived the pipeline "shop"'),
      urn,
      ephemeral: false,
    },
  ]);
});

test("Marks stay out of inputs, previews and differences, whatever token reads the object", async () => {
  const engine = await Served.configured();
  const urn = urnOf("Team");
  const team = await engine.deploy(urn, { name: "Hidden", privacy: "secret" });
  const run = await Served.beside(engine);
  const scopes = ["read_teams", "write_teams"];
  await run.configure({ accessToken: engine.emulator.createAccessToken({ scopes }) });
  const { outs, inputs } = await run.read(urn, team.id, team.outs, team.inputs);
  expect(outs.__tokenId).not.toBe(team.outs.__tokenId);
  expect(inputs).toEqual(team.inputs);
  expect((await run.diff(urn, team.id, outs, inputs, inputs)).changed).toBe(false);
  const preview = await run.update(urn, team.id, outs, { ...inputs, description: "d" }, { preview: true });
  expect(preview).toMatchObject({ __origin: outs.__origin, __tokenId: outs.__tokenId });
});
