import { describe, expect, test } from "vitest";
import type { FaultAction } from "../../../../src/emulator/index.js";
import { kinds } from "../../../../src/provider/for-commands/kinds.js";
import { plain } from "../../../stories/histories/engine/backend.js";
import { someOf } from "../../../support/cases.js";
import { Driver, failure, kindOf, minimalOfAll, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

const refusals: [string, FaultAction][] = [
  ["422: busy", { status: 422, body: { message: "This cluster is currently busy, please try again" } }],
  ["409", { status: 409 }],
  ["423", { status: 423 }],
  ["429", { rateLimited: { resetSeconds: 20 } }],
  ["403 with Retry-After", { status: 403, headers: { "Retry-After": "20" } }],
  ["403 for a limit", { status: 403, body: { message: "You have exceeded a secondary rate limit" } }],
];

/** Changes one after the other, beside the description of kinds that have one. */
const changes: Readonly<Record<string, readonly object[]>> = {
  Queue: [{ dispatchPaused: true }, { dispatchPaused: false }],
  AgentToken: [{ description: "barn" }],
  ClusterSecret: [{ value: "another" }],
  Pipeline: [{ archived: true }, { archived: false }],
  PipelineSchedule: [{ message: "Nightly" }],
  Suite: [{ defaultBranch: "next" }],
  TeamMember: [{ role: "maintainer" }],
  TeamPipeline: [{ accessLevel: "build_and_read" }],
  TeamSuite: [{ accessLevel: ["read", "edit"] }],
};

describe.each(refusals)(
  "A refusal for the moment (%s), which ended deployments elsewhere, is waited out",
  (name, action) => {
    const turn = refusals.findIndex(([other]) => other === name);
    const refuseNext = () => {
      const matches = ({ method }: { readonly method: string }) => method !== "GET";
      service.emulator.fault({ matches, action, times: 2 });
    };

    test.each(someOf([...kinds.keys()], turn))(
      "by the creation, updates and deletion of a %s",
      async (kind) => {
        const args = (await minimalOfAll(service))[kind] ?? {};
        const isDescribed = kindOf(kind).arguments.description !== undefined;
        refuseNext();
        let made = await service.driver.create(kind, args);
        for (const change of changes[kind] ?? (isDescribed ? [{ description: "builds" }] : [])) {
          refuseNext();
          const { outs = {} } = await service.driver.update(made, { ...change });
          expect(plain(outs)).toMatchObject(change);
          made = { ...made, outs };
        }
        for (const onDelete of kind === "Pipeline" ? ["archive", "delete"] : [undefined]) {
          refuseNext();
          await service.newRun().delete({ ...made, outs: { ...made.outs, onDelete } });
        }
        const { warnings } = service.driver;
        expect(warnings.filter((text) => !text.startsWith("Rate limit reached."))).toEqual([]);
      },
    );

    test("by a creation that archives", async () => {
      const args = (await minimalOfAll(service)).Pipeline ?? {};
      service.emulator.fault({ operation: "pipelines.archive", action, times: 2 });
      const { outs } = await service.driver.create("Pipeline", { ...args, archived: true });
      expect(outs).toMatchObject({ archived: true });
    });
  },
);

test("A conflict that means that a colleague took the key is explained as that, and makes nothing", async () => {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
  const provider = await service.newRun().kind("Queue");
  const { inputs = {} } = await provider.check({}, { clusterId, key: "small" });
  const taken = await service.colleague.sends("POST", `/clusters/${clusterId}/queues`, { key: "small" });
  const conflict = { status: 409, body: { message: "Conflict" } };
  service.emulator.fault({ operation: "queues.create", times: 9, action: conflict });
  expect(await failure(provider.create(inputs))).toContain(`Queue.key: is taken by the queue ${taken.id}`);
  expect(service.emulator.organizationData.queues.size).toBe(1);
});

test("A creation that a load balancer's 408 leaves open is found, and not sent again", async () => {
  service.emulator.fault({ operation: "clusters.create", when: "after", action: { status: 408 } });
  const { id } = await service.driver.create("Cluster", { name: "Linux" });
  expect(service.emulator.organizationData.clusters.list().map((cluster) => cluster.id)).toEqual([id]);
});

test.each([...kinds.values()].filter(({ behavior }) => behavior.reusesAddresses).map(({ name }) => name))(
  "Maintenance that a read has waited out isn't waited out again by the update and the deletion of a %s",
  async (kind) => {
    const made = await service.driver.create(kind, (await minimalOfAll(service))[kind] ?? {});
    const sent = async (work: Promise<unknown>) => {
      await failure(work);
      const paths = service.emulator.requests.map(({ method, path }) => `${method} ${path}`);
      return Math.max(...paths.map((path) => paths.filter((other) => other === path).length));
    };
    const [change] = changes[kind] ?? [{ description: "builds" }];
    service.emulator.fault({ action: { status: 503, headers: { "Retry-After": "10" } }, times: Infinity });
    for (const write of [
      () => service.newRun().update(made, { ...change }),
      () => service.newRun().delete(made),
    ]) {
      service.emulator.clearRequests();
      expect(await sent(write())).toBe(5);
    }
  },
);

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
