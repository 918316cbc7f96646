import { beforeEach, describe, expect, test } from "vitest";
import type { Collections } from "../../../../src/provider/lifecycle/run/collections.js";
import { failure, kindOf, serviceForEach, sessionFor } from "../../../support/driver.js";

const service = serviceForEach();

/** Time in milliseconds, which passes only where a test or a pause says so. */
let now = 0;
let pauses: number[] = [];
let collections: Collections;

beforeEach(() => {
  now = 1_000_000;
  pauses = [];
  const { service: withTime } = sessionFor(service.emulator, {
    clock: {
      now: () => now,
      // Others that are about to read do so in a pause.
      sleep: async (milliseconds) => {
        pauses.push(milliseconds);
        await new Promise((resolve) => setImmediate(resolve));
        now += milliseconds;
      },
    },
  });
  collections = withTime.collections;
});

function place(kindName: string, parent = "") {
  return { organization: service.emulator.organization, kind: kindOf(kindName), parent };
}

const list = (since?: number) => collections.list(place("Team"), since);
const search = (name: string) =>
  collections.search(place("Team"), (team) => "name" in team && team.name === name);
const read = (id: string) => collections.read({ ...place("Team"), id, known: {} });

/** Operations that the service received since the last call. */
function asked(): string[] {
  const operations = service.emulator.requests.map(({ operation }) => String(operation));
  service.emulator.clearRequests();
  return operations;
}

async function teams(...names: string[]): Promise<string[]> {
  const made = [];
  for (const name of names) made.push(await service.driver.create("Team", { name }));
  asked();
  return made.map(({ id }) => id);
}

/** Adds copies of a team, "Team 0" and so on. */
function copies(id: string, from: number, to: number): void {
  const { teams: all } = service.emulator.organizationData;
  const team = all.get(id);
  if (team === undefined) throw new Error("The team was not created.");
  for (let index = from; index < to; index++)
    all.insert({ ...team, id: crypto.randomUUID(), name: `Team ${index}`, slug: `team-${index}` });
}

type Writing = (work: () => Promise<unknown>) => Promise<unknown>;

function renameDuringTheNextList(id: string, writing: Writing): void {
  const { teams } = service.emulator.organizationData;
  const rename = async () => teams.update(id, { name: "renamed" });
  service.emulator.fault({
    operation: "teams.list",
    action: {
      change: (page) => {
        void writing(rename);
        return page;
      },
    },
  });
}

const names = (entities: readonly object[]) => entities.map((team) => "name" in team && team.name);

describe("A list", () => {
  test("is requested once for all who want it at the same time", async () => {
    await teams("a", "b");
    const lists = await Promise.all([list(), list(), search("c").then(() => list())]);
    for (const each of lists) expect(names(each)).toEqual(["a", "b"]);
    expect(asked()).toEqual(["teams.list"]);
  });

  test("is used for less than five seconds", async () => {
    await list();
    now += 4_999;
    await list();
    expect(asked()).toEqual(["teams.list"]);
    now += 1;
    await list();
    expect(asked()).toEqual(["teams.list"]);
  });

  test("that failed is requested again", async () => {
    service.emulator.fault({ operation: "teams.list", action: { status: 403, body: { message: "No" } } });
    const reasons = await Promise.all([failure(list()), failure(list())]);
    expect(reasons).toEqual([expect.stringContaining("403"), expect.stringContaining("403")]);
    asked();
    expect(await list()).toEqual([]);
    expect(asked()).toEqual(["teams.list"]);
  });

  test("has only what counts as one of the kind", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    await service.driver.create("Cluster", { name: "Windows" });
    const queue = await service.driver.create("Queue", { clusterId: cluster.id, key: "small" });
    await service.driver.create("ClusterDefaultQueue", { clusterId: cluster.id, queueId: queue.id });
    asked();
    expect(await collections.list(place("Cluster"))).toHaveLength(2);
    const settings = await collections.list(place("ClusterDefaultQueue", cluster.id));
    expect(settings.map((entity) => "name" in entity && entity.name)).toEqual(["Linux"]);
    expect(asked()).toEqual(["clusters.list"]);
  });
});

describe.each([
  ["write", (work: Parameters<Writing>[0]) => collections.writing(place("Team"), work)],
  ["deletion", (work: Parameters<Writing>[0]) => collections.deleting(work)],
])("A %s", (_, writing) => {
  test("makes a list from before it unusable", async () => {
    await list();
    await writing(() => teams("late"));
    expect(names(await list())).toEqual(["late"]);
  });

  test("that fails does so as well", async () => {
    await list();
    const work = writing(async () => {
      await teams("late");
      throw new Error("Its response was lost.");
    });
    expect(await failure(work)).toBe("Its response was lost.");
    expect(names(await list())).toEqual(["late"]);
  });

  test("makes a list unusable that is on its way, for all who wait for it", async () => {
    const [id = ""] = await teams("a");
    renameDuringTheNextList(id, writing);
    expect((await Promise.all([list(), list()])).map(names)).toEqual([["renamed"], ["renamed"]]);
    expect(asked()).toEqual(["teams.list", "teams.list"]);
  });
});

describe("A search", () => {
  test("that finds nothing in a list of one page needs one read", async () => {
    await teams("a");
    expect(await search("b")).toBeUndefined();
    expect(asked()).toEqual(["teams.list"]);
    expect(await search("c")).toBeUndefined();
    expect(asked()).toEqual([]);
  });

  test("reads the list again that has the object, because it may be some seconds old", async () => {
    const [id] = await teams("a");
    await list();
    await service.colleague.sends("DELETE", `/teams/${id}`);
    asked();
    expect(await search("a")).toBeUndefined();
    expect(asked()).toEqual(["teams.list"]);
  });

  test("returns an object that two reads have, which others share at the same time", async () => {
    const [id] = await teams("a", "b");
    expect(await Promise.all([search("a"), search("a")])).toMatchObject([{ id }, { id }]);
    expect(asked()).toEqual(["teams.list", "teams.list"]);
  });

  describe("in a list of two pages", () => {
    let firstPages = 0;

    beforeEach(async () => {
      firstPages = 0;
      const [one = ""] = await teams("Team 0");
      copies(one, 1, 130);
    });

    /** Takes the first team away while a page is on its way, as often as this. */
    function shiftAtFirstPages(most: number): void {
      const { teams } = service.emulator.organizationData;
      const change = (page: unknown) => {
        const [first] = teams.list();
        if (!Array.isArray(page) || page.length < 100) return page;
        if (++firstPages <= most && first !== undefined) teams.delete(first.id);
        return page;
      };
      service.emulator.fault({ operation: "teams.list", times: 10, action: { change } });
    }

    test.each([
      [0, 2],
      [1, 3],
      [3, 5],
    ])("with %i lists that differ, believes the absence after %i", async (shifts, lists) => {
      shiftAtFirstPages(shifts);
      expect(await search("x")).toBeUndefined();
      expect(firstPages).toBe(lists);
    });

    test("finds an object that shifted from the second page to the first", async () => {
      shiftAtFirstPages(1);
      expect(await search("Team 100")).toMatchObject({ name: "Team 100" });
    });

    test("gives up after five reads that all differ, with advice", async () => {
      shiftAtFirstPages(5);
      expect(await failure(search("x"))).toBe(
        "The list of teams changed during each of 5 reads. Run the command again.",
      );
      expect(firstPages).toBe(5);
    });
  });
});

test("The list from before a creation is requested once, whatever was created since", async () => {
  const [id] = await teams("a");
  expect(await collections.knownInitialList(place("Team"))).toBeUndefined();
  expect((await collections.initialList(place("Team"))).entities).toMatchObject([{ id }]);
  await collections.writing(place("Team"), () => teams("b"));
  expect((await collections.initialList(place("Team"))).entities).toMatchObject([{ id }]);
  expect(await collections.knownInitialList(place("Team"))).toMatchObject([{ id }]);
  expect(asked()).toEqual([]);
});

test("The list from before a creation is unknown, and not empty, where it can't be read", async () => {
  service.emulator.fault({ operation: "teams.list", action: { status: 403, body: { message: "No" } } });
  expect(await collections.initialList(place("Team"))).toMatchObject({ failure: { status: 403 } });
  expect(await collections.knownInitialList(place("Team"))).toBeUndefined();
});

describe("Reads of a refresh", () => {
  test("of a single object cost one request, after a short wait for others", async () => {
    const [id = ""] = await teams("a");
    expect(await read(id)).toMatchObject({ name: "a" });
    expect(asked()).toEqual(["teams.get"]);
    expect(pauses).toEqual([10]);
  });

  test("of several objects share a list", async () => {
    const ids = await teams("a", "b", "c");
    const found = await Promise.all(ids.map(read));
    expect(names(found.map(Object))).toEqual(["a", "b", "c"]);
    expect(asked()).toEqual(["teams.list"]);
    expect(pauses).toEqual([10]);
  });

  test("belong together for less than ten seconds after each other", async () => {
    const [a = "", b = "", c = "", d = ""] = await teams("a", "b", "c", "d");
    await read(a);
    now += 9_989;
    await read(b);
    expect(asked()).toEqual(["teams.get", "teams.list"]);
    now += 9_999;
    await read(c);
    expect(asked()).toEqual([]);
    now += 10_000;
    await read(d);
    expect(asked()).toEqual(["teams.get"]);
  });

  test("do without a list that is ten seconds old", async () => {
    const [a = "", b = "", c = "", d = ""] = await teams("a", "b", "c", "d");
    await Promise.all([read(a), read(b)]);
    expect(asked()).toEqual(["teams.list"]);
    now += 5_000;
    await read(c);
    expect(asked()).toEqual([]);
    now += 5_000;
    await read(d);
    expect(asked()).toEqual(["teams.list"]);
  });

  test("of an object for the second time are not served by lists from before", async () => {
    const [a = "", b = ""] = await teams("a", "b");
    await Promise.all([read(a), read(b)]);
    await service.colleague.sends("PATCH", `/teams/${a}`, { name: "renamed" });
    asked();
    expect(await read(a)).toMatchObject({ name: "renamed" });
    expect(asked()).toEqual(["teams.get"]);
    expect(await read(b)).toMatchObject({ name: "b" });
    expect(asked()).toEqual(["teams.list"]);
  });

  test("do not share a list that was read for something else", async () => {
    const [a = "", b = ""] = await teams("a", "b");
    await list();
    asked();
    await Promise.all([read(a), read(b)]);
    expect(asked()).toEqual(["teams.list"]);
  });

  test.each([
    ["that the list lacks", { change: () => [] }, []],
    // The error says which scope is missing, if one is.
    ["whose list fails", { status: 403, body: { message: "No" } }, ["accessToken.get"]],
  ])("find objects alone %s", async (_, action, further) => {
    const [a = "", b = ""] = await teams("a", "b");
    service.emulator.fault({ operation: "teams.list", action });
    expect(await Promise.all([read(a), read(b)])).toMatchObject([{ name: "a" }, { name: "b" }]);
    expect(asked()).toEqual(["teams.list", ...further, "teams.get", "teams.get"]);
  });

  test("find objects alone whose list a write made unusable", async () => {
    const [a = "", b = ""] = await teams("a", "b");
    renameDuringTheNextList(b, (work) => collections.writing(place("Team"), work));
    expect(await Promise.all([read(a), read(b)])).toMatchObject([{ name: "a" }, { name: "renamed" }]);
  });

  describe("in a list of six pages", () => {
    let a = "";
    let b = "";

    beforeEach(async () => {
      [a = "", b = ""] = await teams("a", "b");
      copies(a, 0, 500);
    });

    test("cost its first page and single reads, while the other pages cost more", async () => {
      await Promise.all([read(a), read(b)]);
      expect(asked()).toEqual(["teams.list"]);
      const others = service.emulator.organizationData.teams.list().slice(-4);
      await Promise.all(others.map(({ id }) => read(id)));
      expect(asked().sort()).toEqual(Array(5).fill("teams.list"));
    });

    test("of an object for the second time are not served by a page from before", async () => {
      await Promise.all([read(a), read(b)]);
      await service.colleague.sends("PATCH", `/teams/${b}`, { name: "renamed" });
      await read(a);
      expect(await read(b)).toMatchObject({ name: "renamed" });
    });

    test("use the whole list for ten seconds a page, and then see what a colleague changed", async () => {
      const { teams: all } = service.emulator.organizationData;
      const ids = all.list().map(({ id }) => id);
      await Promise.all([a, b, ...ids.slice(-2)].map(read));
      expect(asked()).toEqual(Array(6).fill("teams.list"));
      const [changed = "", ...others] = ids.slice(100, 107);
      all.update(changed, { name: "renamed" });
      for (const id of others) {
        now += 9_990;
        await read(id);
      }
      expect(asked()).toEqual([]);
      now += 9_990;
      expect(await read(changed)).toMatchObject({ name: "renamed" });
      expect(asked().filter((operation) => operation === "teams.list")).not.toEqual([]);
    });

    test("leave no page to a list that is asked for later", async () => {
      await Promise.all([read(a), read(b)]);
      await service.colleague.sends("PATCH", `/teams/${b}`, { name: "renamed" });
      now += 1;
      expect(names(await list(now))).toContain("renamed");
    });
  });
});
