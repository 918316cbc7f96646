import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, test } from "vitest";
import * as dynamic from "../../../src/index.js";
import * as native from "../../../src/provider/native/index.js";
import * as kinds from "../../../src/provider/resources/index.js";
import { type Registration, startNotingEngine } from "../program/registrations.js";

let registrations: Registration[] = [];
const calls: pulumi.runtime.MockCallArgs[] = [];

beforeEach(async () => {
  calls.length = 0;
  registrations = await startNotingEngine({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call(call) {
      calls.push(call);
      return { ...call.inputs, name: "Shared" };
    },
  });
});

/** What a resource was registered as. */
async function registered(resource: pulumi.Resource): Promise<Registration> {
  await pulumi.runtime.serializeProperties("test", { urn: resource.urn });
  const registration = registrations.splice(0).find(({ type }) => type.includes("buildpipeline"));
  if (registration === undefined) throw new Error("Nothing was registered.");
  return registration;
}

test("has every name of the main entry but LookupError, which is the program's own", () => {
  const names = Object.keys(dynamic).filter((name) => name !== "LookupError");
  expect(Object.keys(native).sort()).toEqual(names.sort());
});

test("has the enumerations of the schema, which Pulumi writes after an import", () => {
  const { types }: { types: Record<string, { enum?: { name?: string; value: string }[] }> } = JSON.parse(
    readFileSync(join(__dirname, "..", "..", "..", "plugin", "schema.json"), "utf8"),
  );
  const enumerations = Object.entries(types).flatMap(([token, { enum: members }]) =>
    members === undefined ? [] : [{ name: token.replace(/^.*:/, ""), members }],
  );
  expect(enumerations).not.toEqual([]);
  const exported: Record<string, unknown> = { ...native };
  for (const { name, members } of enumerations) {
    const named = members.map(({ value, name: member = value[0]?.toUpperCase() + value.slice(1) }) => [
      member,
      value,
    ]);
    expect(exported[name], name).toEqual(Object.fromEntries(named));
  }
});

describe.each(["dynamic", "native"] as const)("A resource of the %s backend", (backend) => {
  const { AgentToken, Cluster, Queue } = { dynamic, native }[backend];
  const [own, other] =
    backend === "native"
      ? ["buildpipeline:index:", "pulumi-nodejs:dynamic/buildpipeline:"]
      : ["pulumi-nodejs:dynamic/buildpipeline:", "buildpipeline:index:"];

  test("has that backend's type, and the other one's as an alias beside those it was given", async () => {
    const aliases = [{ type: "elsewhere:index:Cluster" }];
    const { type, aliases: found } = await registered(new Cluster("linux", { name: "Linux" }, { aliases }));
    expect({ type, found: found.map(({ spec }) => spec?.type) }).toEqual({
      type: `${own}Cluster`,
      found: ["elsewhere:index:Cluster", `${other}Cluster`],
    });
  });

  test("has the aliases of a rename and of a move in the other one's type as well", async () => {
    const farm = "urn:pulumi:dev::farm::acme:index:Farm::farm";
    const urn = (type: string) => `urn:pulumi:dev::farm::acme:index:Farm$${type}Cluster::old`;
    const aliases = [{ name: "older" }, { parent: farm }, urn(own)];
    const { aliases: found } = await registered(new Cluster("linux", { name: "Linux" }, { aliases }));
    const specs = found.map(({ spec, urn }) => urn || [spec?.type, spec?.name, spec?.parenturn]);
    expect(specs.slice(4)).toEqual([
      [`${other}Cluster`, "older", undefined],
      [`${other}Cluster`, "", farm],
      urn(other),
    ]);
  });

  test("is told from resources of other types by its class, as typed policies, transforms and hooks do", () => {
    const entry: Record<string, object> = { ...{ dynamic, native }[backend] };
    const types = Object.keys(kinds).map((name) => Reflect.get(entry[name] ?? {}, "__pulumiType"));
    expect(types).toEqual(Object.keys(kinds).map((name) => `${own}${name}`));
    expect(entry.RotatingAgentToken).toHaveProperty("__pulumiType", "buildpipeline:index:RotatingAgentToken");

    const cluster = new Cluster("linux", { name: "Linux" });
    const queue: unknown = new Queue("fast", { clusterId: cluster, key: "fast" });
    expect([cluster, queue, undefined].map(Queue.isInstance)).toEqual([false, true, false]);
    expect(Queue.isInstance(queue) && queue.key).toBeInstanceOf(pulumi.Output);
  });

  test("takes what a map or a file calls a string, and its addresses are strings", async () => {
    const { Pipeline } = { dynamic, native }[backend];
    const team: Record<string, string> = {
      visibility: "private",
      onDelete: "delete",
      accessLevel: "read_only",
    };
    const { visibility, onDelete, accessLevel = "" } = team;
    const args = { name: "Shop", repository: "git@github.com:acme/shop.git", visibility, onDelete };
    const teams = [{ teamId: "0190f1c4-7d51-4b0e-9d5c-2f6a5a1c9b10", accessLevel }];
    const shop = new Pipeline("shop", { ...args, teams });
    const webhook: pulumi.Input<string> = shop.webhookUrl;
    expect(webhook).toBeInstanceOf(pulumi.Output);
    expect((await registered(shop)).inputs).toMatchObject({ ...args, teams });
    const wrong = () => new Pipeline("wrong", { ...args, visibility: "secret" });
    expect(wrong).toThrow('"wrong": Pipeline.visibility: "secret" is not');
  });

  test("has its organization as an output, declared or read", async () => {
    for (const cluster of [new Cluster("linux", { name: "Linux" }), Cluster.get("shared", "shared")]) {
      await pulumi.runtime.serializeProperties("test", { urn: cluster.urn });
      expect(cluster).toHaveProperty("organization");
    }
  });

  test("is found by the engine's diagnostics in the file that declares it", async () => {
    // The SDK reads the place of named functions only.
    function program() {
      return new Cluster("linux", { name: "Linux" });
    }
    const { source } = await registered(program());
    expect(source).toMatch(/entry\.test\.ts$/);
  });

  test("takes a cluster for its id", async () => {
    const cluster = new Cluster("linux", { name: "Linux" });
    await registered(cluster);
    const { inputs } = await registered(new Queue("fast", { clusterId: cluster, key: "fast" }));
    expect(inputs).toMatchObject({ clusterId: "linux", key: "fast" });
  });

  test("is imported by the engine through the plugin, and by an input through the dynamic-provider host", async () => {
    const args = { clusterId: "0190f1c4-7d51-4b0e-9d5c-2f6a5a1c9b10", description: pulumi.secret("Farm") };
    const { importId, inputs } = await registered(new AgentToken("farm", args, { import: "Linux/Farm" }));
    const tells = Object.keys(inputs).filter((name) => !(name in args));
    if (backend === "native") expect({ importId, tells }).toEqual({ importId: "Linux/Farm", tells: [] });
    else
      expect({ importId, tells: tells.sort() }).toEqual({
        importId: "",
        tells: ["__provider", "__secrets", "import"],
      });
  });

  test.each([
    [["*"], Object.keys(dynamic.Queue.kind.arguments)],
    [['["*"]'], Object.keys(dynamic.Queue.kind.arguments)],
    [["__provider", '["__provider"]'], []],
    [
      ["description", "tags.*"],
      ["description", "tags.*"],
    ],
  ])("ignores changes of arguments only: %j", async (ignoreChanges, expected) => {
    const args = { clusterId: "0190f1c4-7d51-4b0e-9d5c-2f6a5a1c9b10", key: "fast" };
    const { ignoreChanges: paths } = await registered(new Queue("fast", args, { ignoreChanges }));
    expect([...new Set(paths)].sort()).toEqual([...expected].sort());
  });

  test("is read by its id through the same backend", async () => {
    const read = Queue.get("fast", "fast-id", { clusterId: "linux-id" });
    const urn = await new Promise((resolve) => read.urn.apply(resolve));
    expect(urn).toContain(`${own}Queue::`);
    // Pulumi's own option for a resource of this stack, which needs no arguments either.
    expect(() => new Queue("again", undefined as never, { urn: String(urn) })).not.toThrow();
  });

  test.each(["", undefined])("is not created where it should be read, and the id is %j", (id) => {
    // Programs without types, and variables of the environment, can be missing.
    const read = () => Cluster.get("shared", id as string, { name: "Linux" });
    expect(read).toThrow('"shared": Cluster.get: the id is missing. Give the id of an object that exists');
    expect(registrations).toEqual([]);
  });
});

test("an explicit Provider is one of the plugin's package, with the settings as its inputs", async () => {
  const provider = new native.Provider("staging", {
    organization: "acme-staging",
    allowOrganizationChange: true,
  });
  const { type, inputs } = await registered(provider);
  expect(type).toBe("pulumi:providers:buildpipeline");
  expect(inputs).toMatchObject({ organization: "acme-staging", allowOrganizationChange: "true" });
  const { provider: used } = await registered(new native.Cluster("linux", { name: "Linux" }, { provider }));
  expect(used).toContain("staging");
});

test("every lookup goes to the engine under its own name, in both forms", async () => {
  const names = Object.keys(native).filter((name) => /^get[A-Z]/.test(name));
  for (const name of names) {
    // Each takes an object; what is in the object only the mocks read.
    const call = Reflect.get(native, name) as (args: object) => unknown;
    const found: unknown = await new Promise((resolve) =>
      pulumi.output({ result: call({}) }).apply(({ result }) => resolve(result)),
    );
    expect(found, name).toMatchObject({ name: "Shared" });
  }
  expect(calls.map(({ token }) => token)).toEqual(
    names.map((name) => `buildpipeline:index:${name.replace(/Output$/, "")}`),
  );
});
