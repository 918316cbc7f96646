import { expect, test } from "vitest";
import { someOf } from "../../../support/cases.js";
import { groupOf, minimalOfAll, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

/** What a service may write in its own way, of the kinds that say when an object was made. */
const named: readonly [kind: string, args: object][] = [
  ["Cluster", { name: "Linux  big" }],
  ["AgentToken", { description: "build  farm" }],
  ["PipelineTemplate", { name: "Tem  plate" }],
  ["Team", { name: "Te  am" }],
  ["PipelineSchedule", { cronline: "0  3 * * *" }],
  ["Pipeline", { name: "Pi  pe" }],
];

/** Lets the service answer creations with single blanks. */
function squeeze(kind: string, more: (made: object) => object = (made) => made): void {
  const change = (made: unknown) => more(JSON.parse(JSON.stringify(made).replaceAll("  ", " ")));
  service.emulator.fault({ operation: `${groupOf(kind)}.create`, times: 9, action: { change } });
}

test.each(someOf(named))(
  "A new %s whose name the service writes otherwise is recorded, and created once",
  async (kind, args) => {
    const all = await minimalOfAll(service);
    squeeze(kind);
    const before = service.emulator.requests.length;
    const made = await service.driver
      .create(kind, { ...all[kind], ...args })
      .catch((error: unknown) => Object(error));
    expect(made.id).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
    const creations = service.emulator.requests
      .slice(before)
      .filter(({ operation }) => operation === `${groupOf(kind)}.create`);
    expect(creations).toHaveLength(1);
    const said = [...service.driver.warnings, String(made.reasons ?? "")].join();
    expect(said).toMatch(/the API didn't keep .* \(the API has "[^"]* [^"]*"\) as it was sent/);
  },
);

test("A new object that reads don't have yet is recorded as well, without a look at the list", async () => {
  squeeze("Cluster");
  service.emulator.fault({ operation: "clusters.get", times: 2, action: { status: 404, body: {} } });
  const made = await service.driver
    .create("Cluster", { name: "Linux  big" })
    .catch((error: unknown) => Object(error));
  expect(service.emulator.organizationData.clusters.list().map(({ id }) => id)).toEqual([made.id]);
  const sent = service.operations.slice(service.operations.indexOf("clusters.create") + 1);
  expect(new Set(sent)).toEqual(new Set(["clusters.get"]));
});

test("An object of another time, which a cache may answer with, isn't taken for the new one", async () => {
  const all = await minimalOfAll(service);
  const cached = { id: crypto.randomUUID(), created_at: "2020-01-01T00:00:00Z" };
  squeeze("Cluster", (made) => ({ ...made, ...cached }));
  const { id } = await service.driver.create("Cluster", { ...all.Cluster, name: "Linux  big" });
  const clusters = service.emulator.organizationData.clusters.list();
  expect(clusters.filter(({ name }) => name === "Linux  big").map((one) => one.id)).toEqual([id]);
});
