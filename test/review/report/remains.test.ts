import { describe, expect, test } from "vitest";
import { plainText } from "../../../src/review/plan/text.js";
import { MASKED, UNKNOWN } from "../../../src/shared/protocol/encoded-values.js";
import { documentDigest, withStepCode } from "../../../src/shared/protocol/message-codes.js";
import { resourceOf, step, theStack } from "../../support/recording.js";
import { reportFrom } from "./reports.js";

/** What pipelines find of what they need once a deployment is done, whatever of it changes. */

type Properties = Record<string, unknown>;
type Step = ReturnType<typeof step>;

const A = resourceOf("Cluster", "a", "c-a", { name: "A" });
const B = resourceOf("Cluster", "b", "c-b", { name: "B" });
const stays = (one: Parameters<typeof step>[1]) => step("same", one, one);

/** The steps of an update of an object; without what changes, of one that stays. */
function updated(kind: string, name: string, before: Properties, after?: Properties): Step {
  const old = resourceOf(kind, name, `id-${name}`, before);
  if (after === undefined) return stays(old);
  return step(
    "update",
    old,
    resourceOf(kind, name, undefined, { ...before, ...after }),
    ...Object.keys(after),
  );
}

const consequences = (...steps: Step[]) =>
  reportFrom({ steps: [stays(theStack), stays(A), stays(B), ...steps], changeSummary: {} }).consequences;
const saidOf = (...steps: Step[]) =>
  consequences(...steps).map(({ effect, level, message }) => `${effect} ${level}: ${plainText(message)}`);

const pipeline = { name: "Rollout", slug: "rollout", clusterId: "c-a" };
const withSecret = 'steps: [{ command: x, secrets: [S1], agents: { queue: "deploy" } }]';
const user = { ...pipeline, configuration: withSecret };
const queue = (key: string, name = key, cluster = "c-a") =>
  stays(resourceOf("Queue", name, `id-${name}`, { clusterId: cluster, key }));
const secretWith = (policy: string) => ({ clusterId: "c-a", key: "S1", policy });

describe("A secret that a pipeline's steps name", () => {
  const DENIED =
    "stops danger: Pipeline Rollout names in its steps the cluster secret S1 of A, whose policy no longer lets it read it: its jobs would fail when they start.";

  test.each<[what: string, ...steps: Step[]]>([
    [
      "has a policy for another pipeline",
      queue("deploy"),
      updated("Pipeline", "rollout", user),
      updated("ClusterSecret", "s1", secretWith("- pipeline_slug: rollout\n"), {
        policy: "- pipeline_slug: shop\n",
      }),
    ],
    [
      "has a policy for the slug that the pipeline had",
      queue("deploy"),
      updated("Pipeline", "rollout", user, { slug: "rollout2" }),
      updated("ClusterSecret", "s1", secretWith("- pipeline_slug: rollout\n  build_branch: main\n")),
    ],
    [
      "has a policy for the queue that the steps named",
      queue("deploy"),
      queue("ship"),
      updated("Pipeline", "rollout", user, { configuration: withSecret.replace("deploy", "ship") }),
      updated("ClusterSecret", "s1", secretWith("- cluster_queue_key: [deploy, arm]\n")),
    ],
  ])("is no longer read if it %s", (_, ...steps) => {
    expect(saidOf(...steps)).toContain(DENIED);
  });

  test.each<[what: string, ...steps: Step[]]>([
    [
      "follows the slug",
      queue("deploy"),
      updated("Pipeline", "rollout", user, { slug: "rollout2" }),
      updated("ClusterSecret", "s1", secretWith("- pipeline_slug: rollout\n"), {
        policy: "- pipeline_slug: rollout2\n",
      }),
    ],
    [
      "names the pipeline by its id",
      queue("deploy"),
      updated("Pipeline", "rollout", user, { slug: "rollout2" }),
      updated("ClusterSecret", "s1", secretWith("- pipeline_id: id-rollout\n")),
    ],
    [
      "is about branches",
      queue("deploy"),
      updated("Pipeline", "rollout", user),
      updated("ClusterSecret", "s1", secretWith("- pipeline_slug: rollout\n"), {
        policy: "- build_branch: main\n",
      }),
    ],
    [
      "didn't allow it before",
      queue("deploy"),
      updated("Pipeline", "rollout", user),
      updated("ClusterSecret", "s1", secretWith("- pipeline_slug: shop\n"), {
        policy: "- pipeline_slug: web\n",
      }),
    ],
    [
      "isn't known yet",
      queue("deploy"),
      updated("Pipeline", "rollout", user),
      updated("ClusterSecret", "s1", secretWith("- pipeline_slug: rollout\n"), { policy: UNKNOWN }),
    ],
  ])("is read as before if its policy %s", (_, ...steps) => {
    expect(saidOf(...steps).join("\n")).not.toContain("whose policy");
  });

  test("and that stays behind is as grave as a queue that does", () => {
    const all = saidOf(
      queue("deploy"),
      queue("deploy", "other", "c-b"),
      updated("ClusterSecret", "s1", { clusterId: "c-a", key: "S1" }),
      updated("Pipeline", "rollout", user, { clusterId: "c-b" }),
    );
    expect(all).toContain(
      "stops caution: Pipeline Rollout moves to cluster B, which has no known cluster secret S1 that its steps name: its jobs would fail when they start.",
    );
  });
});

test("A pipeline that misses two secrets is one pipeline in the first line", () => {
  const configuration = "agents: { queue: deploy }\nsteps: [{ command: x, secrets: [S1, S2] }]";
  const secret = (key: string) => updated("ClusterSecret", key, { clusterId: "c-a", key });
  const [first] = consequences(
    ...[queue("deploy"), queue("deploy", "other", "c-b"), secret("S1"), secret("S2")],
    updated("Pipeline", "rollout", { ...pipeline, configuration }, { clusterId: "c-b" }),
  );
  expect(plainText(first?.headline ?? [])).toMatch(/^Pipeline Rollout moves/);
});

describe("A pipeline whose steps name no queue", () => {
  const plain = { ...pipeline, configuration: "steps: [{ command: x }]" };
  const setting = resourceOf("ClusterDefaultQueue", "d", "c-a", { clusterId: "c-a", queueId: "id-deploy" });

  test("waits for ever in a cluster that loses its default queue", () => {
    expect(
      saidOf(queue("deploy"), updated("Pipeline", "rollout", plain), step("delete", setting, undefined)),
    ).toContain(
      "stops danger: Pipeline Rollout names no queue in its steps, and this deployment takes the default queue of cluster A away: its jobs would wait for ever.",
    );
  });

  test("may wait for ever in a cluster without a default queue", () => {
    const moves = updated("Pipeline", "rollout", plain, { clusterId: "c-b" });
    expect(saidOf(queue("deploy"), stays(setting), moves)).toContain(
      "stops caution: Pipeline Rollout moves to cluster B, which has no known default queue, and names no queue in its steps: its jobs would wait for ever.",
    );
  });

  test.each<[what: string, configuration: string]>([
    ["the pipeline names one", "agents: { queue: deploy }\nsteps: [{ command: x }]"],
    ["each command names one", 'steps: [{ command: x, agents: ["queue=$Q"] }, wait, { trigger: shop }]'],
  ])("is another one if %s", (_, configuration) => {
    const own = updated("Pipeline", "rollout", { ...pipeline, configuration });
    expect(saidOf(queue("deploy"), own, step("delete", setting, undefined)).join("\n")).not.toContain(
      "names no queue",
    );
  });

  test("finds a new default queue", () => {
    const next = resourceOf("ClusterDefaultQueue", "n", undefined, { clusterId: "c-b", queueId: "id-other" });
    const moves = updated("Pipeline", "rollout", plain, { clusterId: "c-b" });
    expect(
      saidOf(
        queue("deploy"),
        queue("x", "other", "c-b"),
        stays(setting),
        step("create", undefined, next),
        moves,
      ).join("\n"),
    ).not.toContain("names no queue");
  });
});

describe("An archived pipeline", () => {
  const shop = {
    name: "Shop",
    slug: "shop",
    clusterId: "c-a",
    configuration: "steps: [{ trigger: rollout }]",
  };
  const schedule = resourceOf("PipelineSchedule", "n", "id-n", {
    pipelineId: "id-rollout",
    label: "Nightly",
    cronline: "@daily",
  });

  test("is no longer triggered, and its schedules start nothing", () => {
    const archived = updated("Pipeline", "rollout", pipeline, { archived: true });
    const all = consequences(archived, updated("Pipeline", "shop", shop), stays(schedule));
    expect(all.map(({ message }) => plainText(message))).toContain(
      "Pipeline Shop still names in its steps the pipeline rollout, which this deployment archives: it gets no builds then.",
    );
    expect(all.flatMap(({ details }) => details.map(plainText))).toContain(
      "Pipeline schedule Nightly stays. It starts no more builds.",
    );
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
      {
        propertyDependencies: { clusterId: [A.urn] },
      },
    ),
    "clusterId",
  );
  const saidOfReplacement = (isFirst: boolean) => {
    const old = { ...A, delete: !isFirst };
    const { consequences } = reportFrom({
      steps: [stays(theStack), step("replace", old, next, "description"), moves],
      changeSummary: {},
    });
    return consequences.map(({ message }) => plainText(message)).join("\n");
  };

  test("is deleted after its pipelines moved to the new one, unless it is deleted first", () => {
    expect(saidOfReplacement(false)).not.toContain("stop halfway");
    expect(saidOfReplacement(true)).toContain("stop halfway");
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
        stays(theStack),
        updated("Pipeline", "rollout", pipeline, { slug }),
        updated("Pipeline", "shop", { name: "Shop", configuration: "steps: []" }, { configuration }),
      ],
      diagnostics: [remark("rollout2")],
      changeSummary: {},
    }).consequences.map(({ message }) => plainText(message));
  expect(saidWith("rollout2").join("\n")).not.toContain("reject");
  expect(saidWith("rollout3").join("\n")).toContain("reject");
});

test("A setting that opens something is said beside one that isn't known yet", () => {
  const settings = (more: Properties) => ({ providerSettings: more });
  const change = updated(
    "Pipeline",
    "shop",
    { name: "Shop", ...settings({ buildPullRequestForks: false }) },
    settings({
      buildPullRequestForks: true,
      filterCondition: UNKNOWN,
    }),
  );
  expect(saidOf(change).join("\n")).toContain("opened danger: Pipeline Shop builds pull requests from forks");
});

const titleOf = (...steps: Step[]) =>
  reportFrom({ steps: [stays(theStack), stays(A), stays(B), ...steps], changeSummary: {} }).title;

test("A map that isn't known in whole, or is secret, ends no report, and reassures nobody", () => {
  const old = { ...pipeline, providerSettings: { triggerMode: "code" } };
  for (const providerSettings of [UNKNOWN, MASKED])
    expect(titleOf(updated("Pipeline", "rollout", old, { providerSettings }))).not.toContain(
      "Nothing dangerous",
    );
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
  const steps = updated(kind, "one", before, { [argument]: MASKED });
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
  const archived = [updated("Pipeline", "rollout", old), step("delete", gone, undefined)];
  expect(saidOf(...archived).join()).not.toContain("wait for ever");
  const running = [
    updated("Pipeline", "rollout", { ...old, archived: false }),
    step("delete", gone, undefined),
  ];
  expect(saidOf(...running).join()).toContain("wait for ever");
});
