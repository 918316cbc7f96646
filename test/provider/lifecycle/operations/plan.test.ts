import { expect, test } from "vitest";
import { type Facts, plan } from "../../../../src/provider/lifecycle/operations/diff.js";
import { kinds } from "../../../../src/provider/lifecycle/values/kinds.js";
import { changeRequest } from "../../../../src/provider/lifecycle/values/state.js";
import { UNKNOWN } from "../../../support/driver.js";

type Properties = Record<string, unknown>;

const CLUSTER = "c0000000-0000-4000-8000-000000000001";
const QUEUE = "a0000000-0000-4000-8000-000000000001";
const TEAM = "b0000000-0000-4000-8000-000000000001";

const NO_FACTS: Facts = {
  movesOrganization: false,
  namedId: undefined,
  isCreated: () => false,
  isDeletedFirst: () => false,
};

/** Plans the change from outputs in state to inputs of the program. */
function planned(name: string, outs: Properties, news: Properties, facts: Partial<Facts> = {}) {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`There is no kind ${name}.`);
  const organization = "acme";
  const request = changeRequest(kind, "the-id", { organization, ...outs }, { organization, ...news });
  return plan(kind, request, { ...NO_FACTS, ...facts });
}

const queue = { clusterId: CLUSTER, key: "small" };
const suite = { name: "Unit", defaultBranch: "main", teamIds: [] };

test("Equal arguments are no change", () => {
  expect(planned("Queue", queue, queue)).toMatchObject({ changed: false, replaces: [], warnings: [] });
});

test("Another spelling of the same value is no change", () => {
  const cluster = { name: "Main", color: "#AABBCC" };
  expect(planned("Cluster", cluster, { name: "Main", color: "#aabbcc", description: "" })).toMatchObject({
    changed: false,
  });
});

test("A changed argument is updated in place", () => {
  const found = planned("Queue", queue, { ...queue, description: "16 cores" });
  expect(found).toMatchObject({ changed: true, replaces: [], deleteBeforeReplace: false, renames: false });
  expect([...found.names]).toEqual(["description"]);
});

test("A changed unique name is a rename", () => {
  const team = { name: "Platform" };
  expect(planned("Team", team, { name: "Builds" })).toMatchObject({ changed: true, renames: true });
});

test("A changed key replaces a queue; with the same key in another cluster, the old one is deleted first", () => {
  expect(planned("Queue", queue, { ...queue, key: "large" })).toMatchObject({
    replaces: ["key"],
    deleteBeforeReplace: false,
  });
  expect(planned("Queue", queue, { ...queue, clusterId: QUEUE })).toMatchObject({
    replaces: ["clusterId"],
    deleteBeforeReplace: true,
  });
});

test("An unknown value counts as a change, and replaces where a known one would", () => {
  const found = planned("Queue", queue, { ...queue, description: UNKNOWN, clusterId: UNKNOWN });
  expect([...found.names].sort()).toEqual(["clusterId", "description"]);
  expect(found.replaces).toEqual(["clusterId"]);
});

test("What refers to an object that is deleted first is replaced", () => {
  const old = { clusterId: CLUSTER, queueId: QUEUE };
  const next = { clusterId: CLUSTER, queueId: UNKNOWN };
  expect(planned("ClusterDefaultQueue", old, next).replaces).toEqual([]);
  const isDeletedFirst = (value: unknown) => value === QUEUE;
  expect(planned("ClusterDefaultQueue", old, next, { isDeletedFirst }).replaces).toEqual(["queueId"]);
});

test("An allowed move to another organization replaces", () => {
  expect(planned("Queue", queue, queue, { movesOrganization: true })).toMatchObject({
    changed: true,
    replaces: ["organization"],
  });
});

test.each([
  ["set", { import: "Main/small" }, { import: "Main/small" }, "Remove the import option first and deploy"],
  ["being removed", { import: "Main/small" }, {}, "Deploy the removal of the import option by itself first"],
])("A replacement is refused while the option import is %s", (_, old, next, advice) => {
  const { refusal } = planned("Queue", { ...queue, ...old }, { ...queue, ...next, key: "large" });
  expect(refusal).toContain("a change of key would replace the imported queue the-id");
  expect(refusal).toContain(advice);
});

test("A replacement by an unknown value isn't refused for the option import", () => {
  const imported = { ...queue, import: "Main/small" };
  expect(planned("Queue", imported, { ...imported, clusterId: UNKNOWN }).refusal).toBeUndefined();
});

test("Removing the option import alone is a change without names", () => {
  const found = planned("Queue", { ...queue, import: "Main/small" }, queue);
  expect(found).toMatchObject({ changed: true, replaces: [] });
  expect(found.names.size).toBe(0);
});

test("An import that names another object is refused, unless that object replaces this one", () => {
  const next = { ...queue, import: "Main/large" };
  expect(planned("Queue", queue, next, { namedId: "the-id" }).refusal).toBeUndefined();
  expect(planned("Queue", queue, next, { namedId: "other" }).refusal).toContain(
    '"Main/large" is the queue other, but this resource is already the-id',
  );
  expect(planned("Queue", queue, { ...next, key: "large" }, { namedId: "other" }).refusal).toBeUndefined();
});

test("A value that counts only at creation can't change", () => {
  expect(planned("Suite", suite, { ...suite, teamIds: [TEAM] }).refusal).toMatch(
    /^Suite\.teamIds: .*ignoreChanges/,
  );
});

test("Leaving it out changes nothing on the service, and isn't refused", () => {
  const { teamIds: _, ...rest } = suite;
  expect(planned("Suite", { ...suite, teamIds: [TEAM] }, rest)).toMatchObject({
    changed: true,
    warnings: [],
  });
});
