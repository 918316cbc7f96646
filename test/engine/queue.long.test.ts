import { describe, expect, test } from "vitest";
import type { QueueArgs } from "../../src/index.js";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("Pausing a queue on the real engine, %s backend", (backend) => {
  const { Cluster, Queue } = classesOf[backend];
  const stack = TestStack.forAll();

  const program =
    (args: Partial<QueueArgs> = {}) =>
    async () => {
      const linux = new Cluster("linux", { name: "Linux" });
      new Queue("queue", { clusterId: linux, key: "deploy", ...args });
    };
  const paused = (note: string) => program({ dispatchPaused: true, dispatchPausedNote: note });
  const path = async (verb = "") => {
    const { linux, queue } = await stack.state();
    return `/clusters/${linux?.id}/queues/${queue?.id}${verb}`;
  };
  const live = async () => stack.colleague.sends("GET", await path());

  test("a pause that fails keeps the queue in state, and the next update pauses it", async () => {
    stack.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 403, body: {} } });
    const message = await stack.refused(stack.up(paused("freeze")));
    expect(message).toContain("exists, but is not finished");
    const { queue } = await stack.state();
    expect(queue?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await live()).toMatchObject({ dispatch_paused: false });

    stack.requests();
    await stack.up(paused("freeze"));
    expect(stack.writes()).toEqual([expect.stringMatching(`${queue?.id}/pause_dispatch$`)]);
    expect(await live()).toMatchObject({ dispatch_paused: true, dispatch_paused_note: "freeze" });
  });

  test("a pause undone by hand is repaired, and a note that changes is stored and not sent", async () => {
    await stack.colleague.sends("POST", await path("/resume_dispatch"));
    const { diffs } = await stack.up(undefined, { refresh: true });
    expect(diffs.queue).toEqual(["dispatchPaused"]);
    expect(await live()).toMatchObject({ dispatch_paused: true, dispatch_paused_note: "freeze" });

    stack.requests();
    const { steps } = await stack.up(paused("long freeze"));
    expect(steps.queue).toEqual(["update"]);
    expect(stack.writes()).toEqual([]);
    await stack.refresh({ expectNoChanges: true });
    await stack.up(undefined, { expectNoChanges: true });
  });

  test("no longer managing it sends nothing, an operator's pause is no drift then, and false resumes", async () => {
    stack.requests();
    await stack.up(program());
    expect(stack.writes()).toEqual([]);
    expect(await live()).toMatchObject({ dispatch_paused: true });
    await stack.refresh({ expectNoChanges: true });
    await stack.up(program({ dispatchPaused: false }));
    expect(await live()).toMatchObject({ dispatch_paused: false });
  });
});
