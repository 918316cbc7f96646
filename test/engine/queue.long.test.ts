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
      const queue = new Queue("queue", { clusterId: linux, key: "deploy", ...args });
      return { dispatchPaused: queue.dispatchPaused, dispatchPausedNote: queue.dispatchPausedNote };
    };
  const path = async (verb = "") => {
    const { linux, queue } = await stack.state();
    return `/clusters/${linux?.id}/queues/${queue?.id}${verb}`;
  };
  const live = async () => stack.colleague.sends("GET", await path());
  const writes = () => stack.requests().filter((request) => !request.startsWith("GET"));

  test("an operator's pause is no drift while pausing is not managed", async () => {
    expect((await stack.up(program())).outputs.dispatchPaused).toBe(false);
    await stack.colleague.sends("POST", await path("/pause_dispatch"), { dispatch_paused_note: "incident" });
    await stack.refresh({ expectNoChanges: true });
    await stack.up(program(), { expectNoChanges: true });
    expect(await live()).toMatchObject({ dispatch_paused: true });
    await stack.colleague.sends("POST", await path("/resume_dispatch"));
  });

  test("true pauses with the note, and a pause undone by hand is repaired", async () => {
    await stack.up(program({ dispatchPaused: true, dispatchPausedNote: "freeze" }));
    expect(await live()).toMatchObject({ dispatch_paused: true, dispatch_paused_note: "freeze" });
    await stack.up(undefined, { expectNoChanges: true });

    await stack.colleague.sends("POST", await path("/resume_dispatch"));
    const { steps, diffs } = await stack.up(undefined, { refresh: true });
    expect(steps.queue?.filter((step) => step !== "refresh")).toEqual(["update"]);
    expect(diffs.queue).toEqual(["dispatchPaused"]);
    expect(await live()).toMatchObject({ dispatch_paused: true, dispatch_paused_note: "freeze" });
  });

  test("a note changed while paused is announced and stored, and not sent", async () => {
    stack.requests();
    const { steps } = await stack.up(program({ dispatchPaused: true, dispatchPausedNote: "long freeze" }));
    expect(steps.queue).toEqual(["update"]);
    expect(writes()).toEqual([]);
    expect((await stack.state()).queue?.outputs.dispatchPausedNote).toBe("long freeze");
    await stack.refresh({ expectNoChanges: true });
    await stack.up(undefined, { expectNoChanges: true });
  });

  test("no longer managing it sends nothing, and false resumes", async () => {
    stack.requests();
    await stack.up(program());
    expect(writes()).toEqual([]);
    expect(await live()).toMatchObject({ dispatch_paused: true });
    await stack.up(program({ dispatchPaused: false }));
    expect(await live()).toMatchObject({ dispatch_paused: false });
  });

  test("a queue already paused by hand is a success", async () => {
    await stack.colleague.sends("POST", await path("/pause_dispatch"));
    await stack.up(program({ dispatchPaused: true }));
    expect(await live()).toMatchObject({ dispatch_paused: true });
    await stack.destroy();
  });

  test("a pause that fails keeps the queue in state, and the next update pauses it", async () => {
    stack.emulator.fault({
      method: "POST",
      path: /pause_dispatch$/,
      times: 1,
      action: { status: 403, body: {} },
    });
    const message = await stack.refused(stack.up(program({ dispatchPaused: true })));
    expect(message).toContain("exists, but is not finished");
    const { queue } = await stack.state();
    expect(queue?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await live()).toMatchObject({ dispatch_paused: false });

    stack.requests();
    await stack.up(program({ dispatchPaused: true }));
    expect(writes().filter((request) => request.endsWith("/queues"))).toEqual([]);
    expect((await stack.state()).queue?.id).toBe(queue?.id);
    expect(await live()).toMatchObject({ dispatch_paused: true });
  });
});
