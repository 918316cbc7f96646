import { beforeEach, describe, expect, test } from "vitest";
import { colleague, colleagueForEach, emulator, written } from "../../../support/colleague.js";
import { Driver } from "../../../support/driver.js";
import { BACKENDS, ResourceOfProgram } from "../../../support/program.js";

colleagueForEach({ seed: true });
let clusterId: string;
let teamId: string;
let userId: string;

beforeEach(async () => {
  clusterId = await colleague.makes("/clusters", { name: "Linux" });
  teamId = await colleague.makesTeam("Platform");
  userId = String((await colleague.list("/members"))[0]?.id);
  for (const { id } of await colleague.list(maintainers()))
    await colleague.sends("DELETE", `${maintainers()}/${id}`);
  emulator.clearRequests();
});

const maintainers = () => `/clusters/${clusterId}/maintainers`;

describe.each(BACKENDS)("A maintainer of a cluster, by the backend %s,", (backend) => {
  const maintainer = () => new ResourceOfProgram(backend, emulator, "ClusterMaintainer");

  test("is a user or a team, and the other argument stays unset", async () => {
    const user = await maintainer().up({ clusterId, userId });
    expect(user.outs).toMatchObject({ userId, actorType: "user", actorName: expect.any(String) });
    expect(user.outs.teamId).toBeUndefined();
    const team = await maintainer().up({ clusterId, teamId });
    expect(team.outs).toMatchObject({ teamId, actorType: "team" });
    expect(team.outs.userId).toBeUndefined();
    for (const [state, args] of [
      [user, { clusterId, userId }],
      [team, { clusterId, teamId }],
    ] as const) {
      expect((await maintainer().preview(args, state)).changes).toBe(false);
      const read = await maintainer().refresh(state);
      expect((await maintainer().preview(args, read)).changes).toBe(false);
    }
    await maintainer().destroy(user);
    expect((await colleague.list(maintainers())).map(({ id }) => id)).toEqual([team.id]);
  });

  test("is a user if its actor has an email and no type, else a team", async () => {
    const withoutType = (body: unknown): unknown =>
      JSON.parse(JSON.stringify(body), (key, value) => (key === "type" ? undefined : value));
    emulator.fault({ path: /maintainers/, times: Number.POSITIVE_INFINITY, action: { change: withoutType } });
    for (const args of [
      { clusterId, userId },
      { clusterId, teamId },
    ]) {
      const made = await maintainer().up(args);
      const read = await maintainer().refresh(made);
      expect(read?.outs).toMatchObject(args);
      expect((await maintainer().preview(args, read)).changes).toBe(false);
    }
  });

  test.each([
    ["neither a user nor a team", () => ({})],
    ["both a user and a team", () => ({ userId, teamId })],
  ])("is refused with %s, before anything is sent", async (_, args) => {
    await expect(maintainer().up({ clusterId, ...args() })).rejects.toThrow(
      "exactly one of userId and teamId",
    );
    expect(written()).toEqual([]);
  });

  test("that exists already is an error with the import, whoever it is", async () => {
    await colleague.sends("POST", maintainers(), { team: teamId });
    for (const id of [teamId, teamId.toUpperCase()])
      await expect(maintainer().up({ clusterId, teamId: id })).rejects.toThrow(/is taken.*import/s);
    const { email } = await colleague.sends("GET", `/members/${userId}`);
    await colleague.sends("POST", maintainers(), { user: userId });
    const name = `Linux/${email}`;
    const found = await maintainer().imports(name, { clusterId, userId });
    expect(found?.inputs).toMatchObject({ userId });
  });

  test("stays in state, with a warning, if the access token may not read maintainers", async () => {
    const made = await maintainer().up({ clusterId, userId });
    emulator.fault({
      path: /maintainers/,
      method: "GET",
      times: 9,
      action: { status: 403, body: { message: "Forbidden" } },
    });
    const it = maintainer();
    expect(await it.refresh(made)).toMatchObject({ id: made.id });
    expect(it.said.join()).toContain("stay in state as they are");
  });

  test("that was removed and added again is recorded by a refresh with its new id, and made by nobody a second time", async () => {
    for (const args of [
      { clusterId, userId },
      { clusterId, userId: userId.toUpperCase() },
      { clusterId, teamId },
    ]) {
      const made = await maintainer().up(args);
      await colleague.sends("DELETE", `${maintainers()}/${made.id}`);
      const body = "userId" in args ? { user: userId } : { team: teamId };
      const { id } = await colleague.sends("POST", maintainers(), body);
      expect(id).not.toBe(made.id);
      emulator.clearRequests();
      const it = maintainer();
      const again = await it.refresh(made);
      expect(again).toMatchObject({ id, inputs: args });
      expect(it.said.join()).toContain("removed and added again");
      if (again === undefined) continue;
      const plan = await maintainer().preview(args, again);
      expect([plan.changes, plan.replaces ?? []]).toEqual([false, []]);
      await maintainer().up(args, again);
      expect(written()).toEqual([]);
      expect(await colleague.list(maintainers())).toHaveLength(1);
      await maintainer().destroy(again);
    }
  });

  test("whose creation got no response is the one that the list lacked before, because nothing reports its time", async () => {
    emulator.fault({ operation: "clusterMaintainers.create", when: "after", action: "drop" });
    const made = await maintainer().up({ clusterId, userId });
    expect((await colleague.list(maintainers())).map(({ id }) => id)).toEqual([made.id]);
  });

  test("is a setting of the cluster, whose deletion it doesn't prevent", async () => {
    const cluster = new ResourceOfProgram(backend, emulator, "Cluster");
    const made = await cluster.up({ name: "Mac" });
    await colleague.sends("POST", `/clusters/${made.id}/maintainers`, { team: teamId });
    await cluster.destroy(made);
    expect((await colleague.list("/clusters")).map(({ name }) => name)).not.toContain("Mac");
  });
});

test("Maintainers that may not be read are warned of once in a run, which refreshes all others", async () => {
  const driver = Driver.for(emulator);
  const made = [
    await driver.create("ClusterMaintainer", { clusterId, userId }),
    await driver.create("ClusterMaintainer", { clusterId, teamId }),
  ];
  const action = { status: 403, body: { message: "Forbidden" } };
  emulator.fault({ path: /maintainers/, method: "GET", times: 20, action });
  const refreshing = Driver.for(emulator);
  for (const each of made) expect(await refreshing.read(each)).toMatchObject({ id: each.id });
  const outs = { organization: emulator.organization };
  const cluster = await refreshing.read({ kind: "Cluster", id: clusterId, outs });
  expect(cluster.props).toMatchObject({ name: "Linux" });
  const said = [...refreshing.warnings, ...refreshing.observed];
  expect(said.filter((line) => line.includes("stay in state as they are"))).toHaveLength(1);
});
