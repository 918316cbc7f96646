import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainText } from "../../../src/review/plan/text.js";
import { sentence } from "../../../src/review/report/dangers.js";
import { queuesNamedIn } from "../../../src/review/report/remarks/queue-references.js";
import { character } from "../../support/foreign-text.js";
import { resourceOf, step } from "../../support/recording.js";
import { dangersOf, reportFrom } from "./reports.js";

type Properties = Readonly<Record<string, unknown>>;

/** What a report says about a change in each of some clusters. */
function said(kind: string, op: string, before: Properties, after: Properties, clusters: readonly string[]) {
  const steps = clusters.flatMap((name) => {
    const cluster = resourceOf("Cluster", name, `c-${name}`, { name });
    const place = before.key || before.description || before.queueId ? { clusterId: `c-${name}` } : {};
    const oldState = resourceOf(kind, `of-${name}`, `id-${name}`, { ...place, ...before });
    const newState = resourceOf(kind, `of-${name}`, undefined, { ...place, ...before, ...after });
    const names = Object.keys(after);
    const changed = op === "delete" ? step(op, oldState, undefined) : step(op, oldState, newState, ...names);
    return [step("same", cluster, cluster), changed];
  });
  return dangersOf(reportFrom({ steps, changeSummary: {} }));
}

const LOOK = "Look for jobs that wait for this queue.";
const CONNECTED = "Connected agents stay connected;";

const MASKED = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** A change, and what is said about it in one place. */
const TABLE: readonly [[kind: string, op: string, before: Properties, after?: Properties], string][] = [
  [["Queue", "delete", { key: "arm" }], `danger: Queue arm of A is deleted. ${LOOK}`],
  [
    ["Queue", "replace", { key: "arm" }, { key: "arm64" }],
    `danger: Queue arm of A is replaced by arm64. ${LOOK} Steps and agents that name arm must name arm64 from then on.`,
  ],
  [
    ["Queue", "update", { key: "arm" }, { dispatchPaused: true }],
    "caution: Queue arm of A is paused. Its jobs wait.",
  ],
  [
    ["Queue", "update", { key: "arm", dispatchPaused: true }, { dispatchPaused: false }],
    "caution: Queue arm of A is resumed. Its jobs start.",
  ],
  [
    ["AgentToken", "delete", { description: "Farm" }],
    `danger: Agent token Farm of A is revoked. ${CONNECTED} no agent can start or reconnect with it.`,
  ],
  [
    ["AgentToken", "replace", { description: "Farm" }, { triggers: { week: "2" } }],
    `danger: Agent token Farm of A is replaced, and its secret changes. ${CONNECTED} agents that start or reconnect need the new one.`,
  ],
  [
    [
      "AgentToken",
      "update",
      { description: "Farm", allowedIpAddresses: ["10.0.0.0/8"] },
      { allowedIpAddresses: ["10.0.0.0/16"] },
    ],
    'caution: Agent token Farm of A allows other addresses (["10.0.0.0/16"] instead of ["10.0.0.0/8"]).',
  ],
  [
    ["ClusterDefaultQueue", "delete", { queueId: "q" }],
    "danger: The default queue of A is removed. Agents that name no queue get no jobs.",
  ],
  [
    ["ClusterDefaultQueue", "update", { queueId: "q" }, { queueId: "r" }],
    "caution: The default queue of A changes from q to r. Agents that name no queue use the new one. Jobs that name no queue wait for it.",
  ],
  [
    ["Cluster", "delete", { name: "Old" }],
    "danger: Cluster Old is deleted with its queues, its agent tokens and its cluster secrets. Anything else in it is deleted only if forceDestroy is set. Look for jobs that wait for its queues.",
  ],
  [
    ["PipelineTemplate", "delete", { name: "Node" }],
    "danger: Pipeline template Node is deleted. Look for pipelines that use it: the API doesn't show them.",
  ],
  [
    ["PipelineTemplate", "update", { name: "Node", available: true }, { available: false }],
    "caution: Pipeline template Node can be assigned only by administrators.",
  ],
  [
    ["Team", "delete", { name: "Ops" }],
    "danger: Team Ops is deleted. Its members lose the access that it gives.",
  ],
  [
    ["Team", "update", { name: "Ops", __untold: ["defaultMemberRole"] }, { defaultMemberRole: "member" }],
    "danger: Team Ops sets defaultMemberRole to member. The API doesn't return its present value, so this may take a permission away.",
  ],
  [
    ["Team", "update", { name: "Ops", defaultMemberRole: "maintainer" }, { defaultMemberRole: "member" }],
    "caution: Team Ops changes defaultMemberRole from maintainer to member.",
  ],
  [
    ["Team", "update", { name: "Ops", privacy: "visible" }, { privacy: "secret" }],
    "caution: Team Ops changes privacy from visible to secret.",
  ],
  [
    ["Team", "update", { name: "Ops", slug: "ops" }, { name: "Operations" }],
    "caution: Team Ops gets another slug with its name: operations instead of ops. Links and scripts that use the slug must follow.",
  ],
  [
    ["Suite", "delete", { name: "Unit" }],
    "danger: Test suite Unit is deleted with its runs, and its API token stops working.",
  ],
  [
    ["Pipeline", "delete", { name: "Shop", onDelete: "archive" }],
    "danger: Pipeline Shop is archived. It gets no builds from then on, and keeps its old ones and its slug.",
  ],
  [
    ["Pipeline", "delete", { name: "Shop", onDelete: "delete" }],
    "danger: Pipeline Shop is deleted with its builds, logs and artifacts.",
  ],
  [
    ["Pipeline", "delete", { name: "Shop", onDelete: "archive", archived: true }],
    "caution: Pipeline Shop is removed from state. Nothing is sent, because it is archived already.",
  ],
  [
    ["Pipeline", "update", { name: "Shop", archived: true }, { archived: false }],
    "danger: Pipeline Shop is unarchived, so it gets builds again.",
  ],
  [
    ["Pipeline", "update", { name: "Shop", archived: false }, { archived: true }],
    "caution: Pipeline Shop is archived. It gets no builds from then on, and keeps its old ones.",
  ],
  [
    ["Pipeline", "update", { name: "Shop", visibility: "private" }, { visibility: "public" }],
    "danger: Pipeline Shop becomes public: everybody can see its builds and their logs.",
  ],
  [
    ["Pipeline", "update", { name: "Shop", visibility: "public" }, { visibility: "private" }],
    "caution: Pipeline Shop changes visibility from public to private.",
  ],
  [
    ["Pipeline", "update", { name: "Shop", slug: "shop" }, { slug: "store" }],
    "caution: Pipeline Shop gets another slug: store instead of shop. Web addresses, trigger steps and scripts that use the slug must follow.",
  ],
  [
    ["Pipeline", "update", { name: "Shop", onDelete: "archive" }, { onDelete: "delete" }],
    "caution: Pipeline Shop would be deleted with its builds, and no longer archived, if the program drops it.",
  ],
  [
    ["ClusterSecret", "delete", { key: "DEPLOY" }],
    "danger: Cluster secret DEPLOY of A is deleted. Jobs that read it by this key no longer get it.",
  ],
  [
    ["ClusterSecret", "update", { key: "DEPLOY", value: MASKED }, { value: MASKED }],
    "caution: Cluster secret DEPLOY of A gets another value. Jobs that start from then on read it.",
  ],
];

test.each(TABLE)("%j", ([kind, op, before, after = {}], alone) => {
  expect(said(kind, op, before, after, ["A"])).toEqual([alone]);
  const [, lead, predicate, rest] = /^(.*) of A (.*?)\.(?= |$)(.*)$/.exec(alone) ?? [];
  if (lead === undefined) return;
  expect(said(kind, op, before, after, ["A", "B"])).toEqual([
    `${lead} ${predicate} in 2 clusters: A, B.${rest}`,
  ]);
});

test("The present load is a part of the sentence", () => {
  const remark = {
    subject: ["Queue ", { code: "arm" }],
    predicate: ["is deleted"],
    rest: [["It was kept."], false, [LOOK]] as const,
  };
  const [a, b] = ["A", "B"].map((name) => ({ kind: "Cluster", key: name, id: name, name }));
  const written = (...given: Parameters<typeof sentence>) => plainText(sentence(...given));
  if (a === undefined || b === undefined) throw new Error("There are two places.");
  const rest = `It was kept. ${LOOK}`;
  expect(written(remark, [a], { strong: "3 running" })).toBe(`Queue arm of A is deleted: 3 running. ${rest}`);
  expect(written(remark, [b, a], "0 running")).toBe(
    `Queue arm is deleted in 2 clusters, each with 0 running: A, B. ${rest}`,
  );
  expect(written(remark, [])).toBe(`Queue arm is deleted. ${rest}`);
});

describe("The queues that a template's steps name", () => {
  test.each<[string, string, string[]]>([
    ["for all steps", "agents:\n  queue: large\nsteps: []", ["large"]],
    ["of one step", "steps:\n  - command: make\n    agents: { queue: small }", ["small"]],
    [
      "of a step in a group",
      "steps:\n  - group: a\n    steps:\n      - agents:\n          queue: deep",
      ["deep"],
    ],
    ["as a list of tags", "agents: [queue=listed, os=linux]", ["listed"]],
    ["as one tag", "agents: queue=one", ["one"]],
    ["behind an anchor", "x: &agents { queue: anchored }\nagents: *agents", ["anchored"]],
    [
      "of another step, merged",
      "x: &x { queue: merged }\nsteps: [{ agents: { <<: *x, os: linux } }]",
      ["merged"],
    ],
    ["in a list after a byte order mark", "\uFEFF- command: make\n  agents: { queue: small }", ["small"]],
    ["by an anchored name", "x: &name named\nagents: { queue: *name }", ["named"]],
  ])("%s", (_, text, expected) => {
    expect([...queuesNamedIn(text)]).toEqual(expected);
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
    expect([...queuesNamedIn(text)]).toEqual([]);
  });

  test("come from any text without an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => void queuesNamedIn(`agents:\n  ${text}`)),
    );
  });
});
