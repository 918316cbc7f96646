import { describe, expect, test } from "vitest";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import type { Report } from "../../../src/review/findings/report.js";
import { html } from "../../../src/review/forms/html.js";
import { markdown } from "../../../src/review/forms/markdown.js";
import type { Plan } from "../../../src/review/plan/plan.js";
import { plainText } from "../../../src/review/plan/text.js";
import { withCode } from "../../../src/shared/protocol/message-codes.js";
import type { Backend } from "../../../src/shared/protocol/type-token.js";
import { previewOf, resourceOf, step, theStack } from "../../support/recording.js";
import {
  deleting,
  failedWith,
  messagesOf,
  planFrom,
  recordedHere,
  reportFrom,
  reportOfPlan,
  staying,
} from "./reports.js";

type Properties = Record<string, unknown>;

const IN_LINUX = { clusterId: "c-linux" };
const QUEUE = { ...IN_LINUX, key: "arm" };
const TOKEN = { ...IN_LINUX, description: "Agents" };
const OLD = { name: "Old", slug: "old", privacy: "visible" };
const NEW = { ...OLD, name: "New", slug: "new" };
const SLUG = /gets another slug with its name: old instead of new/;

/** What an object has before somebody deletes it, and sentences of the nightly refresh and of the preview that undoes it. */
const DELETED: readonly (readonly [kind: string, before: Properties, ...says: RegExp[]])[] = [
  ["Cluster", { name: "GPU" }, /^Cluster GPU was deleted/, /agents can't reconnect/, /tokens other secrets/],
  ["Queue", QUEUE, /^Queue arm of Linux was deleted/, /jobs that wait for this queue/, /has another id/],
  ["AgentToken", TOKEN, /no agent can start or reconnect/, /another secret/, /of Agents go to vault-entry\./],
  [
    "ClusterDefaultQueue",
    { ...IN_LINUX, queueId: "q-1" },
    /^The default queue of Linux was removed outside of the/,
  ],
  ["PipelineTemplate", { name: "Release" }, /no pipeline uses it until somebody assigns it/],
  ["Team", { name: "Platform" }, /lose the access that it gave/, /access to pipelines must be given to it/],
  ["Suite", { name: "Unit", slug: "unit" }, /another id and API token, and no runs/],
  [
    "Queue",
    { clusterId: "c-other", key: "arm" },
    /^Queue arm of c-other was deleted/,
    /jobs that wait for this/,
  ],
];

/** What an object has before and after somebody changes it, and a sentence of the preview that undoes what people notice. */
const CHANGED: readonly (readonly [
  kind: string,
  before: Properties,
  after: Properties,
  ...says: RegExp[],
])[] = [
  ["Team", OLD, NEW, SLUG],
  ["Suite", OLD, NEW],
  ["Cluster", OLD, NEW],
  ["Team", { ...OLD, privacy: "secret" }, { ...NEW, privacy: "secret" }, SLUG],
  ["Team", OLD, { ...OLD, privacy: "secret" }, /^Team Old can be seen by everybody in the organization\.$/],
];

/** Resources of the stack `ci/production`. */
const entriesOf =
  (backend: Backend) => (of: string, name: string, id: string | undefined, inputs: Properties) =>
    resourceOf(of, name, id, inputs, {}, backend);

/** The preview of an incident's refresh, and the one that undoes it. @param after undefined: it is deleted */
function previewsOf(backend: Backend, kind: string, before: Properties, after?: Properties) {
  const entry = entriesOf(backend);
  const linux = entry("Cluster", "linux", "c-linux", { name: "Linux" });
  const old = entry(kind, "it", "id", before);
  const now = after && entry(kind, "it", "id", after);
  const delivered = {
    urn: "urn:pulumi:production::ci::acme:index:Secret::vault-entry",
    type: "acme:index:Secret",
    propertyDependencies: { value: [old.urn] },
  };
  const names = Object.keys(after ?? {}).filter((name) => name !== "slug" && after?.[name] !== before[name]);
  const others = [theStack, linux, delivered];
  const found = now ? step("update", old, now, ...names) : deleting(old);
  const planned = now
    ? step("update", now, old, ...names)
    : step("create", undefined, entry(kind, "it", undefined, before));
  const counts = now ? { same: 3, update: 1 } : { same: 3, create: 1 };
  return {
    drift: {
      steps: [...others.map((one) => step("refresh", one, one)), found],
      changeSummary: now ? counts : { same: 3, delete: 1 },
    },
    undone: {
      steps: [
        ...[...others, old].map((one) => step("refresh", one, one === old ? (now ?? old) : one)),
        ...others.map(staying),
        planned,
      ],
      changeSummary: counts,
    },
  };
}

/** Checks a verdict, and that the sentences include some. */
function expectReport(preview: object, level: string, says: readonly RegExp[]): void {
  const { verdict, consequences } = reportFrom(preview);
  expect(verdict.level).toBe(level);
  const sentences = messagesOf(consequences);
  for (const one of says) expect(sentences).toContainEqual(expect.stringMatching(one));
}

describe.each(["dynamic", "plugin"] as const)("With the %s provider", (backend) => {
  const entry = entriesOf(backend);

  test.for(DELETED)("%s %j, deleted outside of the program", ([kind, before, ...says]) => {
    const { drift, undone } = previewsOf(backend, kind, before);
    expectReport(drift, "danger", says);
    // What is restored is no loss.
    const level = kind === "ClusterDefaultQueue" ? "caution" : "danger";
    expectReport(undone, level, [...says, /, and this deployment (creates|sets) it again\./]);
  });

  test.for(CHANGED)("%s %j, changed to %j outside of the program", ([kind, before, after, ...says]) => {
    const { drift, undone } = previewsOf(backend, kind, before, after);
    expectReport(drift, "caution", []);
    expectReport(undone, says.length > 0 ? "caution" : "clear", says);
  });

  test("a token that is revoked and declared again under another name is a danger, with the alias that keeps it", () => {
    const old = entry("AgentToken", "old", "t-1", TOKEN);
    const next = entry("AgentToken", "next", undefined, TOKEN);
    const linux = entry("Cluster", "linux", "c-linux", { name: "Linux" });
    const steps = [staying(linux), step("create", undefined, next), deleting(old)];
    const plan = planFrom(previewOf(steps));
    const { level, parts } = reportOfPlan(plan).verdict;
    expect([level, ...parts]).toEqual(["danger", "1 dangerous", "1 other"]);
    const [danger, ...others] = reportOfPlan(plan).consequences;
    expect(others).toEqual([]);
    expect(danger && plainText(danger.message)).toBe(
      "Agent token Agents of Linux is revoked. Connected agents stay connected; no agent can start or reconnect with it.",
    );
    expect(danger?.todo && plainText(danger.todo)).toMatch(
      /^agent token Agents is deleted and created again\. If the program only renamed or moved it, add .*, and nothing happens to it\.$/,
    );
  });

  test("a project that declares a queue that another stack has fails, and learns what moves it", () => {
    const sentence = "Queue.key: is taken by the queue q-huge. Move it with `pulumi state move`.";
    const message = `error: ${withCode(sentence, "taken", "q-huge")}`;
    const own = entry("Queue", "small", "q-small", { clusterId: "c-linux", key: "small" });
    const steps = [staying(own)];
    const plan = planFrom({ ...failedWith(message), steps });
    expect(reportOfPlan(plan).verdict).toMatchObject({ level: "danger", parts: ["The preview failed"] });
    const said = messagesOf(itemsIn(plan));
    // Only an object of this stack gets the alias of a refactoring.
    expect(said).toEqual([
      expect.stringMatching(/^Queue\.key: is taken by the queue q-huge\. .*`pulumi state move`\./),
    ]);
  });

  test.each([0, 50])("a secret team is named only where it changes, with %i other objects", (others) => {
    const same = (one: ReturnType<typeof entry>) => staying(one);
    const secret = (name: string) => entry("Team", name, name, { name, privacy: "secret" });
    const vault = secret("Vault");
    const open = entry("Team", "Open", "Open", { name: "Open", privacy: "visible" });
    const renamed = { ...vault, inputs: { ...vault.inputs, name: "Safe" } };
    const steps = [
      same(secret("Night")),
      same(open),
      ...Array.from({ length: others }, (_, index) => same(entry("Suite", `s${index}`, `s${index}`, {}))),
      step("update", vault, renamed, "name"),
    ];
    const report = reportFrom(previewOf(steps));
    for (const text of [markdown(report, 65_536), html(report)]) {
      expect(text).toContain("Safe");
      if (others === 0) expect(text).toContain("Open");
      expect(text).not.toContain("Night");
    }
  });

  test("objects of a cluster are lost with it, in one sentence", () => {
    const [cluster, queue, token] = DELETED.map(([kind, before]) =>
      previewsOf(backend, kind, before).drift.steps.at(-1),
    );
    const inCluster = [queue, token].map((one) => ({
      ...one,
      oldState: { ...one?.oldState, inputs: { ...one?.oldState?.inputs, clusterId: "id" } },
    }));
    const { consequences } = reportFrom({
      steps: [step("refresh", theStack, theStack), cluster, ...inCluster],
      changeSummary: { delete: 3, same: 1 },
    });
    expect(messagesOf(consequences)).toEqual([
      expect.stringMatching(
        /^Cluster GPU was deleted outside of the program, with queue arm, agent token Agents\. /,
      ),
    ]);
  });
});

/** What record-incidents.mjs recorded of the real engine, and what the service had before, after and in between. */
describe.each(["dynamic", "plugin"] as const)(
  "In a night with many incidents, with the %s provider,",
  (backend) => {
    const recorded = (name: string) => recordedHere(`${backend}/${name}`);
    const service: Record<"before" | "lost" | "after", Record<string, string | null>> = recorded("service");
    const ids = new Set(Object.values(service.lost));
    const gone = Object.entries(service.before).filter(([, id]) => id !== null && !ids.has(id));
    const reported = (name: string) => reportFrom(recorded(name));
    const textOf = ({ consequences }: Report) => messagesOf(consequences).join("\n");

    test.each(["lost", "undone"])(
      "the report of `%s` names everything that is lost, and nothing as green",
      (name) => {
        const report = reported(name);
        expect(report.verdict.level).toBe("danger");
        expect(gone).toHaveLength(8);
        for (const [object] of gone) expect(textOf(report)).toContain(object.split(" ").slice(1).join(" "));
        expect(textOf(report)).toContain("The default queue of Linux was removed outside of the program");
        expect(textOf(report)).toContain("The outputs of GPU agents go to delivered-secret.");
        expect(html(report)).toMatch(/<code>npx pulumi-buildpipeline docs recover<\/code>/);
      },
    );

    test("what the report says to get another id got one, and everything else kept its own", () => {
      const renewing = messagesOf(reported("undone").consequences).filter((text) =>
        /another id|other ids|another secret/.test(text),
      );
      for (const [object, id] of Object.entries(service.before)) {
        const [kind = "", ...name] = object.split(" ");
        const named = new RegExp(`\\b${kinds.get(kind)?.words.noun} ${name.join(" ")}\\b`, "i");
        const says = renewing.some((text) => named.test(text));
        expect([object, service.after[object] !== id]).toEqual([object, says]);
      }
    });

    test("a pause by an operator is no drift, and stays", () => {
      expect(planFrom(recorded("lost")).changes.map(({ label }) => label)).not.toContain("paused");
      const pause = planFrom(recorded("undone")).outOfBand.filter(({ label }) => label === "paused");
      expect(pause).toMatchObject([{ fate: "kept", action: "update" }]);
    });

    test("queues that moved into a component get their aliases in one sentence", () => {
      const plan = planFrom(recorded("component"));
      const [first, ...others] = itemsIn(plan);
      expect(others).toEqual([]);
      expect(first?.message && plainText(first.message)).toContain("queue huge, queue large");
      const urns: string[] = recorded("base-export").deployment.resources.map(
        ({ urn }: { urn: string }) => urn,
      );
      const aliases = (first?.details ?? []).map((one) => /"(urn:.*)"/.exec(plainText(one))?.[1] ?? "");
      expect(aliases).toHaveLength(2);
      for (const alias of aliases) expect(urns).toContain(alias);
    });

    test.each([
      ["elsewhere", /^2 queues of Linux \(huge, large\) are deleted\./],
      ["unreachable", /^$/],
    ])("the report of `%s` is a danger", (name, says) => {
      const report = reported(name);
      expect(report.verdict.level).toBe("danger");
      expect(textOf(report)).toMatch(says);
      expect(report.failed).toBe(name === "unreachable");
    });
  },
);

test("An interrupted deployment is said before the errors that it causes, with the commands in order", () => {
  const urn = `${theStack.urn.replace("pulumi:pulumi:Stack::ci-production", "buildpipeline:index:Queue::extra")}`;
  const preview = { ...failedWith("error: key is taken"), steps: [staying(theStack)] };
  const text = (type: string) => {
    const pending_operations = [{ type, resource: { urn } }];
    const plan = planFrom(preview, { deployment: { resources: [theStack], pending_operations } });
    return messagesOf(itemsIn(plan));
  };
  const creating = text("creating");
  expect(creating.findIndex((one) => one.includes("creating extra"))).toBe(0);
  const said = creating.join(" ");
  const recover = "npx pulumi-buildpipeline recover";
  const commands = ["pulumi cancel", `${recover},`, `${recover} --yes`];
  const places = commands.map((command) => said.indexOf(command));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
  expect(said.indexOf("key is taken")).toBeGreaterThan(Number(places[2]));
  expect(text("updating").join(" ")).not.toContain("recover");
});

/** What stands above the table: notices, then consequences. */
function itemsIn(plan: Plan) {
  const { notices, consequences } = reportOfPlan(plan);
  return [...notices.flatMap(({ items }) => items), ...consequences];
}
