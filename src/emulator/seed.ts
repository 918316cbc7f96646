import { createHash } from "node:crypto";
import { insertAccessToken } from "./access-token.js";
import { insertAgent } from "./agents.js";
import { moveBuild, scheduleBuild } from "./builds/progress.js";
import { scopes } from "./http/operation.js";
import { createPipeline } from "./pipelines/record.js";
import { insertRun } from "./runs.js";
import type { OrganizationData } from "./store/collection.js";
import { insertSuite } from "./suites.js";

/** Settings of a new organization. The same settings make the same organization, ids included. */
interface SeedSettings {
  readonly slug: string;
  readonly seeded: boolean;
  readonly now: Date;
}

const HOUR = 3_600_000;
const before = (now: Date, hours: number) => new Date(now.getTime() - hours * HOUR).toISOString();

export const ownTokens = {
  full: scopes,
  "read-only": scopes.filter((scope) => !scope.startsWith("write_")),
  spare: scopes,
} as const;

export type TokenPurpose = keyof typeof ownTokens;

/** Fills an empty organization. `secretOf` gives the secrets of its access tokens; new ones by default. */
export function plantSeed(
  data: OrganizationData,
  settings: SeedSettings,
  secretOf?: (purpose: TokenPurpose) => string,
): void {
  const { slug, seeded, now } = settings;
  const id = (name: string) => seedId(slug, name);
  const created_at = before(now, 90 * 24);
  const name = slug.replaceAll("-", " ").replaceAll(/\b\w/g, (first) => first.toUpperCase());
  data.organizations.insert({ id: id("organization"), slug, name, created_at, seeded });
  const owner = data.users.insert({
    id: id("user ada"),
    name: "Ada Archer",
    email: `ada@${slug}.example`,
    member: true,
    created_at,
  });
  for (const purpose of ["full", "read-only", "spare"] as const) {
    insertAccessToken(data, {
      id: id(`access token ${purpose}`),
      ...(secretOf && { token: secretOf(purpose) }),
      scopes: ownTokens[purpose],
      user_id: owner.id,
      purpose,
    });
  }
  if (!seeded) return;
  const email = `ben@${slug}.example`;
  data.users.insert({ id: id("user ben"), name: "Ben Baker", email, member: true, created_at });
  plantAgents(data, id, created_at, owner.id);
  plantBuilds(data, id, settings, owner.id);
  plantSuite(data, id, now);
}

function plantAgents(data: OrganizationData, id: SeedId, created_at: string, created_by: string): void {
  for (const number of [1, 2, 3]) {
    insertAgent(data, {
      id: id(`agent ${number}`),
      name: `builder-${number}`,
      connection_state: number === 3 ? "disconnected" : "connected",
      ip_address: `192.0.2.${10 + number}`,
      priority: number === 1 ? 5 : null,
      meta_data: ["queue=default", "os=linux"],
      created_at,
      created_by,
    });
  }
}

function plantBuilds(data: OrganizationData, id: SeedId, settings: SeedSettings, owner: string): void {
  const pipeline = createPipeline(
    data,
    {
      slug: "storefront",
      name: "Storefront",
      repository: `https://github.com/${settings.slug}/storefront.git`,
      steps: [
        { key: "lint", name: "Lint", command: "make lint" },
        { key: "test", name: "Test", command: "make test" },
      ],
    },
    { id: id("pipeline storefront"), created_at: before(settings.now, 60 * 24), created_by: owner },
  );
  const story = [
    { state: "passed", branch: "main", message: "Show prices with taxes", hoursAgo: 30 },
    { state: "failed", branch: "checkout", message: "Try the new checkout", hoursAgo: 26 },
    { state: "canceled", branch: "checkout", message: "Fix the new checkout", hoursAgo: 25 },
    { state: "blocked", branch: "main", message: "Release the new checkout", hoursAgo: 5 },
    { state: "running", branch: "main", message: "Speed up the search", hoursAgo: 1 },
    { state: "scheduled", branch: "search", message: "Search as you type", hoursAgo: 0.5 },
  ];
  for (const [index, { state, branch, message, hoursAgo }] of story.entries()) {
    const after = (minutes: number) => before(settings.now, hoursAgo - minutes / 60);
    const content = {
      message,
      commit: createHash("sha1").update(`${settings.slug} ${index}`).digest("hex"),
      branch,
      env: {},
      source: "webhook",
      creator_id: owner,
      author: null,
      clean_checkout: false,
      meta_data: { release: `1.${index}` },
      pull_request: null,
      rebuilt_from: null,
    };
    let made = 0;
    const newId = () => id(`build ${index} part ${++made}`);
    const build = scheduleBuild(data, pipeline.id, content, after(0), newId);
    if (state === "scheduled") continue;
    const running = moveBuild(data, build, "running", after(1));
    if (state !== "running") moveBuild(data, running, state, after(8));
  }
}

function plantSuite(data: OrganizationData, id: SeedId, now: Date): void {
  const suite = insertSuite(
    data,
    { name: "Storefront tests", default_branch: "main", application_name: "Storefront" },
    {
      id: id("suite storefront"),
      api_token: seedId("suite token", id("suite storefront")).replaceAll("-", ""),
      created_at: before(now, 30 * 24),
    },
  );
  for (const build of data.builds.list()) {
    if (!["passed", "failed", "running"].includes(build.state)) continue;
    insertRun(data, {
      id: id(`run of build ${build.number}`),
      suite_id: suite.id,
      build_id: build.id,
      branch: build.branch,
      commit_sha: build.commit,
      state: build.state === "running" ? "running" : "finished",
      result: build.state === "running" ? "pending" : build.state === "failed" ? "failed" : "passed",
      created_at: build.started_at ?? build.created_at,
    });
  }
}

type SeedId = (name: string) => string;

/** Returns a name-based UUID (version 5): the same for the same name. */
function seedId(slug: string, name: string): string {
  const hash = createHash("sha1").update(`${slug}\n${name}`).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
