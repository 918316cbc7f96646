import { expect } from "vitest";
import { builds, type Cases, COMMIT, NOW, type OfGroup } from "./world.js";

const anyUuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const fullPipeline = {
  slug: "storefront",
  default_branch: "main",
  branch_configuration: null,
  web_url: expect.any(String),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  provider: { settings: { trigger_mode: "code", build_tags: false } },
  running_builds_count: 1,
  scheduled_builds_count: 1,
};
const reducedPipeline = {
  slug: "storefront",
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
  provider: { settings: {} },
};
const reducedBy = ["pipeline.web_url", "pipeline.default_branch", "pipeline.branch_configuration"];
/** Newest first, and all that the seed has. */
const sixBuilds = [6, 5, 4, 3, 2, 1].map((number) => ({ number, pipeline: fullPipeline }));

/** What happens by itself, and who is there. */
export const casesOfActivity: Cases<
  OfGroup<"runs" | "agents" | "organizations" | "members" | "accessToken" | "builds">
> = {
  "runs.list": ({ run, buildId }) => ({
    query: { build_id: buildId },
    answer: [{ id: run, state: "finished", result: "passed" }],
  }),
  "runs.get": ({ run }) => ({
    answer: { id: run, branch: "main", commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/) },
  }),

  "agents.list": ({ agent }) => ({
    query: { name: "builder-2", hostname: "builder-2.internal", version: "3.90.0" },
    answer: [{ id: agent, connection_state: "connected", meta_data: ["queue=default", "os=linux"] }],
  }),
  "agents.get": ({ disconnectedAgent }) => ({
    ids: { id: disconnectedAgent },
    answer: { id: disconnectedAgent, connection_state: "disconnected", job: null },
  }),
  "agents.stop": () => ({ body: { force: false } }),

  "organizations.list": () => ({ answer: [{ slug: "acme", name: "Acme" }] }),
  "organizations.get": () => ({
    answer: { slug: "acme", agents_url: expect.stringMatching(/\/v2\/organizations\/acme\/agents$/) },
  }),
  "members.list": ({ user }) => ({
    answer: [{ id: user, email: "ada@acme.example" }, { name: "Ben Baker" }],
  }),
  "members.get": ({ user }) => ({ answer: { id: user, name: "Ada Archer", email: "ada@acme.example" } }),

  "accessToken.get": () => ({ answer: { uuid: anyUuid, scopes: expect.any(Array) } }),

  "builds.listAll": () => ({ answer: sixBuilds }),
  "builds.list": () => ({ answer: sixBuilds }),
  "builds.listForPipeline": () => ({ answer: sixBuilds }),
  "builds.get": ({ pipeline }) => ({
    call: (client) => client.builds.get(pipeline, builds.running, { include_retried_jobs: true }),
    ids: { number: builds.running },
    query: { include_retried_jobs: "true" },
    answer: {
      number: builds.running,
      state: "running",
      jobs: [
        { name: "Lint", agent: { name: "builder-1", hostname: "builder-1.internal" } },
        { name: "Test" },
      ],
      pipeline: reducedPipeline,
    },
    lacks: reducedBy,
  }),
  "builds.create": () => {
    const author = { name: "Zoe", email: "zoe@example.com" };
    const kept = { commit: COMMIT, branch: "next", message: "Try it", env: { SPEED: "high" } };
    const body = {
      ...kept,
      author,
      clean_checkout: true,
      ignore_pipeline_branch_filters: true,
      meta_data: { release: "9" },
      pull_request_base_branch: "main",
      pull_request_id: 12,
      pull_request_repository: "https://git.example/zoe/storefront.git",
    };
    return {
      body,
      answer: {
        ...kept,
        number: 7,
        state: "scheduled",
        creator: author,
        author: { username: null, ...author },
        tag: null,
        blocked_state: "",
        meta_data: { release: "9" },
        pull_request: { id: "12", base: "main", repository: "https://git.example/zoe/storefront.git" },
        rebuilt_from: null,
        scheduled_at: NOW,
        started_at: null,
        pipeline: reducedPipeline,
      },
      lacks: reducedBy,
    };
  },
  "builds.cancel": () => ({
    ids: { number: builds.scheduled },
    answer: {
      number: builds.scheduled,
      state: "canceled",
      cancel_reason: expect.any(String),
      pipeline: reducedPipeline,
    },
    lacks: reducedBy,
  }),
  "builds.rebuild": () => ({
    ids: { number: builds.passed },
    answer: {
      number: 7,
      state: "scheduled",
      rebuilt_from: { number: builds.passed, url: expect.stringMatching(/\/builds\/1$/) },
      pipeline: reducedPipeline,
    },
    lacks: reducedBy,
  }),
};
