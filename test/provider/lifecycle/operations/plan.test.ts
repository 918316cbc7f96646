import { expect, test } from "vitest";
import { plan } from "../../../../src/provider/lifecycle/operations/diff.js";
import { changeRequest } from "../../../../src/provider/lifecycle/operations/write-contents.js";
import { kindOf, UNKNOWN } from "../../../support/driver.js";

type Properties = Record<string, unknown>;

const CLUSTER = "c0000000-0000-4000-8000-000000000001";
const TEAM = "b0000000-0000-4000-8000-000000000001";

function planned(name: string, outs: Properties, news: Properties, { movesOrganization = false } = {}) {
  const organization = "acme";
  const request = changeRequest(kindOf(name), "the-id", { organization, ...outs }, { organization, ...news });
  const facts = { movesOrganization, namedId: undefined };
  return plan(request, { ...facts, isCreated: () => false, isDeletedFirst: () => false });
}

const queue = { clusterId: CLUSTER, key: "small" };

test("An unknown value counts as a change, and replaces where a known one would", () => {
  const found = planned("Queue", queue, { ...queue, description: UNKNOWN, clusterId: UNKNOWN });
  expect([...found.names].sort()).toEqual(["clusterId", "description"]);
  expect(found.replaces).toEqual(["clusterId"]);
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

test("Leaving out a value that counts only at creation changes nothing on the service, and isn't refused", () => {
  const suite = { name: "Unit", defaultBranch: "main" };
  const found = planned("Suite", { ...suite, teamIds: [TEAM] }, suite);
  expect(found).toMatchObject({ changed: true, warnings: [], refusal: undefined });
});

test.each(["TeamMember", "TeamPipeline", "TeamSuite", "ClusterMaintainer"])(
  "A replacement of a %s makes the pair in another place before the old one ends, and the same pair after it",
  (name) => {
    const { parent, unique } = kindOf(name);
    const pair = { [parent?.argument ?? ""]: TEAM, [unique?.argument ?? ""]: CLUSTER };
    const elsewhere = planned(name, pair, { ...pair, [parent?.argument ?? ""]: CLUSTER });
    expect(elsewhere).toMatchObject({ replaces: [parent?.argument], deleteBeforeReplace: false });
    const inAnotherOrganization = planned(name, pair, pair, { movesOrganization: true });
    expect(inAnotherOrganization).toMatchObject({ replaces: ["organization"], deleteBeforeReplace: true });
  },
);

test.each([
  ["TeamMember", { teamId: TEAM, userId: CLUSTER }, { role: "maintainer" }],
  ["TeamPipeline", { teamId: TEAM, pipelineId: CLUSTER }, { accessLevel: "read_only" }],
  ["TeamSuite", { teamId: TEAM, suiteId: CLUSTER }, { accessLevel: ["edit"] }],
  ["ClusterSecret", { clusterId: CLUSTER, key: "KEY" }, { description: "changed" }],
])("A %s that replaceOnChanges replaces for %j ends before its replacement begins", (name, args, change) => {
  expect(planned(name, args, { ...args, ...change })).toMatchObject({
    replaces: [],
    deleteBeforeReplace: true,
  });
});
