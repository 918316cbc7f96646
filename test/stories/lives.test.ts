import { beforeEach, describe, expect, test } from "vitest";
import { kinds } from "../../src/provider/for-commands/kinds.js";
import { serviceForEach } from "../support/driver.js";
import { engineOf } from "./histories/engine/start-provider.js";
import type { ModelEngine } from "./histories/model-engine.js";
import type { Declared, Program } from "./histories/program.js";

/** What a person does with a stack, in several commands, on the model of Pulumi's engine. */
describe.each(["dynamic", "plugin"] as const)("A stack of the %s backend", (backend) => {
  const service = serviceForEach();
  let engine: ModelEngine;
  beforeEach(() => {
    engine = engineOf(backend, service);
  });

  const idOf = (name: string) => ({ idOf: name });
  const cluster = (args: Declared["args"] = {}, name = "linux"): Declared => ({
    name,
    kind: "Cluster",
    args: { name, ...args },
  });
  const queue = (name: string, args: Declared["args"] = {}, more: Partial<Declared> = {}): Declared => ({
    name,
    kind: "Queue",
    args: { clusterId: idOf("linux"), key: name, ...args },
    ...more,
  });
  const token: Declared = {
    name: "farm",
    kind: "AgentToken",
    args: { clusterId: idOf("linux"), description: "farm" },
  };

  /** Deploys. @returns what happened to each resource, and what was sent to change something */
  async function up(program: Program, flags = {}) {
    service.emulator.clearRequests();
    const { steps, errors } = await engine.up(program, flags);
    expect(errors).toEqual([]);
    return { steps, writes: service.writes };
  }
  const refused = async (command: Promise<{ errors: readonly string[] }>) =>
    (await command).errors.join("\n");
  const expectUnchanged = async (program: Program) => {
    expect(Object.values((await engine.preview(program)).steps)).toEqual(program.map(() => "same"));
  };
  const names = () => engine.entries.map(({ name }) => name);
  const id = (name: string) => engine.entry(name)?.id ?? "";

  describe("pauses a queue", () => {
    const paused = (note: string) => [
      cluster(),
      queue("small", { dispatchPaused: true, dispatchPausedNote: note }),
    ];
    const live = () => service.emulator.organizationData.queues.get(id("small"));

    test("that exists without its pause at first, and repairs what is resumed by hand", async () => {
      service.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 403, body: {} } });
      expect(await refused(engine.up(paused("freeze")))).toContain("exists, but is not finished");
      expect(live()).toMatchObject({ dispatch_paused: false });
      expect((await up(paused("freeze"))).writes).toEqual(["queues.pauseDispatch"]);
      service.emulator.organizationData.queues.update(id("small"), { dispatch_paused: false });
      const { steps } = await up(paused("freeze"), { refresh: "first" });
      expect(steps.small).toBe("update");
      expect(live()).toMatchObject({ dispatch_paused: true, dispatch_paused_note: "freeze" });
    });

    test("and stores a note that changes without sending it", async () => {
      await up(paused("freeze"));
      expect(await up(paused("long freeze"))).toMatchObject({ steps: { small: "update" }, writes: [] });
      await engine.refresh();
      await expectUnchanged(paused("long freeze"));
    });

    test("until it no longer manages that: an operator's pause is then no drift", async () => {
      await up(paused("freeze"));
      const unmanaged = [cluster(), queue("small")];
      expect((await up(unmanaged)).writes).toEqual([]);
      expect(live()).toMatchObject({ dispatch_paused: true });
      await engine.refresh();
      await expectUnchanged(unmanaged);
      await up([cluster(), queue("small", { dispatchPaused: false })]);
      expect(live()).toMatchObject({ dispatch_paused: false });
    });
  });

  describe("sets a cluster's default queue", () => {
    const setting = (name: string, which: string, home = "linux"): Declared => ({
      name,
      kind: "ClusterDefaultQueue",
      args: { clusterId: idOf(home), queueId: idOf(which) },
    });
    const around = (args = {}) => [cluster(args), queue("small"), queue("large")];
    const live = (name = "linux") =>
      service.emulator.organizationData.clusters.get(id(name))?.default_queue_id ?? undefined;
    const setByHand = () =>
      service.emulator.organizationData.clusters.update(id("linux"), { default_queue_id: id("large") });

    test("which survives a rename, is repaired after a change by hand, and stays if it is somebody else's", async () => {
      await up([...around(), setting("first", "small")]);
      await up([...around(), setting("second", "small")]);
      expect(live()).toBe(id("small"));
      setByHand();
      const { steps } = await up([...around(), setting("second", "small")], { refresh: "first" });
      expect(steps.second).toBe("update");
      expect(live()).toBe(id("small"));
      setByHand();
      await up(around());
      expect(live()).toBe(id("large"));
    });

    test("which is not dropped by a change of the cluster, and goes before its queue when that is replaced", async () => {
      await up([...around(), setting("first", "large")]);
      const program = [...around({ description: "changed" }), setting("first", "large")];
      await up(program);
      expect(live()).toBe(id("large"));
      await engine.refresh();
      await expectUnchanged(program);
      const before = id("linux");
      const { steps } = await up(program, { replace: ["linux"] });
      expect(steps).toMatchObject({ linux: "replace", large: "replace", first: "replace" });
      expect(service.emulator.organizationData.clusters.list().map((one) => one.id)).toEqual([id("linux")]);
      expect(id("linux")).not.toBe(before);
      expect(live()).toBe(id("large"));
      await expectUnchanged(program);
    });

    test("which moves to another cluster together with its queue", async () => {
      await up([cluster(), queue("large"), setting("first", "large")]);
      const moved = [
        ...[cluster(), cluster({}, "other")],
        ...[queue("large", { clusterId: idOf("other") }), setting("first", "large", "other")],
      ];
      expect((await up(moved)).steps).toMatchObject({ large: "replace", first: "replace" });
      expect([live(), live("other")]).toEqual([undefined, id("large")]);
      await expectUnchanged(moved);
    });
  });

  test("refuses a rename without an alias, and with the import that the error names keeps the queue", async () => {
    await up([cluster(), queue("old", { key: "small" }), token]);
    const renamed = (more = {}) => [cluster(), queue("new", { key: "small" }, more), token];
    const ids = `${id("linux")}/${id("old")}`;
    const message = await refused(engine.up(renamed()));
    expect(message).toContain("aliases");
    expect(message).toContain(`import: "${ids}"`);
    const queueId = id("old");
    expect((await up(renamed({ import: ids }))).writes).toEqual([]);
    expect(engine.observed.join("\n")).toMatch(
      new RegExp(`nothing was sent for the queue ${queueId}.*aliases`),
    );
    expect([names(), id("new")]).toEqual([["linux", "new", "farm"], queueId]);
    if (backend === "dynamic") {
      // While the option is set, the queue counts as one of others, and its cluster can't be deleted.
      expect(await refused(engine.destroy())).toContain(`queue "small" (${queueId}`);
      await up(renamed({ import: ids }));
    }
    await up(renamed());
    await expectUnchanged(renamed());
  });

  /** A rename with the option `import`, of which the deletion was skipped because an update failed. */
  async function interruptedRename() {
    const { id: clusterId } = await service.colleague.sends("POST", "/clusters", { name: "Shared" });
    const small = (name: string, more = {}) => queue(name, { clusterId, key: "small" }, more);
    await up([small("old"), cluster()]);
    service.emulator.fault({ operation: "clusters.update", action: { status: 422, body: {} } });
    const renamed = [small("new", { import: "Shared/small" }), cluster({ description: "changed" })];
    expect(await refused(engine.up(renamed))).toContain("422");
    expect([names().sort(), id("new")]).toEqual([["linux", "new", "old"], id("old")]);
    return renamed;
  }
  const queues = () => service.emulator.organizationData.queues.list().map((one) => one.id);

  test.each([undefined, "with the program"] as const)(
    "sends nothing for the old entry of an interrupted rename with import, with a refresh: %s",
    async (refresh) => {
      const renamed = await interruptedRename();
      expect((await up(renamed, { refresh })).writes).toEqual(["clusters.update"]);
      expect([names(), queues()]).toEqual([["new", "linux"], [id("new")]]);
      expect(engine.observed.join("\n")).toContain(`nothing was sent for the queue ${id("new")}`);
    },
  );

  test("destroys what an entry of an interrupted rename owns, without a list", async () => {
    await interruptedRename();
    service.emulator.clearRequests();
    await engine.destroy({ target: ["old", "new"] });
    expect(queues()).toEqual([]);
    expect(new Set(service.operations)).toEqual(new Set(["queues.delete"]));
  });

  test("says how a parent that a colleague deleted comes back, for a child that the program adds to it", async () => {
    await up([cluster()]);
    await service.colleague.sends("DELETE", `/clusters/${id("linux")}`);
    const program = [cluster(), queue("small"), token];
    const message = await refused(engine.up(program));
    expect(message).toContain(`there is no cluster ${id("linux")} in the organization "acme"`);
    expect(message).toContain("pulumi up --refresh creates it again");
    expect(message).not.toContain("Give an id that exists");
    const { steps } = await up(program, { refresh: "first" });
    expect(steps).toMatchObject({ linux: "create", small: "create", farm: "create" });
  });

  const pipeline = { repository: "git@git.test:acme/shop.git", configuration: "steps: []", clusterId: "" };
  /** One of each kind to which arguments refer, and how a colleague deletes it. */
  const DELETABLE: Readonly<Record<string, { path: (id: string) => string; args: Declared["args"] }>> = {
    Cluster: { path: (mac) => `/clusters/${mac}`, args: { name: "Mac" } },
    Queue: {
      path: (small) => `/clusters/${id("linux")}/queues/${small}`,
      args: { clusterId: idOf("linux"), key: "small" },
    },
    PipelineTemplate: {
      path: (node) => `/pipeline-templates/${node}`,
      args: { name: "Node", configuration: "steps: []" },
    },
    Pipeline: { path: () => "/pipelines/shop", args: { ...pipeline, name: "Shop" } },
    Team: { path: (ops) => `/teams/${ops}`, args: { name: "Ops" } },
    Suite: { path: () => "/suites/unit", args: { name: "Unit", defaultBranch: "main" } },
  };
  const rule = { type: "pipeline.trigger_build.pipeline", conditions: ["source.build.branch == 'main'"] };
  /** What a program adds, beside the cluster `linux` and the team `web`, that refers to such an object. */
  const REFERRING: Readonly<Record<string, (id: string) => Record<string, unknown>>> = {
    "ClusterDefaultQueue.queueId": (queueId) => ({ clusterId: idOf("linux"), queueId }),
    "ClusterMaintainer.teamId": (teamId) => ({ clusterId: idOf("linux"), teamId }),
    "OrganizationRule.sourcePipelineId": (of) => ({ ...rule, sourcePipelineId: of, targetPipelineId: of }),
    "Pipeline.clusterId": (clusterId) => ({ ...pipeline, name: "New", clusterId }),
    "Pipeline.pipelineTemplateUuid": (pipelineTemplateUuid) => ({
      ...{ ...pipeline, configuration: undefined },
      name: "New",
      pipelineTemplateUuid,
    }),
    "PipelineSettings.defaultClusterId": (defaultClusterId) => ({ defaultClusterId }),
    "Suite.teamIds": (teamId) => ({ name: "New", defaultBranch: "main", teamIds: [teamId] }),
    "TeamPipeline.pipelineId": (pipelineId) => ({
      ...{ teamId: idOf("web"), pipelineId },
      accessLevel: "read_only",
    }),
    "TeamSuite.suiteId": (suiteId) => ({ teamId: idOf("web"), suiteId, accessLevel: ["read"] }),
  };
  const referring = [...kinds.values()].flatMap(({ name, parent, arguments: fields }) =>
    Object.entries(fields).flatMap(([argument, { refersTo }]) =>
      refersTo === undefined || argument === parent?.argument
        ? []
        : [[`${name}.${argument}`, refersTo] as const],
    ),
  );

  test.each(referring.filter(([place]) => place !== "OrganizationRule.targetPipelineId"))(
    "names what a colleague deleted, where %s refers to the %s",
    async (place, of) => {
      const { path, args } = DELETABLE[of] ?? expect.unreachable(of);
      const base: Program = [
        cluster(),
        { name: "web", kind: "Team", args: { name: "Web" } },
        { name: "gone", kind: of, args },
      ];
      await up(base);
      const gone = id("gone");
      await service.colleague.sends("DELETE", path(gone));
      await service.clock.sleep(60_000);
      const [kind = ""] = place.split(".");
      const added = REFERRING[place]?.(gone) ?? expect.unreachable(place);
      const message = await refused(engine.up([...base, { name: "new", kind, args: added }]));
      expect(message).toContain(`${place}: a resource of this program has the`);
      expect(message).toContain(`${gone}, which the API doesn't find any more (`);
      expect(message).toContain("pulumi up --refresh creates it again");
    },
  );

  test("says that a refresh unarchives the pipeline that a colleague archived, for a schedule that is added to it", async () => {
    const args = { name: "Shop", repository: "git@git.test:acme/shop.git", clusterId: "" };
    const shop: Declared = { name: "shop", kind: "Pipeline", args };
    await up([shop]);
    await service.colleague.sends("POST", "/pipelines/shop/archive");
    const schedule = { pipelineId: idOf("shop"), cronline: "@daily", label: "Nightly" };
    const program: Program = [shop, { name: "nightly", kind: "PipelineSchedule", args: schedule }];
    expect(await refused(engine.up(program))).toContain("is, pulumi up --refresh unarchives it.");
    const { steps } = await up(program, { refresh: "first" });
    expect(steps).toMatchObject({ shop: "update", nightly: "create" });
  });

  test("deletes what X.get reads under another name", async () => {
    await up([cluster(), queue("small")]);
    const read = queue("read", {}, { get: id("small") });
    expect((await up([cluster(), read])).writes).toEqual(["queues.delete"]);
  });

  test("warns of a rename with import once, where Pulumi itself imports", async () => {
    const { id: clusterId } = await service.colleague.sends("POST", "/clusters", { name: "Shared" });
    const importing = ["mac", "small"].map((key) => queue(key, { clusterId }, { import: `Shared/${key}` }));
    for (const key of ["mac", "small"])
      await service.colleague.sends("POST", `/clusters/${clusterId}/queues`, { key });
    await up(importing);
    const advice = engine.observed.filter((text) => text.includes('{ aliases: [{ name: "<old name>" }] }'));
    expect(advice).toHaveLength(backend === "plugin" ? 1 : 0);
  });

  test("deletes no cluster with a colleague's token in it, unless forceDestroy lets it go", async () => {
    await up([cluster(), queue("small"), token]);
    await service.colleague.sends("POST", `/clusters/${id("linux")}/tokens`, { description: "laptop" });
    const message = await refused(engine.destroy());
    expect(message).toContain('agent token "laptop"');
    expect(message).toContain("forceDestroy");
    expect(names()).toEqual(["linux"]);
    const forced = await up([cluster({ forceDestroy: true })]);
    expect(forced).toMatchObject({ steps: { linux: "update" }, writes: [] });
    expect((await engine.destroy()).errors).toEqual([]);
    expect(service.emulator.organizationData.clusters.size).toBe(0);
  });
});
