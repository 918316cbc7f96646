import { describe, expect, test } from "vitest";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { someOf } from "../../support/cases.js";
import { groupOf, kindOf, serviceForEach } from "../../support/driver.js";
import { valuesIn } from "../../support/each-kind.js";
import { BACKENDS, ResourceOfProgram } from "../../support/program.js";

const service = serviceForEach({ variations: { teamReturnsWritableFields: true } });

/** Arguments that an update's body can have, of kinds with two of them. */
const updatable = new Map(
  [...kinds.values()].flatMap(({ name, view, arguments: fields }) => {
    const names = Object.keys(fields).filter((argument) => {
      const { apply, creationOnly, sentAs, replaces } = fields[argument] ?? {};
      const isAlternative = Object.values(fields).some(({ unless }) => unless?.argument === argument);
      return !apply && !creationOnly && !replaces && sentAs !== undefined && !isAlternative;
    });
    return view || names.length < 2 ? [] : [[name, names] as const];
  }),
);

const rows = [...updatable].flatMap(([name, names]) =>
  names.flatMap((argument) => BACKENDS.map((backend) => ({ name, argument, backend }))),
);

const some = someOf(rows);
/** A refresh of the dynamic backend keeps the inputs of a token without drift, and kept them with these as well. */
const keptOnce = ["description", "allowedIpAddresses"].map(
  (argument) => ({ name: "AgentToken", argument, backend: "dynamic" }) as const,
);
const played = [
  ...some,
  ...keptOnce.filter((row) => !some.some((other) => JSON.stringify(other) === JSON.stringify(row))),
];

/** A resource, of which a colleague changes an argument, and the program's two values of another one. */
async function changedByColleague({ name, argument, backend }: (typeof rows)[number]) {
  const [args, others] = await valuesIn(service, name);
  const { sentAs = "" } = kindOf(name).arguments[argument] ?? {};
  const shown = updatable.get(name)?.find((one) => one !== argument && one !== "slug") ?? "";
  const resource = () => new ResourceOfProgram(backend, service.emulator, name, service.clock);
  const bodies = () => service.emulator.requests.filter(({ method }) => method !== "GET");

  const made = await resource().up(args);
  const run = service.newRun();
  const changed = { ...args, [argument]: others[argument] };
  const { inputs = {} } = await (await run.kind(name)).check(made.inputs, changed);
  await run.update({ ...made, kind: name, inputs }, {});
  const theirs = Object(bodies().at(-1)?.body)[sentAs];
  return { args, shown, values: [others[shown], args[shown]], made, resource, bodies, sentAs, theirs };
}

describe.each(played)("A colleague's change of $name: $argument, by the backend $backend,", (row) => {
  const { name, argument } = row;

  test("is undone by no update that shows another argument", async () => {
    const { args, shown, values, made, resource, bodies, sentAs, theirs } = await changedByColleague(row);
    const { inEveryUpdate, mayBeLeftOut } = kindOf(name).arguments[argument] ?? {};
    let state = made;
    // The first response tells the state what the colleague did.
    for (const value of values) {
      service.emulator.clearRequests();
      state = await resource().up({ ...args, [shown]: value }, state);
      const [update, ...more] = bodies();
      expect(more).toEqual([]);
      expect(update).toMatchObject({ operation: `${groupOf(name)}.update` });
      if (inEveryUpdate) expect(Object(update?.body)[sentAs]).toEqual(theirs);
      else {
        // A new name keeps the slug.
        const along = shown === "name" && name === "Pipeline" ? ["slug"] : [];
        const body = [String(kindOf(name).arguments[shown]?.sentAs), ...along].sort();
        expect(Object.keys(Object(update?.body)).sort()).toEqual(body);
      }
    }
    expect((await resource().preview(args, state)).changes).toBe(false);
    // A refresh shows it, if the API returns it.
    const refreshed = await resource().refresh(state);
    const { changes } = await resource().preview(args, refreshed);
    if (!mayBeLeftOut) expect(changes).toBe(true);
    // The program undoes it, and the next refresh shows nothing.
    const undone = await resource().refresh(await resource().up(args, refreshed));
    expect((await resource().preview(args, undone)).changes).toBe(false);
  });
});

const SERVICE = {
  ...{ provider: "webhook", scope: "all", description: "First" },
  settings: { url: "https://a.example/events" },
};
const pipeline = { name: "Shop", repository: "git@github.com:acme/shop.git", clusterId: "" };

const unmanaged = rows.filter(({ name, argument }) => {
  const { whenOmitted, clearedBy } = kindOf(name).arguments[argument] ?? {};
  return whenOmitted === "unmanaged" && clearedBy === undefined;
});

test.each(someOf(unmanaged))(
  "A colleague's change of $name: $argument, which the program gives up then, stays, by the backend $backend",
  async (row) => {
    const { args, shown, values, made, resource, bodies, sentAs, theirs } = await changedByColleague(row);
    const { [row.argument]: _, ...rest } = args;
    let state = made;
    for (const value of values) {
      service.emulator.clearRequests();
      state = await resource().up({ ...rest, [shown]: value }, state);
      expect(bodies()).toHaveLength(1);
      const { [sentAs]: sent = theirs } = Object(bodies()[0]?.body);
      expect(sent).toEqual(theirs);
    }
  },
);

describe.each(BACKENDS)("By the backend %s,", (backend) => {
  const resource = (name = "Pipeline") =>
    new ResourceOfProgram(backend, service.emulator, name, service.clock);
  const bodies = () =>
    service.emulator.requests.filter(({ method }) => method !== "GET").map(({ body }) => body);

  test("an update that drops a provider setting sends nothing", async () => {
    const both = { triggerMode: "code", buildTags: true };
    const made = await resource().up({ ...pipeline, providerSettings: both });
    service.emulator.clearRequests();
    const state = await resource().up({ ...pipeline, providerSettings: { triggerMode: "code" } }, made);
    expect(bodies()).toEqual([]);
    expect(state.outs).toMatchObject({ providerSettings: { triggerMode: "code" } });
  });
});

/** Changes of two arguments by two requests, of which the second one fails. */
const halves = [
  {
    name: "PipelineSettings",
    before: { maximumTimeoutInMinutes: 5 },
    after: { maximumTimeoutInMinutes: 6, hostedAgentsTerminalAccess: true },
    fails: "pipelineSettings.enableHostedAgentsSsh",
    done: "maximumTimeoutInMinutes",
  },
  {
    name: "ApiSettings",
    before: { restrictUserApiTokenCreation: false },
    after: {
      ...{ restrictUserApiTokenCreation: true, revokeInactiveTokensAfterDays: 30 },
      ...{ allowedIpAddresses: ["192.0.2.0/24"], reachableFrom: "192.0.2.1" },
    },
    fails: "apiSettings.update",
    passing: 1,
    done: "restrictUserApiTokenCreation",
  },
  {
    name: "Queue",
    before: { key: "small", dispatchPaused: false },
    after: { key: "small", dispatchPaused: true, description: "Small" },
    fails: "queues.pauseDispatch",
    done: "description",
  },
  {
    name: "NotificationService",
    before: { ...SERVICE, enabled: true },
    after: { ...SERVICE, enabled: false, description: "Second" },
    fails: "notificationServices.disable",
    done: "description",
  },
  {
    name: "Pipeline",
    before: { ...pipeline, githubWebhooks: true },
    after: { ...pipeline, githubWebhooks: false, description: "Sold here" },
    fails: "pipelines.githubWebhooks.disable",
    done: "description",
  },
  {
    name: "ClusterSecret",
    before: { key: "KEY", value: "a" },
    after: { key: "KEY", value: "b", description: "Second" },
    fails: "clusterSecrets.update",
    done: "value",
  },
];

test.each(halves.flatMap((half) => BACKENDS.map((backend) => ({ ...half, backend }))))(
  "What an update of $name did before it failed isn't sent again, by the backend $backend",
  async ({ name, before, after, fails, passing = 0, done, backend }) => {
    const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
    const around = kindOf(name).parent?.argument === "clusterId" ? { clusterId } : {};
    const resource = new ResourceOfProgram(backend, service.emulator, name, service.clock);
    const bodies = () => service.emulator.requests.filter(({ method }) => method !== "GET");
    const made = await resource.up({ ...around, ...before });
    service.emulator.fault({ operation: fails, after: passing, times: 1, action: { status: 403 } });
    service.emulator.clearRequests();
    const failed: unknown = await resource.up({ ...around, ...after }, made).catch((error: unknown) => error);
    expect(String(failed)).toContain("was updated in part");
    const whole = bodies();
    // The engine keeps the inputs of before.
    const half = { ...made, ...Object(failed), inputs: made.inputs, isHalfMade: true };
    service.emulator.clearRequests();
    const state = await resource.up({ ...around, ...after }, half);
    expect(bodies().map(({ operation, body }) => ({ operation, body }))).toEqual(
      whole.slice(1).map(({ operation, body }) => ({ operation, body })),
    );
    expect(state.outs).toHaveProperty(done);
    expect((await resource.preview({ ...around, ...after }, state)).changes).toBe(false);
  },
);

test("Of two tokens that become equal, each sends what it changes, though the engine names neither", async () => {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
  const one = await service.driver.create("AgentToken", { clusterId, description: "one" });
  const networks = { allowedIpAddresses: ["10.0.0.0/8"] };
  const other = await service.driver.create("AgentToken", { clusterId, description: "both", ...networks });
  service.emulator.clearRequests();
  const run = service.newRun();
  const provider = await run.kind("AgentToken");
  const wanted = { clusterId, description: "both" };
  // The engine checks both before it updates any.
  const checked = [];
  for (const made of [one, other]) checked.push(await provider.check(made.inputs, wanted));
  for (const [index, made] of [one, other].entries())
    await run.update({ ...made, inputs: checked[index]?.inputs ?? {} }, {});
  const bodies = service.emulator.requests.filter(({ method }) => method !== "GET").map(({ body }) => body);
  expect(bodies).toEqual([{ description: "both" }, { allowed_ip_addresses: "" }]);
});
