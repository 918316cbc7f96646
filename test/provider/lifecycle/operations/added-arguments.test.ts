import { beforeEach, describe, expect, test } from "vitest";
import { Gate } from "../../../stories/histories/gate.js";
import { bodies, colleague, colleagueForEach, emulator } from "../../../support/colleague.js";
import { SimulatedClock } from "../../../support/driver.js";
import { BACKENDS, type InState, ResourceOfProgram } from "../../../support/program.js";

const DAY = 86_400_000;
const NOW = Date.UTC(2030, 0, 1);

let clock: SimulatedClock;
let clusterId: string;

beforeEach(() => {
  clock = new SimulatedClock();
});
colleagueForEach({ clock: () => new Date(clock.now()) });
beforeEach(async () => {
  clusterId = await colleague.makes("/clusters", { name: "Linux" });
  emulator.clearRequests();
});

const at = (milliseconds: number) => new Date(NOW + milliseconds).toISOString();

describe.each(BACKENDS)("By the backend %s,", (backend) => {
  const resource = (kind: string) => new ResourceOfProgram(backend, emulator, kind, clock);

  test.each([
    ["doesn't keep the note that the program drops", false],
    ["keeps its note, and the preview says so", true],
  ])("a queue %s, if dispatchPaused becomes %s", async (_, dispatchPaused) => {
    const queue = resource("Queue");
    const args = { clusterId, key: "small", dispatchPaused: true };
    const made = await queue.up({ ...args, dispatchPausedNote: "freeze" });
    queue.said.length = 0;
    await queue.up({ ...args, dispatchPaused }, made);
    expect(queue.said.join().includes("Queue.dispatchPausedNote: the program no longer")).toBe(
      dispatchPaused,
    );
    expect(await colleague.list(`/clusters/${clusterId}/queues`)).toMatchObject([
      { dispatch_paused_note: dispatchPaused ? "freeze" : null },
    ]);
  });

  describe("a hosted queue", () => {
    const shape = "LINUX_AMD64_4X16";
    const key = () => ({ clusterId, key: "hosted" });
    /** A queue that the program manages without saying what runs its agents. */
    async function managed() {
      await colleague.sends("POST", `/clusters/${clusterId}/queues`, {
        key: "hosted",
        hostedAgents: { instanceShape: shape },
      });
      const queue = resource("Queue");
      if (backend === "plugin") return queue.refresh({ id: "Linux/hosted", inputs: {}, outs: {} });
      return queue.up(key(), await queue.up({ ...key(), import: "Linux/hosted" }));
    }

    test.each([false, true])(
      "is not replaced when somebody writes down its shape, nor when the argument goes again, made hosted on the web: %s",
      async (isOnWeb) => {
        const made = isOnWeb ? await resource("Queue").up(key()) : await managed();
        const [queue] = await colleague.list(`/clusters/${clusterId}/queues`);
        if (isOnWeb) emulator.organizationData.queues.update(String(queue?.id), { hosted_shape: shape });
        else expect(made?.outs).toMatchObject({ hosted: true, hostedAgents: { instanceShape: shape } });
        emulator.clearRequests();
        const stated = { ...key(), hostedAgents: { instanceShape: shape } };
        expect((await resource("Queue").preview(stated, made)).replaces).toEqual([]);
        const after = await resource("Queue").up(stated, made);
        expect(bodies()).toEqual([]);
        expect(after.outs).toMatchObject({ hosted: true, hostedAgents: { instanceShape: shape } });
        const other = { ...key(), hostedAgents: { instanceShape: "MACOS_ARM64_M4_6X28" } };
        expect((await resource("Queue").preview(other, made)).replaces).toEqual(["hostedAgents"]);
        expect((await resource("Queue").preview(key(), after)).replaces).toEqual([]);
        await resource("Queue").up(key(), after);
        expect(await colleague.list(`/clusters/${clusterId}/queues`)).toMatchObject([
          { key: "hosted", hosted: true },
        ]);
      },
    );

    test("changes its size in place, and is replaced for another architecture", async () => {
      const made = await managed();
      const larger = { ...key(), hostedAgents: { instanceShape: "LINUX_AMD64_16X64" } };
      expect((await resource("Queue").preview(larger, made)).replaces).toEqual([]);
      expect((await resource("Queue").up(larger, made)).outs).toMatchObject(larger);
      const other = { ...key(), hostedAgents: { instanceShape: "LINUX_ARM64_4X16" } };
      expect((await resource("Queue").preview(other, made)).replaces).toEqual(["hostedAgents"]);
    });

    test("gets its image by a second request, because the creation ignores it", async () => {
      const hostedAgents = { instanceShape: shape, agentImageRef: "ubuntu:24.04" };
      const made = await resource("Queue").up({ ...key(), hostedAgents });
      expect(made.outs).toMatchObject({ hostedAgents });
      expect(bodies()).toHaveLength(2);
      expect((await resource("Queue").preview({ ...key(), hostedAgents }, made)).changes).toBe(false);
    });

    test("keeps the image that the program drops, and the preview says so", async () => {
      const without = { ...key(), hostedAgents: { instanceShape: shape } };
      const hostedAgents = { instanceShape: shape, agentImageRef: "ubuntu:24.04" };
      const made = await resource("Queue").up({ ...key(), hostedAgents });
      const queue = resource("Queue");
      await queue.preview(without, made);
      expect(queue.said.join()).toContain("agentImageRef is no longer named, and keeps its value");
      await queue.up(without, made);
      expect(await colleague.list(`/clusters/${clusterId}/queues`)).toMatchObject([
        { hosted_agents: { platform_settings: { linux: { agent_image_ref: "ubuntu:24.04" } } } },
      ]);
      const other = resource("Queue");
      await other.preview({ ...key(), hostedAgents: { instanceShape: "LINUX_ARM64_4X16" } }, made);
      expect(other.said.join()).not.toContain("keeps its value");
    });

    test("that isn't in the state yet as hosted is not replaced, because nobody knows what it is", async () => {
      const made = await managed();
      const { hosted: _, ...outs } = made?.outs ?? {};
      const stated = { ...key(), hostedAgents: { instanceShape: "LINUX_ARM64_4X16" } };
      const state = { id: made?.id ?? "", inputs: made?.inputs ?? {}, outs };
      expect((await resource("Queue").preview(stated, state)).replaces).toEqual([]);
    });
  });

  describe("an agent token", () => {
    const args = () => ({ clusterId, description: "farm" });

    test("expires after the days from its creation, and other days change no token", async () => {
      const made = await resource("AgentToken").up({ ...args(), expiresIn: 90 });
      const days = (Date.parse(String(made.outs.expiresAt)) - NOW) / DAY;
      expect(days).toBeGreaterThan(89.9);
      expect(days).toBeLessThan(90.1);
      expect((await resource("AgentToken").preview({ ...args(), expiresIn: 30 }, made)).replaces).toEqual([]);
    });

    test("is rotated by another time, and not by the same instant in another zone, or by none", async () => {
      const made = await resource("AgentToken").up({ ...args(), expiresAt: "2030-03-01T12:00:00Z" });
      const replacesFor = async (expiresAt: string | undefined) =>
        (await resource("AgentToken").preview({ ...args(), ...(expiresAt && { expiresAt }) }, made)).replaces;
      expect(await replacesFor("2030-03-01T14:00:00+02:00")).toEqual([]);
      expect(await replacesFor("2030-04-01T12:00:00Z")).toEqual(["expiresAt"]);
      expect(await replacesFor(undefined)).toEqual([]);
      const refreshed = await resource("AgentToken").refresh(made);
      const same = { ...args(), expiresAt: "2030-03-01T12:00:00Z" };
      expect((await resource("AgentToken").preview(same, refreshed)).changes).toBe(false);
    });

    test.each([
      ["less than ten minutes ahead", () => ({ expiresAt: at(5 * 60_000) }), "less than ten minutes ahead"],
      [
        "both a time and days",
        () => ({ expiresAt: at(30 * DAY), expiresIn: 30 }),
        "can't be given with expiresIn",
      ],
      ["a day without a time", () => ({ expiresAt: "2030-03-01" }), "is not a time"],
      ["half a day", () => ({ expiresIn: 0.5 }), "is not a whole number"],
    ])("is refused with %s, before anything is sent", async (_, change, words) => {
      await expect(resource("AgentToken").up({ ...args(), ...change() })).rejects.toThrow(words);
      expect(bodies()).toEqual([]);
    });

    test.each([
      ["right", 0],
      ["30 days fast", 30],
      ["3 days slow", -3],
    ])("lives by the API's clock, on a machine whose clock is %s", async (_, days) => {
      const local = { now: () => clock.now() + days * DAY, sleep: (time: number) => clock.sleep(time) };
      const here = () => new ResourceOfProgram(backend, emulator, "AgentToken", local);
      const made = await here().up({ ...args(), expiresIn: 2 });
      const lives = Date.parse(String(made.outs.expiresAt)) - Date.parse(String(made.outs.createdAt));
      expect(Math.abs(lives - 2 * DAY)).toBeLessThan(2_000);
      const later = await here().up({ ...args(), description: "later", expiresAt: at(20 * DAY) });
      expect(later.outs).toMatchObject({ expiresAt: at(20 * DAY) });
      const soon = here().preview({ ...args(), expiresAt: at(5 * 60_000) });
      await expect(soon).rejects.toThrow(
        /expiresAt: is less than ten minutes ahead of 2030-01-01T00:00:\d\d/,
      );
    });

    test.each([
      [
        20,
        /expiresIn: counts from another time. .*`Date` .* 2030-01-21.*clock 2030-01-01.*made it at 2030-01-01.*\n.*the API has 22\)/,
      ],
      [-20, /422.* the `Date` of responses showed 2029-12-12.*, this machine's clock 2030-01-01/],
    ])(
      "that would live another time, because Date is %i days ahead, names the clocks",
      async (days, words) => {
        const gate = new Gate(0, { dates: { ahead: (days * DAY) / 1_000, each: 1 }, target: emulator.url });
        const it = new ResourceOfProgram(backend, emulator, "AgentToken", clock, [], gate);
        const failed = await it.up({ ...args(), expiresIn: 2 }).then(
          () => [],
          (error: Error) => [error.message],
        );
        expect([...it.said, ...failed].join("\n")).toMatch(words);
        await gate.close();
      },
    );

    test("that the API refuses before a response has told its time is refused with both clocks", async () => {
      const local = { now: () => clock.now() - 3 * DAY, sleep: (time: number) => clock.sleep(time) };
      const here = new ResourceOfProgram(backend, emulator, "AgentToken", local);
      const { accessTokens } = emulator.organizationData;
      const known = accessTokens.find("token", emulator.accessToken);
      // Responses of a cache tell no time.
      const cached = { times: 5, action: { body: [], headers: { Age: "5" } } };
      emulator.fault({ ...cached, operation: "accessToken.get", action: { ...cached.action, body: known } });
      emulator.fault({ ...cached, operation: "agentTokens.list" });
      await expect(here.up({ ...args(), expiresIn: 2 })).rejects.toThrow(
        /422.*this machine's clock showed 2029-12-29T00:.*, and the API's 2030-01-01T00:/,
      );
    });

    test("that ends within 14 days, or has ended, is a warning of each preview and refresh", async () => {
      const it = resource("AgentToken");
      const stated = { ...args(), expiresAt: at(10 * DAY) };
      const made = await it.up(stated);
      const days = { ...args(), description: "short", expiresIn: 4 };
      const short = await it.up(days);
      expect(it.said.splice(0)).toEqual([
        expect.stringContaining(`is ${at(10 * DAY)}, at most 14 days ahead`),
      ]);
      const warnings = async () => {
        await it.preview(stated, made);
        await it.refresh(made);
        await it.preview(days, short);
        await it.refresh(short);
        return it.said.splice(0);
      };
      const soon = expect.stringContaining("at most 14 days ahead: from then on, no agent can start");
      expect(await warnings()).toEqual([soon, soon]);
      await clock.sleep(3.5 * DAY);
      expect(await warnings()).toEqual([soon, soon, soon, soon]);
      await clock.sleep(7 * DAY);
      const expired = expect.stringContaining(
        "and has expired: no agent can start or reconnect with the token",
      );
      expect(await warnings()).toEqual([expired, expired, expired, expired]);
    });

    test("of a rotation is announced in the last quarter of its days, the newest by previews", async () => {
      const it = resource("AgentToken");
      const of = (generation: number) => ({
        ...{ ...args(), expiresIn: 100, triggers: { generation: 2 } },
        __rotation: { of: "farm", generation },
      });
      const made = await it.up(of(2));
      const saidOf = async (generation: number) => {
        await it.preview(of(generation), made);
        return it.said.splice(0);
      };
      await clock.sleep(74 * DAY);
      expect(await saidOf(2)).toEqual([]);
      await clock.sleep(2 * DAY);
      expect(await saidOf(2)).toEqual([
        expect.stringMatching(/its expiry is 2030-04-11.*, at most 24 days ahead: .* Raise `generation`/),
      ]);
      expect(await saidOf(3)).toEqual([]);
    });
  });

  test("a team's added flags are sent if they are stated or returned, and by no other update", async () => {
    const { emulator: _, ...args } = { emulator, name: "Platform" };
    const made = await resource("Team").up({ ...args, membersCanCreateSuites: true });
    await resource("Team").up({ ...args, membersCanCreateSuites: true, description: "People" }, made);
    const [created, updated] = bodies();
    expect(created).toMatchObject({ members_can_create_suites: true });
    expect(created).not.toHaveProperty("members_can_destroy_packages");
    expect(updated).toMatchObject({ members_can_create_suites: true, description: "People" });
  });

  test.each([
    ["returns it", true],
    ["doesn't return it", false],
  ])(
    "a team's flag that the program gives up keeps its value in later updates, if the API %s",
    async (_, isReturned) => {
      const drop = (body: unknown) => {
        const { members_can_create_suites: __, ...rest } = Object(body);
        return rest;
      };
      if (!isReturned)
        emulator.fault({ path: /\/teams/, when: "after", times: 99, action: { change: drop } });
      const made = await resource("Team").up({ name: "Platform", membersCanCreateSuites: true });
      const given = await resource("Team").up({ name: "Platform", description: "People" }, made);
      await resource("Team").up({ name: "Platform", description: "Machines" }, given);
      const updates = bodies().slice(1);
      expect(updates).toHaveLength(2);
      for (const body of updates) expect(body).toMatchObject({ members_can_create_suites: true });
    },
  );

  test("a team's added flags that an update can't repeat, and so might reset, are named in its preview", async () => {
    const args = { name: "Platform", membersCanCreateSuites: true };
    const warningsOf = async (next: object, state: InState) => {
      const it = resource("Team");
      await it.preview({ ...args, ...next }, state);
      return it.said.filter((text) => text.includes("may reset"));
    };
    const made = await resource("Team").up(args);
    expect(await warningsOf({}, made)).toEqual([]);
    expect(await warningsOf({ description: "People" }, made)).toEqual([
      expect.stringContaining(
        "Team: an update may reset membersCanCreateRegistries, membersCanDestroyRegistries, membersCanDestroyPackages, because",
      ),
    ]);
    const rest = { membersCanCreateRegistries: false, membersCanDestroyRegistries: false };
    const all = { ...rest, membersCanDestroyPackages: true };
    expect(await warningsOf({ ...all, description: "People" }, made)).toEqual([]);
  });

  test("a suite's policy is YAML text, and leaving it out removes it with null", async () => {
    const args = { name: "Unit", defaultBranch: "main" };
    const oidcPolicy = [{ iss: "https://agent.buildkite.com", scopes: ["write_suites"] }];
    const made = await resource("Suite").up({ ...args, oidcPolicy });
    expect(made.outs.oidcPolicy).toContain("iss: https://agent.buildkite.com");
    expect((await resource("Suite").preview({ ...args, oidcPolicy }, made)).changes).toBe(false);
    await resource("Suite").up(args, made);
    expect(bodies().at(-1)).toEqual({ oidc_policy: null });
  });
});
