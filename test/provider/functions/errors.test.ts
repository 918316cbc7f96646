import { describe, expect, test } from "vitest";
import * as program from "../../../src/index.js";
import { OBEYED, SPECIAL } from "../../support/foreign-text.js";
import { surroundings } from "./surroundings.js";

const at = surroundings();
const { getAgent, getBuild, getBuilds, getCluster, getSuite } = program;

async function refused(lookup: Promise<unknown>): Promise<program.LookupError> {
  const error: unknown = await lookup.catch((reason: unknown) => reason);
  if (error instanceof program.LookupError) return error;
  throw new Error(`Expected a LookupError, got ${String(error)}`);
}

const NO_UUID = "is not a UUID, so nothing was sent. It takes an id, not a name, key or slug.";

describe("what is asked", () => {
  test.each<[problem: string, ask: () => Promise<unknown>]>([
    ["getCluster(): give exactly one of id, name; none was given.", () => getCluster({})],
    [
      'getTeam({ id: "1", name: "Platform" }): give exactly one of id, slug, name; id and name were given.',
      () => program.getTeam({ id: "1", name: "Platform" }),
    ],
    ["id is empty.", () => getCluster({ id: "" })],
    ["clusterId is empty.", () => program.getQueue({ clusterId: " ", key: "fast" })],
    [`id ${NO_UUID}`, () => getCluster({ id: "Linux" })],
    [`id ${NO_UUID}`, () => getSuite({ id: "unit-tests" })],
    [`clusterId ${NO_UUID}`, () => program.getQueues({ clusterId: "Linux" })],
    [`buildId ${NO_UUID}`, () => program.getRuns({ suiteSlug: "unit-tests", buildId: "17" })],
    [`userId ${NO_UUID}`, () => program.getTeams({ userId: "ada" })],
    ["number must be a whole number from 1.", () => getBuild({ pipelineSlug: "storefront", number: 0 })],
    ["limit must be a whole number from 1.", () => getBuilds({ limit: 1.5 })],
    [
      "give pipelineSlug or allOrganizations, not both: a pipeline is in one organization.",
      () => getBuilds({ pipelineSlug: "storefront", allOrganizations: true }),
    ],
    ["createdFrom is not a valid date.", () => getBuilds({ createdFrom: new Date("no") })],
    // Programs in other languages can give anything.
    ["createdTo is not a valid date.", () => getBuilds({ createdTo: 5 as unknown as string })],
  ])("is refused unasked: %s", async (problem, ask) => {
    const { message } = await refused(ask());
    expect([message, message.split("): ")[1]]).toContain(problem);
    expect(at.emulator.requests).toEqual([]);
  });
});

test("Whatever the service says, Pulumi's CLI, a terminal and a CI system only print it", async () => {
  for (const said of Object.values(SPECIAL).map((signs) => signs.join(" "))) {
    const fault = at.emulator.fault({ method: "GET", action: { status: 422, body: { message: said } } });
    const { message } = await refused(getCluster({ name: `${said} team` }));
    expect(message).not.toMatch(OBEYED);
    fault.remove();
  }
});

describe("what is found", () => {
  test("none of the name: says what was looked through, and what to do", async () => {
    await at.client.clusters.create({ name: "Linux" });

    const error = await refused(getCluster({ name: "linux" }));

    expect(error.message).toBe(
      'getCluster({ name: "linux" }): none of the 1 clusters that the access token can see has this name. ' +
        "Check the name, the organization and the access token; getClusters() lists what there is.",
    );
    expect(error).toMatchObject({ lookup: "getCluster", missing: true, name: "LookupError" });
  });

  test("several of the name: lists the ids", async () => {
    const first = await at.client.clusters.create({ name: "Linux" });
    const second = await at.client.clusters.create({ name: "Linux" });

    const error = await refused(getCluster({ name: "Linux" }));

    expect(error.missing).toBe(false);
    expect(error.message).toMatch(
      /^getCluster\({ name: "Linux" }\): 2 clusters have this name: their ids are /,
    );
    expect(error.message).toContain(first.id);
    expect(error.message).toContain(second.id);
    expect(error.message).toMatch(/Ask for one of them by its id\.$/);
  });

  test("none of the id: the service's words, and what to do", async () => {
    const error = await refused(getSuite({ slug: "nothing" }));

    expect(error.message).toMatch(
      /^getSuite\({ slug: "nothing" }\): GET \/v2\/analytics\/.* failed with 404.* \[buildpipeline:not-found\]$/,
    );
    expect(error.missing).toBe(true);
    expect(error.cause).toMatchObject({ name: "NotFoundError", status: 404 });
  });

  test("an agent that is not connected cannot be found by name, and the message says so", async () => {
    const error = await refused(getAgent({ name: "builder-3" }));

    expect(error.message).toContain("One that is not connected can be looked up by its id only.");
  });
});

describe("who asks", () => {
  test("a missing scope is named", async () => {
    process.env.BUILDPIPELINE_ACCESS_TOKEN = at.emulator.createAccessToken({ scopes: ["read_teams"] });

    const error = await refused(getCluster({ name: "Linux" }));

    expect(error.message).toContain("read_clusters");
    expect(error.missing).toBe(false);
  });

  test("a rejected access token shows nowhere", async () => {
    const secret = "bpua_rejected_0123456789";
    process.env.BUILDPIPELINE_ACCESS_TOKEN = secret;

    const error = await refused(getCluster({ name: "Linux" }));

    expect(error.message).toMatch(
      /^getCluster\({ name: "Linux" }\): GET .* failed with 401.* \[buildpipeline:token-refused\]$/,
    );
    expect(`${error.stack} ${JSON.stringify(error.cause)}`).not.toContain(secret);
  });
});
