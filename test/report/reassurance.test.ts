import * as fc from "fast-check";
import { expect, test } from "vitest";
import { queuesThatDisappear } from "../../src/drain/of-preview.js";
import { readStackState } from "../../src/inventory/stack-export.js";
import { html } from "../../src/report/html.js";
import type { Impact } from "../../src/report/impact.js";
import { markdown } from "../../src/report/markdown.js";
import { planOf } from "../../src/report/plan.js";
import { readPreview } from "../../src/report/preview.js";
import { type Report, reportOf } from "../../src/report/report.js";

/** What the next deployment does with an object. */
const FATES = [
  "same",
  "update",
  "unknown",
  "replace",
  "move",
  "delete",
  "create",
  "pending",
  "gone",
  "drifted",
] as const;
const KINDS = ["Queue", "AgentToken", "PipelineTemplate", "Team"] as const;

const objects = fc.array(
  fc.record({
    fate: fc.constantFrom("same" as const, "same" as const, ...FATES),
    kind: fc.constantFrom(...KINDS),
  }),
  { maxLength: 6 },
);
/** What the preview was made with, what went wrong, and what is missing. */
const inputs = fc.record({
  refresh: fc.boolean(),
  replacementSteps: fc.boolean(),
  sames: fc.boolean(),
  state: fc.boolean(),
  failed: fc.constantFrom(false, false, false, true),
  interrupted: fc.constantFrom(false, false, true),
  warned: fc.constantFrom(false, false, true),
  lost: fc.constantFrom("nothing" as const, "nothing" as const, "the summary" as const, "a step" as const),
});

type Objects = typeof objects extends fc.Arbitrary<infer Value> ? Value : never;
type Inputs = typeof inputs extends fc.Arbitrary<infer Value> ? Value : never;

const STACK = "urn:pulumi:production::ci::";
const TYPE = "pulumi-nodejs:dynamic/buildpipeline:";

function situation(all: Objects, { refresh, replacementSteps, sames, state, ...what }: Inputs) {
  const label = (index: number) => `object-${index}`;
  const inClusters = (kind: string) => kind === "Queue" || kind === "AgentToken";
  const cluster = (id: string, name: string) => entry("Cluster", id, id, { name });
  function entry(kind: string, name: string, id: string, properties: Record<string, unknown>) {
    return {
      urn: `${STACK}${TYPE}${kind}::${name}`,
      type: `${TYPE}${kind}`,
      id,
      inputs: properties,
      outputs: properties,
    };
  }
  const stack = {
    urn: `${STACK}pulumi:pulumi:Stack::ci-production`,
    type: "pulumi:pulumi:Stack",
    custom: false,
  };
  const one = (index: number, id: string, more: Record<string, unknown> = {}) => {
    const { kind = "Queue" } = all[index] ?? {};
    const named = kind === "Queue" ? "key" : kind === "AgentToken" ? "description" : "name";
    const place = inClusters(kind) ? { clusterId: "c-linux" } : {};
    const configuration = kind === "PipelineTemplate" ? { configuration: "steps: []" } : {};
    return entry(kind, `program-${index}`, id, {
      [named]: label(index),
      ...place,
      ...configuration,
      ...more,
    });
  };
  const exported: object[] = [cluster("c-linux", "Linux"), cluster("c-gpu", "GPU")];
  const refreshed: { op: string; [field: string]: unknown }[] = [];
  const planned: { op: string; [field: string]: unknown }[] = [];
  const deleted: string[] = [];
  const counts: Record<string, number> = {};
  const plan = (op: string, step: object) => {
    counts[op] = (counts[op] ?? 0) + 1;
    if (op !== "same" || sames) planned.push({ op, ...step });
  };
  const both = (before: { urn: string }, after: object = before) => ({
    urn: before.urn,
    oldState: before,
    newState: after,
  });
  for (const before of exported) plan("same", both(before as { urn: string }));
  for (const [index, { fate, kind }] of all.entries()) {
    const before = one(index, `id-${index}`);
    const moved = fate === "move" && !inClusters(kind) ? "replace" : fate;
    if (moved !== "create") exported.push(before);
    const next = one(index, "", { description: "new", color: "#101010" });
    const changed = { diffReasons: ["description"], detailedDiff: null };
    if (moved === "same" || moved === "drifted") plan("same", both(before));
    if (moved === "update") plan("update", { ...both(before, next), ...changed });
    if (moved === "unknown") {
      const unknown = one(index, "", { description: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" });
      plan("update", { ...both(before, unknown), ...changed });
    }
    if (moved === "create") plan("create", { urn: next.urn, newState: next });
    if (moved === "delete") plan("delete", { urn: before.urn, oldState: before });
    if (moved === "replace" || moved === "move") {
      const after = one(index, "", moved === "move" ? { clusterId: "c-gpu" } : { key: "renamed" });
      const old = { ...before, delete: true };
      const reasons = { diffReasons: [moved === "move" ? "clusterId" : "key"] };
      if (replacementSteps) planned.push({ op: "delete-replaced", urn: before.urn, oldState: old });
      plan("replace", { ...both(old, after), ...reasons });
      if (replacementSteps) planned.push({ op: "create-replacement", ...both(old, after), ...reasons });
    }
    if (moved === "delete" || moved === "replace" || moved === "move") deleted.push(label(index));
    if (moved === "gone")
      plan(refresh ? "create" : "same", refresh ? { urn: before.urn, newState: before } : both(before));
    if (moved === "pending") {
      const old = one(index, `old-${index}`);
      const named = Object.keys(old.inputs).find((name) => old.inputs[name] === label(index)) ?? "";
      const pending = { ...old, inputs: { ...old.inputs, [named]: `old-${index}` }, delete: true };
      const left = { ...pending, outputs: pending.inputs };
      plan("same", both(before));
      exported.push(left);
      deleted.push(`old-${index}`);
      if (replacementSteps) planned.push({ op: "delete-replaced", urn: left.urn, oldState: left });
    }
  }
  if (refresh)
    for (const old of [stack, ...exported])
      refreshed.push({ op: "refresh", ...both(old as { urn: string }) });
  const steps = [...refreshed, { op: "same", ...both(stack) }, ...planned];
  const lost = planned.find(({ op }) => /^(?:create|update|replace|delete)$/.test(op));
  const hasLost = what.lost === "a step" && lost !== undefined;
  if (hasLost) steps.splice(steps.indexOf(lost), 1);
  const preview = readPreview({
    steps,
    diagnostics: [
      ...(what.failed ? [{ severity: "error", message: "error: it failed" }] : []),
      ...(what.warned ? [{ severity: "warning", message: "a resource could not be read" }] : []),
    ],
    ...(what.lost !== "the summary" && { changeSummary: counts }),
  });
  const pending_operations = what.interrupted
    ? [{ type: "creating", resource: { urn: `${STACK}${TYPE}Queue::x` } }]
    : [];
  const resources = [stack, ...exported];
  const given = state ? readStackState({ deployment: { resources, pending_operations } }) : undefined;
  const isPendingShown = refresh || state || replacementSteps;
  const visible = deleted.filter((name) => !name.startsWith("old-") || isPendingShown);
  const isNothing = all.every(
    ({ fate }) => fate === "same" || fate === "drifted" || (fate === "gone" && !refresh),
  );
  const isComplete = refresh && !what.failed && !what.warned && what.lost !== "the summary" && !hasLost;
  return { preview, state: given, deleted, visible, isNothing, isComplete, hasLost };
}

const NO_IMPACT: Impact = {
  findings: [],
  busy: false,
  uncertain: false,
  gaps: [],
  jobsWithoutCluster: 0,
  readAt: {},
  atLeast: false,
  requests: 0,
};

const texts = (report: Report) => [markdown(report, 1_000_000), html(report)];

test("A report reassures only where it is proven, and names what the deployment deletes", () => {
  fc.assert(
    fc.property(objects, inputs, (all, given) => {
      const { preview, state, ...truth } = situation(all, given);
      const { deleted, visible, isNothing, isComplete, hasLost } = truth;
      const isWhole = isComplete && !(given.interrupted && given.state);
      const isUnknown = all.some(({ fate }) => fate === "unknown");
      const plan = planOf(preview, state);
      const report = reportOf(plan);
      for (const text of texts(report)) {
        expect(text.includes("No changes")).toBe(isNothing && isWhole);
        expect(text.includes("Nothing dangerous")).toBe(
          isWhole && deleted.length === 0 && !isNothing && !isUnknown,
        );
        if (hasLost) continue;
        for (const name of visible) expect(text).toContain(name);
        if (visible.length < deleted.length && !given.failed) expect(text).toContain("Not checked");
      }
      const { level, dangerous } = report.verdict;
      if (deleted.length > 0 && dangerous === 0) expect(level).not.toBe("clear");
      for (const text of texts(reportOf(plan, { impact: NO_IMPACT }))) {
        if (!/touch nothing|No job runs in anything that this change/.test(text)) continue;
        expect({ failed: given.failed, lost: hasLost || given.lost === "the summary" }).toEqual({
          failed: false,
          lost: false,
        });
        // Whatever a deployment would delete is in the inputs.
        for (const name of deleted) expect(text).toContain(name);
      }
      if (hasLost) return;
      const own = visible.filter((name) => all[Number(name.split("-")[1])]?.kind === "Queue");
      expect(queuesThatDisappear(preview, state).sort()).toEqual(
        own.map((name) => name.replace("object", "id")).sort(),
      );
    }),
    { numRuns: 500 },
  );
});
