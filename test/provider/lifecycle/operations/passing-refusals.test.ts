import { describe, expect, test } from "vitest";
import type { FaultAction } from "../../../../src/emulator/index.js";
import { Driver, failure, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

const refusals: [string, FaultAction][] = [
  ["422: busy", { status: 422, body: { message: "This cluster is currently busy, please try again" } }],
  ["409", { status: 409 }],
  ["423", { status: 423 }],
];

describe.each(refusals)(
  "A refusal for the moment (%s), which ended deployments elsewhere, is waited out",
  (_, action) => {
    const refuseNext = (method: string) => service.emulator.fault({ method, action, times: 2 });

    test.each([
      ["Cluster", { name: "Linux" }, { name: "Linux", description: "builds" }],
      ["Suite", { name: "Unit", defaultBranch: "main" }, { name: "Unit", defaultBranch: "next" }],
    ])("by the creation, update and deletion of a %s", async (kind, args, changed) => {
      refuseNext("POST");
      const made = await service.driver.create(kind, args);
      refuseNext("PUT");
      const { outs = {} } = await service.driver.update(made, changed);
      expect(outs).toMatchObject(changed);
      refuseNext("DELETE");
      await service.driver.delete({ ...made, outs });
      expect(service.driver.warnings).toEqual([]);
    });
  },
);

test("A creation that a load balancer's 408 leaves open is found, and not sent again", async () => {
  service.emulator.fault({ operation: "clusters.create", when: "after", action: { status: 408 } });
  const { id } = await service.driver.create("Cluster", { name: "Linux" });
  expect(service.emulator.organizationData.clusters.list().map((cluster) => cluster.id)).toEqual([id]);
});

test("A wait that the service asks for is announced, and not called a rate limit", async () => {
  const progress: string[] = [];
  const driver = Driver.for(service.emulator, {}, undefined, { progress: (text) => progress.push(text) });
  const headers = { "Retry-After": "90" };
  service.emulator.fault({ operation: "clusters.update", action: { status: 503, headers } });
  const made = await driver.create("Cluster", { name: "Linux" });
  await driver.update(made, { name: "Mac" });
  expect(progress).toEqual(["The API responded with 503 and asked to wait. Resuming in 90s."]);
});

test("A refusal that lasts is reported as one, with the service's reason", async () => {
  const message = "Cluster is locked";
  service.emulator.fault({
    operation: "clusters.create",
    action: { status: 423, body: { message } },
    times: 9,
  });
  const error = await failure(service.driver.create("Cluster", { name: "Linux" }));
  expect(error).toContain("(sent 5 times): Cluster is locked. The service refuses this only for now");
});
