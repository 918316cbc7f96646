import { describe, expect, test } from "vitest";
import { type BuildPipelineClient, operations } from "../../src/client/index.js";
import { BUILD, CLUSTER, connect, json, QUEUE, serve } from "./service.js";

const TEMPLATE = { uuid: "t-1", name: "Upload", configuration: "steps: []" };
const TEAM = { id: "m-1", name: "Platform" };
const SUITE = { id: "s-1", slug: "rspec", name: "RSpec" };
const RUN = { id: "r-1" };
const AGENT = { id: "a-1", name: "agent-1" };
const wholeTeam = {
  name: "Platform",
  description: "",
  privacy: "visible",
  is_default_team: false,
  default_member_role: "member",
  members_can_create_pipelines: true,
} as const;

interface Case {
  call: (client: BuildPipelineClient) => Promise<unknown>;
  /** Method, path and query as on the wire. */
  request: string;
  body?: unknown;
  answer?: unknown;
}

const org = "/v2/organizations/acme";
const pages = "?per_page=100";

const cases: Readonly<Record<string, Case>> = {
  "clusters.list": {
    call: (c) => c.clusters.list().all(),
    request: `GET ${org}/clusters${pages}`,
    answer: [CLUSTER],
  },
  "clusters.get": { call: (c) => c.clusters.get("c-1"), request: `GET ${org}/clusters/c-1`, answer: CLUSTER },
  "clusters.create": {
    call: (c) => c.clusters.create({ name: "Linux", description: undefined, emoji: null, color: "#A9CCE3" }),
    request: `POST ${org}/clusters`,
    body: { name: "Linux", emoji: null, color: "#A9CCE3" },
    answer: CLUSTER,
  },
  "clusters.update": {
    call: (c) => c.clusters.update("c-1", { default_queue_id: null }),
    request: `PUT ${org}/clusters/c-1`,
    body: { default_queue_id: null },
    answer: CLUSTER,
  },
  "clusters.delete": { call: (c) => c.clusters.delete("c-1"), request: `DELETE ${org}/clusters/c-1` },
  "queues.list": {
    call: (c) => c.queues.list("c-1").all(),
    request: `GET ${org}/clusters/c-1/queues${pages}`,
    answer: [QUEUE],
  },
  "queues.get": {
    call: (c) => c.queues.get("c-1", "q-1"),
    request: `GET ${org}/clusters/c-1/queues/q-1`,
    answer: QUEUE,
  },
  "queues.create": {
    call: (c) => c.queues.create("c-1", { key: "default", description: "small" }),
    request: `POST ${org}/clusters/c-1/queues`,
    body: { key: "default", description: "small" },
    answer: QUEUE,
  },
  "queues.update": {
    call: (c) => c.queues.update("c-1", "q-1", { description: null }),
    request: `PUT ${org}/clusters/c-1/queues/q-1`,
    body: { description: null },
    answer: QUEUE,
  },
  "queues.delete": {
    call: (c) => c.queues.delete("c-1", "q-1"),
    request: `DELETE ${org}/clusters/c-1/queues/q-1`,
  },
  "queues.pauseDispatch": {
    call: (c) => c.queues.pauseDispatch("c-1", "q-1", { note: "repair" }),
    request: `POST ${org}/clusters/c-1/queues/q-1/pause_dispatch`,
    body: { note: "repair", dispatch_paused_note: "repair" },
    answer: QUEUE,
  },
  "queues.resumeDispatch": {
    call: (c) => c.queues.resumeDispatch("c-1", "q-1"),
    request: `POST ${org}/clusters/c-1/queues/q-1/resume_dispatch`,
    answer: QUEUE,
  },
  "agentTokens.list": {
    call: (c) => c.agentTokens.list("c-1").all(),
    request: `GET ${org}/clusters/c-1/tokens${pages}`,
    answer: [{ id: "k-1" }],
  },
  "agentTokens.get": {
    call: (c) => c.agentTokens.get("c-1", "k-1"),
    request: `GET ${org}/clusters/c-1/tokens/k-1`,
    answer: { id: "k-1", allowed_ip_addresses: ["192.0.2.0/24"] },
  },
  "agentTokens.create": {
    call: (c) =>
      c.agentTokens.create("c-1", { description: "d", allowed_ip_addresses: ["192.0.2.0/24", "10.0.0.1"] }),
    request: `POST ${org}/clusters/c-1/tokens`,
    body: { description: "d", allowed_ip_addresses: "192.0.2.0/24 10.0.0.1" },
    answer: { id: "k-1", token: "secret" },
  },
  "agentTokens.update": {
    call: (c) => c.agentTokens.update("c-1", "k-1", { allowed_ip_addresses: [] }),
    request: `PUT ${org}/clusters/c-1/tokens/k-1`,
    body: { allowed_ip_addresses: "" },
    answer: { id: "k-1", allowed_ip_addresses: null },
  },
  "agentTokens.delete": {
    call: (c) => c.agentTokens.delete("c-1", "k-1"),
    request: `DELETE ${org}/clusters/c-1/tokens/k-1`,
  },
  "pipelineTemplates.list": {
    call: (c) => c.pipelineTemplates.list().all(),
    request: `GET ${org}/pipeline-templates${pages}`,
    answer: [TEMPLATE],
  },
  "pipelineTemplates.get": {
    call: (c) => c.pipelineTemplates.get("t-1"),
    request: `GET ${org}/pipeline-templates/t-1`,
    answer: TEMPLATE,
  },
  "pipelineTemplates.create": {
    call: (c) => c.pipelineTemplates.create({ name: "Upload", configuration: "steps: []", available: false }),
    request: `POST ${org}/pipeline-templates`,
    body: { name: "Upload", configuration: "steps: []", available: false },
    answer: TEMPLATE,
  },
  "pipelineTemplates.update": {
    call: (c) => c.pipelineTemplates.update("t-1", { available: true }),
    request: `PATCH ${org}/pipeline-templates/t-1`,
    body: { available: true },
    answer: TEMPLATE,
  },
  "pipelineTemplates.delete": {
    call: (c) => c.pipelineTemplates.delete("t-1"),
    request: `DELETE ${org}/pipeline-templates/t-1`,
  },
  "teams.list": {
    call: (c) => c.teams.list({ user_id: "u-1" }).all(),
    request: `GET ${org}/teams?user_id=u-1&per_page=100`,
    answer: [TEAM],
  },
  "teams.get": { call: (c) => c.teams.get("m-1"), request: `GET ${org}/teams/m-1`, answer: TEAM },
  "teams.create": {
    call: (c) => c.teams.create(wholeTeam),
    request: `POST ${org}/teams`,
    body: wholeTeam,
    answer: wholeTeam,
  },
  "teams.update": {
    call: (c) => c.teams.update("m-1", wholeTeam),
    request: `PATCH ${org}/teams/m-1`,
    body: wholeTeam,
    answer: { ...wholeTeam, ...TEAM },
  },
  "teams.delete": { call: (c) => c.teams.delete("m-1"), request: `DELETE ${org}/teams/m-1` },
  "suites.list": {
    call: (c) => c.suites.list().all(),
    request: `GET /v2/analytics/organizations/acme/suites${pages}`,
    answer: [SUITE],
  },
  "suites.get": {
    call: (c) => c.suites.get("rspec"),
    request: "GET /v2/analytics/organizations/acme/suites/rspec",
    answer: SUITE,
  },
  "suites.create": {
    call: (c) =>
      c.suites.create({ name: "RSpec", default_branch: "main", team_ids: ["m-1"], show_api_token: true }),
    request: "POST /v2/analytics/organizations/acme/suites",
    body: { name: "RSpec", default_branch: "main", team_ids: ["m-1"], show_api_token: true },
    answer: { ...SUITE, api_token: "secret" },
  },
  "suites.update": {
    call: (c) => c.suites.update("rspec", { color: "#00ff00" }),
    request: "PATCH /v2/analytics/organizations/acme/suites/rspec",
    body: { color: "#00ff00" },
    answer: SUITE,
  },
  "suites.delete": {
    call: (c) => c.suites.delete("rspec"),
    request: "DELETE /v2/analytics/organizations/acme/suites/rspec",
  },
  "runs.list": {
    call: (c) => c.runs.list("rspec", { build_id: "b-1" }).all(),
    request: "GET /v2/analytics/organizations/acme/suites/rspec/runs?build_id=b-1&per_page=100",
    answer: [RUN],
  },
  "runs.get": {
    call: (c) => c.runs.get("rspec", "r-1"),
    request: "GET /v2/analytics/organizations/acme/suites/rspec/runs/r-1",
    answer: RUN,
  },
  "agents.list": {
    call: (c) => c.agents.list({ name: "a", hostname: "h", version: "3.1" }).all(),
    request: `GET ${org}/agents?name=a&hostname=h&version=3.1&per_page=100`,
    answer: [AGENT],
  },
  "agents.get": { call: (c) => c.agents.get("a-1"), request: `GET ${org}/agents/a-1`, answer: AGENT },
  "agents.stop": {
    call: (c) => c.agents.stop("a-1", { force: false }),
    request: `PUT ${org}/agents/a-1/stop`,
    body: { force: false },
  },
  "organizations.list": {
    call: (c) => c.organizations.list().all(),
    request: `GET /v2/organizations${pages}`,
    answer: [{ id: "o-1", slug: "acme" }],
  },
  "organizations.get": {
    call: (c) => c.organizations.get(),
    request: `GET ${org}`,
    answer: { id: "o-1", slug: "acme" },
  },
  "members.list": {
    call: (c) => c.members.list().all(),
    request: `GET ${org}/members${pages}`,
    answer: [{ id: "u-1", name: "Ada", email: "ada@example.com" }],
  },
  "members.get": {
    call: (c) => c.members.get("u-1"),
    request: `GET ${org}/members/u-1`,
    answer: { id: "u-1" },
  },
  "accessToken.get": {
    call: (c) => c.accessToken.get(),
    request: "GET /v2/access-token",
    answer: { uuid: "x-1", scopes: ["read_clusters"] },
  },
  "accessToken.revoke": { call: (c) => c.accessToken.revoke(), request: "DELETE /v2/access-token" },
  "builds.listAll": {
    call: (c) => c.builds.listAll().all(),
    request: `GET /v2/builds${pages}`,
    answer: [BUILD],
  },
  "builds.list": {
    call: (c) => c.builds.list({ state: "finished" }).all(),
    request: `GET ${org}/builds?state=finished&per_page=100`,
    answer: [BUILD],
  },
  "builds.listForPipeline": {
    call: (c) => c.builds.listForPipeline("storefront").all(),
    request: `GET ${org}/pipelines/storefront/builds${pages}`,
    answer: [BUILD],
  },
  "builds.get": {
    call: (c) => c.builds.get("storefront", 42, { include_retried_jobs: true }),
    request: `GET ${org}/pipelines/storefront/builds/42?include_retried_jobs=true`,
    answer: BUILD,
  },
  "builds.create": {
    call: (c) =>
      c.builds.create("storefront", { commit: "HEAD", branch: "main", env: { A: "1" }, pull_request_id: 7 }),
    request: `POST ${org}/pipelines/storefront/builds`,
    body: { commit: "HEAD", branch: "main", env: { A: "1" }, pull_request_id: 7 },
    answer: BUILD,
  },
  "builds.cancel": {
    call: (c) => c.builds.cancel("storefront", 42),
    request: `PUT ${org}/pipelines/storefront/builds/42/cancel`,
    answer: { ...BUILD, state: "canceling" },
  },
  "builds.rebuild": {
    call: (c) => c.builds.rebuild("storefront", 42),
    request: `PUT ${org}/pipelines/storefront/builds/42/rebuild`,
    answer: { ...BUILD, number: 43 },
  },
};

test("every operation of the table has a case here, and the other way round", () => {
  expect(operations.map(({ id }) => id).sort()).toEqual(Object.keys(cases).sort());
});

describe.each(operations)("$id", ({ id, method, path }) => {
  test("sends its request and gives the answer back", async () => {
    const wanted = cases[id];
    if (!wanted) throw new Error(`no case for ${id}`);
    const service = await serve((_, response) => {
      if (wanted.answer === undefined) response.writeHead(204).end();
      else json(response, method === "POST" ? 201 : 200, wanted.answer);
    });
    const result = await wanted.call(connect(service.url));
    const [seen, ...others] = service.seen;
    expect(others).toEqual([]);
    expect(`${seen?.method} ${seen?.target}`).toBe(wanted.request);
    const body = seen?.body;
    expect(body === "" ? undefined : JSON.parse(body ?? "")).toEqual(wanted.body);
    expect(result).toEqual(wanted.answer);
    if (wanted.body !== undefined) expect(seen?.headers["content-type"]).toBe("application/json");
    // The request is the one the table documents.
    const documented = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
    expect(seen?.path).toMatch(documented);
    expect(seen?.method).toBe(method);
  });
});
