import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as program from "../../src/index.js";
import { kinds } from "../../src/provider/for-commands/kinds.js";
import { startEngine } from "../provider/functions/surroundings.js";
import { settingsOf } from "../support/command.js";
import { failure, groupOf, minimalOfAll, serviceForEach } from "../support/driver.js";

type Json = Record<string, unknown>;
type Lookup = (args: object) => Promise<Record<string, Json[]>>;

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** The kinds of which a program can have a list. An organization has its settings once. */
const listed = [...kinds.values()].flatMap(({ name, parent, behavior, isSetting }) =>
  behavior.list === undefined || isSetting ? [] : [{ name, parent: parent?.argument }],
);

describe("Where pages shift while they are read, because a colleague deletes or creates something,", () => {
  const service = serviceForEach();
  let args: Awaited<ReturnType<typeof minimalOfAll>>;
  beforeEach(async () => {
    args = await minimalOfAll(service);
    Object.assign(process.env, settingsOf(service.emulator));
    await startEngine();
  });
  afterEach(() => {
    for (const name of Object.keys(settingsOf(service.emulator))) delete process.env[name];
    pulumi.runtime.setAllConfig({});
  });

  /** Asks a function for all objects of a kind in the place where the driver made one. */
  async function askFor({ name, parent }: (typeof listed)[number]) {
    await service.driver.create(name, args[name] ?? {});
    const pipelines = await service.colleague.list("/pipelines");
    const slug = pipelines.find(({ id }) => id === args[name]?.pipelineId)?.slug;
    const place =
      name === "PipelineSchedule" ? { pipelineSlug: slug } : { [parent ?? ""]: args[name]?.[parent ?? ""] };
    const lookup = Reflect.get(program, `get${name}s`) as Lookup;
    const ask = async () => {
      // Each lookup of a deployment is sent once.
      await startEngine();
      return Object.values(await lookup(parent === undefined ? {} : place)).find(Array.isArray);
    };
    const found = await ask();
    const { path } =
      service.emulator.requests.findLast(({ operation }) => operation === `${groupOf(name)}.list`) ?? {};
    const answer = await service.colleague.sends(
      "GET",
      String(path).replace(/^.*?\/organizations\/[^/]+/, ""),
    );
    return {
      ask,
      found,
      answer,
      operation: `${groupOf(name)}.list`,
      next: `${service.emulator.url}${path}?page=2`,
    };
  }

  /** Makes the next pages of a list these: all but the last one name another. */
  function pages(operation: string, next: string, bodies: readonly (Json | Json[])[]) {
    for (const [at, body] of bodies.entries()) {
      const isLast = at === bodies.length - 1;
      const links = isLast ? {} : { next };
      const headers = isLast ? {} : { link: `<${next}>; rel="next"` };
      service.emulator.fault({
        operation,
        action: { body: Array.isArray(body) ? body : { ...body, links }, headers },
      });
    }
  }

  test.each(listed)(
    "a program's list of each $name has what moved to a page that was read, and nothing that is gone",
    async (kind) => {
      const { ask, found, answer, operation, next } = await askFor(kind);
      expect(found?.length).toBeGreaterThan(0);
      const gone = JSON.parse(JSON.stringify(answer).replace(UUID, () => crypto.randomUUID()));
      pages(operation, next, [gone, Array.isArray(answer) ? [] : { ...answer, items: [] }]);
      expect(await ask()).toEqual(found);
    },
  );

  test.each(listed)("a program's list of each $name has what moved to the next page once", async (kind) => {
    const { ask, found, answer, operation, next } = await askFor(kind);
    pages(operation, next, [answer, answer]);
    pages(operation, next, [answer, answer]);
    expect(await ask()).toEqual(found);
  });

  test.each(["Queue", "AgentToken", "ClusterSecret"])(
    "a cluster with a colleague's %s, which the deletion of the stack's own one moves, isn't deleted",
    async (kind) => {
      const cluster = await service.driver.create("Cluster", { name: "Linux" });
      const place = { clusterId: cluster.id };
      const own = await service.driver.create(kind, { ...args[kind], ...place });
      const named = kind === "AgentToken" ? { description: "theirs" } : { key: "THEIRS" };
      const theirs = await service.driver.create(kind, { ...args[kind], ...named, ...place });
      const operation = `${groupOf(kind)}.list`;
      const { path } =
        service.emulator.requests.findLast((one) => one.operation === `${groupOf(kind)}.create`) ?? {};
      const answer = await service.colleague.list(String(path).replace(/^.*?\/organizations\/[^/]+/, ""));
      const run = service.newRun();
      await run.delete(own);
      pages(operation, `${service.emulator.url}${path}?page=2`, [
        answer.filter(({ id }) => id === own.id),
        [],
      ]);
      expect(await failure(run.delete(cluster))).toContain(theirs.id);
    },
  );
});
