import { beforeEach, describe, expect, test } from "vitest";
import { someOf } from "../support/cases.js";
import { serviceForEach } from "../support/driver.js";
import { engineOf } from "./histories/engine/start-provider.js";
import type { ModelEngine } from "./histories/model-engine.js";
import type { Declared, Program } from "./histories/program.js";

const service = serviceForEach();

const make = (path: string, body: object) => service.colleague.makes(path, body);
const team = (name: string) => service.colleague.makesTeam(name);
const steps = { repository: "https://git.example/a.git", configuration: "steps: []" };

/** What only one object may have: how a program and a colleague give it, and three values that it can have. */
interface Subject {
  readonly in?: "clusters" | "teams";
  readonly collection: string;
  readonly argument: string;
  readonly field: string;
  readonly args?: object;
  readonly body?: object;
  value(name: string): Promise<string>;
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  Queue: {
    ...{ in: "clusters", collection: "queues", argument: "key", field: "key" },
    value: async (name) => name,
  },
  ClusterSecret: {
    ...{ in: "clusters", collection: "secrets", argument: "key", field: "key" },
    ...{ args: { value: "a value" }, body: { value: "another value" } },
    value: async (name) => name,
  },
  ClusterMaintainer: {
    ...{ in: "clusters", collection: "maintainers", argument: "teamId", field: "team" },
    value: team,
  },
  TeamMember: {
    ...{ in: "teams", collection: "members", argument: "userId", field: "user_id", body: { role: "member" } },
    value: async (name) => service.emulator.addMember({ name, email: `${name}@acme.example` }).id,
  },
  TeamPipeline: {
    ...{ in: "teams", collection: "pipelines", argument: "pipelineId", field: "pipeline_id" },
    ...{ args: { accessLevel: "read_only" }, body: { access_level: "read_only" } },
    value: (name) => make("/pipelines", { name, ...steps }),
  },
  TeamSuite: {
    ...{ in: "teams", collection: "suites", argument: "suiteId", field: "suite_id" },
    ...{ args: { accessLevel: ["read"] }, body: { access_level: ["read"] } },
    value: (name) => make("/suites", { name, default_branch: "main" }),
  },
  Pipeline: {
    ...{ collection: "pipelines", argument: "slug", field: "slug" },
    ...{ args: { repository: steps.repository, clusterId: "", onDelete: "delete" } },
    ...{ body: { name: "Of a colleague", ...steps } },
    value: async (name) => name,
  },
};

const rows = (["dynamic", "plugin"] as const).flatMap((backend) =>
  Object.entries(SUBJECTS).flatMap(([kind, subject]) =>
    [false, true].map((deleteBeforeReplace) => ({ backend, kind, subject, deleteBeforeReplace })),
  ),
);

describe.each(someOf(rows))(
  "What only one $kind may have, by the $backend backend (deleteBeforeReplace: $deleteBeforeReplace),",
  ({ backend, kind, subject, deleteBeforeReplace }) => {
    let engine: ModelEngine;
    let values: string[];
    let place: string | undefined;
    beforeEach(async () => {
      engine = engineOf(backend, service);
      place = subject.in === "clusters" ? await make("/clusters", { name: "Home" }) : undefined;
      if (subject.in === "teams") place = await team("Home");
      values = [await subject.value("alpha"), await subject.value("beta"), await subject.value("gamma")];
    });
    const path = () => `${subject.in === undefined ? "" : `/${subject.in}/${place}`}/${subject.collection}`;
    const live = async () =>
      (await service.colleague.list(path())).flatMap((one) =>
        values.filter((value) => JSON.stringify(one).includes(value)),
      );

    /** Entries of a program, each with one of the values. */
    const program = (
      entries: Readonly<Record<string, number>>,
      spelled = (value?: string) => value,
    ): Program =>
      Object.entries(entries).map(([name, index]) => ({
        name,
        kind,
        args: {
          ...(subject.in && { [subject.in === "clusters" ? "clusterId" : "teamId"]: place }),
          ...(kind === "Pipeline" && { name }),
          ...subject.args,
          [subject.argument]: name === "copy" ? spelled(values[index]) : values[index],
        },
        ...(deleteBeforeReplace && { deleteBeforeReplace }),
      }));
    const up = async (entries: Readonly<Record<string, number>>) =>
      expect((await engine.up(program(entries))).errors).toEqual([]);
    /** Returns why a preview and a deployment are refused, which changes nothing. */
    const refused = async (entries: Readonly<Record<string, number>>) => {
      const before = await live();
      const preview = await engine.preview(program(entries));
      service.emulator.clearRequests();
      const { errors } = await engine.up(program(entries));
      expect([service.writes, await live()]).toEqual([[], before]);
      expect(preview.errors).toEqual(errors);
      return errors.join("\n");
    };

    test("isn't free while another entry gives it up: a swap, a chain and a deletion say the steps, which work", async () => {
      await up({ a: 0, b: 1 });
      for (const entries of [{ a: 1, b: 0 }, { a: 1, b: 2 }, { a: 1 }]) {
        const text = await refused(entries);
        expect(text).toMatch(new RegExp(`^${kind}\\.${subject.argument}: is taken by the `));
        expect(text).toContain("isn't free yet: deploy that first, and then this.");
        expect(text).not.toMatch(/deleteBeforeReplace|import/);
      }
      for (const entries of [{ a: 2, b: 1 }, { a: 2, b: 0 }, { a: 1, b: 0 }, { a: 1 }, { a: 0 }])
        await up(entries);
      expect(await live()).toContain(values[0]);
    });

    test("stays a colleague's who has it, and nothing is deleted for it", async () => {
      await up({ a: 0 });
      await service.colleague.sends("POST", path(), { [subject.field]: values[1], ...subject.body });
      expect(await refused({ a: 1 })).toContain(`${subject.argument}: is taken by the `);
    });

    test("is wanted by one new entry only, also if the other one spells its id in capitals", async () => {
      const isId = values[0]?.includes("-");
      const { errors } = await engine.preview(
        program({ first: 0, copy: 0 }, (value = "") => (isId ? value.toUpperCase() : value)),
      );
      expect(errors.join()).toMatch(new RegExp(`^${kind}\\.${subject.argument}: .*already`));
    });
  },
);

describe.each(["dynamic", "plugin"] as const)(
  "What came with another object, by the %s backend,",
  (backend) => {
    const newStack = () => engineOf(backend, service);
    let engine: ModelEngine;
    let userId: string;
    let teamId: string;
    beforeEach(async () => {
      engine = newStack();
      teamId = await team("Home");
      const { accessTokens } = service.emulator.organizationData;
      userId = String(accessTokens.find("token", service.emulator.accessToken)?.user_id);
    });

    const idOf = (name: string) => ({ idOf: name });
    const teams = () => ({ teams: [{ teamId }] });
    const [fullAccess, readOnly] = ["manage_build_and_read", "read_only"];
    const shop = (args: Declared["args"] = {}): Declared => ({
      ...{ name: "shop", kind: "Pipeline" },
      args: { name: "Shop", repository: steps.repository, clusterId: "", onDelete: "delete", ...args },
    });
    const access = (name: string, accessLevel: string, more: Declared["args"] = {}): Declared => ({
      ...{ name, kind: "TeamPipeline" },
      args: { teamId, pipelineId: idOf("shop"), accessLevel, ...more },
    });
    const id = (name: string) => engine.entry(name)?.id ?? "";
    const levels = () =>
      service.emulator.organizationData.teamPipelines.list().map(({ access_level }) => access_level);
    const up = async (program: Program) => expect((await engine.up(program)).errors).toEqual([]);
    /** A deployment that the creation of an access interrupts, so that the pipeline's own one is in no state. */
    const interrupted = async (program: Program) => {
      service.emulator.fault({ operation: "teamPipelines.create", action: { status: 403, body: {} } });
      expect((await engine.up(program)).errors).toHaveLength(1);
    };

    test("is announced by a preview where the team is there already, with what changes", async () => {
      const core: Declared = { name: "core", kind: "Team", args: { name: "Core" } };
      await up([core]);
      const args = { teamId: idOf("core"), userId, role: "member" };
      await engine.preview([core, { name: "creator", kind: "TeamMember", args }]);
      expect(engine.observed.join()).toContain(
        "Nothing is created: the deployment takes it over, and changes its role.",
      );
    });

    test.each(["member", "maintainer"])(
      "makes a team's creator the declared %s, in a program from nothing",
      async (role) => {
        const program: Program = [
          { name: "core", kind: "Team", args: { name: "Core" } },
          { name: "creator", kind: "TeamMember", args: { teamId: idOf("core"), userId, role } },
        ];
        await up(program);
        expect(engine.entry("creator")?.outs).toMatchObject({ userId, role });
        expect(engine.observed.join()).toMatch(
          /took over the team member \S+, which came into being with its team/,
        );
        expect((await engine.preview(program)).steps).toEqual({ core: "same", creator: "same" });
      },
    );

    test("gets the program's level in the next deployment too, if one in between was interrupted", async () => {
      const program = [shop(teams()), access("web", readOnly)];
      await interrupted(program);
      await up(program);
      expect(levels()).toEqual([readOnly]);
      await up(program.slice(0, 1));
      expect(levels()).toEqual([]);
    });

    test("and gave a team the level that the program gives it then", async () => {
      const given = { teams: [{ teamId, accessLevel: readOnly }] };
      await interrupted([shop(given), access("web", readOnly)]);
      await up([shop(given), access("web", fullAccess)]);
      expect(levels()).toEqual([fullAccess]);
    });

    test("is another stack's: of what this program doesn't declare itself, it is an error with the import", async () => {
      await up([shop(teams()), access("web", fullAccess)]);
      const others = newStack();
      const linux: Declared = { name: "linux", kind: "Cluster", args: { name: "Linux" } };
      const mine = access("mine", readOnly, { pipelineId: id("shop") });
      for (const command of [others.preview([linux, mine]), others.up([linux, mine])]) {
        const { errors } = await command;
        expect(errors.join()).toMatch(
          /pipelineId: is taken .*with the access level "manage_build_and_read".*import/,
        );
      }
      expect(levels()).toEqual([fullAccess]);
    });

    test("is one entry's, whichever comes first in the program", async () => {
      const first = access("first", readOnly);
      const second = access("second", fullAccess);
      const { errors } = await engine.up([shop(teams()), first, second]);
      expect(errors.join()).toContain("Declare each access once");
      expect(levels()).toEqual([readOnly]);
      await engine.destroy();
      await up([shop(teams()), second]);
      const again = await engine.preview([shop(teams()), first, second]);
      expect(again.errors.join()).toContain("another resource of this program");
    });

    test("is kept under a new name of the program, without an alias", async () => {
      await up([shop(teams()), access("web", fullAccess)]);
      await up([shop(teams()), access("renamed", fullAccess)]);
      expect([levels(), id("web"), id("renamed")]).toEqual([[fullAccess], "", `${teamId}/${id("shop")}`]);
      expect(engine.observed.join()).toContain("nothing was sent for the team pipeline");
    });

    test.each([
      ["with another level", { access_level: "build_and_read" } as const],
      ["later", { created_at: "2030-01-02T00:00:00.000Z" }],
    ])("is a colleague's if it was made %s", async (_, difference) => {
      const program = [shop(teams()), access("web", readOnly)];
      await interrupted(program);
      const { teamPipelines } = service.emulator.organizationData;
      for (const pair of teamPipelines.list()) teamPipelines.update(pair.id, difference);
      expect((await engine.preview(program)).errors.join()).toMatch(/pipelineId: is taken .*import/);
      expect((await engine.up(program)).errors.join()).toMatch(/pipelineId: is taken .*import/);
    });
  },
);

describe.each(["dynamic", "plugin"] as const)(
  "Below what a deployment imports, by the %s backend,",
  (backend) => {
    const newStack = () => engineOf(backend, service);
    const idOf = (name: string) => ({ idOf: name });
    const linux: Declared = { name: "linux", kind: "Cluster", args: { name: "Linux" }, import: "Linux" };
    const shop: Declared = {
      ...{ name: "shop", kind: "Pipeline", import: "shop" },
      args: { name: "Shop", repository: steps.repository, configuration: steps.configuration },
    };
    const nightly = { cronline: "@daily", message: "Nightly" };
    const inLinux = { clusterId: idOf("linux") };

    const CHILDREN = {
      "a schedule without a label": [
        { name: "child", kind: "PipelineSchedule", args: { pipelineId: idOf("shop"), ...nightly } },
        "/pipelines/shop/schedules",
        nightly,
      ],
      "an agent token": [
        { name: "child", kind: "AgentToken", args: { ...inLinux, description: "farm" } },
        "/clusters/{linux}/tokens",
        { description: "farm" },
      ],
      "a queue": [
        { name: "child", kind: "Queue", args: { ...inLinux, key: "small" } },
        "/clusters/{linux}/queues",
        { key: "small" },
      ],
    } as const;

    test.each(Object.entries(CHILDREN))("%s is refused if it is there", async (_, [child, path, body]) => {
      const linuxId = await make("/clusters", { name: "Linux" });
      await make("/pipelines", { name: "Shop", ...steps });
      await service.colleague.sends("POST", path.replace("{linux}", linuxId), body);
      const isTaken = child.kind === "Queue";
      const words = isTaken
        ? "is taken by the"
        : "this deployment imports the \\w+, in which an? .* already exists: ";
      service.emulator.clearRequests();
      for (const command of ["preview", "up"] as const) {
        const { errors } = await newStack()[command]([linux, shop, child]);
        expect(errors).toEqual([expect.stringMatching(new RegExp(`${words}.* add \\{ import: `))]);
      }
      expect(service.writes).toEqual([]);
      if (isTaken) return;
      // Once the parent is in the state, a second one can be made.
      const engine = newStack();
      await engine.up([linux, shop]);
      expect((await engine.preview([linux, shop, child])).errors).toEqual([]);
      expect(engine.observed.join()).toContain("Pulumi will create a second one");
    });

    test("a pair of two imports is refused if it is there", async () => {
      const pipelineId = await make("/pipelines", { name: "Shop", ...steps });
      const teamId = await team("Web");
      const level = { access_level: "read_only" };
      await service.colleague.sends("POST", `/teams/${teamId}/pipelines`, {
        pipeline_id: pipelineId,
        ...level,
      });
      const web: Declared = {
        ...{ name: "web", kind: "Team", import: "Web" },
        args: { name: "Web", defaultMemberRole: "member", membersCanCreatePipelines: false },
      };
      const access: Declared = {
        ...{ name: "access", kind: "TeamPipeline" },
        args: { teamId: idOf("web"), pipelineId: idOf("shop"), accessLevel: "build_and_read" },
      };
      const { errors } = await newStack().preview([web, shop, access]);
      expect(errors).toEqual([
        expect.stringMatching(/pipelineId: is taken by .* with the access level "read_only"/),
      ]);
    });
  },
);

/** What only one entry of a program may declare, though the API may take it twice. */
const ONCE: Readonly<Record<string, (linux: string, queues: readonly string[]) => readonly object[]>> = {
  Team: () => [{ name: "Café" }, { name: "Cafe" }],
  Suite: () => ["Unit tests", "unit-tests"].map((name) => ({ name, defaultBranch: "main" })),
  ClusterDefaultQueue: (clusterId, [one, other]) => [
    { clusterId, queueId: one },
    { clusterId: clusterId.toUpperCase(), queueId: other },
  ],
};

test.each(Object.keys(ONCE))(
  "Two new entries of what a program declares once are refused by the plugin too, which has no constructor: %s",
  async (kind) => {
    const linux = await make("/clusters", { name: "Linux" });
    const queues = [];
    for (const key of ["a", "b"]) queues.push(await make(`/clusters/${linux}/queues`, { key }));
    const program = (ONCE[kind]?.(linux, queues) ?? []).map((args, index) => ({
      ...{ name: `entry-${index}`, kind },
      args: { ...args },
    }));
    const engine = engineOf("plugin", service);
    expect((await engine.preview(program)).errors.join()).toMatch(new RegExp(`^${kind}\\.\\w+: `));
    service.emulator.clearRequests();
    expect((await engine.up(program)).succeeded).toBe(false);
    expect(service.writes.length).toBeLessThan(2);
    const [first] = program;
    if (first === undefined) return;
    expect((await engine.up([first])).errors).toEqual([]);
    expect(Object.values((await engine.preview([first])).steps)).toEqual(["same"]);
    service.emulator.clearRequests();
    expect((await engine.up(program)).errors.join()).toMatch(new RegExp(`^${kind}\\.\\w+: `));
    expect(service.writes).toEqual([]);
    if (kind === "Team") return;
    expect((await engine.up([first], { replace: [first.name] })).errors).toEqual([]);
  },
);

test("A schedule is equal to another one in what the program says of it, and with the same label or none", async () => {
  const pipelineId = await make("/pipelines", { name: "Shop", ...steps });
  const live = { cronline: "@daily", branch: "main", message: "Nightly", env: { FULL: "true" } };
  await service.colleague.sends("POST", "/pipelines/shop/schedules", live);
  const warningsOf = async (args: object) => {
    const run = service.newRun();
    expect(await run.failures("PipelineSchedule", { pipelineId, ...args })).toEqual([]);
    return run.warnings.length;
  };
  for (const equal of [
    {},
    { branch: "main" },
    { message: "Nightly", env: { FULL: "true" } },
    { enabled: false },
  ])
    expect([equal, await warningsOf({ cronline: "@daily", ...equal })]).toEqual([equal, 1]);
  for (const other of [
    { branch: "next" },
    { label: "Nightly" },
    { message: "Other" },
    { env: { OTHER: "1" } },
    { cronline: "@weekly" },
  ])
    expect([other, await warningsOf({ cronline: "@daily", ...other })]).toEqual([other, 0]);
});

test("What the stack has is no namesake, whose diff may come after the check of another resource", async () => {
  const args = {
    pipelineId: await make("/pipelines", { name: "Shop", ...steps }),
    cronline: "@daily",
    label: "Daily",
  };
  const made = await service.driver.create("PipelineSchedule", args);
  const run = service.newRun();
  const provider = await run.kind("PipelineSchedule");
  const { inputs = {} } = await provider.check(made.inputs, args);
  const checking = provider.check({}, args);
  await provider.diff(made.id, made.outs, inputs);
  expect([(await checking).failures, run.warnings]).toEqual([[], []]);
});

test("A rule that an interrupted replacement made isn't called the old one, and its import manages it", async () => {
  const pipeline = (name: string) => make("/pipelines", { name, ...steps });
  const [sourcePipelineId, targetPipelineId] = [await pipeline("a"), await pipeline("b")];
  const engine = engineOf("plugin", service);
  const program = (branch: string, more = {}): Program => [
    {
      name: "deploys",
      kind: "OrganizationRule",
      args: {
        ...{ type: "pipeline.trigger_build.pipeline", sourcePipelineId, targetPipelineId },
        conditions: [`source.build.branch == '${branch}'`],
        ...more,
      },
      deleteBeforeReplace: true,
    },
  ];
  const rules = () => service.emulator.organizationData.organizationRules.list().map(({ id }) => id);
  const up = async (program: Program) => (await engine.up(program)).errors.join();
  expect(await up(program("main"))).toBe("");
  service.emulator.fault({ operation: "organizationRules.create", when: "after", action: "drop" });
  expect(await up(program("next"))).toContain("could not confirm");
  const [made = "", ...others] = rules();
  expect(others).toEqual([]);

  engine.observed.splice(0);
  expect((await engine.preview(program("next"))).steps).toEqual({ deploys: "replace" });
  expect(engine.observed.join()).toContain(
    "It isn't the one that this resource replaces. If an earlier deployment couldn't delete it (`delete: true` in the state)",
  );
  expect(engine.observed.join()).not.toMatch(/nothing to do|aliases/);
  expect(await up(program("next"))).toContain(`import: "${made}"`);
  expect(await up(program("next", { import: made }))).toBe("");
  expect(await up(program("next"))).toBe("");
  expect([rules(), engine.entry("deploys")?.id]).toEqual([[made], made]);
});
