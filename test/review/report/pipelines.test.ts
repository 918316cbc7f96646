import { describe, expect, test } from "vitest";
import { plainText } from "../../../src/review/plan/text.js";
import { resourceOf, step } from "../../support/recording.js";
import { dangersOf, deleting, detailsOf, reportOfSteps, said, staying, updating } from "./reports.js";

type Properties = Readonly<Record<string, unknown>>;

const [SHOP, WEB] = ["id-shop", "id-web"];
const parents = [
  resourceOf("Pipeline", "shop", SHOP, {
    name: "Shop",
    repository: "git@x:y.git",
    configuration: "steps: []",
  }),
  resourceOf("Team", "web", WEB, { name: "Web" }),
].map(staying);

const told = (...steps: ReturnType<typeof step>[]) => dangersOf(reportOfSteps(...parents, ...steps));

const schedule = { pipelineId: SHOP, label: "Nightly", cronline: "@daily" };
const pair = { teamId: WEB, pipelineId: SHOP, accessLevel: "manage_build_and_read" };
const member = { teamId: WEB, userId: "u-1", userName: "Ada", role: "maintainer" };

test("A preview with plain secrets says as much of who loses what: values that are withheld decide", () => {
  const noted = { description: "x", triggers: "plain", __secrets: ["triggers"] };
  const secret = resourceOf("AgentToken", "farm", undefined, noted);
  const said = told(
    step("create", undefined, secret),
    updating("TeamPipeline", "TeamPipeline", pair, { accessLevel: "read_only" }),
    updating(
      "TeamSuite",
      "TeamSuite",
      { ...pair, suiteId: "s-1", accessLevel: ["read", "edit"] },
      { accessLevel: ["read"] },
    ),
    updating("PipelineSchedule", "PipelineSchedule", { ...schedule, enabled: true }, { enabled: false }),
    updating(
      "Pipeline",
      "Pipeline",
      { name: "Go", visibility: "private" },
      { archived: true, visibility: "public" },
    ),
    updating("PipelineTemplate", "PipelineTemplate", { name: "Go", available: true }, { available: false }),
  );
  expect(said.sort()).toEqual([
    expect.stringMatching(/^caution: .*can be assigned only by administrators/),
    expect.stringMatching(/^danger: Pipeline Go becomes public/),
    expect.stringMatching(/^danger: Pipeline Go is archived/),
    expect.stringMatching(/^danger: .*is disabled/),
    expect.stringMatching(/^danger: Team Web keeps only withheld on pipeline/),
    expect.stringMatching(/^danger: Team Web keeps only withheld on test suite/),
  ]);
});

test("A team's deletion says who loses what, because the pairs disappear with it", () => {
  const [, web] = parents;
  const steps = [
    resourceOf("TeamMember", "ada", "id-web/u-1", member),
    resourceOf("TeamPipeline", "shop-web", "id-web/id-shop", pair),
  ];
  const gone = [web?.oldState, ...steps].map(deleting);
  const { consequences } = reportOfSteps(...parents.slice(0, 1), ...gone);
  expect(dangersOf({ consequences })).toEqual([
    "danger: Team Web is deleted. Its members lose the access that it gives.",
  ]);
  expect(consequences[0]?.details.map(plainText)).toEqual([
    "Ada loses manage_build_and_read on pipeline Shop, keeping nothing, as far as this stack shows.",
  ]);
});

test("A person whom another team names is known by name, and access to a new pipeline gives nothing that anybody lacked", () => {
  const infra = resourceOf("Team", "infra", "id-infra", { name: "Infra" });
  const ada = resourceOf("TeamMember", "ada", "id-web/u-1", member);
  const joins = { teamId: "id-infra", userId: "u-1", role: "member" };
  const api = { name: "API", repository: "git@x:api.git" };
  const made = (kind: string, name: string, inputs: Properties, propertyDependencies = {}) =>
    step("create", undefined, { ...resourceOf(kind, name, undefined, inputs), propertyDependencies });
  const pipeline = made("Pipeline", "api", api);
  const access = made(
    "TeamPipeline",
    "web-api",
    { ...pair, pipelineId: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" },
    { pipelineId: [pipeline.urn] },
  );
  expect(told(...[infra, ada].map(staying), made("TeamMember", "more", joins))).toEqual([
    "caution: Ada joins team Infra as member.",
  ]);
  expect(told(pipeline, access)).toEqual([]);
  expect(told(made("TeamPipeline", "web-shop", pair))).toEqual([
    "caution: Team Web gets manage_build_and_read on pipeline Shop.",
  ]);
});

test("No drawing and no list of what stays shows an id, because nobody knows an access by the id of its pipeline", () => {
  const id = "9b090cb2-419f-4a30-97d6-71805fd905a0";
  const pairs = Array.from({ length: 50 }, (_, index) => {
    const pipelineId = id.replace("97d6", String(1000 + index));
    return resourceOf("TeamPipeline", `web-${index}`, `${WEB}/${pipelineId}`, { ...pair, pipelineId });
  });
  const old = resourceOf("TeamPipeline", "web-shop", `${WEB}/${SHOP}`, pair);
  const next = { ...old, inputs: { ...old.inputs, accessLevel: "read_only" } };
  const known = resourceOf("Suite", "unit", "id-unit", { name: "Unit", slug: "unit" });
  const access = resourceOf("TeamSuite", "web-unit", `${WEB}/id-unit`, { teamId: WEB, suiteId: "id-unit" });
  const stay = [known, access, ...pairs].map(staying);
  const steps = [...parents, ...stay, step("update", old, next, "accessLevel")];
  const text = said({ steps, changeSummary: {} });
  expect(text).toContain("objects unchanged");
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});

describe("The steps of a pipeline", () => {
  const text = "steps:\n  - command: make # all\n    agents: { queue: arm }\n";
  const other = "# New layout.\nsteps:\n- { agents: { queue: arm }, command: make }\n";
  const change = (before: string, after: string) => {
    const old = resourceOf("Pipeline", "api", "id-api", { name: "API", configuration: before });
    const next = resourceOf("Pipeline", "api", undefined, { name: "API", configuration: after });
    return said({ steps: [step("update", old, next, "configuration")], changeSummary: {} });
  };

  test("are compared by what they mean, so that a new layout has no diff", () => {
    expect(change(text, other)).toContain("only its layout, comments or order of keys");
    expect(change(text, other)).not.toContain("```diff");
  });

  test("have a diff without the lines of a new layout", () => {
    const [, diff = ""] = /```diff\n(.*?)```/s.exec(change(text, other.replace("make", "test"))) ?? [];
    expect(diff.split("\n").filter((line) => /^[-+].*command/.test(line))).toHaveLength(2);
    expect(diff).not.toContain("New layout");
  });

  const cluster = (name: string, id: string | undefined) => resourceOf("Cluster", name, id, { name });
  const linux = cluster("linux", "c-linux");
  const arm = resourceOf("Queue", "arm", "q-arm", { clusterId: "c-linux", key: "arm" });
  const api = (clusterId: string) =>
    resourceOf("Pipeline", "api", "id-api", { name: "API", configuration: text, clusterId });
  const same = (one: typeof linux) => staying(one);

  test("name a queue that this deployment removes from the pipeline's cluster", () => {
    const mac = cluster("mac", "c-mac");
    const there = resourceOf("Queue", "there", "q-there", { clusterId: "c-mac", key: "arm" });
    const steps = [linux, mac, there, api("c-linux")].map(same);
    expect(told(...steps, deleting(arm))).toContain(
      "danger: Pipeline API still names in its steps the queue arm of cluster linux, which this deployment takes away: its jobs would wait for ever.",
    );
    expect(told(...[linux, mac, there, api("c-mac")].map(same), deleting(arm)).join()).not.toMatch(
      /\bsteps\b/,
    );
  });

  test("stand in the first line if a queue goes that they name, and a move says which secrets stay behind", () => {
    const [mac, key] = [cluster("mac", "c-mac"), { clusterId: "c-linux", key: "DEPLOY_KEY" }];
    const secret = resourceOf("ClusterSecret", "key", "s-1", key);
    const goes = reportOfSteps(...[linux, api("c-linux")].map(same), deleting(arm));
    expect(plainText(goes.headline)).toMatch(
      /^Pipeline API still names in its steps the queue arm .*, and 1 more danger /,
    );
    const moves = (...there: (typeof linux)[]) =>
      detailsOf(
        reportOfSteps(
          ...[linux, mac, arm, secret, ...there].map(same),
          step("update", api("c-linux"), { ...api("c-mac"), id: undefined }, "clusterId"),
        ).consequences,
      );
    const left =
      "Jobs can then no longer use the cluster secret DEPLOY_KEY, unless mac has it outside of this stack.";
    expect(moves()).toContain(left);
    // Other consequences of the same pipeline say nothing of it, in whatever order its arguments change.
    const argumentsOf = { allowRebuilds: [true, false], visibility: ["private", "public"] };
    const values = (index: number) =>
      Object.fromEntries(Object.entries(argumentsOf).map(([name, all]) => [name, all[index]]));
    const withMore = (place: string, index: number) =>
      resourceOf("Pipeline", "api", index ? undefined : "id-api", { ...api(place).inputs, ...values(index) });
    const names = [...Object.keys(argumentsOf), "clusterId"];
    for (const changed of [names, names.toReversed()]) {
      const { consequences } = reportOfSteps(
        ...[linux, mac, arm, secret].map(same),
        step("update", withMore("c-linux", 0), withMore("c-mac", 1), ...changed),
      );
      const saying = consequences.filter(({ details }) => details.map(plainText).includes(left));
      expect(saying.map(({ headline }) => plainText(headline))).toEqual([
        "Pipeline API of linux moves to another cluster: from linux to mac",
      ]);
    }
    expect(moves(resourceOf("ClusterSecret", "there", "s-2", { ...key, clusterId: "c-mac" }))).not.toContain(
      left,
    );
  });

  describe("may be a template's, which is compared with queues in the same way", () => {
    const std = (queue: string, id?: string) =>
      resourceOf("PipelineTemplate", "std", id, { name: "Std", configuration: text.replace("arm", queue) });
    const user = (more: object) =>
      resourceOf("Pipeline", "api", "id-api", { name: "API", clusterId: "c-linux", ...more });
    const by = user({ pipelineTemplateUuid: "id-std" });
    const assigned = step("update", user({ configuration: "steps: [wait]" }), by, "pipelineTemplateUuid");
    const edited = (queue: string) => step("update", std("arm", "id-std"), std(queue), "configuration");
    const near = resourceOf("Queue", "near", "q-near", { clusterId: "c-near", key: "small" });
    const around = [linux, arm, cluster("near", "c-near"), near].map(same);
    const [lacksIt, nobodyHasIt] = [
      /Pipeline API names the queue (\w+) in its steps, which cluster linux lacks/,
      /Pipeline template Std names the queue (\w+) in its steps, which no cluster has/,
    ];
    test.each<[string, RegExp[], ...ReturnType<typeof step>[]]>([
      ["assigned, whose queue is there", [], same(std("arm", "id-std")), assigned],
      ["assigned, whose queue another cluster has", [lacksIt], same(std("small", "id-std")), assigned],
      ["assigned and edited at once", [lacksIt], edited("small"), assigned],
      ["edited, with the queue of another cluster than its pipeline's", [lacksIt], edited("small"), same(by)],
      ["edited, with a queue that nothing has", [lacksIt, nobodyHasIt], edited("amr"), same(by)],
      ["edited, with a queue that nothing has, and used by none", [nobodyHasIt], edited("amr")],
      ["edited otherwise", [], step("update", std("small", "id-std"), std("small"), "description"), same(by)],
    ])("%s", (_, expected, ...steps) => {
      const found = told(...around, ...steps).filter((line) => line.includes("in its steps"));
      expect(found).toHaveLength(expected.length);
      for (const words of expected) expect(found.join("\n")).toMatch(words);
    });
  });

  test("name a queue that the pipeline's new cluster lacks", () => {
    const made = cluster("mac", undefined);
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const next = { ...api(unknown), propertyDependencies: { clusterId: [made.urn] } };
    const moves = step("update", api("c-linux"), next, "clusterId");
    const found = told(same(linux), same(arm), step("create", undefined, made), moves);
    expect(found).toContain(
      "danger: Pipeline API moves to cluster mac, which has no queue arm that its steps name: its jobs would wait for ever.",
    );
    const queue = resourceOf(
      "Queue",
      "new",
      undefined,
      { clusterId: unknown, key: "arm" },
      { propertyDependencies: { clusterId: [made.urn] } },
    );
    const both = [step("create", undefined, made), step("create", undefined, queue)];
    expect(told(same(linux), same(arm), ...both, moves).join()).not.toMatch(/\bsteps\b/);
  });

  const NPM = { clusterId: "c-linux", key: "NPM" };
  const remove = (kind: string, name: string, properties: Properties) =>
    deleting(resourceOf(kind, name, `id-${name}`, properties));
  const RENAMED = "which this deployment renames: ";
  const TAKEN = "which this deployment takes away";

  test.each<[what: string, steps: string, change: ReturnType<typeof step>, said: string | undefined]>([
    [
      "a secret that goes",
      "{ command: a, secrets: [NPM] }",
      remove("ClusterSecret", "npm", NPM),
      `danger: Pipeline API still names in its steps the cluster secret NPM of cluster linux, ${TAKEN}: its jobs would fail when they start.`,
    ],
    [
      "a secret of another cluster",
      "{ command: a, secrets: [NPM] }",
      remove("ClusterSecret", "npm", { ...NPM, clusterId: "c-mac" }),
      undefined,
    ],
    [
      "a pipeline that goes",
      "{ trigger: deploy }",
      remove("Pipeline", "deploy", { name: "Deploy", slug: "deploy" }),
      `danger: Pipeline API still names in its steps the pipeline deploy, ${TAKEN}: Buildkite would reject its steps.`,
    ],
    [
      "a pipeline with another slug",
      "{ trigger: deploy }",
      updating("Pipeline", "deploy", { name: "Deploy", slug: "deploy" }, { slug: "ship" }),
      `danger: Pipeline API still names in its steps the pipeline deploy, ${RENAMED}Buildkite would reject its steps.`,
    ],
    [
      "a pipeline with another name, which keeps its slug",
      "{ trigger: deploy }",
      updating("Pipeline", "deploy", { name: "Deploy", slug: "deploy" }, { name: "Ship" }),
      undefined,
    ],
    [
      "a team with another name, by its slug",
      "{ block: a, allowed_teams: ops }",
      updating("Team", "ops", { name: "Ops", slug: "ops" }, { name: "SRE" }),
      `caution: Pipeline API still names in its steps the team ops, ${RENAMED}its members could not unblock its steps.`,
    ],
    [
      "a team with another name, by its id",
      "{ block: a, allowed_teams: [id-ops] }",
      updating("Team", "ops", { name: "Ops", slug: "ops" }, { name: "SRE" }),
      undefined,
    ],
    [
      "a team that goes, by its id",
      "{ block: a, allowed_teams: [id-ops] }",
      remove("Team", "ops", { name: "Ops", slug: "ops" }),
      `caution: Pipeline API still names in its steps the team id-ops, ${TAKEN}: its members could not unblock its steps.`,
    ],
  ])("name %s", (_, steps, changed, expected) => {
    const configuration = `steps: [${steps}]`;
    const own = resourceOf("Pipeline", "api", "id-api", { name: "API", clusterId: "c-linux", configuration });
    const found = told(same(linux), same(own), changed).filter((one) => one.includes("in its steps"));
    expect(found).toEqual(expected === undefined ? [] : [expected]);
  });

  test("name a pipeline whose slug another one gets", () => {
    const own = resourceOf("Pipeline", "api", "id-api", {
      name: "API",
      configuration: "steps: [{ trigger: deploy }]",
    });
    const next = resourceOf("Pipeline", "new", undefined, { name: "Deploy", repository: "x" });
    const old = remove("Pipeline", "old", { name: "Old", slug: "deploy" });
    expect(told(same(own), step("create", undefined, next), old).join()).not.toContain("in its steps");
  });

  const gone = deleting(arm);
  const elsewhere = resourceOf("Queue", "far", "q-far", { clusterId: "c-far", key: "arm" });

  test("name the queue in a cluster that another stack has", () => {
    expect(told(same(linux), same(api("c-far")), deleting(elsewhere)).join()).toContain(
      "Pipeline API still names in its steps the queue arm",
    );
  });

  test.each<[which: string, ...steps: ReturnType<typeof step>[]]>([
    ["deleted in the same deployment", deleting(api("c-linux")), gone],
    [
      "changed to name another queue",
      step(
        "update",
        api("c-linux"),
        { ...api("c-linux"), inputs: { ...api("c-linux").inputs, configuration: "steps: [wait]\n" } },
        "configuration",
      ),
      gone,
    ],
    ["in another cluster of another stack", same(api("c-near")), deleting(elsewhere)],
  ])("of a pipeline do not count if it is %s", (_, ...steps) => {
    expect(told(same(linux), ...steps).join()).not.toMatch(/\bsteps\b/);
  });

  test("name a queue that the new cluster lacks only if it is known which cluster that is", () => {
    const [made, other] = [cluster("mac", undefined), cluster("win", undefined)];
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const movesTo = (...clusterId: readonly string[]) =>
      step("update", api("c-linux"), { ...api(unknown), propertyDependencies: { clusterId } }, "clusterId");
    const created = [made, other].map((one) => step("create", undefined, one));
    const toldOf = (...urns: readonly string[]) =>
      told(same(linux), same(arm), ...created, movesTo(...urns)).join();
    expect(toldOf(parents[1]?.newState?.urn ?? "", made.urn)).toContain(
      "to cluster mac, which has no queue arm",
    );
    expect(toldOf(made.urn, other.urn)).not.toContain("mac");
  });

  test("name a queue that an existing cluster lacks as far as the stack knows: a caution, because others may have made it", () => {
    const mac = cluster("mac", "c-mac");
    const moves = step("update", api("c-linux"), api("c-mac"), "clusterId");
    expect(told(same(linux), same(mac), same(arm), moves)).toContain(
      "caution: Pipeline API moves to cluster mac, which has no known queue arm that its steps name: its jobs would wait for ever.",
    );
  });
});
