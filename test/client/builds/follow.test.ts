import { describe, expect, test } from "vitest";
import {
  type BuildPipelineClient,
  type FollowOptions,
  FollowTimeoutError,
  NotFoundError,
} from "../../../src/client/index.js";
import { answer, BUILD, failure, hangUp, instantClock, inTurn, rejection, start } from "../service.js";

/** A build that goes through these looks, one for each request, and stays at the last. */
function building(...looks: Record<string, unknown>[]) {
  return inTurn(...looks.map((look) => answer(200, { ...BUILD, ...look })));
}

async function follow(looks: Record<string, unknown>[], options: FollowOptions = {}) {
  const { client, ...service } = await start(building(...looks));
  return { ...service, build: await client.builds.follow("storefront", 42, options) };
}

test("a build is followed to its end, and every poll is reported", async () => {
  const all = ["scheduled", "running", "failing", "failed"];
  const states: string[] = [];
  const looks = all.map((state) => ({ state }));
  const { build, seen, waits } = await follow(looks, { onProgress: ({ state }) => states.push(state) });
  expect(build).toMatchObject({ number: 42, state: "failed" });
  expect(states).toEqual(all);
  expect(waits).toEqual([2_000, 2_000, 2_000]);
  const path = "/v2/organizations/acme/pipelines/storefront/builds/42";
  expect(seen.map(({ target }) => target)).toEqual([path, path, path, path]);
});

const ends = [
  ...["passed", "failed", "canceled", "blocked"].map((state) => ({ state })),
  { state: "passed", blocked: true },
  { state: "skipped", finished_at: "2024-01-02T03:04:05Z" },
];
const others = [
  ...["scheduled", "running", "failing", "canceling", "creating"].map((state) => ({ state })),
  { state: "running", blocked: false, finished_at: null },
];

test.each([
  ...ends.map((look) => [look, "is an end", 1] as const),
  ...others.map((look) => [look, "is none", 2] as const),
])("%j %s", async (look, _, reads) => {
  const { build, seen } = await follow([look, { state: "passed", number: 43 }]);
  expect(build).toMatchObject(reads === 1 ? look : { number: 43 });
  expect(seen).toHaveLength(reads);
});

describe("between looks it waits", () => {
  test("longer while nothing changes, up to half a minute, and shortly again after a change", async () => {
    const look = (state: string) => ({ state: "running", jobs: [{ id: "j", state }] });
    const same = Array.from({ length: 10 }, () => look("running"));
    const { waits } = await follow([...same, look("passed"), { state: "passed" }]);
    const seconds = waits.map((wait) => wait / 1000);
    expect(seconds).toEqual([2, 3, 4.5, 6.75, 10.125, 15.1875, 22.78125, 30, 30, 30, 2]);
  });

  test("as long as the option says", async () => {
    const looks = [{ state: "scheduled" }, { state: "running" }, { state: "passed" }];
    const { waits } = await follow(looks, { intervalMs: 60_000 });
    expect(waits).toEqual([60_000, 60_000]);
  });
});

describe("a time limit", () => {
  test("ends it after a last look", async () => {
    const { client, seen, waits } = await start(building({ state: "running" }));
    const options = { timeoutMs: 5_500, intervalMs: 2_000 };
    const error = await rejection(client.builds.follow("storefront", 42, options));
    expect(error).toMatchObject({
      name: "FollowTimeoutError",
      pipeline: "storefront",
      number: 42,
      state: "running",
      timeoutMs: 5_500,
    });
    expect(waits).toEqual([2_000, 3_000, 500]);
    expect(seen).toHaveLength(4);
  });

  test("ends it even where the clock stands still", async () => {
    const call = (c: BuildPipelineClient) => c.builds.follow("storefront", 42, { timeoutMs: 9_000 });
    const clock = { ...instantClock(), now: () => 0 };
    const error = await failure(building({ state: "running" }), call, { clock });
    expect(error).toBeInstanceOf(FollowTimeoutError);
  });
});

test("a passing failure does not end it, a missing build does", async () => {
  const missing = answer(404, { message: "No build found" });
  const { client, seen } = await start(inTurn(answer(200, BUILD), hangUp, missing));
  expect(await rejection(client.builds.follow("storefront", 42))).toBeInstanceOf(NotFoundError);
  expect(seen).toHaveLength(3);
});
