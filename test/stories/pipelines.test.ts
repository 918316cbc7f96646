import { beforeEach, describe, expect, test } from "vitest";
import { serviceForEach } from "../support/driver.js";
import { engineOf } from "./histories/engine/start-provider.js";
import type { ModelEngine } from "./histories/model-engine.js";
import type { Declared, Program } from "./histories/program.js";

/** What a person does with a stack of pipelines, in several commands, on the model of Pulumi's engine. */
describe.each(["dynamic", "plugin"] as const)("A stack of pipelines, by the %s backend,", (backend) => {
  const service = serviceForEach();
  let engine: ModelEngine;
  beforeEach(() => {
    engine = engineOf(backend, service);
  });

  const pipeline = (name: string, args: Declared["args"] = {}, more: Partial<Declared> = {}): Declared => ({
    name,
    kind: "Pipeline",
    args: { name, repository: "git@github.com:acme/shop.git", ...args },
    ...more,
  });
  const idOf = (name: string) => ({ idOf: name });
  const live = () => service.colleague.list("/pipelines");
  const id = (name: string) => engine.entry(name)?.id ?? "";

  /** Deploys. @returns what was sent to change something */
  async function up(program: Program) {
    service.emulator.clearRequests();
    expect((await engine.up(program)).errors).toEqual([]);
    return service.writes;
  }

  /** Previews what must be refused. @returns why */
  async function refused(program: Program) {
    const { errors } = await engine.preview(program);
    expect(errors.length).toBeGreaterThan(0);
    return errors.join("\n");
  }
  const slugs = async () => Object.fromEntries((await live()).map((one) => [one.id, one.slug]));

  test("refuses a slug that one entry gives up and another takes, and does it in the two deployments that it names", async () => {
    const program = (old: string, next: string) => [
      pipeline("Web", { slug: old }),
      pipeline("API", { slug: next }),
    ];
    await up(program("web", "api"));
    expect(await refused(program("web-old", "web"))).toContain("deploy that first, and then this.");
    await up(program("web-old", "api"));
    await up(program("web-old", "web"));
    expect(await slugs()).toEqual({ [id("Web")]: "web-old", [id("API")]: "web" });
  });

  test("refuses to replace the organization's default cluster by deleting it first", async () => {
    const program = (deleteBeforeReplace?: true): Program => [
      {
        ...{ name: "linux", kind: "Cluster", args: { name: "Linux" } },
        ...(deleteBeforeReplace && { deleteBeforeReplace }),
      },
      { name: "small", kind: "Queue", args: { clusterId: idOf("linux"), key: "small" } },
    ];
    await up(program());
    await service.colleague.sends("PATCH", "/pipeline-settings", { default_cluster_id: id("linux") });
    service.emulator.clearRequests();
    const { errors } = await engine.preview(program(true), { replace: ["linux"] });
    expect(errors.join()).toMatch(
      /the role of PipelineSettings\.defaultClusterId.*Remove deleteBeforeReplace/,
    );
    expect(service.writes).toEqual([]);
  });

  describe("refuses to delete a cluster with pipelines first, and replaces it without the option,", () => {
    const program = (args: object, more: Partial<Declared> = {}): Program => [
      { ...{ name: "linux", kind: "Cluster", args: { name: "Linux", ...args } }, ...more },
      { name: "small", kind: "Queue", args: { clusterId: idOf("linux"), key: "small" } },
      { name: "farm", kind: "AgentToken", args: { clusterId: idOf("linux"), description: "Farm" } },
      pipeline("Shop", { clusterId: idOf("linux") }),
    ];

    const ways = [
      { by: "--replace", flags: { replace: ["linux"] }, changes: ["nothing", "name", "description"] },
      { by: "replaceOnChanges", flags: {}, changes: ["name", "description"] },
    ];

    test.each(
      ways.flatMap(({ changes, ...way }) =>
        changes.flatMap((changed) =>
          [0, 1, 2].flatMap((namesakes) =>
            ([true, "unseen"] as const).map((option) => ({ ...way, changed, namesakes, option })),
          ),
        ),
      ),
    )(
      "replaced by $by with a change of $changed, beside $namesakes namesakes, option $option",
      async (way) => {
        const { by, flags, changed, namesakes, option } = way;
        const args = changed === "nothing" ? {} : { [changed]: "Linux 2" };
        const replaceOnChanges = by === "replaceOnChanges" ? [changed] : [];
        await up(program({}));
        const first = id("linux");
        for (let count = 0; count < namesakes; count++)
          await service.colleague.sends("POST", "/clusters", { name: "Linux" });
        service.emulator.clearRequests();
        const next = program(args, { deleteBeforeReplace: option, replaceOnChanges });
        for (const command of ["preview", "up"] as const)
          expect((await engine[command](next, flags)).errors.join()).toMatch(
            /has the pipeline "shop" .*Remove deleteBeforeReplace/,
          );
        expect(service.writes).toEqual([]);
        expect((await engine.up(program(args, { replaceOnChanges }), flags)).errors).toEqual([]);
        expect(id("linux")).not.toBe(first);
        expect(await live()).toMatchObject([{ cluster_id: id("linux") }]);
      },
    );
  });

  test("refuses to delete a cluster first in which only others have pipelines", async () => {
    const program = (name: string, more = {}): Program => [
      { ...{ name: "linux", kind: "Cluster", args: { name } }, ...more },
    ];
    await up(program("Linux"));
    await service.colleague.sends("POST", "/pipelines", {
      ...{ name: "Shop", repository: "git@github.com:acme/shop.git", cluster_id: id("linux") },
      configuration: "steps: []",
    });
    const next = program("Linux 2", { deleteBeforeReplace: true, replaceOnChanges: ["name"] });
    expect((await engine.preview(next)).errors.join()).toMatch(
      /has the pipeline "shop" .*Remove deleteBeforeReplace/,
    );
  });

  test.each(["--replace", "replaceOnChanges"])(
    "says what deleteBeforeReplace deletes before a cluster, which others' objects may keep, with %s",
    async (by) => {
      const program = (name: string, more = {}): Program => [
        { ...{ name: "linux", kind: "Cluster", args: { name } }, ...more },
        { name: "small", kind: "Queue", args: { clusterId: idOf("linux"), key: "small" } },
      ];
      await up(program("Linux"));
      await service.colleague.sends("POST", `/clusters/${id("linux")}/tokens`, { description: "Farm" });
      const options = by === "--replace" ? {} : { replaceOnChanges: ["name"] };
      const flags = by === "--replace" ? { replace: ["linux"] } : {};
      engine.observed.splice(0);
      const next = program("Linux 2", { deleteBeforeReplace: true, ...options });
      expect((await engine.preview(next, flags)).errors).toEqual([]);
      expect(engine.observed.join()).toMatch(
        /has 1 queue and 1 agent token\. .* the cluster is not deleted\. Remove deleteBeforeReplace/,
      );
    },
  );

  test("replaces a default queue with deleteBeforeReplace after its role, which the new one gets", async () => {
    const program = (key: string): Program => [
      { name: "linux", kind: "Cluster", args: { name: "Linux" } },
      {
        ...{ name: "small", kind: "Queue", args: { clusterId: idOf("linux"), key } },
        deleteBeforeReplace: true,
      },
      {
        name: "usual",
        kind: "ClusterDefaultQueue",
        args: { clusterId: idOf("linux"), queueId: idOf("small") },
      },
    ];
    await up(program("small"));
    engine.observed.splice(0);
    expect(await up(program("large"))).toEqual(
      "clusters.update queues.delete queues.create clusters.update".split(" "),
    );
    expect(engine.observed.join()).not.toContain("has no default queue now");
  });

  test("refuses two entries that swap slugs, and swaps them in the three deployments that it names", async () => {
    const program = (web: string, api: string) => [
      pipeline("Web", { slug: web }),
      pipeline("API", { slug: api }),
    ];
    await up(program("web", "api"));
    expect(await refused(program("api", "web"))).toContain(
      "To swap two slugs, deploy three times, the first time with a third slug.",
    );
    service.emulator.clearRequests();
    expect(await engine.up(program("api", "web"))).toMatchObject({ succeeded: false });
    expect(service.writes).toEqual([]);
    await up(program("third", "api"));
    await up(program("third", "web"));
    await up(program("api", "web"));
    expect(await slugs()).toEqual({ [id("Web")]: "api", [id("API")]: "web" });
  });

  test.each([true, false])(
    "keeps a cluster whose deletion its pipelines prevent, and says which they are (lists show archived ones: %s)",
    async (archivedPipelinesInList) => {
      await service.emulator.close();
      await service.start({ variations: { archivedPipelinesInList } });
      const linux: Declared = { name: "linux", kind: "Cluster", args: { name: "Linux" } };
      await up([linux, pipeline("Web", { clusterId: idOf("linux") })]);
      const [web, clusterId] = [id("Web"), id("linux")];
      const steps = {
        repository: "https://git.example/a.git",
        configuration: "steps: []",
        cluster_id: clusterId,
      };
      const other = await service.colleague.sends("POST", "/pipelines", { name: "Other", ...steps });
      const [words] = (await engine.destroy()).errors;
      expect(words).toContain(
        `"web" (${web}), ${service.emulator.url}/organizations/acme/pipelines/web, archived; "other" (${other.id}), `,
      );
      expect(words).toContain(
        "Delete each archived one in the web interface, or import it with { archived: true, onDelete",
      );
      // What it says.
      const again = [
        linux,
        pipeline("Web", { clusterId: idOf("linux"), archived: true, onDelete: "delete" }, { import: "web" }),
      ];
      await up(again);
      await up([linux, pipeline("Web", { clusterId: idOf("linux"), archived: true, onDelete: "delete" })]);
      await service.colleague.sends("PATCH", "/pipelines/other", { cluster_id: null });
      expect((await engine.destroy()).errors).toEqual([]);
      expect(service.emulator.organizationData.clusters.size).toBe(0);
    },
  );

  test.each([true, false])(
    "is archived by a destroy, and comes back by the import that an error spells out (lists show archived ones: %s)",
    async (archivedPipelinesInList) => {
      await service.emulator.close();
      await service.start({ variations: { archivedPipelinesInList } });
      const made = [pipeline("Web")];
      await up(made);
      const first = id("Web");
      expect(await engine.destroy()).toMatchObject({ succeeded: true });
      expect(engine.observed.join("\n")).toContain(`archived the pipeline "web" (${first})`);
      const words = await refused(made);
      expect(words).toContain(`is taken by the pipeline ${first}, which is archived.`);
      const names = [...words.matchAll(/\{ import: "([^"]+)" \}/g)].map(([, name = ""]) => name);
      expect(names).toEqual(archivedPipelinesInList ? ["web", first] : ["web"]);
      for (const name of names) {
        const again = engineOf(backend, service);
        const imported = [pipeline("Web", {}, { import: name })];
        expect((await again.preview(imported)).errors).toEqual([]);
      }
      const imported = await up([pipeline("Web", {}, { import: names[0] ?? "" })]);
      expect([...imported, ...(await up(made))]).toEqual(["pipelines.unarchive"]);
      expect(await live()).toMatchObject([{ id: first, archived_at: null }]);
      expect((await engine.preview(made)).steps).toEqual({ Web: "same" });
    },
  );
});
