import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DrainResult, drain } from "../../../src/commands/drain/drain.js";
import { findQueues } from "../../../src/commands/drain/queue-name.js";
import { BusyOrganization } from "../../support/busy-organization.js";

/** What happens between two requests of a drain. */
type Act =
  | { readonly act: "build"; readonly pipeline: "api" | "release" | "legacy" }
  | { readonly act: "dispatch" | "interrupt" }
  | { readonly act: "end" | "cancel"; readonly build: number }
  | { readonly act: "resume" | "pause" | "delete"; readonly queue: Key }
  | { readonly act: "refuse"; readonly operation: string }
  | { readonly act: "hide"; readonly what: keyof typeof HIDING }
  | { readonly act: "nothing" };

const KEYS = ["small", "large", "two"] as const;
type Key = (typeof KEYS)[number];

/** Responses in which builds lack something. */
const HIDING = {
  jobs: undefined,
  queues: (job: object) => ({ ...job, cluster_id: undefined, cluster_queue_id: undefined }),
  states: (job: object) => ({ ...job, state: "unheard of", agent: null }),
} as const;

const build = fc.nat({ max: 20 });
const queue = fc.constantFrom(...KEYS);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 30, arbitrary: fc.record({ act: fc.constant("nothing" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("build" as const),
      pipeline: fc.constantFrom("api", "release", "legacy"),
    }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("dispatch" as const) }) },
  { weight: 20, arbitrary: fc.record({ act: fc.constantFrom("end", "cancel"), build }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom("resume", "pause", "delete"), queue }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("interrupt" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("hide" as const),
      what: fc.constantFrom("jobs", "queues", "states"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("refuse" as const),
      operation: fc.constantFrom(
        "builds.list",
        "builds.get",
        "queues.get",
        "queues.pauseDispatch",
        "queues.resumeDispatch",
      ),
    }),
  },
);

/** An organization in which the acts happen, one before each request. */
class World {
  readonly interruption = new AbortController();
  readonly #acts: Act[];
  refusals = 0;

  private constructor(
    readonly organization: BusyOrganization,
    acts: readonly Act[],
  ) {
    this.#acts = [...acts];
  }

  static async start(largestPage: number, builds: number, acts: readonly Act[]): Promise<World> {
    const organization = await BusyOrganization.start({ variations: { largestPage } });
    const world = new World(organization, acts);
    for (const key of KEYS) organization.connect(organization.queues[key], 2);
    for (const pipeline of ["api", "release", "legacy"]) await organization.build(pipeline);
    for (let index = 0; index < builds; index++) world.#copyBuild(index);
    organization.emulator.dispatchJobs();
    return world;
  }

  get data() {
    return this.organization.emulator.organizationData;
  }

  /** Lets the acts begin. When there are none left, every job ends. */
  begin(): void {
    this.organization.emulator.onRequest(() => this.#next(this.#acts.shift()));
  }

  /** Ids of the queues in which a job runs. */
  get busy(): Set<string> {
    const running = this.data.builds
      .list()
      .flatMap(({ jobs }) => jobs.filter(({ state }) => state === "running"));
    return new Set(running.map(({ ran_in_queue_id }) => ran_in_queue_id ?? ""));
  }

  #next(act: Act | undefined): void {
    const { emulator, queues } = this.organization;
    const open = this.data.builds
      .list()
      .filter(({ jobs }) => jobs.some(({ finished_at }) => finished_at === null));
    if (act === undefined) {
      for (const { id } of open) this.#end(id);
      return;
    }
    const chosen = "build" in act ? open[act.build % Math.max(open.length, 1)] : undefined;
    switch (act.act) {
      case "build":
        this.#copyBuild(["api", "release", "legacy"].indexOf(act.pipeline));
        return;
      case "dispatch":
        emulator.dispatchJobs();
        return;
      case "end":
        if (chosen) this.#end(chosen.id);
        return;
      case "cancel":
        // Its jobs run on until an agent has stopped them.
        if (chosen) this.data.builds.update(chosen.id, { state: "canceling" });
        return;
      case "interrupt":
        this.interruption.abort();
        return;
      case "resume":
        if (this.data.queues.get(queues[act.queue])) {
          this.data.queues.update(queues[act.queue], { dispatch_paused: false, dispatch_paused_at: null });
          emulator.dispatchJobs();
        }
        return;
      case "pause":
        if (this.data.queues.get(queues[act.queue])?.dispatch_paused === false)
          this.data.queues.update(queues[act.queue], {
            dispatch_paused: true,
            dispatch_paused_at: new Date().toISOString(),
            dispatch_paused_note: "Disk replacement",
          });
        return;
      case "delete":
        // The service refuses to delete a queue with agents, so none of its jobs runs.
        if (!this.busy.has(queues[act.queue])) this.data.queues.delete(queues[act.queue]);
        return;
      case "refuse":
        this.refusals += 1;
        emulator.fault({ operation: act.operation, action: { status: 400 } });
        return;
      case "hide":
        emulator.fault({ operation: "builds.list", action: { change: (page) => hidden(page, act.what) } });
    }
  }

  #end(buildId: string): void {
    for (const { id, finished_at } of this.data.builds.get(buildId)?.jobs ?? [])
      if (finished_at === null) this.organization.emulator.moveJob(id, "passed");
  }

  /** Adds a build like one of the first three. */
  #copyBuild(index: number): void {
    const [first, second, third] = this.data.builds.list();
    const model = [first, second, third][index % 3];
    if (model === undefined) return;
    const jobs = model.jobs.map((job) => ({
      ...job,
      id: randomUUID(),
      state: "scheduled",
      agent_id: null,
      ran_in_queue_id: null,
      started_at: null,
      finished_at: null,
    }));
    const number = this.data.builds.size + 1;
    this.data.builds.insert({
      ...model,
      id: randomUUID(),
      number,
      state: "scheduled",
      finished_at: null,
      jobs,
    });
  }
}

function hidden(page: unknown, what: keyof typeof HIDING): unknown {
  if (!Array.isArray(page)) return page;
  return page.map(({ jobs, ...build }) => {
    if (what === "jobs") return build;
    return { ...build, jobs: jobs.map(HIDING[what]) };
  });
}

test("Whatever happens between its requests, a drain claims and leaves nothing that isn't so", async () => {
  const ends = new Map<string, number>();
  const scenario = fc.record({
    largestPage: fc.constantFrom(1, 2, 3, 100),
    builds: fc.integer({ min: 3, max: 12 }),
    drained: fc.uniqueArray(queue, { minLength: 1, maxLength: 2 }),
    acts: fc.array(act, { maxLength: 80, size: "max" }),
  });
  const property = fc.asyncProperty(scenario, async ({ largestPage, builds, drained, acts }) => {
    const world = await World.start(largestPage, builds, acts);
    const { client, queues } = world.organization;
    try {
      const { found } = await findQueues(
        client,
        drained.map((key) => queues[key]),
        [],
      );
      world.begin();
      const result: DrainResult | Error = await drain(client, found, {
        timeoutMs: 60_000,
        intervalMs: 0.01,
        now: () => new Date(),
        interrupted: world.interruption.signal,
        onLook: () => {},
        onTrouble: () => {},
        onDeleted: () => {},
      }).catch((error: Error) => error);
      const end = result instanceof Error ? "failed" : result.end;
      ends.set(end, (ends.get(end) ?? 0) + 1);

      const held = found
        .map(({ queue: { id } }) => world.data.queues.get(id))
        .filter((one) => one !== undefined);
      if (end === "drained") {
        for (const { id, dispatch_paused } of held)
          expect({ id, dispatch_paused, busy: world.busy.has(id) }).toEqual({
            id,
            dispatch_paused: true,
            busy: false,
          });
      }
      if (end === "failed") expect(world.refusals).toBeGreaterThan(0);
      // What a drain doesn't keep paused on purpose is resumed, or named.
      if (result instanceof Error || result.end === "interrupted") {
        const named = result instanceof Error ? result.message : JSON.stringify(result.stillPaused);
        for (const { key, dispatch_paused, dispatch_paused_note } of held)
          if (dispatch_paused && dispatch_paused_note?.startsWith("Draining")) expect(named).toContain(key);
      }
    } finally {
      await world.organization.close();
    }
  });
  await fc.assert(property, { numRuns: 100 });
  // The scenarios reach each end.
  expect([...ends.keys()].sort()).toEqual(["drained", "failed", "interrupted", "overtaken"]);
}, 300_000);
