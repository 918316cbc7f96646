import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readEventLog, readPreview } from "../../../src/cli/pulumi/preview.js";
import { readStackState } from "../../../src/cli/pulumi/stack-export.js";
import { queuesThatDisappear } from "../../../src/review/drain/queues.js";
import { planOf } from "../../../src/review/plan/plan.js";
import { html } from "../../../src/review/report/html.js";
import type { Impact } from "../../../src/review/report/impact.js";
import { reportAsJson } from "../../../src/review/report/json.js";
import { markdown } from "../../../src/review/report/markdown.js";
import { isDangerous, type Report, reportOf } from "../../../src/review/report/report.js";
import { UNKNOWN } from "../../../src/shared/protocol/encoded-values.js";
import { cases, someOf } from "../../support/cases.js";
import { previewOf, resourceOf, step, theStack } from "../../support/recording.js";
import { linesOf, reportFrom, said } from "./reports.js";

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

function situation(all: Objects, { refresh, replacementSteps, sames, state, ...what }: Inputs) {
  const label = (index: number) => `object-${index}`;
  const inClusters = (kind: string) => kind === "Queue" || kind === "AgentToken";
  const cluster = (id: string, name: string) => resourceOf("Cluster", id, id, { name });
  const one = (index: number, id: string, more: Record<string, unknown> = {}) => {
    const { kind = "Queue" } = all[index] ?? {};
    const named = kind === "Queue" ? "key" : kind === "AgentToken" ? "description" : "name";
    const place = inClusters(kind) ? { clusterId: "c-linux" } : {};
    const configuration = kind === "PipelineTemplate" ? { configuration: "steps: []" } : {};
    const inputs = { [named]: label(index), ...place, ...configuration, ...more };
    return resourceOf(kind, `program-${index}`, id, inputs, { outputs: inputs });
  };
  const exported = [cluster("c-linux", "Linux"), cluster("c-gpu", "GPU")];
  const planned: ReturnType<typeof step>[] = [];
  const deleted: string[] = [];
  const counts: Record<string, number> = {};
  const plan = (...given: Parameters<typeof step>) => {
    const [op] = given;
    counts[op] = (counts[op] ?? 0) + 1;
    if (op !== "same" || sames) planned.push(step(...given));
  };
  for (const before of exported) plan("same", before, before);
  for (const [index, { fate, kind }] of all.entries()) {
    const before = one(index, `id-${index}`);
    const moved = fate === "move" && !inClusters(kind) ? "replace" : fate;
    if (moved !== "create") exported.push(before);
    const next = one(index, "", { description: "new", color: "#101010" });
    if (moved === "same" || moved === "drifted") plan("same", before, before);
    if (moved === "update") plan("update", before, next, "description");
    if (moved === "unknown") plan("update", before, one(index, "", { description: UNKNOWN }), "description");
    if (moved === "create") plan("create", undefined, next);
    if (moved === "delete") plan("delete", before, undefined);
    if (moved === "replace" || moved === "move") {
      const after = one(index, "", moved === "move" ? { clusterId: "c-gpu" } : { key: "renamed" });
      const old = { ...before, delete: true };
      const reason = moved === "move" ? "clusterId" : "key";
      if (replacementSteps) planned.push(step("delete-replaced", old, undefined));
      plan("replace", old, after, reason);
      if (replacementSteps) planned.push(step("create-replacement", old, after, reason));
    }
    if (moved === "delete" || moved === "replace" || moved === "move") deleted.push(label(index));
    if (moved === "gone") plan(refresh ? "create" : "same", refresh ? undefined : before, before);
    if (moved === "pending") {
      const old = one(index, `old-${index}`);
      const named = Object.keys(old.inputs).find((name) => old.inputs[name] === label(index)) ?? "";
      const inputs = { ...old.inputs, [named]: `old-${index}` };
      const left = { ...old, inputs, outputs: inputs, delete: true };
      plan("same", before, before);
      exported.push(left);
      deleted.push(`old-${index}`);
      if (replacementSteps) planned.push(step("delete-replaced", left, undefined));
    }
  }
  const refreshed = refresh ? [theStack, ...exported].map(refreshOf) : [];
  const steps = [...refreshed, sameOf(theStack), ...planned];
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
    ? [{ type: "creating", resource: { urn: resourceOf("Queue", "x", "", {}).urn } }]
    : [];
  const resources = [theStack, ...exported];
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

const idsOf = (changes: readonly { readonly id: string | undefined }[]) => changes.map(({ id }) => id);

const texts = (report: Report) => [markdown(report, 1_000_000), html(report)];

test("A report reassures only where it is proven, and names what the deployment deletes", () => {
  fc.assert(
    fc.property(objects, inputs, (all, given) => {
      const { preview, state, ...truth } = situation(all, given);
      const { deleted, visible, isNothing, isComplete, hasLost } = truth;
      const isCutOff = hasLost || given.lost === "the summary";
      const isWhole = isComplete && !(given.interrupted && given.state);
      const isUnknown = all.some(({ fate }) => fate === "unknown");
      const isLost = given.refresh && all.some(({ fate }) => fate === "gone");
      const plan = planOf(preview, state);
      const report = reportOf(plan);
      for (const text of texts(report)) {
        expect(text.includes("No changes")).toBe(isNothing && isWhole);
        expect(text.includes("Nothing dangerous")).toBe(
          isWhole && deleted.length === 0 && !isNothing && !isUnknown && !isLost,
        );
        if (isCutOff) continue;
        for (const name of visible) expect(text).toContain(name);
        if (visible.length < deleted.length && !given.failed) expect(text).toContain("Not checked");
      }
      const { level, dangerous, parts } = report.verdict;
      if (isCutOff || given.failed) expect([level, parts[0]]).toEqual(["danger", "The preview failed"]);
      if (deleted.length > 0 && dangerous === 0) expect(level).not.toBe("clear");
      if (isLost && !hasLost) expect(level).toBe("danger");
      for (const text of texts(reportOf(plan, { impact: NO_IMPACT }))) {
        if (!/touch nothing|No job runs in anything that this change/.test(text)) continue;
        expect(isCutOff || given.failed).toBe(false);
        // Whatever a deployment would delete is in the inputs.
        for (const name of deleted) expect(text).toContain(name);
      }
      if (hasLost) return;
      const own = visible.filter((name) => all[Number(name.split("-")[1])]?.kind === "Queue");
      expect(idsOf(queuesThatDisappear(preview, state)).sort()).toEqual(
        own.map((name) => name.replace("object", "id")).sort(),
      );
    }),
    { numRuns: cases(500) },
  );
});

const refreshOf = (one: Parameters<typeof step>[1]) => step("refresh", one, one);
const sameOf = (one: Parameters<typeof step>[1]) => step("same", one, one);

/** A preview with a refresh of all that its steps have, so that nothing of it is missing. */
function complete(...planned: readonly ReturnType<typeof step>[]) {
  const steps = [sameOf(theStack), ...planned];
  const before = new Set(steps.flatMap(({ oldState }) => oldState ?? []));
  return { ...previewOf(steps), steps: [...[...before].map(refreshOf), ...steps] };
}

const exported = (...resources: readonly object[]) => ({ deployment: { resources } });

const alpha = resourceOf("Cluster", "alpha", "c-alpha", { name: "Alpha" });
const beta = resourceOf("Cluster", "beta", "c-beta", { name: "Beta" });
const small = resourceOf("Queue", "small", "q-small", { clusterId: "c-alpha", key: "small" });
const template = resourceOf("PipelineTemplate", "release", "t-release", {
  name: "Release",
  configuration: "agents: { queue: small }",
});

describe("A report says no less than what happens", () => {
  test("where a default queue moves to another cluster", () => {
    const setting = (id: string | undefined, inputs: object) =>
      resourceOf("ClusterDefaultQueue", "d", id, { ...inputs });
    const before = setting("c-alpha", { clusterId: "c-alpha", queueId: "q-small" });
    const after = setting(undefined, { clusterId: "c-beta", queueId: "q-other" });
    const moves = step("replace", before, after, "clusterId", "queueId");
    const text = said(complete(sameOf(alpha), sameOf(beta), moves));
    expect(text).toContain(
      "> - The default queue of <code>Alpha</code> is removed. Agents that name no queue get no jobs.",
    );
    expect(text).not.toContain("Nothing dangerous");
    // Another default in the same cluster takes nothing away.
    const stays = { ...after, inputs: { ...after.inputs, clusterId: "c-alpha" } };
    expect(said(complete(sameOf(alpha), step("replace", before, stays, "queueId")))).not.toContain(
      "is removed",
    );
  });

  test("where only resources of other packages drifted", () => {
    const bucket = {
      urn: `urn:pulumi:production::ci::aws:s3/bucket:Bucket::b`,
      type: "aws:s3/bucket:Bucket",
      id: "b",
    };
    const steps = [refreshOf(theStack), refreshOf(alpha), step("delete", bucket, undefined)];
    const text = said({ steps, changeSummary: { same: 2, delete: 1 } });
    expect(text).toContain("⚪ **The refresh shows no drift of a resource of this package.**");
    const unchanged = [refreshOf(theStack), refreshOf(alpha), refreshOf(bucket)];
    expect(said({ steps: unchanged, changeSummary: { same: 3 } })).toContain("🟢 **No changes.**");
  });

  test("where a refresh found drift", () => {
    const steps = [refreshOf(theStack), refreshOf(alpha), step("delete", small, undefined)];
    const text = said({ steps, changeSummary: { same: 2, delete: 1 } });
    expect(text).toContain("🔴 **1 dangerous**\n");
    expect(text).toContain("npx pulumi-buildpipeline docs recover");
    const renamed = { ...small, inputs: { ...small.inputs, description: "by hand" } };
    const changed = [refreshOf(theStack), refreshOf(alpha), step("update", small, renamed, "description")];
    expect(said({ steps: changed, changeSummary: { same: 2, update: 1 } })).toContain(
      "🟠 **1 out-of-band change**\n",
    );
  });

  test.each([
    ["project", alpha.urn.replace("::ci::", "::mobile::")],
    ["stack", alpha.urn.replace(":production:", ":staging:")],
  ])("where the state is that of another %s", (_, urn) => {
    const shown = { steps: [sameOf(theStack)], changeSummary: { same: 2 } };
    expect(said(shown, exported(theStack, alpha))).not.toContain("deletions that an earlier deployment left");
    const other = { ...alpha, urn };
    expect(said(shown, exported(other))).toContain("Not checked: deletions that an earlier deployment left");
    const pending = { type: "creating", resource: { urn } };
    const interrupted = { deployment: { resources: [], pending_operations: [pending] } };
    expect(said(shown, interrupted)).not.toContain("interrupted");
  });

  test("where Pulumi prints the duration alone, unless the state shows that there is nothing to read", () => {
    expect(said({ duration: 1 })).toContain("The preview shows no change of a resource");
    expect(said({ duration: 1 }, exported(alpha))).not.toContain("No changes");
    expect(said({ duration: 1 }, exported())).toMatch(/^## Drift\n\n🟢 \*\*No changes\.\*\*/m);
  });

  test("where a refresh read a part of the state", () => {
    const drift = { steps: [refreshOf(alpha)], changeSummary: { same: 1 } };
    expect(said(drift, exported(theStack, alpha))).toContain("No changes");
    const text = said(drift, exported(theStack, alpha, beta));
    expect(text).not.toContain("No changes");
    expect(text).toContain("Not checked: drift of resources that the refresh did not read");
    const planned = [refreshOf(alpha), sameOf(theStack), sameOf(alpha), sameOf(beta)];
    expect(said({ steps: planned, changeSummary: { same: 3 } })).not.toContain("No changes");
  });

  test("where a replacement has no reason that the preview shows", () => {
    const text = said(complete(sameOf(alpha), step("replace", small, { ...small, id: undefined })));
    expect(text).toContain("Queue <code>small</code> of <code>Alpha</code> is replaced.");
    expect(text).not.toContain("no change on the service");
  });

  test("where a part of a value is not known yet", () => {
    const suite = resourceOf("Suite", "s", "s-1", { name: "Unit", teamIds: ["team"] });
    const after = { ...suite, inputs: { ...suite.inputs, teamIds: ["team", UNKNOWN] } };
    const text = said(complete(step("update", suite, after, "teamIds[1]")));
    expect(text).toContain("not everything is checked");
    expect(text).not.toContain("Nothing dangerous");
  });
});

describe("An event log that was cut off", () => {
  const logs = [
    "../../support/recorded/preview-events",
    "../../support/recorded/drift-events",
    "recorded/options-exclude",
  ];

  test.each(someOf(logs))("passes no gate, wherever %s ends, and its verdict says so first", (name) => {
    const lines = linesOf(join(__dirname, `${name}.jsonl`));
    for (const length of lines.keys()) {
      const report = reportOf(planOf(readEventLog(lines.slice(0, length))), { impact: NO_IMPACT });
      expect(isDangerous(report)).toBe(true);
      const { level, parts } = report.verdict;
      expect([level, parts[0]]).toEqual(["danger", "The preview failed"]);
      expect(markdown(report, 65_536)).not.toContain("A refresh changes nothing");
    }
    expect(planOf(readEventLog(lines)).failed).toBe(false);
  });
});

describe("A report says no more than what happens", () => {
  /** A queue in a cluster that isn't known yet, and that comes from some resources. */
  const madeIn = (...clusterId: readonly string[]) => {
    const inputs = { clusterId: UNKNOWN, key: "made" };
    return resourceOf("Queue", "made", undefined, inputs, { propertyDependencies: { clusterId } });
  };

  test("to a queue that is only removed from state", () => {
    const released = step("delete", { ...small, retainOnDelete: true }, undefined);
    const text = said(complete(sameOf(alpha), sameOf(template), released));
    expect(text).toContain("is removed from state; nothing is deleted on the service");
    expect(text).not.toContain("takes away");
    const deleted = said(complete(sameOf(alpha), sameOf(template), step("delete", small, undefined)));
    expect(deleted).toContain("takes away the last known queue <code>small</code>");
  });

  test("to what is made in a cluster that is replaced", () => {
    const next = resourceOf("Cluster", "alpha", undefined, { name: "Alpha" });
    const text = said(complete(step("replace", alpha, next), step("create", undefined, madeIn(alpha.urn))));
    expect(text).toContain("is replaced with its queues, its agent tokens and its cluster secrets.");
  });

  test("to an object that the program only read before", () => {
    const read = { ...small, external: true };
    const { id: _, ...next } = { ...small, inputs: { ...small.inputs, import: "Alpha/small" } };
    const replacement = step("replace", read, next);
    for (const steps of [
      [replacement],
      [step("create-replacement", read, next), replacement, step("discard-replaced", read, undefined)],
    ]) {
      const preview = complete(sameOf(alpha), ...steps);
      expect(said(preview)).toContain("1 to import.");
      expect(said(preview)).not.toMatch(/is replaced|\d dangerous/);
      expect(queuesThatDisappear(readPreview(preview))).toEqual([]);
    }
  });

  test.each([
    ["is unmanaged", undefined, undefined],
    ["is unmanaged, and the state has its last value", undefined, true],
    ["isn't known yet", UNKNOWN, undefined],
  ])("to a queue whose pausing %s", (_, input, output) => {
    const inputs = { ...small.inputs, dispatchPaused: true };
    const paused = { ...small, inputs, outputs: inputs };
    const after = {
      ...small,
      inputs: { ...small.inputs, ...(input && { dispatchPaused: input }) },
      outputs: output === undefined ? {} : { ...small.inputs, dispatchPaused: output },
    };
    const text = said(complete(sameOf(alpha), step("update", paused, after, "dispatchPaused")));
    expect(text).not.toMatch(/is paused|is resumed/);
  });

  test("to the option import, which may be set later", () => {
    const imports = { ...small, inputs: { ...small.inputs, import: "Alpha/small" } };
    const set = said(complete(sameOf(alpha), step("update", small, imports, "import")));
    expect(set).toContain("the option import is set; nothing is sent");
    const removed = said(complete(sameOf(alpha), step("update", imports, small, "import")));
    expect(removed).toContain("the option import is removed; nothing is sent");
  });

  test("by what stands for a value that isn't known", () => {
    const made = resourceOf("Queue", "made", undefined, {
      clusterId: UNKNOWN,
      key: UNKNOWN,
      import: UNKNOWN,
    });
    const key = resourceOf("Queue", "small", undefined, { clusterId: "c-alpha", key: UNKNOWN });
    const steps = [sameOf(alpha), step("create", undefined, made), step("replace", small, key, "key")];
    const report = reportFrom(complete(...steps));
    for (const text of [...texts(report), JSON.stringify(reportAsJson(report))])
      expect(text).not.toMatch(/4da6b54/);
    const [, drawing = ""] = /```mermaid\n(.*?)```/s.exec(markdown(report, 65_536)) ?? [];
    expect(drawing).toContain("made");
  });

  test("where a value may come from one of two clusters", () => {
    const made = madeIn(alpha.urn, beta.urn);
    const text = said(complete(sameOf(alpha), sameOf(beta), step("create", undefined, made)));
    expect(text).toContain("Cluster <code>&#40;known after deployment&#41;</code>: 1 to create");
  });
});
