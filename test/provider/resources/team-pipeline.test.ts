import { beforeEach, describe, expect, test } from "vitest";
import { colleague, colleagueForEach, emulator } from "../../support/colleague.js";
import { Driver, failure } from "../../support/driver.js";
import { BACKENDS, ResourceOfProgram } from "../../support/program.js";

colleagueForEach();
let teamId: string;
let pipelineId: string;

const steps = { repository: "git@github.com:acme/storefront.git", configuration: "steps: [wait]" };

beforeEach(async () => {
  teamId = await colleague.makesTeam("Web");
  pipelineId = await colleague.makes("/pipelines", { name: "Storefront", ...steps });
  emulator.clearRequests();
});

const list = () => colleague.list(`/teams/${teamId}/pipelines`);

describe.each(BACKENDS)("A team's access to a pipeline, by the backend %s,", (backend) => {
  const pair = () => new ResourceOfProgram(backend, emulator, "TeamPipeline");
  const args = (accessLevel = "build_and_read") => ({ teamId, pipelineId, accessLevel });

  test("that exists already is an error with its level and its import", async () => {
    await colleague.sends("POST", `/teams/${teamId}/pipelines`, {
      pipeline_id: pipelineId,
      access_level: "read_only",
    });
    await expect(pair().up(args())).rejects.toThrow(
      new RegExp(`access level "read_only".*import: ".*${teamId}/${pipelineId}"`, "s"),
    );
  });

  test("stays in state where the token can't see its team", async () => {
    const made = await pair().up(args());
    const { __tokenId, ...outs } = made.outs;
    await colleague.sends("DELETE", `/teams/${teamId}`);
    const it = pair();
    const other = { ...outs, __tokenId: "0190f1c4-0000-4000-8000-000000000001" };
    expect(await it.refresh({ ...made, outs: other })).toBeDefined();
    expect(__tokenId).toEqual(expect.any(String));
  });

  test("names a GraphQL id's UUID where it is given one", async () => {
    const graphql = Buffer.from(`Pipeline---${pipelineId}`).toString("base64");
    await expect(pair().up({ ...args(), pipelineId: graphql })).rejects.toThrow(
      `is a GraphQL id, which contains the UUID ${pipelineId}`,
    );
  });
});

describe("An access that came into being with its pipeline or suite", () => {
  const shop = () => ({ name: "Shop", repository: steps.repository, clusterId: "", teams: [{ teamId }] });

  test("is taken over from a suite that the run created, and gets the program's level", async () => {
    const driver = Driver.for(emulator);
    const suite = await driver.create("Suite", { name: "Unit", defaultBranch: "main", teamIds: [teamId] });
    const made = await driver.create("TeamSuite", { teamId, suiteId: suite.id, accessLevel: ["read"] });
    expect(made).toMatchObject({ id: `${teamId}/${suite.id}`, outs: { accessLevel: ["read"] } });
    expect(await colleague.list(`/teams/${teamId}/suites`)).toMatchObject([{ access_level: ["read"] }]);
    expect(driver.observed.join()).toContain("took over the team suite");
  });

  test.each([
    ["lost", { when: "after", action: "drop" }],
    ["that the service is busy", { action: { status: 503, body: { message: "Try again" } } }],
    ["that too much was sent", { action: { status: 429 } }],
  ] as const)("gets its level also if the first response to that is %s", async (_, fault) => {
    const driver = Driver.for(emulator);
    const { id } = await driver.create("Pipeline", shop());
    emulator.fault({ operation: "teamPipelines.update", ...fault });
    const made = await driver.create("TeamPipeline", { teamId, pipelineId: id, accessLevel: "read_only" });
    expect(made.outs).toMatchObject({ accessLevel: "read_only" });
    expect(await list()).toMatchObject([{ access_level: "read_only" }]);
  });

  test("is recorded with the level that it has if the API refuses another one, and the next deployment changes it", async () => {
    const driver = Driver.for(emulator);
    const { id: pipelineId } = await driver.create("Pipeline", shop());
    emulator.fault({ operation: "teamPipelines.update", action: { status: 422, body: { message: "No" } } });
    const args = { teamId, pipelineId, accessLevel: "read_only" };
    const error: unknown = await driver.create("TeamPipeline", args).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      id: `${teamId}/${pipelineId}`,
      properties: { ...args, accessLevel: "manage_build_and_read" },
      reasons: [expect.stringContaining("exists, but is not finished")],
    });
    const { id = "", properties = {} } = Object(error);
    const made = { kind: "TeamPipeline", id, inputs: args, outs: properties };
    expect((await Driver.for(emulator).update(made, {})).outs).toMatchObject(args);
    expect(await list()).toMatchObject([{ access_level: "read_only" }]);
  });
});

test.each(
  [true, false].flatMap((seesAllPipelines) =>
    ["TeamPipeline", "Team", "TeamMember"].map((kind) => ({ kind, seesAllPipelines })),
  ),
)(
  "A destroy that takes away its own access by a $kind first ends in an error that says what remains (sees all: $seesAllPipelines)",
  async ({ kind, seesAllPipelines }) => {
    const { id: userId } = emulator.addMember({ name: "Cleo", email: "cleo@example.com" });
    const admin = Driver.for(emulator);
    const web = await admin.create("Pipeline", { name: "Web", ...steps });
    const access = { teamId, pipelineId: web.id, accessLevel: "manage_build_and_read" };
    const pair = await admin.create("TeamPipeline", access);
    const member = await admin.create("TeamMember", { teamId, userId, role: "maintainer" });
    const others = { name: "Others", privacy: "visible", defaultMemberRole: "member" };
    // Without any team, everybody may do everything.
    await admin.create("Team", { ...others, isDefaultTeam: false, membersCanCreatePipelines: false });
    const team = { kind: "Team", id: teamId, outs: { organization: emulator.organization, name: "Web" } };
    const accessToken = emulator.createAccessToken({
      scopes: ["read_pipelines", "write_pipelines", "read_teams", "write_teams", "read_builds"],
      userId,
      admin: false,
      seesAllPipelines,
    });
    const driver = Driver.for({ ...emulator, accessToken });
    const first = [pair, member, team].find((one) => one.kind === kind) ?? pair;
    await driver.delete(first);
    expect(await failure(driver.delete(web))).toMatch(
      new RegExp(
        `probably still exists, and stays in state.*${first.id}.*retainOnDelete on the ${kind}\\.`,
        "s",
      ),
    );
    expect(await colleague.sends("GET", "/pipelines/web")).toMatchObject({ archived_at: null });
  },
);
