import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ArgumentReview,
  directionOf,
  kinds,
  type Meaning,
} from "../../../src/provider/for-commands/kinds.js";
import { namedIn } from "../../../src/review/findings/steps.js";
import { plainText } from "../../../src/review/plan/text.js";
import { cases } from "../../support/cases.js";
import { character } from "../../support/foreign-text.js";
import { resourceOf, step } from "../../support/recording.js";
import { ARGUMENTS } from "./argument-cases.js";
import { dangersOf, deleting, detailsOf, reportOfSteps, staying } from "./reports.js";

type Properties = Readonly<Record<string, unknown>>;

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const [SHOP, WEB] = ["id-shop", "id-web"];
const parents = [
  resourceOf("Pipeline", "store", SHOP, { name: "Store", repository: "git@x:y.git" }),
  resourceOf("Team", "web", WEB, { name: "Web" }),
].map(staying);

/** What a report says about a change in each of some clusters. */
function said(kind: string, op: string, before: Properties, after: Properties, clusters: readonly string[]) {
  const isFirst = op === FIRST;
  const steps = clusters.flatMap((name) => {
    const cluster = resourceOf("Cluster", name, `c-${name}`, { name });
    const inputs = (more: Properties) => {
      const all = { ...before, ...more };
      return all.key || all.description || all.queueId ? { clusterId: `c-${name}`, ...all } : all;
    };
    // What the engine marks for later is deleted after its replacement is created.
    const pending = /^replace/.test(op) ? { delete: !isFirst } : {};
    const oldState = resourceOf(kind, `of-${name}`, `id-${name}`, inputs({}), pending);
    const newState = resourceOf(kind, `of-${name}`, undefined, inputs(after));
    const names = Object.keys(after);
    const changed = step(
      isFirst ? "replace" : op,
      op === "create" ? undefined : oldState,
      op === "delete" ? undefined : newState,
      ...(op === "delete" ? [] : names),
    );
    return [staying(cluster), changed];
  });
  return dangersOf(reportOfSteps(...parents, ...steps));
}

const MASKED = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

const schedule = { pipelineId: SHOP, label: "Nightly", cronline: "@daily" };
const access = { teamId: WEB, pipelineId: SHOP, accessLevel: "manage_build_and_read" };
const member = { teamId: WEB, userId: "u-1", userName: "Ada", role: "maintainer" };
const suite = { teamId: WEB, suiteId: "s-1", accessLevel: ["read", "edit"] };
const hook = { provider: "webhook", scope: "some_teams", settings: { url: "https://a.example/x" } };
const NET = ["192.0.2.0/24"];
const TO_SHOP = { targetPipelineId: SHOP };
const FIRST = "replace, deleting first";
const settings = (value: Properties) => ({ name: "Shop", providerSettings: value });

type Row = [[kind: string, op: string, before: Properties, after?: Properties], ...says: string[]];

/** What names an object in a sentence. */
const NAMES: Readonly<Record<string, Properties>> = {
  AgentToken: { description: "Farm" },
  Cluster: { name: "Old" },
  ClusterSecret: { key: "DEPLOY" },
  NotificationService: hook,
  Pipeline: { name: "Shop" },
  PipelineTemplate: { name: "Node" },
  Queue: { key: "arm" },
  Team: { name: "Ops" },
};

/** An update of one argument. */
function update(kind: string, name: string, before: unknown, after: unknown): Row[0] {
  const was = before === undefined ? {} : { [name]: before };
  return [kind, "update", { ...NAMES[kind], ...was }, { [name]: after }];
}

/** Changes, each before what is said about it in one place. */
const SAID: readonly (Row[0] | string)[] = [
  ["Queue", "delete", { key: "arm" }],
  "danger: Queue arm of A is deleted. Look for jobs that wait for this queue.",
  ["Queue", "replace", { key: "arm" }, { key: "arm64" }],
  "danger: Queue arm of A is replaced by arm64. Steps and agents that name arm must name arm64 from then on. Look for jobs that wait for this queue.",
  ["Queue", "replace", { key: "arm" }, { key: UNKNOWN }],
  "danger: Queue arm of A is replaced. Look for jobs that wait for this queue.",
  update("Queue", "dispatchPaused", undefined, true),
  "caution: Queue arm of A is paused. Its jobs wait.",
  update("Queue", "dispatchPaused", true, false),
  "caution: Queue arm of A is resumed. Its jobs start.",
  update("AgentToken", "allowedIpAddresses", ["10.0.0.0/8"], ["10.0.0.0/16"]),
  "caution: Agent token Farm of A allows fewer addresses: 10.0.0.0/16 instead of 10.0.0.0/8.",
  update("AgentToken", "allowedIpAddresses", ["10.0.0.0/16"], ["10.0.0.0/8"]),
  "danger: Agent token Farm of A allows more addresses: 10.0.0.0/8 instead of 10.0.0.0/16.",
  update("AgentToken", "allowedIpAddresses", ["10.0.0.0/16"], ["10.1.0.0/16"]),
  "danger: Agent token Farm of A allows other addresses: 10.1.0.0/16 instead of 10.0.0.0/16.",
  update("AgentToken", "allowedIpAddresses", ["10.0.0.0/16"], undefined),
  "danger: Agent token Farm of A allows every address, and no longer only 10.0.0.0/16: whoever knows its secret can connect from anywhere.",
  [
    "AgentToken",
    "replace",
    { description: "Farm", expiresAt: "2030-01-01T00:00:00Z" },
    { expiresAt: "2031-01-01T00:00:00Z" },
  ],
  "danger: Agent token Farm of A is replaced, and its secret changes. Connected agents stay connected; agents that start or reconnect need the new one.",
  "caution: Agent token Farm of A is valid longer: until 2031-01-01T00:00:00Z instead of 2030-01-01T00:00:00Z.",
  ["OrganizationRule", "create", {}, { type: "t", sourcePipelineId: SHOP, targetPipelineId: SHOP }],
  "caution: Organization rule Store t Store lets Store use Store (t). With conditions, it also forbids what doesn't meet them.",
  ["OrganizationRule", "replace", TO_SHOP, { conditions: ["a"] }],
  "danger: Organization rule id-shop is replaced by one with other conditions, the old one after the new one. With conditions, a rule also forbids what doesn't meet them, even what no rule is needed for.",
  "caution: Organization rule id-shop has other conditions: a instead of none.",
  ["OrganizationRule", FIRST, TO_SHOP, { conditions: ["a"] }],
  "danger: Organization rule id-shop is deleted before one with other conditions is created. Until then, what it allows between clusters fails, and within one, what its conditions forbid is allowed. With conditions, a rule also forbids what doesn't meet them, even what no rule is needed for.",
  "caution: Organization rule id-shop has other conditions: a instead of none.",
  ["OrganizationRule", "replace", TO_SHOP, { type: "t", conditions: ["a"] }],
  "danger: Organization rule id-shop is replaced, the old one after the new one. What only the old one allows between clusters fails from then on. With conditions, a rule also forbids what doesn't meet them, even what no rule is needed for.",
  "caution: Organization rule id-shop allows something else: t instead of none.",
  "caution: Organization rule id-shop has other conditions: a instead of none.",
  ["OrganizationRule", FIRST, TO_SHOP, { type: "t", conditions: ["a"] }],
  "danger: Organization rule id-shop is deleted before its replacement is created. Until then, what it allows between clusters fails, and within one, what its conditions forbid is allowed. What only the old one allows between clusters fails from then on. With conditions, a rule also forbids what doesn't meet them, even what no rule is needed for.",
  "caution: Organization rule id-shop allows something else: t instead of none.",
  "caution: Organization rule id-shop has other conditions: a instead of none.",
  ["OrganizationRule", FIRST, TO_SHOP, { type: "t" }],
  "danger: Organization rule id-shop is deleted before its replacement is created. Until then, what it allows between clusters fails, and within one, what its conditions forbid is allowed. What only the old one allows between clusters fails from then on.",
  "caution: Organization rule id-shop allows something else: t instead of none.",
  ["OrganizationRule", "replace", { ...TO_SHOP, __untold: ["conditions"] }, { conditions: ["a"] }],
  "danger: Organization rule id-shop is replaced by one with other conditions, the old one after the new one. With conditions, a rule also forbids what doesn't meet them, even what no rule is needed for.",
  ["OrganizationRule", "replace", { ...TO_SHOP, __untold: ["conditions"] }, { type: "t" }],
  "danger: Organization rule id-shop loses its conditions if it has any: the API doesn't return them, and the program doesn't state them.",
  "danger: Organization rule id-shop is replaced, the old one after the new one. What only the old one allows between clusters fails from then on.",
  "caution: Organization rule id-shop allows something else: t instead of none.",
  [
    "OrganizationRule",
    "delete",
    { type: "pipeline.trigger_build.pipeline", sourcePipelineId: SHOP, targetPipelineId: SHOP },
  ],
  "danger: Organization rule Store triggers Store is deleted. Between clusters, what it allows fails from then on; within one, what its conditions forbid is allowed.",
  ["NotificationService", "create", hook, {}],
  "caution: Notification service of-A announces what happens to another system (webhook, some_teams).",
  [
    "NotificationService",
    "update",
    { ...hook, scopeIds: ["t"] },
    { scope: "all", scopeIds: undefined, settings: { url: "https://b.example/x" } },
  ],
  "danger: Notification service of-A announces what happens in the whole organization, and no longer only in some_teams.",
  "danger: Notification service of-A sends what happens to another host: https://b.example/x instead of https://a.example/x.",
  ...(
    [
      ["https://a.example/x", "http://a.example/x", "danger"],
      ["https://a.example/x", "http://a.example:8080/x", "danger"],
      [undefined, "http://a.example/x", "danger"],
      ["http://a.example/x", "https://a.example/x", "caution"],
      ["http://a.example/x", "http://a.example/y", "caution"],
    ] as const
  ).flatMap(([before, after, level]): Row => {
    const words =
      level === "danger"
        ? `to ${after} without encryption`
        : `to another address: ${after} instead of ${before}`;
    return [
      update("NotificationService", "settings", { url: before }, { url: after }),
      `${level}: Notification service of-A sends what happens ${words}.`,
    ];
  }),
  update("NotificationService", "scopeIds", ["t"], ["t", "u"]),
  "danger: Notification service of-A announces what happens in more places: t, u instead of t.",
  [
    "NotificationService",
    "create",
    {},
    { ...hook, scope: "all", description: "Dash", settings: { url: "http://a.example/x" } },
  ],
  "danger: Notification service Dash sends what happens to http://a.example/x without encryption.",
  "caution: Notification service Dash announces what happens to another system (webhook, all).",
  update("NotificationService", "settings", { events: ["a"] }, { events: ["a", "b"] }),
  "caution: Notification service of-A announces more events: a, b instead of a.",
  update("NotificationService", "settings", { events: ["a"] }, { events: ["b"] }),
  "caution: Notification service of-A announces more events: b instead of a.",
  update("NotificationService", "settings", { events: ["a", "b"] }, { events: ["a"] }),
  "caution: Notification service of-A announces fewer events: a instead of a, b.",
  ["NotificationService", "delete", { ...hook, provider: "linear" }],
  "danger: Notification service of-A is deleted. Only somebody in the web interface can connect it again.",
  [
    "ApiSettings",
    "create",
    {},
    { allowedIpAddresses: NET, reachableFrom: "unknown", restrictUserApiTokenCreation: false },
  ],
  "danger: The API settings get the allowedIpAddresses 192.0.2.0/24, whatever the organization has now. Messages of the preview show what differs.",
  "danger: The API settings get the restrictUserApiTokenCreation false, whatever the organization has now. Messages of the preview show what differs.",
  ["ApiSettings", "create", {}, { allowedIpAddresses: [], revokeInactiveTokensAfterDays: 0 }],
  "danger: The API settings get the allowedIpAddresses every address, whatever the organization has now. Messages of the preview show what differs.",
  "caution: The API settings get the revokeInactiveTokensAfterDays 0, whatever the organization has now. Messages of the preview show what differs.",
  update("ApiSettings", "allowedIpAddresses", NET, []),
  "danger: The API settings let every address use the API, and no longer only 192.0.2.0/24.",
  update("ApiSettings", "allowedIpAddresses", undefined, NET),
  "danger: The API settings let only 192.0.2.0/24 use the API. Every other address loses it immediately, also that of a deployment.",
  update("ApiSettings", "allowedIpAddresses", NET, [...NET, "203.0.113.0/24"]),
  "danger: The API settings let more addresses use the API: 192.0.2.0/24, 203.0.113.0/24 instead of 192.0.2.0/24.",
  update("ApiSettings", "allowedIpAddresses", NET, ["0.0.0.0/1", "128.0.0.0/1"]),
  "danger: The API settings let every address use the API, and no longer only 192.0.2.0/24.",
  update("ApiSettings", "allowedIpAddresses", NET, ["2001:db8::/32"]),
  "danger: The API settings let other addresses use the API: 2001:db8::/32 instead of 192.0.2.0/24. Every other address loses it immediately, also that of a deployment.",
  [
    "ApiSettings",
    "update",
    { revokeInactiveTokensAfterDays: 0, restrictUserApiTokenCreation: false },
    { revokeInactiveTokensAfterDays: 90, restrictUserApiTokenCreation: true },
  ],
  "danger: The API settings revoke API access tokens that nobody used for 90 days. Those that are unused for longer are revoked immediately.",
  "danger: The API settings let only admins create API access tokens.",
  update("ApiSettings", "revokeInactiveTokensAfterDays", 90, 0),
  "caution: The API settings no longer revoke unused API access tokens after 90 days.",
  update("ApiSettings", "revokeInactiveTokensAfterDays", 90, 365),
  "caution: The API settings revoke unused API access tokens after 365 days instead of 90.",
  update("ApiSettings", "allowedIpAddresses", NET, undefined),
  ["ApiSettings", "delete", { allowedIpAddresses: NET }],
  "caution: The API settings only leave the state. The organization keeps what it has.",
  ["PipelineSettings", "create", {}, { publicPipelineCreation: false, hostedAgentsTerminalAccess: true }],
  "danger: The pipeline settings get the hostedAgentsTerminalAccess true, whatever the organization has now. Messages of the preview show what differs.",
  "caution: The pipeline settings get the publicPipelineCreation false, whatever the organization has now. Messages of the preview show what differs.",
  [
    "PipelineSettings",
    "update",
    {
      defaultBranch: "main",
      defaultClusterId: "c",
      maximumTimeoutInMinutes: 60,
      scheduledJobExpiryInMinutes: 90,
    },
    {
      defaultBranch: "trunk",
      defaultClusterId: "",
      maximumTimeoutInMinutes: 10,
      scheduledJobExpiryInMinutes: 60,
    },
  ],
  "danger: The pipeline settings let jobs expire that wait for 60 minutes instead of 90.",
  "caution: The pipeline settings put new pipelines into no cluster, before into c.",
  "caution: The pipeline settings end command steps of all pipelines after 10 minutes instead of 60.",
  "caution: The pipeline settings give new pipelines the branch trunk instead of main.",
  [
    "PipelineSettings",
    "update",
    { hostedAgentsTerminalAccess: false, publicPipelineCreation: false },
    { hostedAgentsTerminalAccess: true, publicPipelineCreation: true },
  ],
  "danger: The pipeline settings let people open terminals in jobs on hosted agents.",
  "danger: The pipeline settings let people create public pipelines.",
  ["PipelineSettings", "delete", { defaultClusterId: "c" }],
  "caution: The pipeline settings only leave the state. The organization keeps what it has, except for a default cluster that the program stated: it is cleared.",
  ["ClusterDefaultQueue", "update", { queueId: "q" }, { queueId: "r" }],
  "caution: The default queue of A changes from q to r. Agents that name no queue use the new one. Jobs that name no queue wait for it.",
  ["Cluster", "delete", { name: "Old" }],
  "danger: Cluster Old is deleted with its queues, its agent tokens and its cluster secrets. Anything else in it stops the deployment halfway, because forceDestroy isn't set. So does an archived pipeline, which no list shows. Look for jobs that wait for its queues.",
  ["Cluster", "delete", { name: "Old", forceDestroy: true }],
  "danger: Cluster Old is deleted with its queues, its agent tokens and its cluster secrets. Anything else in it is deleted as well, because forceDestroy is set. Only an archived pipeline, which no list shows, would stop the deployment halfway. Look for jobs that wait for its queues.",
  ["PipelineTemplate", "create", { name: "Node", available: true }],
  ["Team", "update", { name: "Ops", __untold: ["defaultMemberRole"] }, { defaultMemberRole: "member" }],
  "danger: Team Ops sets defaultMemberRole to member. The API doesn't return its present value, so this may take a permission away.",
  ["Team", "update", { name: "Ops", slug: "ops" }, { name: "Operations" }],
  "caution: Team Ops gets another slug with its name: operations instead of ops. Links and scripts that use the slug must follow.",
  ["Team", "create", {}, { name: "Ops", isDefaultTeam: false, membersCanCreatePipelines: true }],
  "caution: Team Ops lets its members create pipelines.",
  ["Pipeline", "delete", { name: "Shop", onDelete: "archive" }],
  "danger: Pipeline Shop is archived. It gets no builds from then on, and keeps its old ones and its slug.",
  ["Pipeline", "delete", { name: "Shop", onDelete: "delete" }],
  "danger: Pipeline Shop is deleted with its builds, logs and artifacts.",
  ["Pipeline", "delete", { name: "Shop", onDelete: "archive", archived: true }],
  "caution: Pipeline Shop is removed from state. Nothing is sent, because it is archived already.",
  update("Pipeline", "archived", false, true),
  "danger: Pipeline Shop is archived. It gets no builds from then on, and keeps its old ones and its slug.",
  ["Pipeline", "create", {}, { name: "Shop", visibility: "public", allowRebuilds: true }],
  "danger: Pipeline Shop becomes public: everybody can see its builds and their logs.",
  update("Pipeline", "repository", "git@github.com:acme/shop.git", "https://github.com/acme/store"),
  "caution: Pipeline Shop builds another repository: https://github.com/acme/store instead of git@github.com:acme/shop.git.",
  update("Pipeline", "repository", "git@github.com:acme/shop.git", "git@github.com:evil/shop.git"),
  "danger: Pipeline Shop builds a repository of another host or owner: git@github.com:evil/shop.git instead of git@github.com:acme/shop.git.",
  update("Pipeline", "branchConfiguration", "main", "!foo"),
  "caution: Pipeline Shop builds other branches: !foo instead of main.",
  [
    "Pipeline",
    "update",
    settings({ filterEnabled: true, filterCondition: "build.tag", buildForks: false }),
    settings({ filterEnabled: true, filterCondition: "build.tag", buildTags: true }),
  ],
  "caution: Pipeline Shop builds tags.",
  update("Pipeline", "branchConfiguration", "main", undefined),
  "caution: Pipeline Shop builds every branch, and no longer only the branches main.",
  update("Pipeline", "branchConfiguration", "main", "main release/*"),
  "caution: Pipeline Shop builds more branches: main release/* instead of main.",
  update("Pipeline", "branchConfiguration", "main release/*", "main"),
  "caution: Pipeline Shop builds fewer branches: main instead of main release/*.",
  update("Pipeline", "configuration", "steps: [wait]", "steps: []"),
  "danger: Pipeline Shop has no steps any more, so builds do nothing.",
  update("PipelineTemplate", "configuration", "- wait", "env: {}"),
  "danger: Pipeline template Node has no steps any more, so builds do nothing.",
  [
    "Pipeline",
    "update",
    settings({ buildPullRequestForks: false, buildTags: false }),
    settings({ buildPullRequestForks: true }),
  ],
  "danger: Pipeline Shop builds pull requests from forks: whoever opens one runs code on the agents of this pipeline.",
  [
    "Pipeline",
    "update",
    settings({ buildTags: false, publishCommitStatus: true }),
    settings({ buildTags: true, publishCommitStatus: false }),
  ],
  "caution: Pipeline Shop builds tags.",
  ["Pipeline", "update", { name: "Shop" }, settings({ buildPullRequestForks: true })],
  "danger: Pipeline Shop builds pull requests from forks: whoever opens one runs code on the agents of this pipeline.",
  ["Pipeline", "create", {}, settings({ buildPullRequestForks: true, buildTags: true })],
  "danger: Pipeline Shop builds pull requests from forks: whoever opens one runs code on the agents of this pipeline.",
  ["ClusterSecret", "delete", { key: "DEPLOY" }],
  "danger: Cluster secret DEPLOY of A is deleted. Jobs that read it by this key no longer get it.",
  update("ClusterSecret", "value", MASKED, MASKED),
  "caution: Cluster secret DEPLOY of A gets another value. Jobs that start from then on read it.",
  update("ClusterSecret", "policy", "- pipeline_slug: a\n", undefined),
  "caution: Cluster secret DEPLOY of A can be read by jobs of every pipeline of its cluster, and no longer only by those that its policy names.",
  update("ClusterSecret", "policy", "- pipeline_slug: a\n", "- pipeline_slug: a\n  build_branch: main\n"),
  "caution: Cluster secret DEPLOY of A can be read by fewer jobs.",
  update("ClusterSecret", "policy", "- pipeline_slug: a\n- pipeline_slug: b\n", "- pipeline_slug: b\n"),
  "caution: Cluster secret DEPLOY of A can be read by fewer jobs.",
  ["PipelineSchedule", "delete", schedule],
  "danger: Pipeline schedule Nightly of Store is deleted, so it starts no more builds (@daily).",
  ["PipelineSchedule", "delete", { ...schedule, enabled: false }],
  "caution: Pipeline schedule Nightly of Store is deleted. It was disabled.",
  ["TeamPipeline", "delete", access],
  "danger: Team Web loses manage_build_and_read on pipeline Store.",
  ["TeamPipeline", "update", access, { accessLevel: "read_only" }],
  "danger: Team Web keeps only read_only on pipeline Store instead of manage_build_and_read.",
  ["TeamPipeline", "update", { ...access, accessLevel: "read_only" }, { accessLevel: "build_and_read" }],
  "caution: Team Web gets build_and_read on pipeline Store instead of read_only.",
  ["TeamPipeline", "create", {}, access],
  "caution: Team Web gets manage_build_and_read on pipeline Store.",
  ["TeamMember", "delete", member],
  "danger: Ada leaves team Web (maintainer), and loses the access that it gives.",
  ["TeamMember", "update", member, { role: "member" }],
  "danger: Ada is only member of team Web from then on, and no longer maintainer.",
  ["TeamSuite", "update", suite, { accessLevel: ["read"] }],
  "danger: Team Web keeps only read on test suite s-1 instead of read, edit.",
  ["ClusterMaintainer", "create", {}, { clusterId: "c-A", userId: "u-1", actorName: "Ada" }],
  "caution: Ada can change cluster A, its queues, agent tokens and secrets.",
];

const TABLE: Row[] = [];
for (const one of SAID) {
  if (typeof one === "string") TABLE.at(-1)?.push(one);
  else TABLE.push([one]);
}

describe("What narrows down a flag", () => {
  const narrowing = [...kinds.values()].flatMap(({ name: kind, arguments: fields }) =>
    Object.entries(fields).flatMap(([name, { review }]) =>
      review.within === undefined ? [] : [{ kind, name, flag: review.within }],
    ),
  );
  const saidOf = (kind: string, before: Properties, after: Properties) =>
    said(kind, "update", { name: "Shop", ...before }, after, ["A"]);

  test("is the filters of builds that are skipped and canceled", () => {
    expect(narrowing.map((one) => one.flag)).toEqual(["skipQueuedBranchBuilds", "cancelRunningBranchBuilds"]);
  });

  test.each(narrowing)("is said only of a flag that is on, and with it: $name", ({ kind, name, flag }) => {
    for (const filter of ["!main", undefined]) {
      const other = { [name]: filter ?? "main" };
      expect(saidOf(kind, {}, other)).toEqual([]);
      expect(saidOf(kind, { [flag]: true }, { ...other, [flag]: false })).toEqual([]);
      expect(saidOf(kind, { [flag]: true }, other)).toHaveLength(1);
      const [first = "", ...others] = saidOf(kind, {}, { [flag]: true, [name]: filter });
      expect(others).toEqual([]);
      expect(
        first.endsWith(filter ? " when a new one comes (branches: !main)." : " when a new one comes."),
      ).toBe(true);
    }
  });
});

test("What is opened to outsiders says what to do before the merge", () => {
  const meanings = ({ means, entries = {} }: ArgumentReview): Meaning[] => [
    ...Object.values(means),
    ...Object.values(entries).flatMap(meanings),
  ];
  const silent = [...kinds.values()].flatMap(({ arguments: fields }) =>
    Object.values(fields)
      .flatMap(({ review }) => meanings(review))
      .filter(({ effect, level, todo }) => effect === "opened" && level === "danger" && todo === undefined),
  );
  expect(silent).toEqual([]);
});

test.each(TABLE)("%j", ([kind, op, before, after = {}], ...says) => {
  expect(said(kind, op, before, after, ["A"])).toEqual(says);
});

test.each(
  TABLE.filter(
    ([[kind, op]]) =>
      op !== "create" && !/Team|Pipeline|Suite|Maintainer|Service|Settings|Rule|^Cluster$/.test(kind),
  ),
)("%j in two clusters is one sentence, which names both", ([kind, op, before, after = {}], ...says) => {
  const both = said(kind, op, before, after, ["A", "B"]);
  expect(both).toHaveLength(says.length);
  for (const text of both) expect(text).toMatch(/\b2 .*\b(?:A, B|B, A)\b|s of A, B /);
});

/** What decides together which builds a pipeline starts. */
const triggers = fc.record({
  archived: fc.constantFrom(false, false, true),
  githubWebhooks: fc.constantFrom(true, true, false),
  branchConfiguration: fc.constantFrom("main", "main dev", "mallory:* main", "!*:*", ""),
  triggerMode: fc.constantFrom("code", "code", "none"),
  buildPullRequests: fc.boolean(),
  buildPullRequestForks: fc.constantFrom(true, true, false),
  prefixPullRequestForkBranchNames: fc.constantFrom(true, true, false),
  filterEnabled: fc.boolean(),
  filterCondition: fc.constantFrom(
    'build.branch == "main"',
    "!build.pull_request.repository.fork",
    'build.branch == "main" || build.pull_request.repository.fork == false',
    "build.branch == 'main' && build.tag == null || build.message =~ /!build.pull_request.repository.fork/",
    "",
  ),
  pullRequestBranchFilterEnabled: fc.boolean(),
  pullRequestBranchFilterConfiguration: fc.constantFrom("main", "main dev", ""),
});
type Triggers = typeof triggers extends fc.Arbitrary<infer Value> ? Value : never;
/** Settings that the program doesn't name stay as they are. */
const unnamed = fc.subarray([
  "triggerMode",
  "buildPullRequests",
  "buildPullRequestForks",
  "prefixPullRequestForkBranchNames",
]);

/** Returns what a pipeline has builds of: what people start, pushes, and pull requests of the repository and of forks. */
function builtBy(one: Triggers): string[] {
  const { branchConfiguration, filterEnabled, filterCondition } = one;
  if (one.archived || one.triggerMode !== "code") return [];
  const isIn = (filter: string, branch: string) => {
    const patterns = filter.split(" ").filter(Boolean);
    const fits = (pattern: string) =>
      new RegExp(`^${pattern.replace(/^!/, "").replaceAll("*", ".*")}$`).test(branch);
    const [not, only] = [patterns.filter((own) => own[0] === "!"), patterns.filter((own) => own[0] !== "!")];
    return !not.some(fits) && (only.length === 0 || only.some(fits));
  };
  // The last is no branch of a repository, but of a pattern of branches.
  const all = ["main", "dev", "evil", "mallory:main"];
  const started = all
    .filter((branch) => isIn(branchConfiguration, branch))
    .map((branch) => `start of ${branch}`);
  if (!one.githubWebhooks) return started;
  const letsThrough = (branch: string, isFork: boolean) =>
    !filterEnabled ||
    filterCondition === "" ||
    /=~/.test(filterCondition) ||
    (/fork/.test(filterCondition) && !isFork) ||
    (/main/.test(filterCondition) && branch === "main");
  const { pullRequestBranchFilterEnabled: isFiltered, pullRequestBranchFilterConfiguration: only } = one;
  const ofPulls = (branch: string) => one.buildPullRequests && (!isFiltered || isIn(only, branch));
  const owner = one.prefixPullRequestForkBranchNames ? "mallory:" : "";
  const announced = all.flatMap((branch) => [
    // Builds of pull requests ignore the patterns of the pipeline.
    ...(isIn(branchConfiguration, branch) && letsThrough(branch, false) ? [`push of ${branch}`] : []),
    ...(letsThrough(branch, false) && ofPulls(branch) ? [`pull request of ${branch}`] : []),
    ...(one.buildPullRequestForks && letsThrough(owner + branch, true) && ofPulls(branch)
      ? [`fork's ${branch}`]
      : []),
  ]);
  return [...started, ...announced];
}

test("A pipeline that builds more than before opens that, whichever of its settings changes, and only then", () => {
  fc.assert(
    fc.property(triggers, triggers, unnamed, fc.nat(), (was, other, names, few) => {
      // One setting changes, or several.
      const fields = Object.keys(other);
      const kept = new Set<string>([...names, ...fields.filter((_, at) => few % 3 > 0 && at !== few % 11)]);
      const is = Object.assign(
        {},
        other,
        Object.fromEntries([...kept].map((name) => [name, Reflect.get(was, name)])),
      );
      const left = Object.fromEntries(names.map((name) => [name, Reflect.get(was, name)]));
      const properties = ({ archived, githubWebhooks, branchConfiguration, ...all }: Triggers) => ({
        ...{ name: "Shop", archived, githubWebhooks, branchConfiguration },
        providerSettings: Object.fromEntries(Object.entries(all).filter(([name]) => !(name in left))),
      });
      const [before, after] = [properties(was), properties(is)];
      const own = resourceOf("Pipeline", "shop", "id", before, {
        outputs: { ...before, __unnamed: { providerSettings: left } },
      });
      const changed = Object.keys(before).filter(
        (name) => JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(Reflect.get(after, name)),
      );
      if (changed.length === 0) return;
      const next = resourceOf("Pipeline", "shop", undefined, after);
      const { consequences } = reportOfSteps(step("update", own, next, ...changed));
      const opened = consequences.filter(({ effect }) => effect === "opened");
      const ofForks = opened.filter(({ message }) => plainText(message).includes("from forks"));
      const built = builtBy(was);
      const more = builtBy(is).filter((one) => !built.includes(one));
      const isFork = (one: string) => one.startsWith("fork");
      // What is set is said even while something else rules it out.
      const isSet = [
        is.buildPullRequestForks && !was.buildPullRequestForks,
        was.prefixPullRequestForkBranchNames && !is.prefixPullRequestForkBranchNames,
      ];
      const isSwitched = ["archived", "githubWebhooks", "triggerMode"].some(
        (name) => Reflect.get(was, name) !== Reflect.get(is, name),
      );
      // Of the repository's own branches, no condition is read, and filters aren't read together.
      const isKnown = [was, is].every(
        (one) =>
          (!one.filterEnabled || one.filterCondition === "") &&
          (!one.pullRequestBranchFilterEnabled || one.branchConfiguration === ""),
      );
      if (more.length > 0) expect(opened.length).toBeGreaterThan(0);
      else if (!isSet.includes(true) && !isSwitched && isKnown)
        expect(dangersOf({ consequences: opened })).toEqual([]);
      if (more.some(isFork) && !isSet[1]) expect(ofForks).toHaveLength(1);
      if (!builtBy(is).some(isFork) && !isSet[0]) expect(ofForks).toEqual([]);
    }),
    { numRuns: cases(500) },
  );
});

/** A step that runs something, a block or a wait, as YAML's flow form. */
type Step = Readonly<Record<string, unknown>>;
const someSteps = fc
  .array(
    fc.record({
      type: fc.constantFrom("command", "command", "trigger", "block", "wait"),
      hasKey: fc.boolean(),
      guard: fc.constantFrom(undefined, { branches: "main" }, { if: "build.tag != null" }),
      teams: fc.constantFrom(undefined, ["ops"], ["ops", "web"]),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((all) =>
    all.map(({ type, hasKey, guard, teams }, index): Step => {
      const own = { [type]: `name-${index}`, ...(hasKey && { key: `k-${index}` }) };
      return { ...own, ...(type === "block" ? teams && { allowed_teams: teams } : guard) };
    }),
  );

/** Steps, and the same ones with one guard more. */
const guarded = fc
  .tuple(
    someSteps,
    fc.nat(),
    fc.constantFrom("block", "teams", "builds", "branches", "if", "depends", "input"),
  )
  .map(([steps, at, how]) => {
    const isActing = (step: Step) => "command" in step || "trigger" in step;
    const isFree = (step: Step) => !("if" in step || "branches" in step);
    const places = [...steps.entries()].flatMap(([index, step]) => {
      const isGuarded = steps.slice(0, index).some((one) => "block" in one);
      const fits =
        how === "teams" || how === "builds"
          ? "block" in step &&
            (how === "builds" || !("allowed_teams" in step)) &&
            steps.slice(index).some(isActing)
          : isActing(step) &&
            // One approval may take the place of another one.
            (how === "input"
              ? !isGuarded
              : how === "depends"
                ? isGuarded
                : how === "branches"
                  ? isFree(step)
                  : true);
      return fits ? [index] : [];
    });
    const index = places[at % places.length];
    if (index === undefined) return undefined;
    const step = steps[index] ?? {};
    const put = (...some: Step[]) => steps.toSpliced(index, 1, ...some);
    switch (how) {
      case "block":
        return { less: steps, more: put({ block: "More", allowed_teams: "boss" }, step) };
      case "input":
        return {
          less: steps,
          more: put({ input: "More", key: "more" }, { ...step, depends_on: "more" }),
          isOther: true,
        };
      case "depends":
        return { less: put({ ...step, depends_on: [] }), more: steps };
      case "teams":
        return { less: steps, more: put({ ...step, allowed_teams: ["ops"] }) };
      case "builds":
        return {
          less: put({ ...step, if: "build.tag != null && build.id != 1" }),
          more: put({ ...step, if: "build.id != 1" }),
        };
      default:
        return {
          less: steps,
          more: put({
            ...step,
            [how]: how === "branches" ? "release/*" : [step.if, "build.id != 1"].filter(Boolean).join(" && "),
          }),
        };
    }
  });

/** Where a pipeline has its steps from, before and after a change of it. */
const SOURCES = [
  ["own", "own"],
  ["own", "template"],
  ["template", "own"],
  ["template", "template"],
] as const;

type Source = (typeof SOURCES)[number][number] | "elsewhere";

/** The report of a change of a pipeline's steps, each time from one of these sources. */
function changedFrom([from, to]: readonly [Source, Source], before: readonly Step[], after: readonly Step[]) {
  const template = (name: string, steps: readonly Step[]) =>
    resourceOf("PipelineTemplate", name, `id-${name}`, { name, configuration: JSON.stringify({ steps }) });
  const [old, next] = [template("old", before), template("next", after)];
  const own = (source: Source, { id: template, inputs }: typeof old, id?: string) =>
    resourceOf("Pipeline", "shop", id, {
      name: "Shop",
      ...(source === "own" ? { configuration: inputs.configuration } : { pipelineTemplateUuid: template }),
    });
  const names = [from, to].map((one) => (one === "own" ? "configuration" : "pipelineTemplateUuid"));
  const changed = step("update", own(from, old, "id"), own(to, next), ...new Set(names));
  const templates = [
    ...(from === "elsewhere" ? [] : [staying(old)]),
    ...(to === "elsewhere" ? [] : [staying(next)]),
  ];
  return reportOfSteps(...templates, changed);
}

/** What is said to be opened by it. */
function openedBetween(...change: Parameters<typeof changedFrom>) {
  return changedFrom(...change).consequences.filter(({ effect }) => effect === "opened");
}

describe("Steps from a template outside of this stack", () => {
  const sources = ["own", "template", "elsewhere"] as const;
  test.each(sources.flatMap((from) => sources.map((to) => [from, to] as const)))("%s → %s", (...change) => {
    const steps = [{ block: "Go" }, { command: "x" }];
    const { notes } = changedFrom(change, steps, steps);
    const all = notes.map(plainText).join(" ");
    expect(all.includes("the steps of pipeline Shop from a template outside of this stack")).toBe(
      change[1] === "elsewhere",
    );
    expect(all.includes("the former steps of pipeline Shop from a template outside of this stack")).toBe(
      change[0] === "elsewhere",
    );
  });
});

/** Returns the same steps, of which each has another name and does something else. */
function renamed(steps: readonly Step[]): readonly Step[] {
  return JSON.parse(JSON.stringify(steps).replace(/"(name|k)-/g, '"new-$1-'));
}

/** Returns the same steps, each with a secret of its own. */
function withSecrets(steps: readonly Step[]): readonly Step[] {
  return steps.map((one) => {
    const does = one.command ?? one.trigger;
    return does === undefined ? one : { ...one, secrets: [`S-${does}`] };
  });
}

test("Steps that lose a guard are opened, and those that get one aren't, wherever they come from", () => {
  fc.assert(
    fc.property(guarded, fc.constantFrom(...SOURCES), (pair, sources) => {
      if (pair === undefined) return;
      const { less, more, isOther } = { isOther: false, ...pair };
      const saidOf = (...steps: [readonly Step[], readonly Step[]]) => openedBetween(sources, ...steps);
      for (const next of [
        less,
        renamed(less),
        [{ command: "one" }],
        [{ command: "one" }, { command: "two" }],
      ]) {
        const [opened, ...others] = saidOf(more, next);
        expect(opened?.details.map(plainText).join(" ")).toMatch(/name-\d|k-\d|one|two/);
        expect(others).toEqual([]);
      }
      // What depends on something no longer waits for what is before it.
      if (!isOther) expect(saidOf(less, more)).toEqual([]);
      for (const next of [more.map((one) => ({ ...one, priority: 1 })), renamed(more), []])
        expect(saidOf(more, next)).toEqual([]);
      // A secret tells which step has another name, whatever is new beside it.
      const own = withSecrets(more);
      for (const isFirst of [true, false]) {
        const added = { command: "added", depends_on: [] };
        const beside = (steps: readonly Step[]) => {
          const next = renamed(withSecrets(steps));
          return isFirst ? [added, ...next] : [...next, added];
        };
        expect(saidOf(own, beside(less))).toHaveLength(1);
        expect(saidOf(own, beside(more))).toEqual([]);
      }
    }),
    { numRuns: cases(500) },
  );
});

test.each<[what: string, before: string, after: string, ...details: string[]]>([
  [
    "a block without its teams",
    '[{ block: "Go", allowed_teams: [ops] }, { command: x, label: Deploy }]',
    '[{ block: "Go" }, { command: x, label: Deploy }]',
    "More people than the teams ops may unblock Go, which step Deploy waits for.",
  ],
  [
    "a block that goes, in an older form and before a group",
    "[{ block: { block: Go } }, { group: G, steps: [{ trigger: rollout }] }]",
    "[wait, { group: G, steps: [{ trigger: rollout }] }]",
    "Step rollout no longer waits for Go.",
  ],
  [
    "a block that stops builds of some branches only",
    "[{ block: Go }, { command: x }]",
    "[{ block: Go, branches: main }, { command: x }]",
    "Fewer builds stop at Go, which step x waits for.",
  ],
  [
    "an input that another step no longer depends on",
    "[{ input: Go, key: go }, { command: x, depends_on: [{ step: go }] }]",
    "[{ input: Go, key: go }, { command: x, depends_on: [] }]",
    "Step x no longer waits for Go.",
  ],
  [
    "an input that what is before a wait no longer depends on",
    "[{ input: Go, key: go }, { command: x, depends_on: go }, wait, { command: y }]",
    "[{ input: Go, key: go }, { command: x }, wait, { command: y }]",
    "Step x no longer waits for Go.",
  ],
  [
    "the second of two blocks",
    "[{ block: Go }, { command: x }, { block: On }, { command: y }]",
    "[{ block: Go }, { command: x }, { command: y }]",
    "Step y no longer waits for On.",
  ],
  [
    "the branches of a group",
    "[{ group: G, branches: main, steps: [{ command: x }] }]",
    "[{ group: G, steps: [{ command: x }] }]",
    "Step x no longer runs only for the branches main.",
  ],
  [
    "a new step with the secret of one that waits",
    "[{ command: test }, { block: Go }, { command: x, secrets: [S1] }]",
    "[{ command: test }, { command: y, secrets: { A: S1 } }, { block: Go }, { command: x, secrets: [S1] }]",
    "Step y no longer waits for Go.",
  ],
  [
    "steps that only read others, in place of those with a block, branches and a condition",
    "[{ command: t }, { block: Go, allowed_teams: [ops] }, { command: x, branches: main, if: build.tag != null }]",
    '[{ command: "buildkite-agent pipeline upload" }]',
    "Step x is gone, and no new step in its place waits for Go as it did.",
    "Step x is gone, and no new step in its place runs only for the branches main as it did.",
    "Step x is gone, and no new step in its place runs only if build.tag != null as it did.",
  ],
  [
    "another name of a step with a secret, although as many steps have other names",
    "[{ command: l }, { block: Go }, { command: d, secrets: [S1] }]",
    "[{ command: ship, secrets: [S1] }, { block: Go }, { command: verify }]",
    "Step ship no longer waits for Go.",
  ],
  [
    "other names of steps with a secret in another order",
    "[{ block: Go }, { command: d, secrets: [S1] }, { command: l, depends_on: [] }]",
    "[{ block: Go }, { command: l2 }, { command: d2, secrets: [S1], depends_on: [] }]",
    "Step d2 no longer waits for Go.",
  ],
  [
    "the branches of a step with a secret that has another name and another place",
    "[{ command: d, branches: main, secrets: [S1] }, { command: l }]",
    "[{ command: l2, branches: main }, { command: d2, secrets: [S1] }]",
    "Step d2 no longer runs only for the branches main.",
  ],
  [
    "steps in the place of others, although one more is new and one still waits",
    "[{ block: Go }, { command: d }, { command: e }]",
    "[{ command: l }, { command: t }, { block: Go }, { command: d2 }]",
    "Step e is gone, and no new step in its place waits for Go as it did.",
  ],
  [
    "one other step, which may be new",
    "[{ command: t }, { block: Go }, { command: d }]",
    "[{ command: l }, { command: t }]",
    "Step d is gone, and no new step in its place waits for Go as it did.",
  ],
  [
    "as many other steps, which may be new",
    "[{ command: t }, { block: Go }, { command: d }, { command: e }]",
    "[{ command: t }, { command: l }, { command: m }]",
    "Step d is gone, and no new step in its place waits for Go as it did.",
  ],
])("Steps are opened by %s", (_, before, after, ...details) => {
  const own = (steps: string, id?: string) =>
    resourceOf("Pipeline", "shop", id, { name: "Shop", configuration: `steps: ${steps}` });
  const change = step("update", own(before, "id"), own(after), "configuration");
  const { consequences } = reportOfSteps(change);
  expect(consequences.map(({ effect, level }) => [effect, level])).toEqual([["opened", "caution"]]);
  expect(detailsOf(consequences)).toEqual(details);
  // Of steps that go, nobody knows whether others are the same ones.
  const [said = ""] = dangersOf({ consequences });
  expect(said.includes("runs steps without what held them back")).toBe(
    !details.every((one) => one.includes("is gone")),
  );
});

test("Steps that have other names are as guarded in any order, whatever is new beside them", () => {
  fc.assert(
    fc.property(someSteps, fc.nat({ max: 3 }), (steps, more) => {
      const own = steps.map(
        (one): Step => ("block" in one || "wait" in one ? one : { ...one, depends_on: [] }),
      );
      const added = Array.from({ length: more }, (_, index) => ({
        command: `added-${index}`,
        depends_on: [],
      }));
      for (const next of [own, renamed(own), renamed(own).toReversed()])
        for (const some of [
          [...added, ...next],
          [...next, ...added],
        ])
          expect(openedBetween(["own", "own"], own, some)).toEqual([]);
    }),
    { numRuns: cases(200) },
  );
});

describe("What is created in another's place opens what an update would", () => {
  const opening = ARGUMENTS.filter(({ kind, review, before, after }) => {
    // Settings of the organization are there before, and stay.
    if (kinds.get(kind)?.review?.created || kinds.get(kind)?.isSetting) return false;
    const direction = directionOf(review, before, after);
    return direction !== undefined && review.means[direction]?.effect === "opened";
  });

  test.each(opening)("$kind: $name $before → $after", ({ kind, name, before, after, review }) => {
    const words = kinds.get(kind)?.words.label ?? "";
    const own = name === words ? {} : { [words]: "Farm" };
    const place = kinds.get(kind)?.parent ? { clusterId: "c-A" } : {};
    const cluster = resourceOf("Cluster", "A", "c-A", { name: "A" });
    const old = resourceOf(kind, "old", "id-old", { ...place, ...own, [name]: before });
    const next = resourceOf(kind, "new", undefined, { ...place, ...own, [name]: after });
    const steps = [staying(cluster), step("create", undefined, next), deleting(old)];
    const meaning = review.means[directionOf(review, before, after) ?? ""];
    const opened = reportOfSteps(...steps).consequences.filter(({ effect }) => effect === "opened");
    expect(opened.map(({ level }) => level)).toContain(meaning?.level);
  });
});

test("What a program states as it is already changes nothing", () => {
  const saying = ARGUMENTS.flatMap(({ kind, name, after: value }) => {
    const place = kinds.get(kind)?.parent?.argument === "pipelineId" ? { pipelineId: SHOP } : {};
    return value === undefined
      ? []
      : said(kind, "update", { ...place, [name]: value }, { ...place, [name]: value }, ["A"]);
  });
  expect(saying).toEqual([]);
});

test("Equal changes of several objects have a verb for several", () => {
  expect(said("Queue", "update", { key: "arm" }, { dispatchPaused: true }, ["A", "B"])).toEqual([
    "caution: 2 queues arm (of A, B) are paused. Their jobs wait.",
  ]);
});

describe("The queues that a template's steps name", () => {
  test.each<[string, string, string[]]>([
    ["for all steps", "agents:\n  queue: large\nsteps: []", ["large"]],
    ["of one step", "steps:\n  - command: make\n    agents: { queue: small }", ["small"]],
    ["in a group", "steps:\n  - group: a\n    steps:\n      - agents:\n          queue: deep", ["deep"]],
    ["as a list of tags", "agents: [queue=listed, os=linux]", ["listed"]],
    ["as one tag", "agents: queue=one", ["one"]],
    ["behind an anchor", "x: &agents { queue: anchored }\nagents: *agents", ["anchored"]],
    ["of another, merged", "x: &x { queue: merged }\nsteps: [{ agents: { <<: *x, os: linux } }]", ["merged"]],
    ["in a list after a byte order mark", "\uFEFF- command: make\n  agents: { queue: small }", ["small"]],
    ["by an anchored name", "x: &name named\nagents: { queue: *name }", ["named"]],
  ])("%s", (_, text, expected) => {
    expect([...(namedIn(text).get("Queue")?.keys() ?? [])]).toEqual(expected);
  });

  test.each([
    "agents: { queue: $QUEUE }",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Buildkite's interpolation
    'agents: { queue: "${QUEUE:-default}" }',
    "agents: { queue: 12 }",
    "queue: outside",
    "steps: [",
    "agents: *missing",
    "agents: { queue: *missing }",
    "agents: &self { queue: *self }",
    "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    "[secret]",
  ])("leave out what nobody knows: %s", (text) => {
    expect([...(namedIn(text).get("Queue")?.keys() ?? [])]).toEqual([]);
  });

  test("come from any text without an error", () => {
    fc.assert(fc.property(fc.string({ unit: character }), (text) => void namedIn(`agents:\n  ${text}`)));
  });
});
