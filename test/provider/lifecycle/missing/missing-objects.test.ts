import { describe, expect, test } from "vitest";
import { kinds } from "../../../../src/provider/for-commands/kinds.js";
import { type Driver, failure, type Made, minimalOfAll, serviceForEach } from "../../../support/driver.js";

type Properties = Record<string, unknown>;

const service = serviceForEach();

const ARGUMENTS: Readonly<Record<string, (name: string) => Properties>> = {
  Team: (name) => ({ name, privacy: "secret" }),
  PipelineTemplate: (name) => ({ name, configuration: "steps: []" }),
};

const PATHS: Readonly<Record<string, string>> = { Team: "/teams", PipelineTemplate: "/pipeline-templates" };

const SCOPES = ["read_pipeline_templates", "write_pipeline_templates", "read_teams", "write_teams"];

/** Kinds with objects that an API access token may be unable to read. */
const hiding = Object.keys(ARGUMENTS);

/** Creates a secret team or a template that is not available. */
const makeHidden = (kind: string, name = "hidden") =>
  service.driver.create(kind, ARGUMENTS[kind]?.(name) ?? {});

const deleteOutOfBand = ({ kind, id }: Made) => service.colleague.sends("DELETE", `${PATHS[kind]}/${id}`);

const only = (outs: Properties, isKept: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(outs).filter(([name]) => isKept(name)));
const unmarked = ({ outs }: Made) => only(outs, (name) => !name.startsWith("__"));
const marksIn = (outs: Properties) => only(outs, (name) => name.startsWith("__"));

const argumentsIn = (kind: string, outs: Properties) =>
  Object.fromEntries(Object.keys(kinds.get(kind)?.arguments ?? {}).map((name) => [name, outs[name]]));

/** Another API access token, of a user who administers the organization. */
const asAnotherAdmin = () =>
  service.newRun({ "buildpipeline:accessToken": service.emulator.createAccessToken({ scopes: SCOPES }) });

/** A run whose API access token the service doesn't identify. */
function unidentified(): Driver {
  service.emulator.fault({ path: /access-token$/, times: 10, action: { status: 403 } });
  return service.newRun();
}

/** The user of the API access token loses the role that lets it read secret teams and unavailable templates. */
function loseRole(): void {
  const { accessTokens, teams } = service.emulator.organizationData;
  for (const { id } of accessTokens.list()) {
    accessTokens.update(id, { admin: false, sees_secret_teams: false });
  }
  for (const { id } of teams.list()) teams.update(id, { member_ids: [] });
}

describe.each(hiding)("a hidden %s that was deleted out of band", (kind) => {
  test.each<[outcome: string, start: () => Driver, stays: boolean, warning: string]>([
    ["leaves the state in a refresh with the same token", () => service.newRun(), false, "deleted.*hidden"],
    ["stays in state in a refresh with another token", asAnotherAdmin, true, "pulumi state delete"],
    ["stays in state where the token can't be identified", unidentified, true, "pulumi state delete"],
  ])("%s, with a warning", async (_, start, stays, warning) => {
    const gone = await makeHidden(kind);
    await deleteOutOfBand(gone);
    const run = start();
    expect(await run.read(gone)).toMatchObject(stays ? { id: gone.id, props: gone.outs } : { id: "" });
    expect(run.warnings).toEqual([expect.stringMatching(`${gone.id}.*${warning}`)]);
  });

  test("is deleted with any token, with a warning", async () => {
    const gone = await makeHidden(kind);
    await deleteOutOfBand(gone);
    const run = asAnotherAdmin();
    await run.delete(gone);
    expect(run.warnings).toEqual([expect.stringContaining(gone.id)]);
  });

  test("is confirmed by the token of the latest refresh", async () => {
    const made = await makeHidden(kind);
    const accessToken = service.emulator.createAccessToken({ scopes: SCOPES });
    const config = { "buildpipeline:accessToken": accessToken };
    const { props = {} } = await service.newRun(config).read(made);
    const refreshed = { ...made, outs: props };
    await deleteOutOfBand(made);
    expect((await service.newRun().read(refreshed)).id).toBe(made.id);
    expect((await service.newRun(config).read(refreshed)).id).toBe("");
  });

  test("is confirmed while another one stays visible, and that one stays", async () => {
    const make = (name: string) => makeHidden(kind, name);
    const [gone, also, stays] = [await make("gone"), await make("also"), await make("stays")];
    await deleteOutOfBand(gone);
    await deleteOutOfBand(also);
    const run = service.newRun();
    const found = await Promise.all([gone, also, stays].map((each) => run.read(each)));
    expect(found.map(({ id }) => id)).toEqual(["", "", stays.id]);
  });

  test("stays in state where the state has no marks, as before they existed", async () => {
    const gone = await makeHidden(kind);
    await deleteOutOfBand(gone);
    expect((await service.newRun().read({ ...gone, outs: unmarked(gone) })).id).toBe(gone.id);
  });
});

describe.each(hiding)("where the user of the token lost a role, every %s stays in state", (kind) => {
  test.each([
    ["read at once", (run: Driver, all: Made[]) => Promise.all(all.map((each) => run.read(each)))],
    [
      "read a moment apart",
      (run: Driver, all: Made[]) =>
        Promise.all(
          all.map(async (each, index) => {
            for (let turn = 0; turn < index * 5; turn++) await new Promise(setImmediate);
            return run.read(each);
          }),
        ),
    ],
  ])("%s", async (_, reading) => {
    const all = [];
    for (const name of ["a", "b", "c"]) all.push(await makeHidden(kind, name));
    loseRole();
    const run = service.newRun();
    const found = await reading(run, all);
    expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(run.warnings.join("\n")).toMatch(/lost a role/);
    for (const { id } of all) expect(run.warnings.join("\n")).toContain(id);
  });
});

test("an unavailable template is gone for any administrator's token that lists another one, without a warning", async () => {
  const gone = await makeHidden("PipelineTemplate", "gone");
  await makeHidden("PipelineTemplate", "stays");
  await deleteOutOfBand(gone);
  await service.clock.sleep(660_000);
  const run = asAnotherAdmin();
  expect((await run.read(gone)).id).toBe("");
  await run.delete({ ...gone, outs: unmarked(gone) });
  expect(run.warnings).toEqual([]);
});

test("an unavailable template that exists stays in state with a token that may not read it", async () => {
  const made = await makeHidden("PipelineTemplate");
  const accessToken = service.emulator.createAccessToken({ scopes: SCOPES, admin: false });
  const run = service.newRun({ "buildpipeline:accessToken": accessToken });
  expect((await run.read(made)).id).toBe(made.id);
  expect(run.warnings.join()).toContain(made.id);
  expect(await failure(run.delete(made))).toContain(made.id);
  expect(service.emulator.organizationData.pipelineTemplates.size).toBe(1);
});

describe("marks", () => {
  test("cost a refresh one request, however many objects need them, and none where no object does", async () => {
    const visible = await service.driver.create("Team", { name: "visible" });
    const all = [];
    for (const name of ["a", "b", "c"]) all.push(await makeHidden("Team", name));
    const asked = () => service.emulator.requests.filter(({ path }) => path.endsWith("/access-token")).length;
    service.emulator.clearRequests();
    await service.newRun().read(visible);
    expect(asked()).toBe(0);
    const run = service.newRun();
    await Promise.all(all.map((each) => run.read(each)));
    expect(asked()).toBe(1);
  });

  test("stay out of what a program only reads, because the engine shows each change of it", async () => {
    for (const kind of hiding) {
      const { id, outs } = await makeHidden(kind);
      const { props = {} } = await service.newRun().read({ kind, id, outs: {} });
      const external: Made = { kind, id, inputs: argumentsIn(kind, outs), outs: props };
      expect((await asAnotherAdmin().read(external)).props).toEqual(props);
      // An update means that it is managed by now.
      const managed = await service.newRun().update(external, { description: "managed" });
      expect(managed.outs).toEqual({ ...managed.outs, ...marksIn(outs) });
      expect(managed.outs).not.toHaveProperty("__external");
    }
  });

  test("are added by the first refresh of a state without them", async () => {
    for (const kind of hiding) {
      const made = await makeHidden(kind);
      expect((await service.newRun().read({ ...made, outs: unmarked(made) })).props).toEqual(made.outs);
    }
  });

  test("are written by an update, with the token that it was sent with", async () => {
    const made = await service.driver.create("Team", { name: "t" });
    const { outs = {} } = await asAnotherAdmin().update(made, { privacy: "secret" });
    await deleteOutOfBand(made);
    expect((await service.newRun().read({ ...made, outs })).id).toBe(made.id);
  });
});

describe("an endpoint with another name than the one in state", () => {
  /** Two objects in state, the first of which exists; settings with another name of the same machine. */
  async function renamed() {
    const there = await service.driver.create("Cluster", { name: "there" });
    const gone = await service.driver.create("Cluster", { name: "gone" });
    await service.colleague.sends("DELETE", `/clusters/${gone.id}`);
    const baseUrl = service.emulator.url.replace("127.0.0.1", "localhost");
    const run = service.newRun({ "buildpipeline:baseUrl": baseUrl });
    return { there, gone, run };
  }

  test("confirms no deletion while none of the objects of the old one was found there", async () => {
    const { gone, run } = await renamed();
    expect(await failure(run.read(gone))).toContain("Another endpoint can't confirm the deletion");
  });

  test("is the same service once an object of the old one was found there", async () => {
    const { there, gone, run } = await renamed();
    expect((await run.read(there)).id).toBe(there.id);
    expect((await run.read(gone)).id).toBe("");
  });
});

test.each(["Team", "TeamMember", "TeamPipeline", "TeamSuite"])(
  "a %s of a secret team stays in state, because this run has taken the token's user out of the team",
  async (kind) => {
    const admin = service.driver;
    const args = await minimalOfAll(service);
    const team = await makeHidden("Team");
    const { id: userId } = service.emulator.addMember({ name: "Ben", email: "ben@example.com" });
    const own = await admin.create("TeamMember", { teamId: team.id, userId, role: "maintainer" });
    const left = kind === "Team" ? team : await admin.create(kind, { ...args[kind], teamId: team.id });
    const scopes = [...SCOPES, "read_pipelines", "write_pipelines", "read_suites", "write_suites"];
    const accessToken = service.emulator.createAccessToken({
      scopes,
      userId,
      admin: false,
      seesSecretTeams: false,
    });
    const run = service.newRun({ "buildpipeline:accessToken": accessToken });
    await run.delete(own);
    expect(await failure(run.delete(left))).toMatch(
      new RegExp(`${left.id} probably still exists, and stays in state\\. This run deleted ${own.id} first`),
    );
    expect(run.warnings).toEqual([]);
  },
);

test("A secret team whose deletion this run lost the response of is deleted, although the token's user left it first", async () => {
  const team = await makeHidden("Team");
  const { id: userId } = service.emulator.addMember({ name: "Ben", email: "ben@example.com" });
  const own = await service.driver.create("TeamMember", { teamId: team.id, userId, role: "maintainer" });
  const run = service.newRun();
  await run.delete(own);
  service.emulator.fault({ operation: "teams.delete", when: "after", action: "drop" });
  await run.delete(team);
  expect(service.emulator.organizationData.teams.list()).toEqual([]);
  expect(run.warnings).toEqual([expect.stringContaining(team.id)]);
});
