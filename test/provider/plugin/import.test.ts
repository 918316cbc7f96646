import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { type AnyKind, kinds } from "../../../src/provider/for-commands/kinds.js";
import { plain } from "../../stories/histories/engine/backend.js";
import { someOf } from "../../support/cases.js";
import { kindOf } from "../../support/driver.js";
import { EACH_KIND, valuesOf } from "../../support/each-kind.js";
import { withEachKind } from "./each-kind.js";
import { type Properties, Served, type State, urnOf } from "./served.js";

/** The arguments that a program has after an import: Pulumi writes them from the inputs. */
function programOf(inputs: Properties): Properties {
  return Object.fromEntries(
    Object.entries(inputs).filter(([name]) => name !== "organization" && !name.startsWith("__")),
  );
}

type Pairs = Readonly<Record<string, readonly [unknown, unknown]>>;

/** The arguments of each kind that are such, with two values of each. */
const pairsOf = (
  isSuch: (field: AnyKind["arguments"][string], name: string, kind: AnyKind) => boolean,
  except: readonly string[],
  more: Pairs,
): (readonly [kind: string, Pairs])[] =>
  [...kinds.values()].flatMap((kind) => {
    const [first, other] = valuesOf(kind.name);
    const pairs = Object.entries(kind.arguments).flatMap(([name, field]) => {
      const path = `${kind.name}.${name}`;
      if (!isSuch(field, name, kind) || except.includes(path)) return [];
      return [[name, more[path] ?? [first[name], other[name]]] as const];
    });
    return pairs.length === 0 ? [] : [[kind.name, Object.fromEntries(pairs)]];
  });

/**
 * What never-returned.test.ts holds: an import of a secret is followed by one request that sends its value. And a number
 * of days, which counts only at a creation. And what is asked for when it is added, after an import as well.
 */
const SENT_LATER = [
  ...["ClusterSecret.value", "ClusterSecret.triggers", "AgentToken.expiresIn"],
  "Pipeline.createWebhook",
  "NotificationService.triggers",
  // Only a replacement sends them, and every-argument.test.ts holds it.
  "OrganizationRule.conditions",
];

/** What is managed and a response may lack. Arguments that name the parent are no such. */
const teamId = "0d7a5f4e-1b2c-4d3e-8f90-a1b2c3d4e5f6";
const UNRETURNED = pairsOf(
  // What isn't told stays as it is: added-arguments.test.ts.
  ({ returnedAs, mayBeLeftOut, whenOmitted }, name, { parent }) =>
    (returnedAs === undefined || mayBeLeftOut !== undefined) &&
    whenOmitted !== "unmanaged" &&
    name !== parent?.argument,
  SENT_LATER,
  { "Suite.teamIds": [[teamId], []], "Pipeline.teams": [[{ teamId, accessLevel: "read_only" }], []] },
);

/** What may stay unmanaged. The service has the first value before the import. */
const UNMANAGED = pairsOf(
  ({ whenOmitted }) => whenOmitted === "unmanaged",
  [
    ...["Pipeline.clusterId", "Pipeline.githubWebhooks", "PipelineSettings.defaultClusterId"],
    ...["ApiSettings.allowedIpAddresses", "ApiSettings.reachableFrom", "Queue.hostedAgents"],
  ],
  {
    // "shop" is another one's.
    "Pipeline.slug": ["store", "stand"],
    "Pipeline.providerSettings": [{ filterEnabled: true }, { filterEnabled: false }],
    "AgentToken.expiresAt": ["2999-01-01T00:00:00.000Z", "2998-01-01T00:00:00.000Z"],
    "Queue.dispatchPaused": [true, false],
    "Queue.dispatchPausedNote": ["Upgrade", "Incident"],
    "PipelineSettings.hostedAgentsTerminalAccess": [true, false],
    "PipelineSettings.publicPipelineCreation": [false, true],
    "NotificationService.enabled": [false, true],
  },
);
// A hosted queue has none of the other arguments.
const shapes = ["LINUX_AMD64_4X16", "LINUX_AMD64_2X4"].map((instanceShape) => ({ instanceShape }));
UNMANAGED.push(["Queue", { hostedAgents: [shapes[0], shapes[1]] }]);

test.each([...UNRETURNED, ...UNMANAGED])("%s has two values of each argument below", (_, pairs) => {
  for (const [value, other] of Object.values(pairs)) expect(value).not.toEqual(other);
});

/** What a program must say again after an import, because no response has it. */
function secretsOf(kind: string): Properties {
  const { value } = EACH_KIND[kind]?.[1] ?? {};
  return value === undefined ? {} : { value };
}

test.each(Object.keys(EACH_KIND))(
  "A %s whose outputs somebody emptied has them again after a refresh",
  async (kind) => {
    const { engine } = await withEachKind("Cluster", kind);
    const state = await engine.read(urnOf(kind), EACH_KIND[kind]?.[0] ?? "");
    expect(await engine.read(urnOf(kind), state.id, {}, state.inputs)).toMatchObject({
      id: state.id,
      outs: programOf(state.inputs),
    });
  },
);

test.each(Object.keys(EACH_KIND))(
  "The program that pulumi import writes of a %s states what the object has, or a warning names the argument",
  async (kind) => {
    const { engine } = await withEachKind("Cluster", kind);
    const urn = urnOf(kind, "imported");
    const { inputs, outs } = await engine.read(urn, EACH_KIND[kind]?.[0] ?? "");
    const said = engine.warnings().length;
    await engine.check(urn, inputs, inputs);
    const warnings = engine.warnings().slice(said).join();
    for (const [name, field] of Object.entries(kindOf(kind).arguments)) {
      const value = plain(outs)[name];
      const isLeft = value == null || field.byOperator || field.secret || field.whenOmitted === "ignored";
      if (isLeft || name in inputs || isDeepStrictEqual(value, field.default)) continue;
      const isUsual = field.lostWhenReplaced !== undefined && field.lostWhenReplaced.is(value) === undefined;
      // A slug follows from the name.
      if (name === "slug") continue;
      const named = new RegExp(`no line for [\\w, ]*\\b${name}\\b`);
      if (isUsual) expect(warnings).not.toMatch(named);
      else expect(warnings).toMatch(named);
    }
    // A program of a person leaves out what it likes.
    await engine.check(urn, programOf(inputs), inputs);
    expect(engine.warnings().slice(said).join()).toBe(warnings);
  },
);

test.each([
  ["prefer-warmest", 0],
  ["prefer-different", 1],
])("An import of many queues that prefer agents by %s says so %i times", async (affinity, times) => {
  const first = await Served.configured();
  const { id: clusterId } = await first.deploy(urnOf("Cluster"), { name: "Main" });
  const keys = ["small", "medium", "large"];
  for (const key of keys)
    await first.deploy(urnOf("Queue", key), { clusterId, key, retryAgentAffinity: affinity });
  const engine = await Served.beside(first);
  for (const key of keys) {
    const urn = urnOf("Queue", `imported-${key}`);
    const { inputs } = await engine.read(urn, `Main/${key}`);
    await engine.check(urn, inputs, inputs);
  }
  expect(engine.warnings().filter((text) => text.includes("no line for"))).toHaveLength(times);
});

/** Checks that the program changes nothing, now and after a refresh. Returns the state that it then has. */
async function expectSame(engine: Served, urn: string, state: State, args: Properties) {
  const same = { failures: [], changed: false, lines: {} };
  const { inputs, ...first } = await engine.plan(urn, state, args);
  expect(first).toMatchObject(same);
  const later = { ...state, inputs };
  expect(await engine.plan(urn, later, args)).toMatchObject(same);
  const fresh = await engine.read(urn, state.id, state.outs, inputs);
  expect(await engine.plan(urn, fresh, args)).toMatchObject(same);
  expect(programOf(fresh.inputs)).toEqual(programOf(inputs));
  return later;
}

describe.each(someOf(UNRETURNED))("%s with arguments that the API doesn't return", (kind, values) => {
  const urn = urnOf(kind, "imported");
  const imported = async () => {
    const { engine } = await withEachKind("Cluster", kind);
    engine.emulator.clearRequests();
    return { engine, ...(await engine.read(urn, EACH_KIND[kind]?.[0] ?? "")) };
  };
  const given = Object.fromEntries(Object.entries(values).map(([argument, [value]]) => [argument, value]));

  const expectNothingWritten = ({ emulator }: Served) =>
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);

  test("by the option import: no change afterwards, nothing written", async () => {
    const { engine, ...state } = await imported();
    await expectSame(engine, urn, state, { ...programOf(state.inputs), ...given });
    expectNothingWritten(engine);
    const unseen = Object.keys(given).filter((name) => !kindOf(kind).arguments[name]?.inEveryUpdate);
    const later = engine
      .warnings()
      .flatMap((text) => /\.(\w+): .* once you run pulumi up again/.exec(text)?.[1] ?? []);
    expect([...new Set(later)].sort()).toEqual(
      unseen.filter((name) => state.outs[name] === undefined).sort(),
    );
  });

  test("by pulumi import and after a refresh: no change afterwards, nothing written", async () => {
    const { engine, ...state } = await imported();
    const refreshed = await engine.read(urn, state.id, state.outs, state.inputs);
    await expectSame(engine, urn, refreshed, { ...programOf(state.inputs), ...given });
    expectNothingWritten(engine);
  });

  test.each(Object.entries(values))(
    "%s: what the program says next is a change",
    async (argument, [, other]) => {
      const { engine, ...state } = await imported();
      const args = { ...programOf(state.inputs), ...given };
      const change = engine.plan(urn, await expectSame(engine, urn, state, args), {
        ...args,
        [argument]: other,
      });
      if (argument === "teamIds" || argument === "teams")
        await expect(change).rejects.toThrow(/counts only when the (suite|pipeline) is created/);
      else expect(await change).toMatchObject({ changed: true });
    },
  );
});

describe.each(someOf(UNMANAGED))("%s with arguments that may stay unmanaged", (kind, values) => {
  const urn = urnOf(kind, "imported");
  const imported = async () => {
    const { engine, deployed } = await withEachKind("Cluster", kind);
    const made = deployed.get(kind);
    if (made === undefined) throw new Error(`${kind} was not deployed.`);
    const had: Properties = Object.fromEntries(
      Object.entries(values).map(([name, [value]]) => [name, value]),
    );
    if (kind === "Pipeline") had.clusterId = deployed.get("Cluster")?.id;
    await engine.delete(urnOf(kind), made.id, made.outs, 0, made.inputs);
    const { id } = await engine.deploy(urnOf(kind), { ...programOf(made.inputs), ...had });
    const beside = await Served.beside(engine);
    const isNested = kinds.get(kind)?.parent !== undefined;
    const state = await beside.read(urn, isNested ? String(EACH_KIND[kind]?.[0]) : id);
    engine.emulator.clearRequests();
    // By default, the service returns none of a team's.
    const told = kind === "Team" ? {} : had;
    expect(plain(state.outs)).toMatchObject(told);
    return { engine: beside, state, had: told, own: { ...programOf(state.inputs), ...secretsOf(kind) } };
  };

  test("is unchanged by a program that states what the service has, at the import and after it", async () => {
    const { engine, state, own, had } = await imported();
    const { inputs } = await expectSame(engine, urn, state, { ...own, ...had });
    const refreshed = await engine.read(urn, state.id, state.outs, state.inputs);
    await expectSame(engine, urn, refreshed, { ...own, ...had });
    expect(plain((await engine.read(urn, state.id, state.outs, inputs)).inputs)).toMatchObject(had);
    expect(engine.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test.each(Object.entries(values))("%s: what the program says next is a change", async (name, [, other]) => {
    const { engine, state, own, had } = await imported();
    const args = { ...own, ...had };
    const { inputs } = await engine.plan(urn, state, args);
    const next = await engine.plan(urn, { ...state, inputs }, { ...args, [name]: other });
    expect(next).toMatchObject({ changed: true });
  });
});

test("An import of a pipeline that the program states otherwise than it is shows what the next deployment changes", async () => {
  const { engine } = await withEachKind("Pipeline");
  const urn = urnOf("Pipeline", "imported");
  const state = await engine.read(urn, "shop");
  const args = { ...programOf(state.inputs), defaultBranch: "trunk", slug: "shop" };
  expect((await engine.plan(urn, state, args)).lines).toEqual({ defaultBranch: "update" });
});

test("A default queue goes by its cluster's name or id, and a cluster without one is told as that", async () => {
  const engine = await Served.configured();
  const { id } = await engine.colleague.sends("POST", "/clusters", { name: "Main" });
  const urn = urnOf("ClusterDefaultQueue", "imported");
  const none =
    /^ClusterDefaultQueue\S* the cluster "Main" has no default queue\. Deploy it without an import/;
  await expect(engine.read(urn, "Main")).rejects.toMatchObject({ details: expect.stringMatching(none) });
  const queue = await engine.colleague.sends("POST", `/clusters/${id}/queues`, { key: "small" });
  await engine.colleague.sends("PUT", `/clusters/${id}`, { default_queue_id: queue.id });
  for (const text of ["Main", String(id)])
    expect(await engine.read(urn, text)).toMatchObject({ id, inputs: { clusterId: id, queueId: queue.id } });
});

test.each([
  ["AgentToken", "Main/farm", { triggers: { rotated: "now" } }, ["triggers"]],
  ["Pipeline", "shop", { createWebhook: true }, []],
])("What a program asks of an %s after its import is a change", async (kind, name, asked, replaces) => {
  const { engine } = await withEachKind("Cluster", kind);
  const urn = urnOf(kind, "imported");
  const state = await engine.read(urn, name);
  const args = programOf(state.inputs);
  const { inputs, changed } = await engine.plan(urn, state, args);
  const next = await engine.plan(urn, { ...state, inputs }, { ...args, ...asked });
  expect([changed, next.changed, next.replaces]).toEqual([false, true, replaces]);
});

test("An update after an import sends what the preview shows, and nothing that the API didn't return", async () => {
  const engine = await Served.configured();
  const { id: suite } = await engine.colleague.sends("POST", "/suites", {
    name: "RSpec",
    default_branch: "main",
    application_name: "store",
  });
  const urn = urnOf("Suite", "imported");
  const state = await engine.read(urn, "rspec");
  expect(state.id).toBe(suite);
  const args = { ...programOf(state.inputs), applicationName: "shop" };
  const { inputs: oldInputs, changed } = await engine.plan(urn, state, args);
  expect(changed).toBe(false);
  const { inputs, lines } = await engine.plan(
    urn,
    { ...state, inputs: oldInputs },
    { ...args, defaultBranch: "trunk" },
  );
  expect(lines).toEqual({ defaultBranch: "update" });
  await engine.update(urn, state.id, state.outs, inputs, { oldInputs });
  const bodies = engine.emulator.requests.filter(({ operation }) => operation === "suites.update");
  expect(bodies.map(({ body }) => body)).toEqual([{ default_branch: "trunk" }]);
});

test.each(someOf([...Object.entries(EACH_KIND), ["Team", ["platform"]] as const]))(
  "%s %j is imported by its name, and the program that says the same changes nothing",
  async (kind, [name]) => {
    const { engine: colleague, deployed } = await withEachKind(
      "Cluster",
      "Queue",
      "ClusterDefaultQueue",
      kind,
    );
    const urn = urnOf(kind, "imported");
    const state = await colleague.read(urn, name);
    for (const [output, value] of Object.entries(state.outs)) {
      expect(kinds.get(kind)?.outputs[output]?.secret).not.toBe("once");
      // What an import cannot know is whether the program manages the pause, what the cluster's default will be, which
      // settings it names, and arguments that the API doesn't return.
      const isUnknown = [
        "__managed",
        "__untold",
        "__unsent",
        "defaultQueueId",
        "defaultQueueUrl",
        "settings",
      ];
      if (!isUnknown.includes(output))
        expect([output, value]).toEqual([output, deployed.get(kind)?.outs[output]]);
    }
    const planned = await colleague.plan(urn, state, { ...programOf(state.inputs), ...secretsOf(kind) });
    expect(planned).toMatchObject({ failures: [], changed: false, lines: {} });
  },
);

test("An id is a name, too, and a name that nothing has is an error that says what it may mean", async () => {
  const engine = await Served.configured();
  const { id } = await engine.deploy(urnOf("Cluster"), { name: "Linux" });
  expect((await engine.read(urnOf("Cluster", "imported"), id)).id).toBe(id);
  await expect(engine.read(urnOf("Cluster", "imported"), "Linus")).rejects.toThrow(
    /^.*Cluster\.import: the organization "acme" has no cluster "Linus" .* Similar: "Linux" \(.*To create one instead, remove import from the resource, if it has that option\.$/,
  );
  await expect(engine.read(urnOf("Queue", "imported"), "linux")).rejects.toThrow(
    'Queue.import: expected <cluster uuid|name>/<queue uuid|key>, got "linux".',
  );
});

test("A conflict is about the argument that has the name, and other problems are about none", async () => {
  const { engine } = await withEachKind("Team");
  const properties = async (settings: Properties) => {
    const run = await Served.beside(engine);
    await run.configure(settings);
    return (await run.check(urnOf("Team"), { name: "Platform" })).failures.map(({ property }) => property);
  };
  expect(await properties({})).toEqual(["name"]);
  expect(await properties({ organization: "acne" })).toEqual([""]);
  expect(await properties({ baseUrl: "http://127.0.0.1:9" })).toEqual([""]);
  expect(await properties({ accessToken: engine.emulator.readOnlyAccessToken })).toEqual([""]);
});

test("X.get reads by the id and what the program says of the object, and a missing one is an error", async () => {
  const colleague = await Served.configured();
  const { id: clusterId } = await colleague.deploy(urnOf("Cluster"), { name: "Main" });
  const { id } = await colleague.deploy(urnOf("Queue"), { clusterId, key: "linux" });
  const engine = await Served.beside(colleague);
  const nowhere = "11111111-2222-4333-8444-555555555555";
  expect((await engine.read(urnOf("Queue", "read"), id, { clusterId })).outs).toMatchObject({ key: "linux" });
  expect((await engine.read(urnOf("Cluster", "read"), clusterId, { name: "Main" })).id).toBe(clusterId);
  await expect(engine.read(urnOf("Cluster", "read"), nowhere, { name: "Main" })).rejects.toThrow(
    "Check the id given to Cluster.get",
  );
  await expect(engine.read(urnOf("Queue", "read"), nowhere, { clusterId })).rejects.toThrow(
    "Check the id given to Queue.get",
  );
  const setting = await engine.read(urnOf("ClusterDefaultQueue", "read"), "Main").catch(String);
  expect(setting).toContain("ClusterDefaultQueue");
});

test.each([
  ["Team", "platform", "defaultMemberRole", "doesn't return defaultMemberRole and membersCanCreatePipelines"],
  ["AgentToken", "Main/farm", "token", "the output `token` is undefined"],
])("An imported %s, %s, has no %s, and a warning says so", async (kind, name, absent, warning) => {
  const { engine: colleague } = await withEachKind("Cluster", kind);
  const { inputs, outs } = await colleague.read(urnOf(kind, "imported"), name);
  expect({ ...outs, ...programOf(inputs) }).not.toHaveProperty(absent);
  expect(colleague.warnings()).toEqual([expect.stringContaining(warning)]);
});

test("Two resources of a program cannot have the same object", async () => {
  const { engine: colleague } = await withEachKind("Cluster");
  const adopt = async (name: string) => {
    const urn = urnOf("Cluster", name);
    const state = await colleague.read(urn, "Main");
    return colleague.plan(urn, state, programOf(state.inputs));
  };
  expect((await adopt("one")).changed).toBe(false);
  expect((await adopt("one")).changed).toBe(false);
  await expect(adopt("two")).rejects.toThrow("which another resource of this program manages");
});
