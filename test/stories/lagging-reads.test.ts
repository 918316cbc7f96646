import { beforeEach, describe, expect, test } from "vitest";
import { kinds, losesSecret } from "../../src/provider/for-commands/kinds.js";
import { MADE_AT } from "../../src/shared/protocol/properties.js";
import { someOf } from "../support/cases.js";
import { minimalOfAll, serviceForEach } from "../support/driver.js";
import { BACKENDS, ResourceOfProgram } from "../support/program.js";
import { engineOf } from "./histories/engine/start-provider.js";
import { Gate } from "./histories/gate.js";

const rows = BACKENDS.flatMap((backend) =>
  [...kinds.values()].map((kind) => [kind.name, backend, kind] as const),
);

const AHEAD = [0, 20, 3_600, -3_600];
/** How many seconds the machine's clock is ahead of the one by which objects are made, and how many the `Date` of responses. */
const CLOCKS = AHEAD.flatMap((ahead) => [
  ...AHEAD.map((seconds) => ({ ahead, dates: { ahead: seconds, each: 1 } })),
  { ahead, dates: "absent" as const },
]);

/** Nothing deletes the settings of an organization. */
const deleted = rows.filter(([, , { isSetting }]) => !isSetting);

describe("Where reads and lists show an object ten seconds after its creation, ", () => {
  const service = serviceForEach({ readLagSeconds: 10 });
  let args: Awaited<ReturnType<typeof minimalOfAll>>;
  beforeEach(async () => {
    args = await minimalOfAll(service);
    await service.clock.sleep(60_000);
  });
  const of = (backend: (typeof BACKENDS)[number], kind: string) =>
    new ResourceOfProgram(backend, service.emulator, kind, service.clock);
  const deletable = (kind: string) => ({ ...args[kind], ...(kind === "Pipeline" && { onDelete: "delete" }) });

  test.each(someOf(rows.map((row, index) => [...row, CLOCKS[index % CLOCKS.length]] as const)))(
    "a %s stays in state by a refresh right after that, and in the next preview (%s backend)",
    async (kind, backend, { isSetting }, { ahead, dates } = { ahead: 0, dates: "absent" }) => {
      const now = () => service.clock.now() + ahead * 1_000;
      const clock = { now, sleep: (milliseconds: number) => service.clock.sleep(milliseconds) };
      const gate = new Gate(0, { dates, target: service.emulator.url });
      const it = new ResourceOfProgram(backend, service.emulator, kind, clock, [], gate);
      const made = await it.up(args[kind] ?? {});
      const isLate = dates === "absent" || dates.ahead > 0;
      expect(MADE_AT in made.outs).toBe(!isSetting && (isLate || made.outs.createdAt === undefined));
      const read = await it.refresh(made);
      expect(read).toMatchObject({ id: made.id });
      const { changes, replaces } = await it.preview(args[kind] ?? {}, read);
      expect([changes, replaces]).toEqual([false, []]);
      await gate.close();
    },
  );

  test.each(someOf(deleted, 1))(
    "a %s that is deleted right after that is gone (%s backend)",
    async (kind, backend) => {
      const made = await of(backend, kind).up(deletable(kind));
      service.emulator.clearRequests();
      await of(backend, kind).destroy(made);
      const written = service.emulator.requests.filter(({ method }) => method !== "GET");
      expect(written.at(-1)).toMatchObject({ status: expect.closeTo(200, -1) });
      expect(new Set(written.map(({ operation }) => operation)).size).toBe(1);
    },
  );

  test.each(
    someOf(
      deleted.filter(([, , { view }]) => view === undefined),
      2,
    ),
  )(
    "a %s that somebody else deletes right after that leaves the state with its id (%s backend)",
    async (kind, backend, description) => {
      const it = of(backend, kind);
      const made = await it.up(deletable(kind));
      await service.clock.sleep(10_000);
      await of(backend, kind).destroy(made);
      await it.refresh(made);
      expect(it.said.join("\n")).toContain(made.id);
      expect(it.said.join("\n").includes("may still be alive")).toBe(losesSecret(description));
    },
  );

  test.each(someOf(deleted, 3))(
    "a deleted %s whose time is an hour ahead of the API's clock is looked for again for fifteen seconds (%s backend)",
    async (kind, backend) => {
      const it = of(backend, kind);
      const made = await it.up(deletable(kind));
      await service.clock.sleep(60_000);
      await of(backend, kind).destroy(made);
      const before = service.clock.now();
      const ahead = new Date(before + 3_600_000).toISOString();
      const times = ["createdAt", MADE_AT].filter((name) => name in made.outs).map((name) => [name, ahead]);
      await it.refresh({ ...made, outs: { ...made.outs, ...Object.fromEntries(times) } });
      expect(service.clock.now() - before).toBeLessThan(20_000);
      expect(it.said.join("\n").includes("is looked for again in 15 s")).toBe(times.length > 0);
    },
  );

  test.each(BACKENDS)("what is made in something new needs no read of it (%s backend)", async (backend) => {
    const engine = engineOf(backend, service);
    const program = [
      { name: "shop", kind: "Pipeline", args: args.Pipeline ?? {} },
      {
        name: "nightly",
        kind: "PipelineSchedule",
        args: { ...args.PipelineSchedule, pipelineId: { idOf: "shop" } },
      },
    ];
    service.emulator.clearRequests();
    expect(await engine.up(program)).toMatchObject({ errors: [] });
    expect(service.operations.slice(service.operations.indexOf("pipelines.create"))).toEqual([
      "pipelines.create",
      "pipelineSchedules.create",
    ]);
    expect(await engine.refresh()).toMatchObject({ errors: [] });
    expect(engine.entries.map(({ name }) => name)).toEqual(["shop", "nightly"]);
  });
});
