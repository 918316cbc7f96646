import { expect } from "vitest";
import type { BuildPipelineClient } from "../../src/client/index.js";
import { casesOfAccess } from "./cases-of-access.js";
import { casesOfActivity } from "./cases-of-activity.js";
import { casesOfSettings } from "./cases-of-settings.js";
import { documentedOperations, type OperationId, type Row } from "./operations.js";
import { type Case, type Cases, NIGHT_SHIFT, type Places, type Said } from "./world.js";

const said: Cases<OperationId> = { ...casesOfSettings, ...casesOfActivity, ...casesOfAccess };

/** The ids in a path: what is in the world, unless the case says otherwise. */
function idsIn({ id, path }: Row, places: Places, given: Case["ids"] = {}): Case["ids"] {
  const [group = ""] = id.split(".");
  const { cluster, queue, token, agent, team, template, suite, run, user, pipeline, entry } = places;
  const inGroup = { clusters: cluster, queues: queue, agentTokens: token, agents: agent };
  const all: Readonly<Record<string, string | number | undefined>> = {
    id: Object(inGroup)[group] ?? entry,
    cluster_id: cluster,
    queue_id: queue,
    token_id: token,
    uuid: group === "pipelineTemplates" ? template : entry,
    team_uuid: team,
    suite_slug: suite,
    suite_uuid: places.suiteId,
    run_id: run,
    user_uuid: user,
    pipeline_slug: pipeline,
    pipeline_uuid: places.pipelineId,
    ...given,
  };
  const names = [...path.matchAll(/\{(?!org_slug)(\w+)\}/g)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, all[name] ?? `{${name} is missing}`]));
}

/** Calls an operation as every method of the client is called: ids first, then a body or a query. */
function call(client: BuildPipelineClient, { id, list }: Row, args: readonly unknown[]): Promise<unknown> {
  const names = id.split(".");
  const group = names.slice(0, -1).reduce<object>((all, name) => Reflect.get(all, name), client);
  const result = Reflect.get(group, names.at(-1) ?? "").apply(group, args);
  return list === undefined ? result : result.all();
}

export function caseFor(row: Row, places: Places, given: Partial<Case> = {}): Case {
  const ids = idsIn(row, places, given.ids);
  const sent = given.body ?? given.query;
  const args = [...Object.values(ids), ...(sent === undefined ? [] : [sent])];
  return { call: (client) => call(client, row, args), ...given, ids };
}

/** A call of every operation. */
export const cases = Object.fromEntries(
  documentedOperations.map((row) => [
    row.id,
    (places: Places) => caseFor(row, places, said[row.id]?.(places)),
  ]),
) as Record<OperationId, (places: Places) => Case>;

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
const added: readonly { [Id in OperationId]: readonly [Id, (places: Places) => Said<Id>] }[OperationId][] = [
  [
    "clusters.create",
    ({ user, team }) => ({
      body: { name: "Linux", maintainers: [{ user }, { team }] },
      answer: { maintainers: { users: [{ actor: { id: user } }], teams: [{ actor: { id: team } }] } },
    }),
  ],
  ["clusters.update", ({ queue }) => ({ before: hosting(queue), body: caches, answer: caches })],
  [
    "queues.create",
    () => ({
      body: { key: "arm", hostedAgents },
      answer: {
        hosted: true,
        hosted_agents: { instance_shape: { machine_type: "linux", cpu: 4, memory: 16 } },
      },
    }),
  ],
  [
    "queues.create",
    () => ({
      body: { key: "arm", retry_agent_affinity: "prefer-different" },
      answer: { retry_agent_affinity: "prefer-different" },
    }),
  ],
  [
    "queues.update",
    ({ queue }) => ({
      before: hosting(queue),
      body: { hostedAgents: image },
      answer: { hosted_agents: { platform_settings: { linux: { agent_image_ref: "ruby:4" } } } },
    }),
  ],
  [
    "queues.update",
    () => ({
      body: { retry_agent_affinity: "prefer-different" },
      answer: { retry_agent_affinity: "prefer-different" },
    }),
  ],
  [
    "agentTokens.create",
    () => {
      const body = { description: "Office", expires_at: "2030-06-01T12:00:00.000Z" };
      return { body, answer: body };
    },
  ],
  ["teams.create", () => ({ body: { ...NIGHT_SHIFT, ...flags }, answer: { name: NIGHT_SHIFT.name } })],
  ["teams.update", () => ({ body: { ...NIGHT_SHIFT, ...flags }, answer: { name: NIGHT_SHIFT.name } })],
  [
    "suites.create",
    () => {
      const body = { name: "RSpec", default_branch: "main", oidc_policy: policy };
      const answer = { organization_id: expect.any(String), oidc_policy: expect.stringMatching(/^- iss: /) };
      return { body, answer };
    },
  ],
  [
    "suites.update",
    () => ({
      body: { oidc_policy: null, show_api_token: true },
      answer: { oidc_policy: null, api_token: expect.stringMatching(/^\S{20,}$/) },
    }),
  ],
  [
    "accessToken.get",
    () => ({ answer: { description: null, expires_at: null, user: { email: "ada@acme.example" } } }),
  ],
];

export const additions = added.map(([id, make]) => {
  const row = documentedOperations.find((one) => one.id === id);
  if (row === undefined) throw new Error(`There is no ${id}.`);
  return [id, (places: Places) => caseFor(row, places, make(places))] as const;
});
