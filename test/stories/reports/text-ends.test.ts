import { describe, expect, test } from "vitest";
import { failure, minimal, serviceForEach, UNKNOWN } from "../../support/driver.js";

/** A text that the service trims or composes was endless drift, or made each run create one object more. */

const service = serviceForEach({ variations: { textEnds: "trimmed" } });

/** The argument of each kind that names its objects to people. */
const NAMES = ["Cluster.name", "AgentToken.description", "PipelineTemplate.name", "Team.name", "Suite.name"];

describe.each(NAMES)("%s", (argument) => {
  const [kind = "", name = ""] = argument.split(".");
  test.each(["Linux\n", " Linux", "\u00a0Linux", "Linux\r\n"])(
    "is refused with the ends of %j",
    async (text) => {
      const reasons = await service.driver.failures(kind, {
        ...minimal(UNKNOWN, UNKNOWN)[kind],
        [name]: text,
      });
      expect(reasons).toEqual([
        `${argument}: has blanks or line breaks at its ends, which the API may remove. Remove them, by text.trim() where the ` +
          "text comes from elsewhere.",
      ]);
    },
  );
});

test("A description that the service trims is no drift, and an update of it is done", async () => {
  const { driver } = service;
  const made = await driver.create("Cluster", { name: "Linux", description: "of a heredoc\n" });
  const { props = {} } = await service.newRun().read(made);
  expect(await service.newRun().plan({ ...made, outs: props })).toEqual({ changes: false });
  const { outs = {} } = await service.newRun().update(made, { description: " another one\n" });
  expect(outs).toMatchObject({ description: " another one\n" });
  expect(service.driver.warnings).toEqual([]);
});

const COMPOSED = "Caf\u00e9";
const DECOMPOSED = "Cafe\u0301";

/** A service that composes what it keeps. */
const composing = (operation: string) =>
  service.emulator.fault({
    operation,
    times: Infinity,
    action: { change: (body) => JSON.parse(JSON.stringify(body).normalize("NFC")) },
  });

test.each(["Cluster", "AgentToken", "PipelineTemplate"])(
  "A %s whose name comes back composed is the object that was sent, and one that stays one",
  async (kind) => {
    const { driver } = service;
    const cluster = await driver.create("Cluster", { name: "Linux" });
    const label = kind === "AgentToken" ? "description" : "name";
    const group = `${kind.charAt(0).toLowerCase()}${kind.slice(1)}s`;
    for (const method of ["create", "get", "list"]) composing(`${group}.${method}`);
    const made = await driver.create(kind, { ...minimal(cluster.id, "")[kind], [label]: DECOMPOSED });
    expect(driver.warnings).toEqual([]);
    expect(service.writes.filter((operation) => operation === `${group}.create`)).toHaveLength(
      kind === "Cluster" ? 2 : 1,
    );
    const { props = {}, inputs } = await service.newRun().read(made);
    expect(inputs).toEqual(made.inputs);
    expect(await service.newRun().plan({ ...made, outs: props })).toEqual({ changes: false });
  },
);

describe("An object that somebody made with a blank at the end of its name", () => {
  test.each(["Linux", "Linux ", " Linux"])(
    "is imported by %j, and declared without the blank",
    async (name) => {
      await service.emulator.close();
      await service.start({});
      const { id } = await service.colleague.sends("POST", "/clusters", {
        name: "Linux ",
        description: "Old\n",
      });
      const { driver } = service;
      const args = { name: "Linux", description: "Old\n" };
      const imported = await driver.create("Cluster", { ...args, import: name });
      expect(imported).toMatchObject({ id, inputs: args });
      const { inputs } = await service.newRun().read(imported);
      expect(inputs).toMatchObject(args);
    },
  );
});

test("Two clusters whose names differ by the composition of a letter have one name, and an import needs the id", async () => {
  const { driver, colleague } = service;
  for (const name of [COMPOSED, DECOMPOSED]) await colleague.sends("POST", "/clusters", { name });
  const text = (await driver.failures("Cluster", { name: COMPOSED, import: DECOMPOSED })).join();
  for (const { id } of await colleague.list("/clusters")) expect(text).toContain(id);
});

test("A team is refused with the names of the permissions that the service wants, and nothing is created", async () => {
  await service.emulator.close();
  await service.start({ variations: { teamPermissionsRequired: true } });
  const text = await failure(service.driver.create("Team", { name: "Platform" }));
  for (const name of ["members_can_create_suites", "members_can_destroy_packages"])
    expect(text).toContain(name);
  expect(service.emulator.organizationData.teams.list()).toEqual([]);
});
