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
  "clusters.list": ({ cluster }) => ({ answer: [{ id: cluster, name: "Linux", created_by: ada }] }),
  "clusters.get": ({ cluster }) => ({
    answer: { id: cluster, name: "Linux", emoji: ":penguin:", color: "#A9CCE3", default_queue_id: null },
  }),
  "clusters.create": () => ({
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
  "clusters.update": ({ queue }) => {
    const body = { name: "Linux 2", description: "", emoji: null, color: "#000000", default_queue_id: queue };
    const default_queue_url = expect.stringContaining(queue);
    return { body, answer: { ...body, description: null, default_queue_url } };
  },

  "queues.list": ({ queue, pausedQueue }) => ({
    answer: [
      { id: queue, key: "fast", dispatch_paused: false, ...nobodyPaused },
      { id: pausedQueue, key: "slow", dispatch_paused: true, dispatch_paused_note: "Disk full" },
    ],
  }),
  "queues.get": ({ pausedQueue }) => ({
    ids: { queue_id: pausedQueue },
    answer: { key: "slow", ...pausedByAda },
  }),
  "queues.create": ({ cluster }) => ({
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
  "queues.update": ({ queue }) => ({
    body: { description: "Faster" },
    answer: { id: queue, key: "fast", description: "Faster" },
  }),
  "queues.pauseDispatch": ({ cluster, queue }) => ({
    call: (client) => client.queues.pauseDispatch(cluster, queue, { note: "Moving house" }),
    body: { note: "Moving house", dispatch_paused_note: "Moving house" },
    answer: { ...pausedByAda, dispatch_paused: true, dispatch_paused_note: "Moving house" },
  }),
  "queues.resumeDispatch": ({ pausedQueue }) => ({
    ids: { id: pausedQueue },
    answer: { dispatch_paused: false, ...nobodyPaused },
  }),

  "agentTokens.list": ({ token }) => ({ answer: [{ id: token }], lacks: ["token"] }),
  "agentTokens.get": ({ token }) => ({
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
  "agentTokens.update": ({ token }) => {
    const body = { description: "Cellar", allowed_ip_addresses: "" };
    return {
      body,
      answer: { id: token, description: "Cellar", allowed_ip_addresses: null },
      lacks: ["token"],
    };
  },

  "pipelineTemplates.list": ({ template }) => ({
    answer: [{ uuid: template, name: "Base", available: false }],
  }),
  "pipelineTemplates.get": ({ template }) => ({
    answer: { uuid: template, configuration: "steps: []\n", updated_by: ada },
  }),
  "pipelineTemplates.create": () => ({
    body: release,
    answer: { ...release, uuid: anyUuid, created_at: NOW, updated_at: NOW },
  }),
  "pipelineTemplates.update": ({ template }) => ({ body: release, answer: { ...release, uuid: template } }),

  "teams.list": ({ team, user }) => ({
    query: { user_id: user },
    answer: [{ id: team, slug: "platform", privacy: "visible", default: false }],
  }),
  "teams.get": ({ team }) => ({ answer: { id: team, name: "Platform", slug: "platform", created_by: ada } }),
  "teams.create": () => ({
    body: NIGHT_SHIFT,
    answer: { ...writtenTeam, id: anyUuid, slug: "night-shift" },
  }),
  "teams.update": ({ team }) => ({
    body: NIGHT_SHIFT,
    answer: { ...writtenTeam, id: team, slug: "platform" },
  }),

  "suites.list": ({ suite }) => ({ answer: [{ slug: suite, default_branch: "main" }], lacks: ["api_token"] }),
  "suites.get": ({ suite }) => ({ answer: { slug: suite, name: "Storefront tests" }, lacks: ["api_token"] }),
  "suites.create": ({ team }) => {
    const fields = { application_name: "Shop", color: "#F0F0F0", emoji: "🛒" };
    const own = { name: "Shop tests", default_branch: "trunk", show_api_token: true, team_ids: [team] };
    const body = { ...own, ...fields };
    return {
      // What is recorded hides what could be a secret, which a flag is not.
      body,
      answer: { ...fields, slug: "shop-tests", id: anyUuid, api_token: anySecret },
    };
  },
  "suites.update": ({ suite }) => {
    const shown = { name: "All tests", default_branch: "next" };
    const body = { ...shown, application_name: "Shop", color: "#111111", emoji: ":test_tube:" };
    return { body, answer: { ...shown, slug: suite } };
  },
};
