import { describe, expect, test } from "vitest";
import * as program from "../../../src/index.js";
import { TEAM } from "../../support/colleague.js";
import { surroundings } from "./surroundings.js";

const at = surroundings();
const organization = "acme";
const ada = { id: expect.any(String), name: "Ada Archer", email: "ada@acme.example" };

describe("clusters, queues, agent tokens", () => {
  test("an agent token has its networks as a list, and no secret", async () => {
    const { id: clusterId } = await at.client.clusters.create({ name: "Linux" });
    const networks = ["10.0.0.0/8", "192.0.2.7"];
    const body = { description: "Farm", allowed_ip_addresses: networks };
    const { id, token } = await at.client.agentTokens.create(clusterId, body);

    const found = await program.getAgentToken({ clusterId, id });

    expect(found).toMatchObject({
      id,
      clusterId,
      organization,
      description: "Farm",
      allowedIpAddresses: networks,
    });
    const list = await program.getAgentTokens({ clusterId });
    expect(list).toEqual({ agentTokens: [found], clusterId, organization });
    expect(JSON.stringify([found, list])).not.toContain(token);
  });
});

describe("pipeline templates, teams, suites, runs", () => {
  test("a pipeline template's uuid is its id", async () => {
    const body = { name: "Standard", configuration: "steps: []", available: true };
    const { uuid } = await at.client.pipelineTemplates.create(body);

    const found = await program.getPipelineTemplate({ name: "Standard" });

    expect(found).toMatchObject({ ...body, id: uuid, organization, createdBy: ada, updatedBy: ada });
    expect(found).not.toHaveProperty("uuid");
    expect(await program.getPipelineTemplate({ id: uuid })).toEqual(found);
    expect((await program.getPipelineTemplates()).pipelineTemplates).toEqual([found]);
  });

  test("a team by id, slug and name; teams by user", async () => {
    await at.client.teams.create({ ...TEAM, name: "Platform People", is_default_team: true });
    await at.client.teams.create({ ...TEAM, name: "Others" });

    const found = await program.getTeam({ slug: "platform-people" });

    expect(found).toMatchObject({
      name: "Platform People",
      slug: "platform-people",
      isDefaultTeam: true,
      organization,
    });
    expect(found).not.toHaveProperty("default");
    expect(await program.getTeam({ name: "Platform People" })).toEqual(found);
    expect(await program.getTeam({ id: found.id })).toEqual(found);
    expect((await program.getTeam({ name: "Others" })).isDefaultTeam).toBe(false);
    expect((await program.getTeams()).teams).toHaveLength(2);

    const { id: userId } = await program.getOrganizationMember({ email: "ben@acme.example" });
    at.emulator.organizationData.teams.update(found.id, { member_ids: [userId] });
    expect((await program.getTeams({ userId })).teams).toEqual([found]);
  });

  test("a suite by slug, id and name is the same, and never has its API token", async () => {
    const body = { name: "Unit", default_branch: "main", show_api_token: true, application_name: "Shop" };
    const { id, slug, api_token } = await at.client.suites.create({ ...body, team_ids: [] });

    const found = await program.getSuite({ slug });

    expect(found).toMatchObject({ id, slug, name: "Unit", defaultBranch: "main", organization });
    expect(await program.getSuite({ id })).toEqual(found);
    expect(await program.getSuite({ name: "Unit" })).toEqual(found);
    const { suites } = await program.getSuites();
    expect(suites.map((suite) => suite.slug).sort()).toEqual(["storefront-tests", slug].sort());
    expect(api_token).toEqual(expect.any(String));
    expect(JSON.stringify([found, suites])).not.toContain(api_token);
  });

  test("a suite's API token stays out also where the service tells it on a read", async () => {
    const secret = "suite-secret-1234567890";
    const body = {
      id: "a4d3e1c2-0000-4000-8000-000000000001",
      slug: "unit",
      name: "Unit",
      api_token: secret,
    };
    at.emulator.fault({ operation: "suites.get", action: { status: 200, body } });

    expect(JSON.stringify(await program.getSuite({ slug: "unit" }))).not.toContain(secret);
  });

  test("runs of a suite, by build too", async () => {
    const suiteSlug = "storefront-tests";
    const { runs } = await program.getRuns({ suiteSlug });
    const [first] = runs;
    const { builds } = await program.getBuilds({ pipelineSlug: "storefront", state: "failed" });

    expect(first).toMatchObject({
      suiteSlug,
      organization,
      commitSha: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(await program.getRun({ suiteSlug, id: first?.id ?? "" })).toEqual(first);
    const ofBuild = await program.getRuns({ suiteSlug, buildId: builds[0]?.id });
    expect(ofBuild.runs).toEqual([expect.objectContaining({ result: "failed" })]);
    expect(ofBuild.runs.length).toBeLessThan(runs.length);
  });
});

describe("agents, organizations, members, access token", () => {
  test("a connected agent by name, and any by id; filters", async () => {
    const found = await program.getAgent({ name: "builder-1" });

    expect(found).toMatchObject({
      organization,
      connectionState: "connected",
      hostname: "builder-1.internal",
      ipAddress: "192.0.2.11",
      metaData: ["queue=default", "os=linux"],
      priority: 5,
      creator: ada,
    });
    expect(await program.getAgent({ id: found.id })).toEqual(found);
    expect((await program.getAgents()).agents).toHaveLength(2);
    expect((await program.getAgents({ hostname: "builder-2.internal" })).agents).toHaveLength(1);
    expect((await program.getAgents({ version: "1.0.0" })).agents).toEqual([]);
    at.emulator.disconnectAgent(found.id);
    expect((await program.getAgent({ id: found.id })).connectionState).toBe("disconnected");
  });

  test("the organization of the settings, or one by its slug", async () => {
    const found = await program.getOrganization();

    expect(found).toMatchObject({ slug: "acme", name: "Acme", pipelinesUrl: expect.any(String) });
    expect(await program.getOrganization({ slug: "acme" })).toEqual(found);
    expect(await program.getOrganizations()).toEqual({ organizations: [found] });
  });

  test("a member by id, name and email in any case", async () => {
    const found = await program.getOrganizationMember({ email: "Ben@Acme.example" });

    expect(found).toEqual({
      id: expect.any(String),
      name: "Ben Baker",
      email: "ben@acme.example",
      organization,
    });
    expect(await program.getOrganizationMember({ name: "Ben Baker" })).toEqual(found);
    expect(await program.getOrganizationMember({ id: found.id })).toEqual(found);
    expect((await program.getOrganizationMembers()).organizationMembers).toHaveLength(2);
  });
});

describe("builds", () => {
  test("a build by its number: nested fields in camelCase, free-form maps as they are", async () => {
    const env = { NODE_ENV: "test", some_name: "x" };
    const meta_data = { release_name: "1.0" };
    const made = await at.client.builds.create("storefront", {
      commit: "HEAD",
      branch: "main",
      env,
      meta_data,
    });

    const found = await program.getBuild({ pipelineSlug: "storefront", number: made.number });

    expect(found).toMatchObject({
      id: made.id,
      organization,
      state: "scheduled",
      env,
      metaData: meta_data,
      creator: ada,
    });
    expect(found.pipeline).toMatchObject({ slug: "storefront", skipQueuedBranchBuilds: expect.any(Boolean) });
    expect(found.jobs?.[0]).toMatchObject({ stepKey: "lint", agentQueryRules: expect.any(Array) });
    expect(found).not.toHaveProperty("startedAt");
    expect(keysWithUnderscores({ ...found, env: {}, metaData: {} })).toEqual([]);
  });

  test("the three scopes: a pipeline, the organization, all organizations", async () => {
    const pipeline = await program.getBuilds({ pipelineSlug: "storefront" });
    const own = await program.getBuilds();
    const all = await program.getBuilds({ allOrganizations: true });

    expect(pipeline.builds).toHaveLength(6);
    expect(own.builds.map(({ id }) => id)).toEqual(pipeline.builds.map(({ id }) => id));
    expect(all.builds).toHaveLength(6);
    expect(all).not.toHaveProperty("organization");
    expect(all.builds.every((build) => build.organization === organization)).toBe(true);
    expect(at.emulator.requests.map(({ operation }) => operation)).toEqual([
      "builds.listForPipeline",
      "builds.list",
      "builds.listAll",
    ]);
  });

  test("every filter reaches the service under its documented name", async () => {
    await program.getBuilds({
      branch: ["main", "search"],
      commit: "c0ffee",
      createdFrom: new Date("2026-01-01T00:00:00Z"),
      createdTo: "2026-12-31T00:00:00Z",
      finishedFrom: new Date("2026-02-01T00:00:00Z"),
      creator: "ada",
      includeRetriedJobs: true,
      metaData: { release: "1.0" },
      state: "finished",
    });

    const query = new URLSearchParams(at.emulator.requests[0]?.query);
    query.delete("per_page");
    expect([...query].sort()).toEqual(
      [
        ["branch[]", "main"],
        ["branch[]", "search"],
        ["commit", "c0ffee"],
        ["created_from", "2026-01-01T00:00:00.000Z"],
        ["created_to", "2026-12-31T00:00:00Z"],
        ["finished_from", "2026-02-01T00:00:00.000Z"],
        ["creator", "ada"],
        ["include_retried_jobs", "true"],
        ["meta_data[release]", "1.0"],
        ["state", "finished"],
      ].sort(),
    );
  });

  test("a list ends at its limit, and asks for no page beyond it", async () => {
    const { builds } = await program.getBuilds({ limit: 2 });

    expect(builds.map(({ branch }) => branch)).toEqual(["search", "main"]);
    expect((await program.getBuilds({ limit: 1 })).builds[0]?.id).toBe(builds[0]?.id);
    for (let made = 0; made < 101; made += 1) {
      await at.client.builds.create("storefront", { commit: "HEAD", branch: "many" });
    }
    at.emulator.clearRequests();
    expect((await program.getBuilds()).builds).toHaveLength(100);
    expect(at.emulator.requests).toHaveLength(1);
    expect((await program.getBuilds({ limit: 101 })).builds).toHaveLength(101);
  });

  test("the address that starts builds is left out", async () => {
    const found = await at.client.builds.listForPipeline("storefront").all();
    expect(found[0]?.pipeline?.provider?.webhook_url).toMatch(/^http/);

    const { builds } = await program.getBuilds({ pipelineSlug: "storefront" });

    expect(builds[0]?.pipeline?.provider).toMatchObject({ id: expect.any(String) });
    expect(JSON.stringify(builds)).not.toContain(found[0]?.pipeline?.provider?.webhook_url);
  });
});

function keysWithUnderscores(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key.includes("_") ? [key] : []),
    ...keysWithUnderscores(inner),
  ]);
}
