import { expect, test } from "vitest";
import { World } from "../world.js";
import { caseOf, plantPart2 } from "./cases.js";
import { operationsOfPart2 } from "./operations.js";

const world = World.forAll(plantPart2);

/** Makes more records like the last one of a collection, until it has 205. */
function grow<T extends { readonly id: string }>(
  collection: { readonly size: number; list(): T[]; insert(record: T): T },
  change: (record: T, index: number) => T = (record) => record,
): void {
  const last = collection.list().at(-1);
  if (last === undefined) throw new Error("There is nothing to make more of.");
  for (let index = collection.size; index < 205; index++) {
    collection.insert(change({ ...last, id: crypto.randomUUID() }, index));
  }
}

const fill: Readonly<Record<string, () => void>> = {
  "pipelines.list": () => {
    const { pipelines } = world.emulator.organizationData;
    grow(pipelines, (one, index) => ({ ...one, slug: `p${index}` }));
    for (const { id } of pipelines.list()) pipelines.update(id, { archived_at: null });
  },
  "pipelineSchedules.list": () => grow(world.emulator.organizationData.pipelineSchedules),
  "teamPipelines.list": () => grow(world.emulator.organizationData.teamPipelines),
  "teamSuites.list": () => grow(world.emulator.organizationData.teamSuites),
  "clusterMaintainers.list": () => grow(world.emulator.organizationData.clusterMaintainers),
  "clusterSecrets.list": () => grow(world.emulator.organizationData.clusterSecrets),
  "teamMembers.list": () => {
    const { teams, users } = world.emulator.organizationData;
    grow(users);
    for (const { id } of teams.list()) teams.update(id, { member_ids: users.list().map((user) => user.id) });
  },
};

const lists = operationsOfPart2.filter(({ list }) => list !== undefined);

test("There is a long list for every list of part 2", () => {
  expect(Object.keys(fill).sort()).toEqual(lists.map(({ id }) => id).sort());
});

test.each(lists)(
  "$id with 205 entries comes in pages, all at once only where no pages are documented",
  async (row) => {
    fill[row.id]?.();
    const { path } = caseOf(row.id);
    const lengths: number[] = [];
    const links: (boolean | undefined)[] = [];
    for (const page of [1, 2, 3]) {
      const { body, link } = await world.send("GET", `${path}?per_page=100&page=${page}`);
      lengths.push([body].flat().length);
      links.push(link?.includes('rel="next"'));
    }
    expect([lengths, links]).toEqual([
      [100, 100, 5],
      [true, true, false],
    ]);
    const whole = [(await world.send("GET", path)).body].flat().length;
    expect(whole).toBe(row.list === "pages" ? 30 : 205);
    world.answers();
  },
);
