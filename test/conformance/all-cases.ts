import { expect } from "vitest";
import { casesOfAccess } from "./cases-of-access.js";
import { casesOfActivity } from "./cases-of-activity.js";
import { casesOfSettings } from "./cases-of-settings.js";
import type { OperationId } from "./operations.js";
import { type Case, type Cases, NIGHT_SHIFT, type Places } from "./world.js";

/** A call of every operation: the compiler and the sweep both notice one that is missing. */
export const cases: Cases<OperationId> = { ...casesOfSettings, ...casesOfActivity, ...casesOfAccess };

const flags = {
  members_can_create_suites: true,
  members_can_create_registries: false,
  members_can_destroy_registries: false,
  members_can_destroy_packages: true,
};
const hostedAgents = { instanceShape: "LINUX_ARM64_4X16" };
const image = { instanceShape: "LINUX_ARM64_8X32", agentImageRef: "ruby:4" };
const caches = { hosted_git_mirror_enabled: true, hosted_container_cache_enabled: false };
const policy = [{ iss: "https://agent.example.com", claims: { pipeline: ["storefront"] } }];
const hosting =
  (queue: string): NonNullable<Case["before"]> =>
  ({ queues }) =>
    queues.update(queue, { hosted_shape: "LINUX_ARM64_4X16" });

/** Further calls, with what an older service doesn't know. */
export const additions: readonly (readonly [OperationId, (places: Places) => Case])[] = [
  [
    "clusters.create",
    ({ user, team }) => ({
      call: (client) => client.clusters.create({ name: "Linux", maintainers: [{ user }, { team }] }),
      body: { name: "Linux", maintainers: [{ user }, { team }] },
      answer: { maintainers: { users: [{ actor: { id: user } }], teams: [{ actor: { id: team } }] } },
    }),
  ],
  [
    "clusters.update",
    ({ cluster, queue }) => ({
      before: hosting(queue),
      call: (client) => client.clusters.update(cluster, caches),
      body: caches,
      answer: caches,
    }),
  ],
  [
    "queues.create",
    ({ cluster }) => ({
      call: (client) => client.queues.create(cluster, { key: "arm", hostedAgents }),
      body: { key: "arm", hostedAgents },
      answer: {
        hosted: true,
        hosted_agents: { instance_shape: { machine_type: "linux", cpu: 4, memory: 16 } },
      },
    }),
  ],
  [
    "queues.create",
    ({ cluster }) => ({
      call: (client) =>
        client.queues.create(cluster, { key: "arm", retry_agent_affinity: "prefer-different" }),
      body: { key: "arm", retry_agent_affinity: "prefer-different" },
      answer: { retry_agent_affinity: "prefer-different" },
    }),
  ],
  [
    "queues.update",
    ({ cluster, queue }) => ({
      before: hosting(queue),
      call: (client) => client.queues.update(cluster, queue, { hostedAgents: image }),
      body: { hostedAgents: image },
      answer: { hosted_agents: { platform_settings: { linux: { agent_image_ref: "ruby:4" } } } },
    }),
  ],
  [
    "queues.update",
    ({ cluster, queue }) => ({
      call: (client) => client.queues.update(cluster, queue, { retry_agent_affinity: "prefer-different" }),
      body: { retry_agent_affinity: "prefer-different" },
      answer: { retry_agent_affinity: "prefer-different" },
    }),
  ],
  [
    "agentTokens.create",
    ({ cluster }) => {
      const body = { description: "Office", expires_at: "2030-06-01T12:00:00.000Z" };
      return { call: (client) => client.agentTokens.create(cluster, body), body, answer: body };
    },
  ],
  [
    "teams.create",
    () => ({
      call: (client) => client.teams.create({ ...NIGHT_SHIFT, ...flags }),
      body: { ...NIGHT_SHIFT, ...flags },
      answer: { name: NIGHT_SHIFT.name },
    }),
  ],
  [
    "teams.update",
    ({ team }) => ({
      call: (client) => client.teams.update(team, { ...NIGHT_SHIFT, ...flags }),
      body: { ...NIGHT_SHIFT, ...flags },
      answer: { name: NIGHT_SHIFT.name },
    }),
  ],
  [
    "suites.create",
    () => {
      const body = { name: "RSpec", default_branch: "main", oidc_policy: policy };
      const answer = { organization_id: expect.any(String), oidc_policy: expect.stringMatching(/^- iss: /) };
      return { call: (client) => client.suites.create(body), body, answer };
    },
  ],
  [
    "suites.update",
    ({ suite }) => ({
      call: (client) => client.suites.update(suite, { oidc_policy: null, show_api_token: true }),
      body: { oidc_policy: null, show_api_token: true },
      answer: { oidc_policy: null, api_token: expect.stringMatching(/^\S{20,}$/) },
    }),
  ],
  [
    "accessToken.get",
    () => ({
      call: (client) => client.accessToken.get(),
      answer: { description: null, expires_at: null, user: { email: "ada@acme.example" } },
    }),
  ],
];
