import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, test } from "vitest";
import * as lookups from "../../../src/index.js";
import { settled, surroundings } from "./surroundings.js";

const { Cluster, getBuildsOutput, getCluster, getClusterOutput, getQueueOutput, Provider } = lookups;

// An emulator that the environment leads to: what goes to the mocks must not go there.
const at = surroundings();
const calls: pulumi.runtime.MockCallArgs[] = [];

function setMocks({ preview = false } = {}): Promise<void> {
  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ name, inputs }) => ({ id: name.startsWith("new-") ? undefined : name, state: inputs }),
    call(call) {
      calls.push(call);
      return { ...call.inputs, name: "Mocked" };
    },
  };
  return pulumi.runtime.setMocks(mocks, "test", "test", preview);
}

beforeEach(async () => {
  calls.length = 0;
  await setMocks();
});

test("the plain form goes to the mocks, with the token of the function and its arguments", async () => {
  expect(await getCluster({ id: "42" })).toEqual({ id: "42", name: "Mocked" });

  expect(calls).toEqual([{ token: "buildpipeline:index:getCluster", inputs: { id: "42" }, provider: "" }]);
  expect(at.emulator.requests).toEqual([]);
});

test("the form of Outputs does, too: outputs, resources and dates as the mocks of other packages see them", async () => {
  const cluster = new Cluster("linux", { name: "Linux" });
  const createdFrom = new Date("2026-01-01T00:00:00Z");

  const { key } = getQueueOutput({ clusterId: cluster, key: pulumi.output("fast") });

  expect(await settled(key)).toEqual({ value: "fast", known: true, secret: false });
  await settled(getBuildsOutput({ createdFrom }));
  expect(calls.map(({ token, inputs }) => ({ token, inputs }))).toEqual([
    { token: "buildpipeline:index:getQueue", inputs: { clusterId: "linux", key: "fast" } },
    { token: "buildpipeline:index:getBuilds", inputs: { createdFrom: createdFrom.toISOString() } },
  ]);
  expect(at.emulator.requests).toEqual([]);
});

test("every lookup does, in both forms, with a Provider and without settings", async () => {
  for (const name of Object.keys(process.env))
    if (name.startsWith("BUILDPIPELINE_")) delete process.env[name];
  const provider = new Provider("explicit", {});
  const forms = Object.entries(lookups).filter(([name]) => /^get[A-Z]/.test(name));

  for (const [name, form] of forms) {
    // Each takes an object and options; what is in the object only the mocks read.
    const call = form as (args: object, opts: pulumi.InvokeOptions) => unknown;
    const result = pulumi.output(call({}, { provider }));
    expect(await settled(result), name).toMatchObject({ value: { name: "Mocked" } });
  }

  const tokens = new Set(calls.map(({ token }) => token));
  expect([...tokens].sort()).toEqual(
    forms
      .filter(([name]) => !name.endsWith("Output"))
      .map(([name]) => `buildpipeline:index:${name}`)
      .sort(),
  );
  expect(calls).toHaveLength(forms.length);
  expect(calls[0]?.provider).toContain("explicit");
});

test("at preview a lookup waits for what is not there yet", async () => {
  await setMocks({ preview: true });
  const cluster = new Cluster("new-linux", { name: "Linux" });

  expect((await settled(getClusterOutput({ id: cluster.id }))).known).toBe(false);
  expect(calls).toEqual([]);
});
