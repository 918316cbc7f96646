import { describe, expect, test } from "vitest";
import { findingsOf } from "../../../src/review/findings/findings.js";
import { reportOf } from "../../../src/review/findings/report.js";
import { plainText } from "../../../src/review/plan/text.js";
import { MASKED, UNKNOWN } from "../../../src/shared/protocol/encoded-values.js";
import { documentDigest, withStepCode } from "../../../src/shared/protocol/message-codes.js";
import { resourceOf, step, theStack } from "../../support/recording.js";
import {
  consequencesBeside,
  creating,
  deleting,
  detailsOf,
  liveObject,
  liveWith,
  messagesOf,
  planFrom,
  reportFrom,
  reportOfSteps,
  staying,
  updating,
} from "./reports.js";

/** What pipelines find of what they need once a deployment is done, whatever of it changes. */

type Properties = Record<string, unknown>;
type Step = ReturnType<typeof step>;

const A = resourceOf("Cluster", "a", "c-a", { name: "A" });
const B = resourceOf("Cluster", "b", "c-b", { name: "B" });
const consequences = (...steps: Step[]) =>
  reportOfSteps(staying(theStack), staying(A), staying(B), ...steps).consequences;
const saidOf = (...steps: Step[]) =>
  consequences(...steps).map(({ effect, level, message }) => `${effect} ${level}: ${plainText(message)}`);

const pipeline = { name: "Rollout", slug: "rollout", clusterId: "c-a" };
const withSecret = 'steps: [{ command: x, secrets: [S1], agents: { queue: "deploy" } }]';
const user = { ...pipeline, configuration: withSecret };
const rollout = (...change: [before: Properties, after?: Properties, outputs?: Properties]) =>
  updating("Pipeline", "rollout", ...change);
const s1 = (...change: [before: Properties, after?: Properties]) =>
  updating("ClusterSecret", "s1", ...change);
const queue = (key: string, name = key, cluster = "c-a") =>
  staying(resourceOf("Queue", name, `id-${name}`, { clusterId: cluster, key }));
const slug = (name: string) => `- pipeline_slug: ${name}\n`;
const secretWith = (policy: string) => ({ clusterId: "c-a", key: "S1", policy });

describe("A secret that a pipeline's steps name", () => {
  const DENIED =
    "stops danger: Pipeline Rollout names in its steps the cluster secret S1 of A, whose policy no longer lets it read it: its jobs would fail when they start.";

  test.each<[what: string, isRead: boolean, pipeline: Properties, was: string, policy: unknown]>([
    ["for another pipeline", false, {}, slug("rollout"), slug("shop")],
    ["for the slug that it had", false, { slug: "rollout2" }, `${slug("rollout")}  build_branch: main\n`, ""],
    [
      "for the queue that its steps named",
      false,
      { configuration: withSecret.replace("deploy", "ship") },
      "- cluster_queue_key: [deploy, arm]\n",
      "",
    ],
    ["that follows its slug", true, { slug: "rollout2" }, slug("rollout"), slug("rollout2")],
    ["that names it by its id", true, { slug: "rollout2" }, "- pipeline_id: id-rollout\n", ""],
    ["about branches", true, {}, slug("rollout"), "- build_branch: main\n"],
    ["that didn't allow it before", true, {}, slug("shop"), slug("web")],
    ["that isn't known yet", true, {}, slug("rollout"), UNKNOWN],
    ["with a claim that isn't known yet", true, {}, slug("rollout"), [{ pipeline_slug: UNKNOWN }]],
    ["with a slug that is like a number", true, { slug: "5" }, slug("rollout"), slug("5")],
    ["for a slug that isn't known yet", true, { slug: UNKNOWN }, slug("rollout"), ""],
    [
      "for queues that a step names by a variable",
      true,
      { configuration: `${withSecret.slice(0, -1)}, { command: y, agents: { queue: "$Q" } }]` },
      slug("rollout"),
      "- cluster_queue_key: [linux, arm]\n",
    ],
  ])("may have a policy %s (read as before: %s)", (_, isRead, more, was, policy) => {
    const { slug, ...stated } = user;
    // A program may leave its slug to the API, and change something else of the pipeline as well.
    const unstated = (change: Properties) => rollout(stated, change, { slug });
    const changes = Object.keys(more).length > 0;
    for (const own of [
      rollout(user, changes ? more : undefined),
      ...[{}, { description: "x" }].map((other) => unstated({ ...more, ...other })),
    ]) {
      const all = saidOf(
        ...[queue("deploy"), queue("ship"), own],
        s1(secretWith(was), policy === "" ? undefined : { policy }),
      );
      expect(all.filter((one) => one.includes("whose policy"))).toEqual(isRead ? [] : [DENIED]);
    }
  });

  test.each<[what: string, isRead: boolean, policy: string]>([
    ["another pipeline", false, slug("shop")],
    ["another pipeline by its id", false, "- pipeline_id: id-shop\n"],
    ["another queue", false, "- cluster_queue_key: ship\n"],
    ["the pipeline", true, slug("rollout")],
    ["some branches", true, "- build_branch: main\n"],
    ["everybody", true, ""],
  ])("has a policy that isn't about a new user: for %s (read: %s)", (_, isRead, policy) => {
    const { slug, configuration: _steps, ...stated } = user;
    const secret = s1(policy === "" ? { clusterId: "c-a", key: "S1" } : secretWith(policy));
    const plain = { ...stated, configuration: "steps: [{ command: x, agents: { queue: deploy } }]" };
    const gets = rollout(plain, { configuration: withSecret }, { slug });
    const next = resourceOf("Pipeline", "rollout", undefined, { ...stated, configuration: withSecret });
    // What is imported has its slug already, whatever its name is.
    const named = { ...next, inputs: { ...next.inputs, name: "Web" } };
    const imports = step("create", undefined, { ...named, inputs: { ...named.inputs, import: "rollout" } });
    if (isRead) expect(saidOf(secret, imports).join()).not.toContain("whose policy");
    for (const own of [step("create", undefined, next), gets]) {
      const all = saidOf(...[queue("deploy"), queue("ship"), secret, own]);
      expect(all.filter((one) => one.includes("whose policy"))).toEqual(
        isRead ? [] : [DENIED.replace("no longer lets", "doesn't let")],
      );
    }
  });

  test("and that stays behind is as grave as a queue that does", () => {
    const all = saidOf(
      queue("deploy"),
      queue("deploy", "other", "c-b"),
      s1({ clusterId: "c-a", key: "S1" }),
      rollout(user, { clusterId: "c-b" }),
    );
    expect(all).toContain(
      "stops caution: Pipeline Rollout moves to cluster B, which has no known cluster secret S1 that its steps name: its jobs would fail when they start.",
    );
    const outside = saidOf(s1({ clusterId: "c-a", key: "S1" }), rollout(user, { clusterId: "" }));
    expect(outside).toContain(
      "stops danger: Pipeline Rollout leaves behind the cluster secret S1 that its steps name: its jobs would fail when they start.",
    );
  });
});

describe("A secret that more jobs may read", () => {
  const forks = { providerSettings: { buildPullRequests: true, buildPullRequestForks: true } };
  const without = (key: string) => ({ providerSettings: { ...forks.providerSettings, [key]: false } });

  test.each<[what: string, level: string, pipeline: Properties, was: string, policy: string | undefined]>([
    ["the jobs of forks", "danger", forks, slug("shop"), undefined],
    ["the jobs of forks by its id", "danger", forks, slug("shop"), "- pipeline_id: id-rollout\n"],
    ["the jobs of forks, which a branch kept out", "danger", forks, "- build_branch: main\n", undefined],
    ["no jobs of forks, which read it before", "caution", forks, slug("rollout"), undefined],
    ["jobs of another pipeline", "caution", forks, slug("shop"), slug("web")],
    ["no pull requests", "caution", without("buildPullRequests"), slug("shop"), undefined],
    ["no forks", "caution", without("buildPullRequestForks"), slug("shop"), undefined],
    ["nothing of an archived pipeline", "caution", { ...forks, archived: true }, slug("shop"), undefined],
    ["nothing of another cluster", "caution", { ...forks, clusterId: "c-b" }, slug("shop"), undefined],
  ])("is open to outsiders where these are %s: %s", (_, level, more, was, policy) => {
    const outsiders =
      "Pipeline Rollout builds pull requests from forks: whoever opens one runs code on the agents of this pipeline.";
    const old = resourceOf("ClusterSecret", "s1", "id-s1", secretWith(was));
    const { policy: _was, ...rest } = old.inputs;
    const made = resourceOf("ClusterSecret", "s2", undefined, { ...rest, ...(policy && { policy }) });
    for (const steps of [
      [s1(secretWith(was), { policy })],
      // Under a new name.
      [step("create", undefined, made), deleting(old)],
    ]) {
      const all = consequences(rollout({ ...pipeline, ...more }), ...steps);
      const opened = all.find(({ effect }) => effect === "opened");
      expect([opened?.effect, opened?.level]).toEqual(["opened", level]);
      expect(opened?.details.map(plainText)).toEqual(level === "danger" ? [outsiders] : []);
    }
  });
});

describe("A secret that comes to where outsiders run code", () => {
  const forks = { providerSettings: { buildPullRequests: true, buildPullRequestForks: true } };
  const there = (policy?: string) => ({ clusterId: "c-a", key: "S1", ...(policy && { policy }) });
  const elsewhere = { clusterId: "c-b", key: "S1", policy: "- pipeline_slug: rollout\n" };
  const others = "- pipeline_slug: shop\n";

  test.each<[what: string, isOpened: boolean, pipeline: Properties, policy?: string]>([
    ["for everybody", true, forks],
    ["for a pipeline that builds forks", true, forks, "- pipeline_slug: rollout\n"],
    ["for other pipelines", false, forks, others],
    [
      "for a branch that forks may not have",
      false,
      forks,
      "- pipeline_slug: rollout\n  build_branch: main\n",
    ],
    ["where nothing builds forks", false, {}],
  ])("is opened %s: %s", (_, isOpened, more, policy) => {
    const old = resourceOf("ClusterSecret", "s1", "id-s1", elsewhere);
    const made = resourceOf("ClusterSecret", "s1", undefined, there(policy));
    for (const steps of [
      [step("create", undefined, made)],
      [step("replace", old, made, "clusterId")],
      [step("create-replacement", old, made, "clusterId"), step("replace", old, made, "clusterId")],
      [step("create", undefined, { ...made, urn: `${made.urn}2` }), step("delete", old, undefined)],
    ]) {
      const all = consequences(rollout({ ...pipeline, ...more }), ...steps);
      const opened = all.filter(({ effect }) => effect === "opened");
      const dangers = opened
        .filter(({ level }) => level === "danger")
        .map(({ message }) => plainText(message));
      expect(dangers).toEqual(
        isOpened ? [expect.stringContaining("Cluster secret S1 of A can be read")] : [],
      );
    }
  });
});

test("A secret with another key or in an unknown cluster is opened to no outsiders", () => {
  const policy = "- pipeline_slug: rollout\n  build_branch: main\n";
  const forks = { providerSettings: { buildPullRequests: true, buildPullRequestForks: true } };
  const secret = (id: string | undefined, clusterId: string, key: string) =>
    resourceOf("ClusterSecret", "s1", id, { clusterId, key, policy });
  const said = [
    ...saidOf(
      rollout({ ...pipeline, ...forks }),
      step("replace", secret("id-s1", "c-a", "S1"), secret(undefined, "c-a", "S2"), "key"),
    ),
    ...saidOf(
      rollout({ name: "Rollout", slug: "rollout", ...forks }),
      step("create", undefined, secret(undefined, UNKNOWN, "S1")),
    ),
  ];
  expect(said.filter((one) => one.startsWith("opened"))).toEqual([]);
});

test.each<[what: string, level: string, source: Properties, conditions?: string[]]>([
  [
    "who builds forks",
    "danger",
    { providerSettings: { buildPullRequests: true, buildPullRequestForks: true } },
  ],
  [
    "under conditions, which may leave forks out",
    "caution",
    { providerSettings: { buildPullRequests: true, buildPullRequestForks: true } },
    ["source.build.branch == 'main'"],
  ],
  ["who builds none", "caution", {}],
])("A rule is opened to the jobs of a pipeline %s: %s", (_, level, source, conditions) => {
  const to = (targetPipelineId: string) => ({
    type: "t",
    sourcePipelineId: "id-rollout",
    targetPipelineId,
    ...(conditions && { conditions }),
  });
  const made = resourceOf("OrganizationRule", "rule", undefined, to("id-shop"));
  const old = resourceOf("OrganizationRule", "rule", "id-rule", to("id-web"));
  for (const own of [step("create", undefined, made), step("replace", old, made, "targetPipelineId")]) {
    const all = consequences(rollout({ ...pipeline, ...source }), own);
    const opened = all.find(({ effect }) => effect === "opened");
    expect(opened?.level).toBe(level);
    const forks = /^Pipeline Rollout builds pull requests from forks/;
    expect(opened?.details.some((one) => forks.test(plainText(one)))).toBe(Object.keys(source).length > 0);
  }
});

test.each<[what: string, lost: string[], was: string, pipeline: Properties, policy?: string]>([
  ["another slug", ["caution"], "- pipeline_slug: rollout\n", { slug: "other" }],
  ["another slug, which the policy has", [], "- pipeline_slug: [rollout, other]\n", { slug: "other" }],
  ["another description", [], "- pipeline_slug: rollout\n", { description: "x" }],
])("Jobs whose steps nobody knows lose a secret by %s", (_, lost, was, change) => {
  const own = rollout(pipeline, change);
  const all = consequences(own, s1(secretWith(was)));
  const said = all.filter(({ message }) => plainText(message).includes("can no longer read"));
  expect(said.map(({ level }) => level)).toEqual(lost);
});

test("Whose jobs lose a secret is said of a policy for others, too", () => {
  const [opened] = consequences(
    staying(resourceOf("Pipeline", "rollout", "id-rollout", pipeline)),
    s1(secretWith("- pipeline_slug: rollout\n"), {
      policy: "- pipeline_slug: web\n",
    }),
  );
  expect(opened?.details.map(plainText)).toEqual(["Jobs of Rollout can no longer read it."]);
});

describe("A pipeline that moves", () => {
  const forks = { providerSettings: { buildPullRequests: true, buildPullRequestForks: true } };

  test.each<[what: string, gains: boolean, here: string | undefined, there: string | undefined]>([
    ["that everybody may read", true, undefined, ""],
    ["that it may read", true, undefined, slug("rollout")],
    ["that only it couldn't read before", true, slug("shop"), ""],
    ["that it could read before", false, "", ""],
    ["that it may not read", false, undefined, slug("shop")],
    ["that isn't there", false, "", undefined],
  ])("to a secret %s is opened: %s", (_, gains, here, there) => {
    const secret = (clusterId: string, policy: string | undefined) =>
      policy === undefined
        ? []
        : [updating("ClusterSecret", `in-${clusterId}`, { clusterId, key: "S1", ...(policy && { policy }) })];
    const templates = ["t1", "t2"].map((id) =>
      staying(resourceOf("PipelineTemplate", id, id, { name: id, configuration: "steps: [{ command: x }]" })),
    );
    for (const [more, beside] of [{}, forks].flatMap((one) => [
      [one, {}] as const,
      [one, { pipelineTemplateUuid: "t2" }] as const,
    ])) {
      const all = consequences(
        ...[...secret("c-a", here), ...secret("c-b", there), ...templates],
        rollout({ ...pipeline, ...more, pipelineTemplateUuid: "t1" }, { clusterId: "c-b", ...beside }),
      );
      const moved = all.find(({ message }) => plainText(message).includes("moves to another cluster"));
      const outsiders = more === forks ? ["opened", "danger"] : ["opened", "caution"];
      expect([moved?.effect, moved?.level]).toEqual(gains ? outsiders : ["noticed", "caution"]);
      const isSaid = moved?.details.map(plainText).includes("Jobs can then also use the cluster secret S1.");
      expect(isSaid).toBe(gains);
    }
  });

  test.each([UNKNOWN, MASKED])("to a secret of the key %s is opened, by the secret's name", (key) => {
    const made = creating("ClusterSecret", "s9", { clusterId: "c-b", key });
    for (const repository of [undefined, "git@a:them/b.git"]) {
      const change = { clusterId: "c-b", ...(repository && { repository }) };
      const all = consequences(made, rollout({ ...pipeline, repository: "git@a:us/b.git" }, change));
      const details = detailsOf(all);
      expect(details).toContain("Jobs can then also use the cluster secret s9.");
      if (repository) expect(details).toContain("Jobs of Rollout may read the cluster secret s9.");
      expect(details.join()).not.toContain(key);
    }
  });
});

test("A queue whose key isn't known yet may be the missing one in its own cluster only", () => {
  const goes = deleting(resourceOf("Queue", "deploy", "id-deploy", { clusterId: "c-a", key: "deploy" }));
  const saidBeside = (clusterId: string) =>
    saidOf(...[rollout(user), goes], creating("Queue", "new", { clusterId, key: UNKNOWN })).join("\n");
  expect(saidBeside("c-b")).toContain("Pipeline Rollout still names in its steps the queue deploy");
  expect(saidBeside("c-a")).not.toContain("names in its steps");
});

test("Equal warnings about two objects are two", () => {
  const diagnostics = ["shop", "web"].map((name) => ({
    severity: "warning",
    urn: resourceOf("Pipeline", name, "", {}).urn,
    message: "warning: Pipeline.clusterId: is left out.",
  }));
  const { warnings } = reportFrom({ steps: [staying(theStack)], diagnostics, changeSummary: {} });
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining("shop"),
    expect.stringContaining("web"),
  ]);
});

test("A pipeline that misses two secrets is one pipeline in the first line", () => {
  const configuration = "agents: { queue: deploy }\nsteps: [{ command: x, secrets: [S1, S2] }]";
  const secret = (key: string) => updating("ClusterSecret", key, { clusterId: "c-a", key });
  const [first] = consequences(
    ...[queue("deploy"), queue("deploy", "other", "c-b"), secret("S1"), secret("S2")],
    rollout({ ...pipeline, configuration }, { clusterId: "c-b" }),
  );
  expect(plainText(first?.headline ?? [])).toMatch(/^Pipeline Rollout moves/);
});

describe("A pipeline whose steps name no queue", () => {
  const plain = { ...pipeline, configuration: "steps: [{ command: x }]" };
  const setting = resourceOf("ClusterDefaultQueue", "d", "c-a", { clusterId: "c-a", queueId: "id-deploy" });

  test("waits for ever in a cluster that loses its default queue", () => {
    expect(saidOf(queue("deploy"), rollout(plain), deleting(setting))).toContain(
      "stops danger: Pipeline Rollout names no queue in its steps, and this deployment takes the default queue of cluster A away: its jobs would wait for ever.",
    );
  });

  test("may wait for ever in a cluster without a default queue", () => {
    const moves = rollout(plain, { clusterId: "c-b" });
    expect(saidOf(queue("deploy"), staying(setting), moves)).toContain(
      "stops caution: Pipeline Rollout moves to cluster B, which has no known default queue, and names no queue in its steps: its jobs would wait for ever.",
    );
  });

  test.each<[what: string, configuration: string]>([
    ["the pipeline names one", "agents: { queue: deploy }\nsteps: [{ command: x }]"],
    ["each command names one", 'steps: [{ command: x, agents: ["queue=$Q"] }, wait, { trigger: shop }]'],
  ])("is another one if %s", (_, configuration) => {
    const own = rollout({ ...pipeline, configuration });
    expect(saidOf(queue("deploy"), own, deleting(setting)).join("\n")).not.toContain("names no queue");
  });

  test.each([
    ["waits", { configuration: "steps: [{ command: x }]" }, true],
    ["isn't known to wait if its steps are no YAML", {}, false],
  ])("and that the stack doesn't have %s", (_, steps, waits) => {
    const other = liveObject("Pipeline", "p-other", "Other", { clusterId: "c-a", ...steps });
    const references = { withSteps: [other], named: new Map() };
    const gone = [staying(theStack), staying(A), queue("deploy"), deleting(setting)];
    const all = messagesOf(consequencesBeside(references, gone));
    expect(all.some((one) => one.startsWith("Pipeline Other names no queue in its steps"))).toBe(waits);
  });

  test("finds the default queue of a cluster that changes as well, whose id is also that of the setting", () => {
    const own = resourceOf("ClusterDefaultQueue", "n", "c-b", { clusterId: "c-b", queueId: "id-x" });
    const renamed = updating("Cluster", "b2", { name: "B" }, { description: "x" });
    const cluster = { ...renamed, oldState: { ...renamed.oldState, id: "c-b" } };
    const moves = rollout(plain, { clusterId: "c-b" });
    const { consequences } = reportOfSteps(...[theStack, A, setting, own].map(staying), cluster, moves);
    expect(consequences.map(({ effect }) => effect)).toEqual(["noticed"]);
  });

  test("finds a new default queue", () => {
    const made = creating("ClusterDefaultQueue", "n", { clusterId: "c-b", queueId: "id-other" });
    const around = [queue("deploy"), queue("x", "other", "c-b"), staying(setting)];
    const all = saidOf(...around, made, rollout(plain, { clusterId: "c-b" }));
    expect(all.join("\n")).not.toContain("names no queue");
  });
});

test("A pipeline that only leaves the state still needs what its steps name, and a setting that does stays", () => {
  const leaves = (kind: string, id: string, inputs: Properties) =>
    deleting({ ...resourceOf(kind, id, id, inputs), retainOnDelete: true });
  const needs = leaves("Pipeline", "id-rollout", {
    ...pipeline,
    configuration: "agents: { queue: deploy }\nsteps: [{ command: x }]",
  });
  const deploy = resourceOf("Queue", "deploy", "id-deploy", { clusterId: "c-a", key: "deploy" });
  expect(saidOf(needs, deleting(deploy)).join("\n")).toContain(
    "Pipeline Rollout still names in its steps the queue deploy of cluster A, which this deployment takes away",
  );
  const plain = rollout({ ...pipeline, configuration: "steps: [{ command: x }]" }, { clusterId: "c-b" });
  const kept = leaves("ClusterDefaultQueue", "c-b", { clusterId: "c-b", queueId: "id-x" });
  const set = staying(
    resourceOf("ClusterDefaultQueue", "d", "c-a", { clusterId: "c-a", queueId: "id-deploy" }),
  );
  expect(saidOf(plain, set).join("\n")).toContain("names no queue");
  expect(saidOf(plain, set, kept).join("\n")).not.toContain("names no queue");
});

describe("An archived pipeline", () => {
  const shop = { ...pipeline, name: "Shop", slug: "shop", configuration: "steps: [{ trigger: rollout }]" };
  const schedule = resourceOf("PipelineSchedule", "n", "id-n", {
    pipelineId: "id-rollout",
    label: "Nightly",
    cronline: "@daily",
  });

  test("is no longer triggered, and its schedules start nothing", () => {
    const archived = rollout(pipeline, { archived: true });
    const all = consequences(archived, updating("Pipeline", "shop", shop), staying(schedule));
    expect(messagesOf(all)).toContain(
      "Pipeline Shop still names in its steps the pipeline rollout, which this deployment archives: it gets no builds then.",
    );
    expect(detailsOf(all)).toContain("Pipeline schedule Nightly stays. It starts no more builds.");
  });
});

describe("A replaced cluster", () => {
  const next = resourceOf("Cluster", "a", undefined, { name: "A", description: "x" });
  const moves = step(
    "update",
    resourceOf("Pipeline", "rollout", "id-rollout", user),
    resourceOf(
      "Pipeline",
      "rollout",
      undefined,
      { ...user, clusterId: UNKNOWN },
      { propertyDependencies: { clusterId: [A.urn] } },
    ),
    "clusterId",
  );
  const saidOfReplacement = (isFirst: boolean) => {
    const old = { ...A, delete: !isFirst };
    const { consequences } = reportOfSteps(
      staying(theStack),
      step("replace", old, next, "description"),
      moves,
    );
    return messagesOf(consequences).join("\n");
  };

  test("is deleted after its pipelines moved to the new one, unless it is deleted first", () => {
    expect(saidOfReplacement(false)).not.toContain("stop halfway");
    expect(saidOfReplacement(true)).toContain("stop halfway");
  });
});

describe("Whose jobs read a secret", () => {
  const team = staying(resourceOf("Team", "web", "t-web", { name: "Web" }));
  const ada = staying(
    resourceOf("TeamMember", "ada", "t-web/u-1", { teamId: "t-web", userId: "u-1", role: "member" }),
  );
  const access = { teamId: "t-web", pipelineId: "id-rollout", accessLevel: "read_only" };
  const shop = { ...pipeline, name: "Shop", slug: "shop" };
  const READ = "Jobs of Rollout may read the cluster secret S1.";
  const CHANGED = [
    ["Pipeline", "rollout", user, { providerSettings: { buildPullRequestForks: true } }],
    ["Pipeline", "rollout", { ...user, repository: "git@a:us/b.git" }, { repository: "git@a:them/b.git" }],
    ["Pipeline", "rollout", user, { cloneMirrorUrl: "https://mirror.example/a.git" }],
    ["TeamPipeline", "pair", access, { accessLevel: "manage_build_and_read" }],
  ] as const;
  const opened = (all: ReturnType<typeof consequences>) => all.filter(({ effect }) => effect === "opened");

  test.each(CHANGED)(
    "is said where somebody else decides what these run: %s %s %j → %j",
    (kind, name, before, after) => {
      const others = [team, ada, ...(kind === "Pipeline" ? [] : [rollout(user)])];
      const said = (policy?: string) =>
        opened(
          consequences(
            ...others,
            s1({ ...secretWith(policy ?? ""), policy }),
            updating(kind, name, before, after),
          ),
        );
      for (const policy of [undefined, slug("rollout")]) {
        expect(said(policy).map(({ level }) => level)).toEqual([kind === "Pipeline" ? "danger" : "caution"]);
        expect(detailsOf(said(policy))).toContain(READ);
      }
      expect(detailsOf(said(slug("shop")))).not.toContain(READ);
    },
  );

  test("is known by the slug that the API gives, although a preview of an update leaves it out", () => {
    const { slug: _, ...inputs } = user;
    const old = resourceOf("Pipeline", "rollout", "id-rollout", inputs, { outputs: user });
    const next = resourceOf("Pipeline", "rollout", undefined, {
      ...inputs,
      cloneMirrorUrl: "https://m.example/a",
    });
    const [first] = opened(
      consequences(s1(secretWith(slug("shop"))), step("update", old, next, "cloneMirrorUrl")),
    );
    expect(first?.details).toEqual([]);
  });

  test("says that a group with the highest level changes their steps, which stays within the organization", () => {
    const levelOf = (configuration: string, accessLevel: string, more?: Properties) => {
      const made = resourceOf("Team", "help", undefined, { name: "Help", ...more });
      const inNew = { propertyDependencies: { teamId: [made.urn] } };
      const member = { teamId: UNKNOWN, userId: "u-1", role: "member" };
      const ofNew: Step[] = [
        step("create", undefined, made),
        creating("TeamMember", "ada2", member, inNew),
        creating("TeamPipeline", "pair", { ...access, teamId: UNKNOWN, accessLevel }, inNew),
      ];
      const all = opened(
        consequences(
          ...(more === undefined
            ? [team, ada, updating("TeamPipeline", "pair", access, { accessLevel })]
            : ofNew),
          rollout({ ...user, configuration }),
        ),
      );
      const first = all.find(({ details }) => details.length > 0) ?? all[0];
      return [first?.level, ...(first?.details ?? []).map(plainText)];
    };
    const steps = "Its members can then change the steps that run in A.";
    expect(levelOf(withSecret, "manage_build_and_read")).toEqual(["caution", steps, READ]);
    expect(levelOf("steps: [wait]", "manage_build_and_read")).toEqual(["caution", steps]);
    expect(levelOf(withSecret, "build_and_read")).toEqual(["caution"]);
    const [level, ofNew] = levelOf(withSecret, "manage_build_and_read", {});
    expect([level, ofNew]).toEqual(["caution", steps.replace("members", "1 member")]);
    expect(levelOf(withSecret, "manage_build_and_read", { isDefaultTeam: true })).toContain(steps);
  });

  test("is said of a narrower policy, with those that it denies", () => {
    const [first] = consequences(
      ...[rollout(user), staying(resourceOf("Pipeline", "shop", "id-shop", shop))],
      s1({ clusterId: "c-a", key: "S1" }, { policy: slug("rollout") }),
    );
    expect(first?.details.map(plainText)).toEqual([
      "Jobs of Shop can no longer read it.",
      "Jobs of Rollout, whose steps name it, may still read it.",
    ]);
  });

  test.each<[what: string, isSaid: boolean, own: Properties, key?: string]>([
    ["steps without it", true, { configuration: "steps: [{ command: x }]" }],
    ["steps that name it", false, { configuration: withSecret }],
    ["steps that name its old key", false, { configuration: withSecret }, "S2"],
    ["the default steps, which upload others", false, {}],
    ["a template of another stack", false, { pipelineTemplateUuid: "elsewhere" }],
    ["steps that aren't known yet", false, { configuration: UNKNOWN }],
    ["secret steps", false, { configuration: MASKED }],
  ])("is said to be nobody's only where all steps are known: %s (%s)", (_, isSaid, own, key) => {
    const policy = slug("shop");
    const details = detailsOf(
      consequences(
        rollout({ ...pipeline, ...own }),
        s1({ clusterId: "c-a", key: "S1" }, { policy, ...(key && { key }) }),
      ),
    );
    expect(details).toContain("Jobs of Rollout can no longer read it.");
    expect(details.includes("No steps of this stack's pipelines name it.")).toBe(isSaid);
  });

  test("is no news to people who have as much already", () => {
    const made = resourceOf("Team", "help", undefined, { name: "Help" });
    const inNew = { propertyDependencies: { teamId: [made.urn] } };
    const stepsOf = (had: string, gets: string, more: Properties = {}) => [
      ...[staying(theStack), staying(A), team, ada, rollout(pipeline)],
      staying(resourceOf("TeamPipeline", "pair", "t-web/id-rollout", { ...access, accessLevel: had })),
      step("create", undefined, { ...made, inputs: { ...made.inputs, ...more } }),
      creating("TeamMember", "ada2", { teamId: UNKNOWN, userId: "u-1", role: "member" }, inNew),
      creating("TeamPipeline", "p2", { teamId: UNKNOWN, pipelineId: "id-rollout", accessLevel: gets }, inNew),
    ];
    // A reading of the organization leaves out who may do what, unless somebody may lose it.
    for (const live of [undefined, { withSteps: [], named: new Map() }]) {
      const all = consequencesBeside(live, stepsOf("build_and_read", "read_only"));
      expect(all.map(({ effect }) => effect)).toEqual(["noticed", "noticed"]);
      expect(detailsOf(all)).toContain("All of its members have this already, by Web.");
      const gained = consequencesBeside(live, stepsOf("read_only", "build_and_read"));
      expect(gained.map(({ effect }) => effect)).toEqual(["opened", "opened"]);
      // Everybody joins a default team.
      const everybody = consequencesBeside(
        live,
        stepsOf("build_and_read", "read_only", { isDefaultTeam: true }),
      );
      expect(everybody.map(({ effect }) => effect)).not.toContain("noticed");
    }
  });

  test.each([true, false])("is news to people whose new team gives more than its pipelines: %s", (isMore) => {
    const next = { name: "Help", ...(isMore && { membersCanCreatePipelines: true }) };
    const member = (teamId: string, ...id: string[]) =>
      resourceOf("TeamMember", teamId, id[0], { teamId, userId: "u-1", role: "member" });
    const uses = ["t-web", "t-help"].map((teamId) =>
      resourceOf("TeamPipeline", teamId, `${teamId}/id-rollout`, { ...access, teamId }),
    );
    const inTeam = (kind: string, teamId: string, other: object) => ({
      ...liveObject(kind, `${teamId}/${Object.values(other)[0]}`, teamId, { teamId, ...other }),
      parent: liveObject("Team", teamId, teamId, {}),
    });
    const { pipelineId, accessLevel } = access;
    const objects = [
      ...[liveObject("Team", "t-web", "Web", { name: "Web" }), liveObject("Team", "t-help", "Help", next)],
      inTeam("TeamMember", "t-web", { userId: "u-1", role: "member" }),
      ...["t-web", "t-help"].map((teamId) => inTeam("TeamPipeline", teamId, { pipelineId, accessLevel })),
    ];
    const plan = planFrom({
      steps: [
        ...[staying(theStack), staying(A), team, staying(resourceOf("Team", "help", "t-help", next))],
        ...[rollout(pipeline), ...uses.map(staying)],
        ...[deleting(member("t-web", "t-web/u-1")), step("create", undefined, member("t-help"))],
      ],
      changeSummary: {},
    });
    const { consequences } = reportOf(
      findingsOf(plan, { live: liveWith({ objects }), organization: "acme" }),
    );
    const joins = consequences.filter(({ effect }) => effect !== "lost").map(({ effect }) => effect);
    expect(joins).toEqual([isMore ? "opened" : "noticed"]);
  });
});

describe("A default branch", () => {
  test.each<[isBuilt: boolean, filter: string | undefined, branch: string]>([
    [true, undefined, "trunk"],
    [true, "main trunk", "trunk"],
    [true, "main tr*", "trunk"],
    [true, "main *unk", "trunk"],
    [true, "!release/*", "trunk"],
    [false, "main master", "trunk"],
    [false, "main tr*k2", "trunk"],
    [false, "main t*u*u*k", "trunk"],
    [false, "!trunk", "trunk"],
    [false, "* !tr*", "trunk"],
  ])("is built (%s) by the filter %j: %s", (isBuilt, branchConfiguration, defaultBranch) => {
    const before = {
      ...pipeline,
      defaultBranch: "main",
      ...(branchConfiguration && { branchConfiguration }),
    };
    const all = saidOf(rollout(before, { defaultBranch }));
    const isSaid = all.some((one) =>
      one.startsWith(
        "stops danger: Pipeline Rollout of A no longer builds its default branch trunk, because its branchConfiguration",
      ),
    );
    expect(isSaid).toBe(!isBuilt);
  });

  test.each<[what: string, isSaid: boolean, before: Properties, after: Properties, outputs?: Properties]>([
    ["the program has", true, { defaultBranch: "main" }, { branchConfiguration: "release/*" }],
    ["the API has", true, {}, { branchConfiguration: "release/*" }, { defaultBranch: "main" }],
    ["is beside a secret filter", false, { defaultBranch: "main" }, { branchConfiguration: MASKED }],
    ["is secret", false, { defaultBranch: "main" }, { defaultBranch: MASKED }],
    ["isn't known yet", false, { defaultBranch: "main" }, { defaultBranch: UNKNOWN }],
    ["an archived one has", false, { defaultBranch: "main", archived: true }, { defaultBranch: "trunk" }],
    [
      "nothing is built of",
      false,
      { defaultBranch: "main", providerSettings: { triggerMode: "none" } },
      { defaultBranch: "trunk" },
    ],
  ])("that %s is said to be built no longer: %s", (_, isSaid, before, after, outputs = {}) => {
    const old = { ...pipeline, branchConfiguration: "main", ...before };
    const all = saidOf(rollout(old, after, { ...old, ...outputs })).join("\n");
    expect(all.includes("no longer builds its default branch")).toBe(isSaid);
    expect(all.includes("no longer builds its default branch main")).toBe(isSaid);
  });
});

test("An archived pipeline isn't called deleted", () => {
  const gone = (more: Properties) =>
    deleting(resourceOf("Pipeline", "rollout", "p", { ...pipeline, ...more }));
  const of = (more: Properties) => {
    const { summary, rows } = reportOfSteps(staying(theStack), staying(A), gone(more));
    return [summary.map(({ text }) => text), rows.map(({ tag }) => tag)];
  };
  expect(of({})).toEqual([["1 to archive"], ["− archive"]]);
  expect(of({ onDelete: "delete" })).toEqual([["1 to delete"], ["− delete"]]);
});

describe("A cluster that the program renames", () => {
  const inside: [kind: string, name: string, own: Properties][] = [
    ["AgentToken", "farm", { description: "Farm" }],
    ["Pipeline", "rollout", pipeline],
    ["Pipeline", "shop", { ...pipeline, name: "Shop", slug: "shop" }],
  ];
  const made = resourceOf("Cluster", "a2", undefined, { name: "A2" });
  const inNew = { propertyDependencies: { clusterId: [made.urn] } };
  const renamed = (more: Step[] = [], archived: readonly string[] = []) =>
    reportOfSteps(
      staying(theStack),
      deleting(A),
      step("create", undefined, made),
      ...inside.map(([kind, name, own]) => {
        const old = resourceOf(kind, name, `id-${name}`, { ...own, clusterId: "c-a" });
        const next = resourceOf(kind, name, undefined, { ...own, clusterId: UNKNOWN }, inNew);
        return archived.includes(name)
          ? deleting(old)
          : step(kind === "AgentToken" ? "replace" : "update", old, next, "clusterId");
      }),
      ...more,
    );
  const sentences = (...given: Parameters<typeof renamed>) => messagesOf(renamed(...given).consequences);
  const WAIT =
    "2 pipelines (Rollout, Shop) move to the new cluster A2, where no agent is yet: all jobs of their builds wait until agents start there.";

  test.each([
    ["[{ trigger: shop }, wait, { block: Go }]", false],
    ["[{ group: G, steps: [{ trigger: shop }] }, { input: Go }]", false],
    ["[{ group: G, steps: [{ command: x }] }]", true],
    ["[{ trigger: shop }, { command: x, agents: { queue: $Q } }]", true],
    ["$STEPS", true],
  ])("leaves no jobs waiting where the steps have none: %s (has jobs: %s)", (steps, hasJobs) => {
    const own = { ...pipeline, name: "Web", slug: "web", configuration: `steps: ${steps}` };
    const old = resourceOf("Pipeline", "web", "id-web", { ...own, clusterId: "c-a" });
    const next = resourceOf("Pipeline", "web", undefined, { ...own, clusterId: UNKNOWN }, inNew);
    const [waits] = sentences([step("update", old, next, "clusterId")]).filter((one) =>
      one.includes("no agent is yet"),
    );
    expect(waits?.includes("Web")).toBe(hasJobs);
  });

  test("leaves its agents behind, so that jobs wait for those that the new token lets in", () => {
    const all = sentences();
    expect(all).toContain(WAIT);
    expect(all).toContain(
      "Agent token Farm (farm in the program) of A is replaced, and its secret changes. Its agents stay behind: only agents that start with the new one take jobs in a new cluster, A2.",
    );
    expect(all.join()).not.toContain("Connected agents stay connected");
  });

  test("makes no job wait where Buildkite hosts the agents", () => {
    const hosted = resourceOf(
      "Queue",
      "hosted",
      undefined,
      { clusterId: UNKNOWN, key: "hosted", hostedAgents: { instanceShape: "LINUX_AMD64_2X4" } },
      inNew,
    );
    expect(sentences([step("create", undefined, hosted)]).join()).not.toContain("where no agent is yet");
  });

  test("isn't called deleted for certain where a pipeline stays in it, which the title says", () => {
    const { headline, consequences } = renamed([], ["rollout", "shop"]);
    expect(plainText(headline)).toMatch(
      /^Cluster A is deleted with .* and its cluster secrets, unless the deployment stops halfway, and \d more dangers/,
    );
    expect(messagesOf(consequences).join("\n")).toContain("may stop halfway");
    expect(plainText(renamed().headline)).not.toContain("unless the deployment");
  });
});

test("What a preview misses in steps, and what the same update makes, is no mistake", () => {
  const configuration = "steps: [{ trigger: rollout2 }]";
  const remark = (name: string) => ({
    severity: "warning",
    urn: resourceOf("Pipeline", "shop", "", {}).urn,
    message: withStepCode(`Pipeline.configuration: steps[0].trigger: "${name}" is the slug of no pipeline.`, {
      document: documentDigest(configuration),
      isRejected: true,
      kind: "Pipeline",
      name,
    }),
  });
  const saidWith = (slug: string) =>
    reportFrom({
      steps: [
        staying(theStack),
        rollout(pipeline, { slug }),
        updating("Pipeline", "shop", { name: "Shop", configuration: "steps: []" }, { configuration }),
      ],
      diagnostics: [remark("rollout2")],
      changeSummary: {},
    }).consequences.map(({ message }) => plainText(message));
  expect(saidWith("rollout2").join("\n")).not.toContain("reject");
  expect(saidWith("rollout3").join("\n")).toContain("reject");
});

test("A setting that opens something is said beside one that isn't known yet", () => {
  const settings = (more: Properties) => ({ providerSettings: more });
  const change = updating(
    "Pipeline",
    "shop",
    { name: "Shop", ...settings({ buildPullRequestForks: false }) },
    settings({ buildPullRequestForks: true, filterCondition: UNKNOWN }),
  );
  expect(saidOf(change).join("\n")).toContain("opened danger: Pipeline Shop builds pull requests from forks");
});

const titleOf = (...steps: Step[]) =>
  reportOfSteps(staying(theStack), staying(A), staying(B), ...steps).title;

test("A map that isn't known in whole, or is secret, ends no report, and reassures nobody", () => {
  const old = { ...pipeline, providerSettings: { triggerMode: "code" } };
  for (const providerSettings of [UNKNOWN, MASKED])
    expect(titleOf(rollout(old, { providerSettings }))).not.toContain("Nothing dangerous");
});

test.each([
  ["Pipeline", { ...pipeline, visibility: "private" }, "visibility"],
  ["TeamPipeline", { teamId: "t", pipelineId: "p", accessLevel: "read_only" }, "accessLevel"],
  [
    "AgentToken",
    { clusterId: "c-a", description: "Farm", allowedIpAddresses: ["10.0.0.0/8"] },
    "allowedIpAddresses",
  ],
])("A secret argument that may open something is doubted: %s", (kind, before, argument) => {
  const steps = updating(kind, "one", before, { [argument]: MASKED });
  expect(titleOf(steps)).not.toContain("Nothing dangerous");
  expect(saidOf(steps).join()).not.toContain("every address");
});

test("An archived pipeline gets no builds that could wait", () => {
  const old = {
    ...pipeline,
    archived: true,
    configuration: 'steps: [{ command: x, agents: { queue: "deploy" } }]',
  };
  const gone = resourceOf("Queue", "deploy", "id-deploy", { clusterId: "c-a", key: "deploy" });
  const archived = [rollout(old), deleting(gone)];
  expect(saidOf(...archived).join()).not.toContain("wait for ever");
  const running = [rollout({ ...old, archived: false }), deleting(gone)];
  expect(saidOf(...running).join()).toContain("wait for ever");
});

/** What happens to the pipeline `rollout` of one of two organizations, in which all names are equal. */
const ENDS = ["renamed", "archived", "deleted", "kept"] as const;

test.each(ENDS.flatMap((acme) => ENDS.map((beta) => ({ acme, beta }))))(
  "A pipeline that steps trigger is missed in its own organization: $acme, $beta",
  (ends) => {
    const own = (organization: string, name: string, id: string, more: object = {}) =>
      resourceOf("Pipeline", `${organization}-${name}`, id, {
        ...{ organization, name, slug: name, onDelete: "delete", configuration: "steps: [wait]", ...more },
      });
    const steps = Object.entries(ends).flatMap(([organization, end]) => {
      const shop = own(organization, "shop", `s-${organization}`, {
        configuration: "steps: [{ trigger: rollout }]",
      });
      const rollout = own(organization, "rollout", `r-${organization}`);
      const { id: _, ...next } = own(organization, "rollout", `r-${organization}`, {
        ...(end === "renamed" ? { slug: "rollout2" } : { archived: true }),
      });
      return [
        staying(shop),
        end === "kept"
          ? staying(rollout)
          : end === "deleted"
            ? deleting(rollout)
            : step("update", rollout, next, end === "renamed" ? "slug" : "archived"),
      ];
    });
    const { consequences } = reportOfSteps(...steps);
    const missed = consequences.filter(({ message }) =>
      plainText(message).includes("in its steps the pipeline rollout"),
    );
    const broken = Object.entries(ends).filter(([, end]) => end !== "kept");
    expect(missed.flatMap(({ of }) => of).sort()).toEqual(
      broken.map(([organization]) => own(organization, "rollout", "").urn).sort(),
    );
  },
);
