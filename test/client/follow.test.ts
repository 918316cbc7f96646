import { describe, expect, test } from "vitest";
import { ArgumentError, type Build, FollowTimeoutError, NotFoundError } from "../../src/client/index.js";
import { BUILD, connect, instantClock, json, rejection, serve } from "./service.js";

/** A service whose build goes through these looks, one for each request, and stays at the last. */
function building(...looks: Record<string, unknown>[]) {
  return serve((_, response, turn) =>
    json(response, 200, { ...BUILD, ...looks[Math.min(turn, looks.length) - 1] }),
  );
}

test("a build is followed to its end, and every poll is reported", async () => {
  const service = await building(
    { state: "scheduled" },
    { state: "running" },
    { state: "failing" },
    { state: "failed" },
  );
  const clock = instantClock();
  const states: string[] = [];
  const onProgress = (build: Build) => states.push(build.state);
  const build = await connect(service.url, { clock }).builds.follow("storefront", 42, { onProgress });
  expect(build).toMatchObject({ number: 42, state: "failed" });
  expect(states).toEqual(["scheduled", "running", "failing", "failed"]);
  expect(clock.waits).toEqual([2_000, 2_000, 2_000]);
  expect(new Set(service.seen.map(({ target }) => target))).toEqual(
    new Set(["/v2/organizations/acme/pipelines/storefront/builds/42"]),
  );
});

test.each([
  { state: "passed" },
  { state: "failed" },
  { state: "canceled" },
  { state: "blocked" },
  { state: "passed", blocked: true },
  { state: "skipped", finished_at: "2024-01-02T03:04:05Z" },
])("%j is an end", async (end) => {
  const service = await building(end);
  expect(await connect(service.url).builds.follow("storefront", 42)).toMatchObject(end);
  expect(service.seen).toHaveLength(1);
});

test.each([
  { state: "scheduled" },
  { state: "running" },
  { state: "failing" },
  { state: "canceling" },
  { state: "creating" },
  { state: "running", blocked: false, finished_at: null },
])("%j is none", async (look) => {
  const service = await building(look, { state: "passed" });
  await connect(service.url).builds.follow("storefront", 42);
  expect(service.seen).toHaveLength(2);
});

describe("between looks it waits", () => {
  test("longer while nothing changes, up to half a minute, and shortly again after a change", async () => {
    const service = await building(
      ...Array.from({ length: 10 }, () => ({ state: "running", jobs: [{ id: "j", state: "running" }] })),
      { state: "running", jobs: [{ id: "j", state: "passed" }] },
      { state: "passed" },
    );
    const clock = instantClock();
    await connect(service.url, { clock }).builds.follow("storefront", 42);
    const seconds = clock.waits.map((wait) => wait / 1000);
    expect(seconds).toEqual([2, 3, 4.5, 6.75, 10.125, 15.1875, 22.78125, 30, 30, 30, 2]);
  });

  test("as long as the option says", async () => {
    const service = await building({ state: "scheduled" }, { state: "running" }, { state: "passed" });
    const clock = instantClock();
    await connect(service.url, { clock }).builds.follow("storefront", 42, { intervalMs: 60_000 });
    expect(clock.waits).toEqual([60_000, 60_000]);
  });
});

describe("a time limit", () => {
  test("ends it after a last look", async () => {
    const service = await building({ state: "running" });
    const clock = instantClock();
    const error = await rejection(
      connect(service.url, { clock }).builds.follow("storefront", 42, {
        timeoutMs: 5_500,
        intervalMs: 2_000,
      }),
    );
    expect(error).toBeInstanceOf(FollowTimeoutError);
    expect(error).toMatchObject({ pipeline: "storefront", number: 42, state: "running", timeoutMs: 5_500 });
    expect(clock.waits).toEqual([2_000, 3_000, 500]);
    expect(service.seen).toHaveLength(4);
  });

  test("ends it even where the clock stands still", async () => {
    const service = await building({ state: "running" });
    const clock = { ...instantClock(), now: () => 0 };
    const error = await rejection(
      connect(service.url, { clock }).builds.follow("storefront", 42, { timeoutMs: 9_000 }),
    );
    expect(error).toBeInstanceOf(FollowTimeoutError);
  });

  test.each([{ timeoutMs: -1 }, { timeoutMs: Number.NaN }, { intervalMs: 0 }])(
    "%j makes no sense",
    async (options) => {
      const service = await building({ state: "running" });
      const error = await rejection(connect(service.url).builds.follow("storefront", 42, options));
      expect(error).toBeInstanceOf(ArgumentError);
      expect(service.seen).toEqual([]);
    },
  );
});

test("an aborted signal ends it with the reason", async () => {
  const service = await building({ state: "running" });
  const abort = new AbortController();
  const onProgress = () => abort.abort(new Error("enough"));
  const call = connect(service.url).builds.follow("storefront", 42, { onProgress, signal: abort.signal });
  expect(await rejection(call)).toBe(abort.signal.reason);
  expect(service.seen).toHaveLength(1);
});

test("a passing failure does not end it, a missing build does", async () => {
  const service = await serve((_, response, turn) => {
    if (turn === 1) json(response, 200, BUILD);
    else if (turn === 2) response.destroy();
    else json(response, 404, { message: "No build found" });
  });
  const error = await rejection(connect(service.url).builds.follow("storefront", 42));
  expect(error).toBeInstanceOf(NotFoundError);
  expect(service.seen).toHaveLength(3);
});
