import { beforeEach, describe, expect, test } from "vitest";
import { parseFault } from "../../../src/commands/emulator/faults.js";
import { someOf } from "../../support/cases.js";
import { Api, type Entity } from "../api.js";

const api = Api.forEach({ seed: false });
let cluster: Entity;
let queue: Entity;
beforeEach(async () => {
  cluster = await api.cluster();
  queue = await api.queue(cluster.id);
});

/** A request that changes something, and how to see that it did. */
interface Write {
  readonly operation: string;
  readonly request: () => [method: string, path: string, body?: object];
  readonly isDone: () => boolean;
}

const data = () => api.emulator.organizationData;
const queuePath = () => `/clusters/${cluster.id}/queues/${queue.id}`;

const writes: readonly Write[] = [
  {
    operation: "clusters.create",
    request: () => ["POST", "/clusters", { name: "made" }],
    isDone: () => data().clusters.size === 2,
  },
  {
    operation: "clusters.update",
    request: () => ["PUT", `/clusters/${cluster.id}`, { name: "changed" }],
    isDone: () => data().clusters.list()[0]?.name === "changed",
  },
  {
    operation: "clusters.delete",
    request: () => ["DELETE", `/clusters/${cluster.id}`],
    isDone: () => data().clusters.size === 0,
  },
  {
    operation: "queues.pauseDispatch",
    request: () => ["POST", `${queuePath()}/pause_dispatch`],
    isDone: () => data().queues.list()[0]?.dispatch_paused === true,
  },
  {
    operation: "agentTokens.create",
    request: () => ["POST", `/clusters/${cluster.id}/tokens`, { description: "made" }],
    isDone: () => data().agentTokens.size === 1,
  },
  {
    operation: "suites.create",
    request: () => ["POST", "/suites", { name: "made", default_branch: "main" }],
    isDone: () => data().suites.size === 1,
  },
];

/** What goes wrong, whether the work is done all the same, and the status or the body that arrives; null when none does. */
const faults: readonly [fault: string, isDone: boolean, arrives: number | null | RegExp][] = [
  ["422", false, 422],
  ["drop", false, null],
  ["after drop", true, null],
  ["500", false, 500],
  ["502", false, 502],
  ["503", false, 503],
  ["after 500", true, 500],
  ["after 502", true, 502],
  ["after 503", true, 503],
  ["429", false, 429],
  ["truncate", true, null],
  ["malformed", true, /^\{"id": "$/],
  ["empty", true, /^$/],
  ["{}", true, /^\{\}$/],
  ["list", true, /^\[(\{"id":".*\}|null)\]$/],
  ["number-id", true, /^(null|\{.*"id":42\b.*\})$/],
  ["other-name", true, /^(null|\{.*("name":"other"|"(key|token)":).*\})$/],
  ["html", true, /^<!doctype html>/i],
  ["delay=1", true, /^(\{"id":".*\})?$/],
];

const sent = (request: ReturnType<Write["request"]>) => api.send(...request).catch(() => null);

describe.each(writes)("$operation", ({ operation, request, isDone }) => {
  const turn = writes.findIndex((one) => one.operation === operation);

  test.each(someOf(faults, turn))("with %s", async (text, done, arrives) => {
    const fault = api.emulator.fault(parseFault(`${operation} ${text}`));
    const answer = await sent(request());
    if (!(arrives instanceof RegExp)) expect(answer?.status ?? null).toBe(arrives);
    else {
      // An answer without a body gets the status of one that has a body.
      expect([200, 201, text === "delay=1" ? 204 : 200]).toContain(answer?.status);
      expect(answer?.text).toMatch(arrives);
    }
    expect([isDone(), fault.hits]).toEqual([done, 1]);
    expect(api.emulator.requests.at(-1)).toMatchObject({ operation, status: answer?.status ?? null });
  });

  test.each([false, true])("with a hang, its work done: %j", async (done) => {
    const fault = api.emulator.fault(parseFault(`${operation} ${done ? "after" : "before"} hang`));
    const answer = sent(request());
    await expect.poll(() => fault.hits).toBe(1);
    if (done) await expect.poll(isDone).toBe(true);
    await api.emulator.close();
    expect([await answer, isDone()]).toEqual([null, done]);
  });
});
