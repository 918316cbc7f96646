import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { kinds } from "../../../src/provider/lifecycle/values/kinds.js";
import { groupOf, kindOf, minimalOfAll, serviceForEach } from "../../support/driver.js";

const service = serviceForEach();

type Properties = Readonly<Record<string, unknown>>;

/** Two values of every argument that can change after a creation. Pausing has separate requests, and separate tests. */
const VALUES: Readonly<Record<string, (clusters: readonly string[]) => readonly [Properties, Properties]>> = {
  Cluster: () => [
    { name: "Linux", description: "Builds", emoji: ":penguin:", color: "#14CC80", forceDestroy: true },
    { name: "Mac", description: "Tests", emoji: ":snail:", color: "#ff0000", forceDestroy: false },
  ],
  Queue: ([here, there]) => [
    { clusterId: here, key: "large", description: "16 cores" },
    { clusterId: there, key: "small", description: "4 cores" },
  ],
  AgentToken: ([here, there]) => [
    { clusterId: here, description: "farm", allowedIpAddresses: ["10.0.0.0/8"], triggers: { month: "May" } },
    { clusterId: there, description: "barn", allowedIpAddresses: ["192.0.2.7"], triggers: { month: "June" } },
  ],
  PipelineTemplate: () => [
    { name: "Node", configuration: "steps: []", description: "Services", available: true },
    { name: "Go", configuration: { steps: ["wait"] }, description: "Tools", available: false },
  ],
  Team: () => [
    {
      name: "Platform",
      description: "Machines",
      privacy: "secret",
      isDefaultTeam: true,
      defaultMemberRole: "maintainer",
      membersCanCreatePipelines: true,
    },
    {
      name: "Mobile",
      description: "Apps",
      privacy: "visible",
      isDefaultTeam: false,
      defaultMemberRole: "member",
      membersCanCreatePipelines: false,
    },
  ],
  Suite: () => [
    { name: "Unit", defaultBranch: "main", applicationName: "shop", color: "#f0ccff", emoji: ":test_tube:" },
    { name: "All", defaultBranch: "trunk", applicationName: "desk", color: "#000000", emoji: "🧪" },
  ],
};
const REPLACING = ["AgentToken.clusterId", "AgentToken.triggers", "Queue.clusterId", "Queue.key"];

/** The objects of a type as the service stores them, without what each creation makes anew. */
function stored(name: string): readonly object[] {
  const { organizationData } = service.emulator;
  const collection: { list(): readonly object[] } = Reflect.get(organizationData, groupOf(name));
  const own = /^(id|uuid|slug|token|api_token|created_at|updated_at)$/;
  return collection
    .list()
    .map((object) => Object.fromEntries(Object.entries(object).filter(([field]) => !own.test(field))));
}

test("Every kind has two values of each argument, but those that only mark another object", () => {
  const described = [...kinds.values()].filter(({ view }) => view === undefined);
  expect(described.map(({ name }) => name).sort()).toEqual(Object.keys(VALUES).sort());
});

describe.each(Object.keys(VALUES))("Each argument of %s", (name) => {
  const changes = Object.keys(VALUES[name]?.([])[0] ?? {}).flatMap((argument) =>
    kindOf(name).arguments[argument]?.whenOmitted === "required"
      ? [[argument, "changed"]]
      : [
          [argument, "changed"],
          [argument, "left out"],
        ],
  );

  test("that can change has two values above", () => {
    const changing = Object.entries(kindOf(name).arguments).filter(
      ([, field]) => !field.apply && !("appliedWith" in field) && typeof field.creationOnly !== "string",
    );
    expect(Object.keys(VALUES[name]?.([])[1] ?? {})).toEqual(changing.map(([argument]) => argument));
  });

  test.each(changes)("%s that is %s leads to what a creation makes, or replaces", async (argument, how) => {
    const clusters: string[] = [];
    for (const home of ["Here", "There"])
      clusters.push((await service.driver.create("Cluster", { name: home })).id);
    const before = stored(name);
    const [args, others] = VALUES[name]?.(clusters) ?? [{}, {}];
    const { [argument]: _, ...rest } = args;
    const changed = how === "changed" ? { ...rest, [argument]: others[argument] } : rest;
    const created = await service.driver.create(name, changed);
    const expected = stored(name);
    await service.driver.delete(created);
    expect(stored(name)).toEqual(before);

    const run = service.newRun();
    const made = await run.create(name, args);
    const { changes, replaces = [] } = await run.plan(made, changed);
    expect(changes).not.toBe(false);
    const replacing = REPLACING.includes(`${name}.${argument}`);
    expect(replaces).toEqual(replacing ? [argument] : []);
    if (replacing) return;
    const isSent = kindOf(name).arguments[argument]?.sentAs !== undefined;
    expect(isDeepStrictEqual(stored(name), expected)).toBe(!isSent);
    const { inputs = {} } = await (await run.kind(name)).check(made.inputs, changed);
    const { outs = {} } = await run.update({ ...made, inputs }, {});
    expect(stored(name)).toEqual(expected);
    expect((await service.newRun().plan({ ...made, inputs, outs })).changes).toBe(false);
  });
});
