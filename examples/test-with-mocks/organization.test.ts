import * as pulumi from "@pulumi/pulumi";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { organization, sharedQueue, suite } from "./organization";

// No engine, no provider, no service: Pulumi hands each registration to `newResource` and each lookup to `call`. So
// this tests what the program declares. To test it against the service,
// see ../test-with-engine.
const registered: pulumi.runtime.MockResourceArgs[] = [];

beforeAll(() => {
  pulumi.runtime.setMocks({
    newResource(resource) {
      registered.push(resource);
      return { id: `${resource.name}-id`, state: resource.inputs };
    },
    call({ token, inputs }) {
      switch (token) {
        case "buildpipeline:index:getCluster":
          return { id: "0190f1c4-0000-4000-8000-000000000001", name: inputs.name };
        case "buildpipeline:index:getTeam":
          return { id: "0190f1c4-0000-4000-8000-000000000002", name: "Platform", slug: inputs.slug };
        default:
          throw new Error(`${token} is not mocked`);
      }
    },
  });
});

beforeEach(() => {
  registered.length = 0;
});

/** Waits until an output is there, which is after its resource was registered. */
function value<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => output.apply(resolve));
}

test("every queue is in the cluster of its environment", async () => {
  const { cluster, queues } = organization("staging");
  const clusters = await Promise.all(queues.map((queue) => value(queue.clusterId)));
  expect(clusters).toEqual([await value(cluster.id), await value(cluster.id)]);
});

test("queues start paused in production, and pausing is left to operators in staging", async () => {
  for (const environment of ["production", "staging"] as const) {
    await Promise.all(organization(environment).queues.map((queue) => value(queue.id)));
  }
  const queues = registered.filter(({ type }) => type === "pulumi-nodejs:dynamic/buildpipeline:Queue");
  const paused = queues.map(({ name, inputs }) => [name, inputs.dispatchPaused]);
  expect(Object.fromEntries(paused)).toEqual({
    "production-small": true,
    "production-large": true,
    "staging-small": undefined,
    "staging-large": undefined,
  });
});

test("lookups find what the mocks return, in both forms", async () => {
  const queue = sharedQueue("deploy");
  expect(await value(queue.clusterId)).toBe("0190f1c4-0000-4000-8000-000000000001");

  const unit = await suite("unit", "platform");
  expect(await value(unit.name)).toBe("unit (Platform)");
  expect(await value(unit.teamIds)).toEqual(["0190f1c4-0000-4000-8000-000000000002"]);
});
