import { expect } from "vitest";
import { type Cases, NIGHT_SHIFT, NOW, type OfGroup } from "./world.js";

const anyUuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const anySecret = expect.stringMatching(/^\S{20,}$/);
const ada = { name: "Ada Archer", email: "ada@acme.example", created_at: expect.any(String) };
const pausedByAda = { dispatch_paused_at: NOW, dispatch_paused_by: ada };
const nobodyPaused = { dispatch_paused_by: null, dispatch_paused_at: null, dispatch_paused_note: null };
const writtenTeam = {
  name: "Night shift",
  description: "Watches the night",
  privacy: "secret",
  default: true,
  created_by: ada,
};
const mac = { name: "Mac", description: "Mac machines", emoji: ":apple:", color: "#F0F" };
const gpu = { key: "gpu_1-x", description: "With graphics cards" };
const release = {
  name: "Release",
  configuration: "steps:\n  - command: make\n",
  description: "For tags",
  available: true,
};

/** What a person sets up. */
export const casesOfSettings: Cases<
  OfGroup<"clusters" | "queues" | "agentTokens" | "pipelineTemplates" | "teams" | "suites">
> = {
  "clusters.list": ({ cluster }) => ({
    call: (client) => client.clusters.list().all(),
    answer: [{ id: cluster, name: "Linux", created_by: ada }],
  }),
  "clusters.get": ({ cluster }) => ({
    call: (client) => client.clusters.get(cluster),
    answer: { id: cluster, name: "Linux", emoji: ":penguin:", color: "#A9CCE3", default_queue_id: null },
  }),
  "clusters.create": () => ({
    call: (client) => client.clusters.create(mac),
    body: mac,
    answer: {
      ...mac,
      id: anyUuid,
      graphql_id: expect.any(String),
      default_queue_id: null,
      default_queue_url: null,
      url: expect.stringMatching(/^http:[/][/].*[/]v2[/]organizations[/]acme[/]clusters[/][0-9a-f-]{36}$/),
      web_url: expect.stringMatching(/:\d+[/]organizations[/]acme[/]clusters[/][0-9a-f-]{36}$/),
      queues_url: expect.stringMatching(/[/]clusters[/][0-9a-f-]{36}[/]queues$/),
      created_at: NOW,
      created_by: ada,
    },
  }),
  "clusters.update": ({ cluster, queue }) => {
    const body = { name: "Linux 2", description: "", emoji: null, color: "#000000", default_queue_id: queue };
    const default_queue_url = expect.stringContaining(queue);
    return {
      call: (client) => client.clusters.update(cluster, body),
      body,
      answer: { ...body, description: null, default_queue_url },
    };
  },
  "clusters.delete": ({ cluster }) => ({ call: (client) => client.clusters.delete(cluster) }),

  "queues.list": ({ cluster, queue, pausedQueue }) => ({
    call: (client) => client.queues.list(cluster).all(),
    answer: [
      { id: queue, key: "fast", dispatch_paused: false, ...nobodyPaused },
      { id: pausedQueue, key: "slow", dispatch_paused: true, dispatch_paused_note: "Disk full" },
    ],
  }),
  "queues.get": ({ cluster, pausedQueue }) => ({
    call: (client) => client.queues.get(cluster, pausedQueue),
    ids: { queue_id: pausedQueue },
    answer: { key: "slow", ...pausedByAda },
  }),
  "queues.create": ({ cluster }) => ({
    call: (client) => client.queues.create(cluster, gpu),
    body: gpu,
    answer: {
      ...gpu,
      id: anyUuid,
      cluster_url: expect.stringMatching(`/v2/organizations/acme/clusters/${cluster}$`),
      dispatch_paused: false,
      ...nobodyPaused,
      created_by: ada,
    },
  }),
  "queues.update": ({ cluster, queue }) => ({
    call: (client) => client.queues.update(cluster, queue, { description: "Faster" }),
    body: { description: "Faster" },
    answer: { id: queue, key: "fast", description: "Faster" },
  }),
  "queues.delete": ({ cluster, queue }) => ({ call: (client) => client.queues.delete(cluster, queue) }),
  "queues.pauseDispatch": ({ cluster, queue }) => ({
    call: (client) => client.queues.pauseDispatch(cluster, queue, { note: "Moving house" }),
    body: { note: "Moving house", dispatch_paused_note: "Moving house" },
    answer: { ...pausedByAda, dispatch_paused: true, dispatch_paused_note: "Moving house" },
  }),
  "queues.resumeDispatch": ({ cluster, pausedQueue }) => ({
    call: (client) => client.queues.resumeDispatch(cluster, pausedQueue),
    ids: { id: pausedQueue },
    answer: { dispatch_paused: false, ...nobodyPaused },
  }),

  "agentTokens.list": ({ cluster, token }) => ({
    call: (client) => client.agentTokens.list(cluster).all(),
    answer: [{ id: token }],
    lacks: ["token"],
  }),
  "agentTokens.get": ({ cluster, token }) => ({
    call: (client) => client.agentTokens.get(cluster, token),
    answer: { id: token, allowed_ip_addresses: "192.0.2.0/24" },
    lacks: ["token"],
  }),
  "agentTokens.create": ({ cluster }) => {
    const allowed_ip_addresses = ["192.0.2.1", "198.51.100.0/24"];
    const body = { description: "Attic", allowed_ip_addresses: "192.0.2.1 198.51.100.0/24" };
    return {
      call: (client) => client.agentTokens.create(cluster, { ...body, allowed_ip_addresses }),
      body,
      answer: { ...body, id: anyUuid, token: anySecret },
    };
  },
  "agentTokens.update": ({ cluster, token }) => {
    const body = { description: "Cellar", allowed_ip_addresses: "" };
    return {
      call: (client) => client.agentTokens.update(cluster, token, body),
      body,
      answer: { id: token, description: "Cellar", allowed_ip_addresses: null },
      lacks: ["token"],
    };
  },
  "agentTokens.delete": ({ cluster, token }) => ({
    call: (client) => client.agentTokens.delete(cluster, token),
  }),

  "pipelineTemplates.list": ({ template }) => ({
    call: (client) => client.pipelineTemplates.list().all(),
    answer: [{ uuid: template, name: "Base", available: false }],
  }),
  "pipelineTemplates.get": ({ template }) => ({
    call: (client) => client.pipelineTemplates.get(template),
    answer: { uuid: template, configuration: "steps: []\n", updated_by: ada },
  }),
  "pipelineTemplates.create": () => ({
    call: (client) => client.pipelineTemplates.create(release),
    body: release,
    answer: { ...release, uuid: anyUuid, created_at: NOW, updated_at: NOW },
  }),
  "pipelineTemplates.update": ({ template }) => ({
    call: (client) => client.pipelineTemplates.update(template, release),
    body: release,
    answer: { ...release, uuid: template },
  }),
  "pipelineTemplates.delete": ({ template }) => ({
    call: (client) => client.pipelineTemplates.delete(template),
  }),

  "teams.list": ({ team, user }) => ({
    call: (client) => client.teams.list({ user_id: user }).all(),
    query: { user_id: user },
    answer: [{ id: team, slug: "platform", privacy: "visible", default: false }],
  }),
  "teams.get": ({ team }) => ({
    call: (client) => client.teams.get(team),
    answer: { id: team, name: "Platform", slug: "platform", created_by: ada },
  }),
  "teams.create": () => ({
    call: (client) => client.teams.create(NIGHT_SHIFT),
    body: NIGHT_SHIFT,
    answer: { ...writtenTeam, id: anyUuid, slug: "night-shift" },
  }),
  "teams.update": ({ team }) => ({
    call: (client) => client.teams.update(team, NIGHT_SHIFT),
    body: NIGHT_SHIFT,
    answer: { ...writtenTeam, id: team, slug: "platform" },
  }),
  "teams.delete": ({ team }) => ({ call: (client) => client.teams.delete(team) }),

  "suites.list": ({ suite }) => ({
    call: (client) => client.suites.list().all(),
    answer: [{ slug: suite, default_branch: "main" }],
    lacks: ["api_token"],
  }),
  "suites.get": ({ suite }) => ({
    call: (client) => client.suites.get(suite),
    answer: { slug: suite, name: "Storefront tests" },
    lacks: ["api_token"],
  }),
  "suites.create": ({ team }) => {
    const fields = { application_name: "Shop", color: "#F0F0F0", emoji: "🛒" };
    const own = { name: "Shop tests", default_branch: "trunk", show_api_token: true, team_ids: [team] };
    const body = { ...own, ...fields };
    return {
      call: (client) => client.suites.create(body),
      // What is recorded hides what could be a secret, which a flag is not.
      body,
      answer: { ...fields, slug: "shop-tests", id: anyUuid, api_token: anySecret },
    };
  },
  "suites.update": ({ suite }) => {
    const shown = { name: "All tests", default_branch: "next" };
    const body = { ...shown, application_name: "Shop", color: "#111111", emoji: ":test_tube:" };
    return {
      call: (client) => client.suites.update(suite, body),
      body,
      answer: { ...shown, slug: suite },
    };
  },
  "suites.delete": ({ suite }) => ({ call: (client) => client.suites.delete(suite) }),
};
