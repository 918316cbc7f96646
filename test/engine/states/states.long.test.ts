import { describe, expect, test } from "vitest";
import { Colleague } from "../../support/colleague.js";
import { type FixtureName, restore } from "./fixture.js";

async function restored(name: FixtureName) {
  const { stack, services, program } = await restore(name);
  return { stack, program, main: new Colleague(services.main), second: new Colleague(services.second) };
}

const names = (entities: readonly Record<string, unknown>[]) => entities.map(({ name }) => name);

describe("A state of version 0.1.0", () => {
  test("with every kind in many shapes is unchanged, and destroyed as it says", async () => {
    const { stack, program, main, second } = await restored("0.1.0-every-kind");
    const before = await stack.state();
    await stack.preview(program, { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
    await stack.up(program, { expectNoChanges: true });
    const after = await stack.state();
    for (const [name, { id, outputs }] of Object.entries(before)) {
      expect(after[name], name).toMatchObject({ id, outputs });
    }

    await stack.destroy();
    expect(await stack.state()).toEqual({});
    // Nothing is deleted that still has the option import, and what was only read stays.
    const clusters = await main.list("/clusters");
    expect(names(clusters)).toEqual(["Legacy"]);
    for (const { id } of clusters) {
      expect(await main.list(`/clusters/${id}/queues`)).toHaveLength(1);
      expect(await main.list(`/clusters/${id}/tokens`)).toHaveLength(1);
    }
    expect(names(await main.list("/teams"))).toEqual(["Readers"]);
    expect(await main.list("/pipeline-templates")).toEqual([]);
    expect(await main.list("/suites")).toEqual([]);
    expect(await second.list("/clusters")).toEqual([]);
  });

  test("whose queues and tokens are deleted with their cluster is unchanged, and nothing is left behind", async () => {
    const { stack, program, main } = await restored("0.1.0-deleted-with");
    await stack.preview(program, { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
    await stack.up(program, { expectNoChanges: true });
    await stack.destroy();
    expect(await stack.state()).toEqual({});
    expect(await main.list("/clusters")).toEqual([]);
  });

  test("with a half-made queue is finished by the next update, and then unchanged", async () => {
    const { stack, program, main } = await restored("0.1.0-half-made");
    const { paused, linux } = await stack.state();
    const path = `/clusters/${linux?.id}/queues`;
    expect((await stack.preview(program)).steps).toMatchObject({ linux: ["same"], paused: ["update"] });
    stack.requests();
    await stack.up(program);
    const writes = stack.writes();
    expect(writes).toEqual([expect.stringMatching(`/queues/${paused?.id}/pause_dispatch$`)]);
    expect(await main.list(path)).toEqual([
      expect.objectContaining({ id: paused?.id, dispatch_paused: true }),
    ]);
    await stack.preview(program, { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
    await stack.destroy();
    expect(await main.list("/clusters")).toEqual([]);
  });
});
