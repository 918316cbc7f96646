import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { failure, serviceForEach, UNKNOWN } from "../../../support/driver.js";

const service = serviceForEach();

type Properties = Record<string, unknown>;

/** An object that an earlier run made, and an update of it. */
async function made(kind: string, args: Properties) {
  const object = await service.driver.create(kind, args);
  service.emulator.clearRequests();
  return { ...object, update: (change: Properties) => service.newRun().update(object, change) };
}

async function queue(args: Properties = {}) {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
  const object = await made("Queue", { clusterId, key: "small", ...args });
  return { ...object, path: `/clusters/${clusterId}/queues/${object.id}` };
}

const bodyOf = (operation: string) =>
  service.emulator.requests.find((request) => request.operation === operation)?.body;

describe("An update", () => {
  test("that is refused is an error without a read", async () => {
    const { update } = await made("Cluster", { name: "Linux" });
    service.emulator.fault({ operation: "clusters.update", action: { status: 422, body: {} } });
    expect(await failure(update({ name: "Mac" }))).toContain("422");
    expect(service.operations).toEqual(["clusters.update"]);
  });

  test("sends what changed, and clears what is left out", async () => {
    const { update } = await made("Cluster", { name: "Linux", description: "d", color: "#aabbcc" });
    await update({ description: undefined, color: "#000000" });
    expect(bodyOf("clusters.update")).toEqual({ description: "", color: "#000000" });
  });

  test("of the state alone sends nothing, and keeps the marks", async () => {
    await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    const { update, outs } = await made("Cluster", { name: "Linux", import: "Linux" });
    const { outs: updated = {} } = await update({ import: undefined });
    expect(service.operations).toEqual([]);
    const { import: _, ...rest } = outs;
    expect(updated).toEqual(rest);
  });
});

describe("An update of a team, which sends all its properties,", () => {
  test("has the rest as a colleague changed it, and what it announces as the program has it", async () => {
    const team = await made("Team", { name: "Platform", description: "Ours", privacy: "visible" });
    const byHand = { description: "By hand", privacy: "secret" };
    await service.colleague.sends("PATCH", `/teams/${team.id}`, byHand);
    service.emulator.clearRequests();
    const { outs = {} } = await team.update({ name: "Platforms", description: "Announced" });
    const body = { name: "Platforms", description: "Announced", privacy: "secret" };
    expect(bodyOf("teams.update")).toMatchObject(body);
    // The next refresh and preview tell what the colleague did.
    const { props = {} } = await service.newRun().read({ ...team, outs });
    const next = await service.newRun().diff({ ...team, outs: props }, { name: "Platforms" });
    expect(next.changes).not.toBe(false);
  });

  test("has a description as a colleague cleared it", async () => {
    const team = await made("Team", { name: "Platform", description: "Ours" });
    await service.colleague.sends("PATCH", `/teams/${team.id}`, { description: "" });
    service.emulator.clearRequests();
    const { outs = {} } = await team.update({ name: "Platforms" });
    expect(bodyOf("teams.update")).toMatchObject({ name: "Platforms", description: "" });
    expect(outs).toMatchObject({ description: "" });
  });

  test("sends nothing if the team can't be read", async () => {
    const { update } = await made("Team", { name: "Platform" });
    service.emulator.fault({ operation: "teams.get", times: 100, action: { status: 403, body: {} } });
    expect(await failure(update({ name: "Platforms" }))).toContain("403");
    expect(service.writes).toEqual([]);
  });
});

test("Another object in place of a team sends none of its values in an update", async () => {
  const team = await service.driver.create("Team", { name: "Platform" });
  const [platform] = await service.colleague.list("/teams");
  const other = { ...platform, id: randomUUID(), name: "Other", description: "Of others" };
  service.emulator.fault({ operation: "teams.get", times: 9, action: { status: 200, body: other } });
  const message = await failure(service.newRun().update(team, { privacy: "secret" }));
  expect(message).toContain(`the API returned the team ${other.id} in its place, so nothing was changed.`);
  expect(await service.colleague.list("/teams")).toEqual([platform]);
});

describe("An operation of its own, such as a pause,", () => {
  test("with an unusable response is an error without a read if it was surely not carried out", async () => {
    const { update } = await queue();
    service.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 403, body: {} } });
    expect(await failure(update({ dispatchPaused: true }))).toContain("403");
    // The token says whether it lacks a scope.
    expect(service.operations).toEqual(["queues.pauseDispatch", "accessToken.get"]);
  });

  test("is sent alone where nothing else changes", async () => {
    const { update, path } = await queue();
    await update({ dispatchPaused: true });
    expect(service.writes).toEqual(["queues.pauseDispatch"]);
    expect(await service.colleague.sends("GET", path)).toMatchObject({ dispatch_paused: true });
  });

  test.each<[where: string, args: Properties, isPausedByHand: boolean, change: Properties]>([
    ["the service has the value", {}, true, { dispatchPaused: true }],
    ["the argument stays", { dispatchPaused: true }, false, {}],
    ["the argument stays, whatever an operator did since", { dispatchPaused: false }, true, {}],
    ["the argument is left out", { dispatchPaused: true }, false, { dispatchPaused: undefined }],
  ])("is not sent where %s", async (_, args, isPausedByHand, change) => {
    const { update, path } = await queue(args);
    if (isPausedByHand) await service.colleague.sends("POST", `${path}/pause_dispatch`, {});
    service.emulator.clearRequests();
    await update({ ...change, description: "d" });
    expect(service.writes).toEqual(["queues.update"]);
    expect(await service.colleague.sends("GET", path)).toMatchObject({ dispatch_paused: true });
  });
});

describe("Teams of a suite, which count only at its creation,", () => {
  const OTHER = "11111111-2222-4333-8444-555555555555";

  async function suite() {
    const team = await service.driver.create("Team", { name: "t" });
    return made("Suite", { name: "s", defaultBranch: "main", teamIds: [team.id] });
  }

  test("are recorded and not sent if they were unknown and came out different, with a warning", async () => {
    const object = await suite();
    const run = service.newRun();
    for (const teamIds of [UNKNOWN, [UNKNOWN]])
      expect(await run.plan(object, { ...object.inputs, teamIds })).toMatchObject({ replaces: [] });
    const { outs = {} } = await run.update(object, { teamIds: [OTHER] });
    expect(service.writes).toEqual([]);
    expect(outs).toMatchObject({ teamIds: [OTHER], slug: object.outs.slug });
    const warning = expect.stringContaining(object.id);
    expect(run.warnings).toEqual([warning, warning]);
  });

  test("that are left out later stay as they are, and giving them again is refused", async () => {
    const object = await suite();
    const { outs = {} } = await object.update({ teamIds: undefined });
    expect(service.writes).toEqual([]);
    const { teamIds, ...inputs } = object.inputs;
    const again = { ...object, inputs, outs };
    const planned = service.newRun().plan(again, object.inputs);
    expect(await failure(planned)).toContain("teamIds: counts only when the suite is created");
    // A refresh, which asks for a diff as well, doesn't fail for what others changed.
    expect(await service.newRun().diff(again, { teamIds })).toMatchObject({ replaces: [] });
  });
});
