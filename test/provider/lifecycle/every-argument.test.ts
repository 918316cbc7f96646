import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { listOrganization } from "../../../src/cli/inventory/listing.js";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { declarable, stateOf } from "../../../src/provider/for-commands/objects.js";
import { someOf } from "../../support/cases.js";
import { clientOf } from "../../support/command.js";
import { groupOf, kindOf, type Made, serviceForEach, UNKNOWN } from "../../support/driver.js";
import { VALUED, valuesIn, valuesOf } from "../../support/each-kind.js";

/** The service returns a team's flags, so that an update can repeat those that it doesn't change. */
const service = serviceForEach({ variations: { teamReturnsWritableFields: true } });

const REPLACING = [
  ...["AgentToken.clusterId", "AgentToken.triggers", "Queue.clusterId", "Queue.key"],
  ...["ClusterSecret.clusterId", "ClusterSecret.key", "PipelineSchedule.pipelineId"],
  ...["TeamMember.teamId", "TeamMember.userId", "TeamPipeline.teamId", "TeamPipeline.pipelineId"],
  ...["TeamSuite.teamId", "TeamSuite.suiteId", "ClusterMaintainer.clusterId", "ClusterMaintainer.userId"],
  ...["AgentToken.expiresAt", "NotificationService.provider"],
  ...["type", "sourcePipelineId", "targetPipelineId", "conditions"].map((name) => `OrganizationRule.${name}`),
];

/** The settings of the organization, which no deletion resets. */
const settings = () => service.emulator.organizationData.organizations.list();
function resetSettings(): void {
  for (const { id } of settings())
    service.emulator.organizationData.organizations.update(id, { pipeline_settings: {}, api_settings: {} });
}

/** The objects of a type as the service stores them, without what each creation makes anew. */
function stored(name: string): readonly object[] {
  const { organizationData } = service.emulator;
  if (name === "TeamMember")
    return organizationData.teams.list().map(({ member_ids, memberships }) => ({
      members: member_ids.map((id) => [id, memberships?.[id]?.role]),
    }));
  if (kindOf(name).isSetting)
    return settings().map(({ pipeline_settings, api_settings }) => ({
      restrict_user_api_token_creation: false,
      ...pipeline_settings,
      ...api_settings,
    }));
  const group = groupOf(name);
  const collection: { list(): readonly object[] } = Reflect.get(organizationData, group);
  const own = /^(id|uuid|token|api_token|created_at|updated_at|updated_by|former_slugs)$/;
  const derives = (field: string) => field === "slug" && kindOf(name).arguments.slug === undefined;
  const objects = collection
    .list()
    .map((object) =>
      Object.fromEntries(Object.entries(object).filter(([field]) => !own.test(field) && !derives(field))),
    );
  return JSON.parse(JSON.stringify(objects).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"a time"'));
}

/** What `adopt` leaves to operators, or finds in no response. Its table says so. */
const UNSTATED = [
  ...["PipelineSchedule.enabled", "Pipeline.onDelete", "Cluster.forceDestroy"],
  // Lists lack these, the first of a queue of hosted agents.
  ...[
    "Queue.retryAgentAffinity",
    "ApiSettings.reachableFrom",
    "Suite.applicationName",
    "Suite.color",
    "Suite.emoji",
  ],
  ...["AgentToken.expiresIn", "AgentToken.triggers", "ClusterSecret.value", "ClusterSecret.triggers"],
  // A program has no secret as plain text.
  ...["NotificationService.secretSettings", "NotificationService.triggers"],
  "OrganizationRule.conditions",
];

/** Further arguments, which have requests of their own. */
const SEPARATE: Readonly<Record<string, object>> = {
  ApiSettings: { allowedIpAddresses: ["192.0.2.0/24"] },
  PipelineSettings: { hostedAgentsTerminalAccess: true, publicPipelineCreation: false },
  Pipeline: { githubWebhooks: false },
  Queue: { dispatchPaused: true },
};

test("Every kind has two values of each argument, but those that only mark another object", () => {
  const described = [...kinds.values()].filter(({ view }) => view === undefined);
  expect(described.map(({ name }) => name).sort()).toEqual(VALUED.toSorted());
});

describe.each(VALUED)("Each argument of %s", (name) => {
  const changes = Object.keys(valuesOf(name)[0]).flatMap((argument) => {
    // Another provider takes other settings, and one of a creation's settings is required.
    if (argument === "provider") return [];
    const isNeeded = name === "ClusterMaintainer" || argument === "settings";
    return kindOf(name).arguments[argument]?.whenOmitted === "required" || isNeeded
      ? [[argument, "changed"]]
      : [
          [argument, "changed"],
          [argument, "left out"],
        ];
  });

  test("that can change has two values above", () => {
    const changing = Object.entries(kindOf(name).arguments).filter(
      ([, field]) =>
        (!field.apply || field.sentAs) &&
        !(field.providerOnly && field.changesWith) &&
        typeof field.creationOnly !== "string",
    );
    expect(Object.keys(valuesOf(name)[1])).toEqual(changing.map(([argument]) => argument));
  });

  test("is in the program that adopt writes, where its change is drift, or in the table of what that leaves out", async () => {
    const [args, others] = await valuesIn(service, name);
    const made = await service.driver.create(name, args);
    const { objects } = await listOrganization(clientOf(service.emulator), { kinds: new Set([name]) });
    const object = objects.find(({ id }) => id === made.id);
    if (object === undefined) throw new Error(`No list has ${made.id}.`);
    const stated = declarable(object).args;
    const { outputs } = stateOf(object, "acme", { origin: "", tokenId: undefined });
    const isReplaced = (argument: string) => REPLACING.includes(`${name}.${argument}`);
    const unstated = Object.keys(args).filter((argument) => !(argument in stated));
    expect(unstated.filter((argument) => !UNSTATED.includes(`${name}.${argument}`))).toEqual([]);

    const changing = Object.keys(stated).filter((argument) => argument in others && !isReplaced(argument));
    const next = Object.fromEntries(changing.map((argument) => [argument, others[argument]]));
    const { inputs = {} } = await (await service.newRun().kind(name)).check(made.inputs, {
      ...args,
      ...next,
    });
    await service.newRun().update({ ...made, inputs }, {});
    const { inputs: found = {} } = await (await service.newRun().kind(name)).read(made.id, outputs);
    expect(changing.filter((argument) => isDeepStrictEqual(found[argument], stated[argument]))).toEqual([]);
  });

  test("may be unknown in previews, which refuse nothing for it and don't show what stands for it", async () => {
    const [args, others] = await valuesIn(service, name);
    const [first, second] = [args, others].map((one) => ({ ...one, ...SEPARATE[name] }));
    const shown: unknown[] = [];
    const previewed = async (made?: Made) => {
      for (const argument of Object.keys({ ...second })) {
        const run = service.newRun();
        const news = { ...(made ? second : first), [argument]: UNKNOWN };
        const refused = made
          ? await run.plan(made, news).then(
              () => [],
              (error: unknown) => [String(error)],
            )
          : await run.failures(name, news);
        const said = [
          ...refused,
          ...[...run.warnings, ...run.observed].filter((line) => line.includes(UNKNOWN)),
        ];
        if (said.length > 0) shown.push([argument, made ? "update" : "creation", ...said]);
      }
    };
    await previewed();
    await previewed(await service.driver.create(name, args));
    expect(shown).toEqual([]);
  });

  test.each(someOf(changes))(
    "%s that is %s leads to what a creation makes, or replaces",
    async (argument, how) => {
      const [values, others] = await valuesIn(service, name);
      const before = stored(name);
      const { isAbout } = kindOf(name).arguments[argument] ?? {};
      const args = isAbout && how === "changed" ? { ...values, ...SEPARATE[name] } : values;
      const { [argument]: _, ...rest } = args;
      const changed = how === "changed" ? { ...rest, [argument]: others[argument] } : rest;
      const created = await service.driver.create(name, changed);
      const expected = stored(name);
      // Otherwise a pipeline would be archived.
      await service.driver.delete({ ...created, outs: { ...created.outs, onDelete: "delete" } });
      resetSettings();
      expect(stored(name)).toEqual(before);

      const made = await service.newRun().create(name, args);
      const run = service.newRun();
      const asMade = stored(name);
      const { changes, replaces = [] } = await run.plan(made, changed);
      expect(changes).not.toBe(false);
      const { sentAs, whenOmitted, clearedBy } = kindOf(name).arguments[argument] ?? {};
      const isGivenUp = how === "left out" && whenOmitted === "unmanaged" && clearedBy === undefined;
      const replacing = REPLACING.includes(`${name}.${argument}`) && !isGivenUp;
      expect(replaces).toEqual(replacing ? [argument] : []);
      if (replacing) return;
      if (!isGivenUp) expect(isDeepStrictEqual(stored(name), expected)).toBe(sentAs === undefined);
      const { inputs = {} } = await (await run.kind(name)).check(made.inputs, changed);
      const { outs = {} } = await run.update({ ...made, inputs }, {});
      expect(stored(name)).toEqual(isGivenUp ? asMade : expected);
      expect((await service.newRun().plan({ ...made, inputs, outs })).changes).toBe(false);
    },
  );
});
