import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LiveObject } from "../../../src/cli/inventory/live-object.js";
import { readEventLog, readPreview } from "../../../src/cli/pulumi/preview.js";
import { readStackState } from "../../../src/cli/pulumi/stack-export.js";
import type { LiveJob } from "../../../src/cli/workload/job.js";
import { type AnyKind, directionOf, kinds } from "../../../src/provider/for-commands/kinds.js";
import { queuesThatDisappear } from "../../../src/review/drain/queues.js";
import { findingsOf } from "../../../src/review/findings/findings.js";
import type { Live } from "../../../src/review/findings/live.js";
import { isDangerous, reportOf } from "../../../src/review/findings/report.js";
import { planOf } from "../../../src/review/plan/plan.js";
import { plainText } from "../../../src/review/plan/text.js";
import { MASKED, UNKNOWN } from "../../../src/shared/protocol/encoded-values.js";
import { cases, someOf } from "../../support/cases.js";
import { previewOf, resourceOf, step, theStack } from "../../support/recording.js";
import { ARGUMENTS, type ArgumentCase } from "./argument-cases.js";
import {
  consequencesBeside,
  creating,
  dangersOf,
  deleting,
  findingsFrom,
  formsOf,
  linesOf,
  liveObject,
  liveWith,
  reportFrom,
  said,
  staying,
} from "./reports.js";

/** What the next deployment does with an object. */
const FATES = [
  "same",
  "argument",
  "argument",
  "unknown",
  "replace",
  "move",
  "delete",
  "create",
  "pending",
  "gone",
  "drifted",
] as const;

const ofKind = (kind: string) => ARGUMENTS.filter((one) => one.kind === kind);

/** An object of any kind and, for an update, one of its arguments with a value before and after. */
const objects = fc.array(
  fc
    .record({
      fate: fc.constantFrom("same" as const, "same" as const, ...FATES),
      kind: fc.constantFrom(...kinds.keys()),
      busy: fc.boolean(),
    })
    .chain((one) =>
      fc
        .constantFrom<(ArgumentCase | undefined)[]>(undefined, ...ofKind(one.kind))
        .map((change) => ({ ...one, change })),
    ),
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
  warned: fc.constantFrom(...(["nobody", "nobody", "the provider", "the engine"] as const)),
  lost: fc.constantFrom("nothing" as const, "nothing" as const, "the summary" as const, "a step" as const),
  live: fc.constantFrom("not read" as const, "complete" as const, "partial" as const, "missing" as const),
});

type Objects = typeof objects extends fc.Arbitrary<infer Value> ? Value : never;
type Inputs = typeof inputs extends fc.Arbitrary<infer Value> ? Value : never;

const label = (index: number) => `object-${index}`;
const inCluster = ({ parent }: AnyKind) => parent?.kind === "Cluster";

/** The argument of a change with a value, and what it is nothing without. */
const ownOf = ({ name, review }: ArgumentCase, value: unknown) => ({
  ...(review.within !== undefined && { [review.within]: true }),
  [name]: value,
});

/** An object of the stack with a name by which its kind is known. */
function objectOf(all: Objects, index: number, id: string, more: Record<string, unknown> = {}) {
  const { kind: name = "" } = all[index] ?? {};
  const kind = kinds.get(name);
  const place = kind?.parent && { [kind.parent.argument]: inCluster(kind) ? "c-linux" : `of-${index}` };
  const named = kind?.words.label === undefined ? {} : { [kind.words.label]: label(index) };
  const steps = kind?.arguments.configuration === undefined ? {} : { configuration: "steps: []" };
  const own = { ...place, ...named, ...steps, ...more };
  return resourceOf(name, `program-${index}`, id, own, { outputs: own });
}

function situation(all: Objects, { refresh, replacementSteps, sames, state, ...what }: Inputs) {
  const cluster = (id: string, name: string) => resourceOf("Cluster", id, id, { name });
  const exported = [cluster("c-linux", "Linux"), cluster("c-gpu", "GPU")];
  const planned: ReturnType<typeof step>[] = [];
  const deleted: string[] = [];
  /** Names of objects of which something must be said, by what the descriptions say. */
  const meant: { readonly name: string; readonly level: string }[] = [];
  const counts: Record<string, number> = {};
  const plan = (...given: Parameters<typeof step>) => {
    const [op] = given;
    counts[op] = (counts[op] ?? 0) + 1;
    if (op !== "same" || sames) planned.push(step(...given));
  };
  for (const before of exported) plan("same", before, before);
  for (const [index, { fate, kind, change }] of all.entries()) {
    const own = { ...(fate === "argument" && change && ownOf(change, change.before)) };
    const before = objectOf(all, index, `id-${index}`, own);
    const described = kinds.get(kind);
    const moved = fate === "move" && !(described && inCluster(described)) ? "replace" : fate;
    if (moved !== "create") exported.push(before);
    const next = objectOf(all, index, "", { color: "#101010" });
    if (moved === "same" || moved === "drifted" || (moved === "argument" && change === undefined))
      plan("same", before, before);
    else if (moved === "argument" && change !== undefined) {
      plan("update", before, objectOf(all, index, "", ownOf(change, change.after)), change.name);
      const direction = directionOf(change.review, change.before, change.after);
      const meaning = direction === undefined ? undefined : change.review.means[direction];
      const isGivenUp = change.after === undefined && change.whenOmitted !== "cleared";
      // Another name is in the report in place of the object's own.
      const isName = change.name === kinds.get(kind)?.words.label;
      if (meaning && !isGivenUp && !isName) meant.push({ name: label(index), level: meaning.level });
    }
    if (moved === "unknown") plan("update", before, objectOf(all, index, "", { color: UNKNOWN }), "color");
    if (moved === "create") plan("create", undefined, next);
    if (moved === "delete") plan("delete", before, undefined);
    if (moved === "replace" || moved === "move") {
      const after = objectOf(all, index, "", moved === "move" ? { clusterId: "c-gpu" } : { emoji: ":new:" });
      const old = { ...before, delete: true };
      const reason = moved === "move" ? "clusterId" : "emoji";
      if (replacementSteps) planned.push(step("delete-replaced", old, undefined));
      plan("replace", old, after, reason);
      if (replacementSteps) planned.push(step("create-replacement", old, after, reason));
    }
    if (moved === "delete" || moved === "replace" || moved === "move") deleted.push(label(index));
    if (moved === "gone") plan(refresh ? "create" : "same", refresh ? undefined : before, before);
    if (moved === "pending") {
      const named = kinds.get(kind)?.words.label ?? "";
      const old = objectOf(all, index, `old-${index}`, { [named]: `old-${index}` });
      const left = { ...old, delete: true };
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
  const warning = "a resource could not be read";
  const preview = readPreview({
    steps,
    diagnostics: [
      ...(what.failed ? [{ severity: "error", message: "error: it failed" }] : []),
      ...(what.warned === "the provider" ? [{ severity: "info#err", message: `warning: ${warning}` }] : []),
      ...(what.warned === "the engine"
        ? [{ severity: "warning", message: "(node:1) a warning of Node's" }]
        : []),
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
    ({ fate, change }) =>
      fate === "same" ||
      fate === "drifted" ||
      (fate === "argument" && change === undefined) ||
      (fate === "gone" && !refresh),
  );
  const isComplete =
    refresh && !what.failed && what.warned !== "the provider" && what.lost !== "the summary" && !hasLost;
  // As Pulumi counts them, but for the stack itself. Without any of these, the inputs show none of them.
  const isShown = refresh || sames || state;
  const unchanged = isShown ? planned.filter(({ op }) => op === "same").length || (counts.same ?? 0) : 0;
  return { preview, state: given, deleted, visible, meant, isNothing, isComplete, hasLost, unchanged };
}

/** What a service has: a job runs in each queue that is busy. */
function liveOf(all: Objects, extent: "complete" | "partial" | "missing"): Live {
  const jobs = all.flatMap(({ busy, kind }, index): LiveJob[] =>
    busy && kind === "Queue" && extent !== "missing"
      ? [
          {
            id: `job-${index}`,
            phase: "running",
            pipeline: "shop",
            build: index,
            since: undefined,
            clusterId: "c-linux",
            queueId: undefined,
            queueKey: label(index),
          },
        ]
      : [],
  );
  const at = "2030-01-01T00:00:00.000Z";
  return liveWith({
    jobs: { items: jobs, extent, at },
    agents: { items: [], extent, at },
    gaps: extent === "missing" ? [{ what: "jobs", reason: "time was up" }] : [],
  });
}

const idsOf = (changes: readonly { readonly id: string | undefined }[]) => changes.map(({ id }) => id);

const REASSURING =
  /Nothing dangerous|No changes|touch nothing|No job runs|Nothing that the preview shows is used|A refresh changes nothing|🟢|"level": ?"clear"/;

test("Every form reassures only where it is proven, and names what is deleted and what the descriptions speak of", () => {
  fc.assert(
    fc.property(objects, inputs, (all, given) => {
      const { preview, state, ...truth } = situation(all, given);
      const { deleted, visible, meant, isNothing, isComplete, hasLost, unchanged } = truth;
      const isCutOff = hasLost || given.lost === "the summary";
      const isWhole = isComplete && !(given.interrupted && given.state);
      const isUnknown = all.some(({ fate }) => fate === "unknown");
      // What a deployment restores as it was isn't lost.
      const isRestored = (kind: string) => {
        const { vanished } = kinds.get(kind)?.review ?? {};
        return vanished !== undefined && vanished.remains === undefined;
      };
      const isLost = given.refresh && all.some(({ fate, kind }) => fate === "gone" && !isRestored(kind));
      const plan = planOf(preview, state);
      const live = given.live === "not read" ? undefined : liveOf(all, given.live);
      const findings = findingsOf(plan, live && { live, organization: "acme" });
      const { consequences, verdict, headline } = reportOf(findings);
      const isSaid = consequences.length > 0;
      const areSteps = all.some(
        ({ fate, change }) =>
          fate === "argument" && change?.name === "configuration" && change.after !== undefined,
      );
      const runs = all.some(
        ({ fate, kind, busy }, index) =>
          kind === "Queue" &&
          busy &&
          ["delete", "replace", "move"].includes(fate) &&
          deleted.includes(label(index)),
      );
      const kindOf = (name: string) => kinds.get(all[Number(name.split("-")[1])]?.kind ?? "");
      const hasJobs = deleted.some((name) => kindOf(name)?.review?.usedBy === "jobs");
      // Settings only leave the state, and a cluster's default queue is set again for the same cluster.
      const isSetAgain = (name: string) => {
        const { fate, kind } = all[Number(name.split("-")[1])] ?? {};
        return fate === "replace" && kinds.get(kind ?? "")?.view !== undefined;
      };
      // Which secrets are lost has a property of its own.
      const destroyed = deleted.filter(
        (name) => !kindOf(name)?.isSetting && !isSetAgain(name) && kindOf(name)?.name !== "ClusterSecret",
      );
      for (const [form, text] of Object.entries(formsOf(findings, 10_000))) {
        // What didn't change is no news. A list goes on after its comma, unlike a sentence, which has words there.
        for (const [, after, before] of text.matchAll(
          /: ([^.:\n]{1,60}) instead of ([^.\n]{1,60}?)(?:\.|, \w+ )/g,
        ))
          expect(after).not.toBe(before);
        // Of what a failed preview doesn't show, nothing is known.
        const [, stay = "0"] = /(\d+) objects? unchanged/.exec(text) ?? [];
        if (given.failed) expect(stay).toBe("0");
        // A step that is missing may be about any of them.
        else if (form !== "JSON" && !isCutOff && !plan.interrupted) expect(Number(stay)).toBe(unchanged);
        if (form !== "JSON") expect(text.includes("No changes")).toBe(isNothing && isWhole);
        if (/Nothing dangerous|🟢|"level": ?"clear"/.test(text)) {
          expect(isWhole && destroyed.length === 0 && !isUnknown && !isLost).toBe(true);
          expect(consequences.filter(({ level }) => level === "danger")).toEqual([]);
        }
        if (/🟢|touch nothing|Nothing that the preview shows is used/.test(text)) expect(isSaid).toBe(false);
        // Jobs are what steps say, and a warning may be about a default queue that somebody else set.
        if (/touch nothing|Nothing that the preview shows is used/.test(text))
          expect(areSteps || given.warned === "the provider").toBe(false);
        if (isCutOff || given.failed) expect(text.replace(/"topology".*/s, "")).not.toMatch(REASSURING);
        if (/No job runs in/.test(text)) expect(runs).toBe(false);
        if (/No job runs in anything that this change|touch nothing/.test(text)) {
          expect(isCutOff || given.failed || (hasJobs && given.live !== "complete")).toBe(false);
          // Whatever a deployment would delete is in the inputs.
          expect(visible).toEqual(deleted);
        }
        expect(text).not.toMatch(/\{(?:before|after|objects|place|is\||old\.)|undefined|\[object /);
        if (isCutOff) continue;
        for (const name of visible) if (!isUnnamed(all, name)) expect(text).toContain(name);
        for (const { name } of meant) if (!isUnnamed(all, name)) expect(text).toContain(name);
        if (visible.length < deleted.length && !given.failed) expect(text).toMatch(/Not checked|unchecked/);
      }
      if (isCutOff || given.failed)
        expect([verdict.level, verdict.parts[0]]).toEqual(["danger", "The preview failed"]);
      if (deleted.length > 0 && verdict.dangerous === 0) expect(verdict.level).not.toBe("clear");
      if (isLost && !hasLost) expect(verdict.level).toBe("danger");
      expect(headline.length).toBeGreaterThan(0);
      if (hasLost) return;
      if (meant.length > 0 && !given.failed) expect(isSaid).toBe(true);
      if (meant.some(({ level }) => level === "danger")) expect(verdict.level).toBe("danger");
      const own = visible.filter((name) => all[Number(name.split("-")[1])]?.kind === "Queue");
      expect(idsOf(queuesThatDisappear(preview, state)).sort()).toEqual(
        own.map((name) => name.replace("object", "id")).sort(),
      );
    }),
    { numRuns: cases(500) },
  );
});

/** Where something is before and after a deployment; undefined: it isn't there. */
const places = fc.constantFrom<(string | undefined)[]>("alpha", "beta", "gamma", undefined);
const keys = fc.constantFrom("K1", "K2");
const readers = fc.constantFrom(undefined, undefined, "p0", "p1", "other");
/**
 * Clusters, of which gamma is made in place of alpha, and secrets and pipelines in them. What the program drops may be kept on
 * the service, and some pipelines are archived. A reading shows what is there outside of the stack, too.
 */
const moves = fc.record({
  isRenamed: fc.boolean(),
  secrets: fc.uniqueArray(
    fc.record({
      ...{ key: keys, from: places, to: places, isReplaced: fc.boolean(), isKept: fc.boolean() },
      // The only pipeline that may read it.
      ...{ was: readers, will: readers },
    }),
    { maxLength: 4, selector: ({ key, from }) => `${key} ${from ?? crypto.randomUUID()}` },
  ),
  pipelines: fc.array(
    fc.record({ from: places, to: places, isKept: fc.boolean(), isArchived: fc.boolean() }),
    { maxLength: 3 },
  ),
  others: fc.option(
    fc.record({
      secrets: fc.array(fc.record({ key: keys, at: fc.constantFrom("alpha", "beta") }), { maxLength: 2 }),
      // The access token may not be allowed to list pipelines.
      pipelines: fc.option(fc.array(fc.constantFrom("alpha", "beta"), { maxLength: 2 }), { nil: undefined }),
    }),
    { nil: undefined },
  ),
});

const policyOf = (slug: string) => `- pipeline_slug: ${slug}\n`;

test("A secret that goes is lost exactly where a pipeline that could read it may no longer do so in its cluster", () => {
  // A secret is replaced in its place for another policy.
  const isChanged = (one: { isReplaced: boolean; was?: string | undefined; will?: string | undefined }) =>
    one.isReplaced && one.was !== one.will;
  const urnOf = (name: string) => resourceOf("Cluster", name, "", {}).urn;
  const inCluster = (kind: string, name: string, id: string | undefined, cluster: string, more: object) => {
    const isNew = cluster === "gamma";
    const inputs = { clusterId: isNew ? UNKNOWN : `c-${cluster}`, ...more };
    return resourceOf(kind, name, id, inputs, {
      ...(isNew && { propertyDependencies: { clusterId: [urnOf(cluster)] } }),
    });
  };
  fc.assert(
    fc.property(moves, ({ isRenamed, secrets: given, pipelines, others }) => {
      // What is in a cluster that goes, goes or moves; and nothing was in one that is yet to be made.
      const is = (cluster?: string) => (cluster === "gamma" ? undefined : cluster);
      const will = (cluster?: string) =>
        isRenamed ? (cluster === "alpha" ? "gamma" : cluster) : cluster === "gamma" ? "alpha" : cluster;
      const taken = new Set<string>();
      const secrets = given
        .map(({ from, to, ...one }) => ({ ...one, from: is(from), to: will(to) }))
        .filter(
          ({ key, to }) => to === undefined || (!taken.has(`${key} ${to}`) && taken.add(`${key} ${to}`)),
        );
      const users = pipelines.map(({ from, to, isArchived, ...one }) => ({
        ...{ ...one, from: is(from), to: will(to) },
        isArchived: isArchived && is(from) === will(to),
      }));
      const isFree = ({ key, at }: { key: string; at: string }) =>
        !secrets.some((one) => one.key === key && (one.from === at || one.to === at));
      const strange = (others?.secrets ?? []).filter(isFree);
      const cluster = (name: string, id?: string) => resourceOf("Cluster", name, id, { name });
      const steps = [
        isRenamed ? deleting(cluster("alpha", "c-alpha")) : sameOf(cluster("alpha", "c-alpha")),
        sameOf(cluster("beta", "c-beta")),
        ...(isRenamed ? [step("create", undefined, cluster("gamma"))] : []),
        ...secrets.flatMap(({ key, from, to, isReplaced, isKept, was, will }, index) => {
          const [old, next] = [`old-${index}`, isReplaced ? `old-${index}` : `new-${index}`];
          const values = (only: string | undefined) => ({ key, ...(only && { policy: policyOf(only) }) });
          const before = from && inCluster("ClusterSecret", old, `s-${index}`, from, values(was));
          const after = (name: string) => to && inCluster("ClusterSecret", name, undefined, to, values(will));
          if (before && from === to && !(isReplaced && was !== will)) return [sameOf(before)];
          if (before && to && isReplaced)
            return [step("replace", before, after(next) || undefined, from === to ? "policy" : "clusterId")];
          return [
            ...(before ? [deleting({ ...before, retainOnDelete: isKept && !to })] : []),
            ...(to ? [step("create", undefined, after(next) || undefined)] : []),
          ];
        }),
        ...users.flatMap(({ from, to, isKept, isArchived }, index) => {
          const own = (place: string) =>
            inCluster("Pipeline", `p-${index}`, `p-${index}`, place, {
              ...{ name: `P${index}`, slug: `p${index}` },
              ...{ onDelete: "delete", archived: isArchived },
            });
          if (!from) return to ? [step("create", undefined, { ...own(to), id: undefined })] : [];
          if (!to) return [deleting({ ...own(from), retainOnDelete: isKept })];
          return [from === to ? sameOf(own(from)) : step("update", own(from), own(to), "clusterId")];
        }),
      ];
      const live = (kind: string, id: string, cluster: string, more: object = {}) =>
        liveObject(kind, id, id, { clusterId: `c-${cluster}`, ...more });
      const withSteps = [
        ...users.flatMap(({ from, isArchived }, index) =>
          from ? [live("Pipeline", `p-${index}`, from, { archived: isArchived })] : [],
        ),
        ...(others?.pipelines ?? []).map((at, index) => live("Pipeline", `other-${index}`, at)),
      ];
      const named = [
        ...secrets.flatMap(({ from, key }, index) =>
          from ? [live("ClusterSecret", `s-${index}`, from, { key })] : [],
        ),
        ...strange.map(({ key, at }) => live("ClusterSecret", `s-${key}-${at}`, at, { key })),
      ];
      // A template is in no cluster, and says nothing of who else is.
      const all = others?.pipelines ? withSteps : [];
      const beside = [...all, liveObject("PipelineTemplate", "t", "t", { configuration: "steps: []" })];
      const references = others && { withSteps: beside, named: new Map([["ClusterSecret", named]]) };
      const consequences = consequencesBeside(references, complete(...steps).steps);
      /** Whether a place has a key afterwards and, of one of the stack's pipelines, lets that read it. */
      const has = (place: string | undefined, key: string, user?: string) =>
        secrets.some((one) => {
          const isNew = one.to !== undefined && (one.from !== one.to || isChanged(one));
          const only = isNew ? one.will : one.was;
          const isThere = one.key === key && (one.to ?? (one.isKept ? one.from : undefined)) === place;
          return isThere && (user === undefined || only === undefined || only === user);
        }) || strange.some((one) => one.key === key && one.at === place);
      for (const [index, secret] of secrets.entries()) {
        const { key, from, to, isKept, was } = secret;
        const isSame = from === to && !isChanged(secret);
        if (from === undefined || isSame || (isRenamed && from === "alpha") || (isKept && !to)) continue;
        const stay = users.flatMap((one, user) =>
          one.from === from && !one.isArchived && [undefined, `p${user}`].includes(was)
            ? [one.to ?? (one.isKept ? from : [])].flat().map((at) => ({ at, user: `p${user}` }))
            : [],
        );
        const found = [
          ...stay,
          ...(others?.pipelines ?? []).filter((at) => at === from).map((at) => ({ at, user: undefined })),
        ];
        const isRead = others?.pipelines !== undefined && withSteps.length > 0;
        const here = { at: from, user: undefined };
        const left = [...(found.length > 0 ? found : [here]), ...(isRead ? [] : [here])];
        const isLost = left.some(({ at, user }) => !has(at, key, user));
        const { urn } = resourceOf("ClusterSecret", `old-${index}`, "", {});
        const own = consequences.filter(({ of }) => of.includes(urn));
        expect(own.length).toBeGreaterThan(0);
        expect(own.some(({ effect, level }) => effect === "lost" && level === "danger")).toBe(isLost);
      }
      for (const [index, { from, to }] of users.entries()) {
        if (from === undefined || to === undefined || from === to) continue;
        const { urn } = resourceOf("Pipeline", `p-${index}`, "", {});
        const text = consequences.flatMap((one) => (one.of.includes(urn) ? one.details.map(plainText) : []));
        const user = `p${index}`;
        const lost = secrets.flatMap(({ key, from: place, was }) =>
          place === from && [undefined, user].includes(was) && !has(to, key, user) ? [key] : [],
        );
        const found = text.filter((one) => one.includes("no longer use the cluster secret"));
        for (const one of found) {
          const isDenied = [...(one.match(/K\d/g) ?? [])].every((key) => has(to, key));
          const isOpen = !others && !(isRenamed && to === "gamma") && !isDenied;
          expect(one.includes(`, unless ${to} has`)).toBe(isOpen);
        }
        const said = found.flatMap((one) => one.match(/K\d/g) ?? []);
        expect(said.sort()).toEqual(lost.sort());
      }
    }),
    { numRuns: cases(500) },
  );
});

/** A property of another object is called after that. */
function isUnnamed(all: Objects, name: string): boolean {
  return kinds.get(all[Number(name.split("-")[1])]?.kind ?? "")?.words.label === undefined;
}

const refreshOf = (one: Parameters<typeof step>[1]) => step("refresh", one, one);
const sameOf = (one: Parameters<typeof step>[1]) => staying(one);

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

/** What a new object refers to: it is there, this deployment makes it, or nothing says what it is. */
const REFERRED = ["is there", "is made", "isn't known"] as const;
type Referred = (typeof REFERRED)[number];

/** Every kind whose creation gives somebody something, with every combination of what its arguments refer to. */
const GIVING = [...kinds.values()].flatMap((kind) => {
  if (kind.review?.created === undefined) return [];
  const to = Object.entries(kind.arguments).flatMap(([name, { refersTo }]) => {
    const other = kind.parent?.argument === name ? kind.parent.kind : refersTo;
    return other === undefined ? [] : [{ name, other }];
  });
  const all = to.reduce<Readonly<Record<string, Referred>>[]>(
    (some, { name }) => some.flatMap((one) => REFERRED.map((state) => ({ ...one, [name]: state }))),
    [{}],
  );
  return all.map((referred) => ({ kind: kind.name, to, referred }));
});

test.each(GIVING)("What a new $kind gives is opened, unless it is of something new: $referred", (given) => {
  const { kind, to, referred } = given;
  const others = to.map(({ name, other }) => {
    const id = referred[name] === "is there" ? `id-${name}` : undefined;
    return { name, state: referred[name], object: resourceOf(other, name, id, { name: `Of ${name}` }) };
  });
  const inputs = Object.fromEntries(
    others.map(({ name, state }) => [name, state === "is there" ? `id-${name}` : UNKNOWN]),
  );
  const propertyDependencies = Object.fromEntries(
    others.map(({ name, state, object }) => [name, state === "isn't known" ? [] : [object.urn]]),
  );
  const steps = others.flatMap(({ state, object }) =>
    state === "isn't known" ? [] : [state === "is made" ? step("create", undefined, object) : sameOf(object)],
  );
  const made = resourceOf(kind, "made", undefined, inputs, { propertyDependencies });
  const { isPair, arguments: fields = {} } = kinds.get(kind) ?? {};
  const isOfNew = to.some(({ name }) => isPair && fields[name]?.goesWith && referred[name] === "is made");
  const isOpened = (...planned: readonly ReturnType<typeof step>[]) => {
    const { consequences, verdict } = reportFrom(complete(...steps, ...planned));
    const opened = consequences.some(({ effect, of }) => effect === "opened" && of.includes(made.urn));
    if (opened) expect(verdict.level).not.toBe("clear");
    return opened;
  };
  expect(isOpened(step("create", undefined, made))).toBe(!isOfNew);
  if (isOfNew) return;
  // It takes the place of one that is about something else, which stays or goes.
  for (const { name, other } of to) {
    const former = resourceOf(other, "former", "id-former", { name: "Former" });
    const known = Object.fromEntries(
      others.map((one) => [one.name, one.state === "is there" ? `id-${one.name}` : "id-elsewhere"]),
    );
    const was = resourceOf(kind, "made", "id-made", { ...known, [name]: "id-former" });
    const replacing = step("replace", was, made, name);
    for (const of of [sameOf(former), deleting(former)]) expect(isOpened(of, replacing)).toBe(true);
  }
});

/** A team's access to a new pipeline, whose jobs may read a secret of its cluster. */
const newAccess = fc.record({
  level: fc.constantFrom("manage_build_and_read", "manage_build_and_read", "build_and_read"),
  secret: fc.constantFrom("is there", "is there", "is made"),
  only: fc.constantFrom(undefined, "new", "old", "other"),
  /** What the team may do already with another pipeline, and where that is. */
  had: fc.constantFrom(undefined, "build_and_read", "manage_build_and_read"),
  at: fc.constantFrom("c-alpha", "c-beta"),
});

test("Access to a new pipeline is opened exactly where its code may read a secret that it couldn't read", () => {
  fc.assert(
    fc.property(newAccess, ({ level, secret, only, had, at }) => {
      const pipeline = (slug: string, id: string | undefined, clusterId: string) =>
        resourceOf("Pipeline", slug, id, { name: slug, slug, clusterId, configuration: "steps: [wait]" });
      const [old, next] = [pipeline("old", "p-old", at), pipeline("new", undefined, "c-alpha")];
      const team = resourceOf("Team", "web", "t-web", { name: "Web" });
      const pair = (name: string, id: string | undefined, pipelineId: string, accessLevel: string) =>
        resourceOf("TeamPipeline", name, id, { teamId: "t-web", pipelineId, accessLevel });
      const given = {
        ...pair("given", undefined, UNKNOWN, level),
        propertyDependencies: { pipelineId: [next.urn] },
      };
      const values = { clusterId: "c-alpha", key: "S1", ...(only && { policy: policyOf(only) }) };
      const steps = [
        ...[alpha, beta, team, old].map(sameOf),
        secret === "is there"
          ? sameOf(resourceOf("ClusterSecret", "s1", "s-1", values))
          : creating("ClusterSecret", "s1", values),
        ...(had ? [sameOf(pair("had", "tp-old", "p-old", had))] : []),
        step("create", undefined, next),
        step("create", undefined, given),
      ];
      const opened = reportFrom(complete(...steps)).consequences.filter(({ effect }) => effect === "opened");
      const isLet = (slug: string) => only === undefined || only === slug;
      const couldRead = had === "manage_build_and_read" && at === "c-alpha" && isLet("old");
      const canRead = level === "manage_build_and_read" && secret === "is there" && isLet("new");
      expect(opened.length).toBe(canRead && !couldRead ? 1 : 0);
      for (const { details } of opened)
        expect(details.map(plainText).join(" ")).toContain("may read the cluster secret S1");
    }),
    { numRuns: cases(300) },
  );
});

describe("A report says no less than what happens", () => {
  test("where only what jobs run changes", () => {
    const shop = (command: string, id?: string) =>
      resourceOf("Pipeline", "shop", id, { name: "Shop", configuration: `steps: [{ command: ${command} }]` });
    const changed = step("update", shop("make", "p-shop"), shop("make -j"), "configuration");
    const live = { live: liveOf([], "complete"), organization: "acme" };
    const forms = formsOf(findingsOf(planOf(readPreview(complete(changed))), live));
    for (const text of Object.values(forms)) expect(text).not.toContain("touch nothing");
  });

  test.each([
    ["Pipeline", "configuration"],
    ["AgentToken", "allowedIpAddresses"],
    ["ClusterSecret", "policy"],
  ])("where nobody sees what changes: %s.%s", (kind, name) => {
    const own = (value: unknown, id?: string) =>
      resourceOf(kind, "own", id, { name: "Own", description: "Own", key: "OWN", [name]: value });
    const live = { live: liveOf([], "complete"), organization: "acme" };
    for (const value of [MASKED, UNKNOWN]) {
      const changed = step("update", own(MASKED, "id-own"), own(value), name);
      const forms = formsOf(findingsOf(planOf(readPreview(complete(changed))), live));
      for (const text of Object.values(forms)) expect(text).not.toContain("touch nothing");
    }
  });

  test("where a default queue moves to another cluster", () => {
    const setting = (id: string | undefined, inputs: object) =>
      resourceOf("ClusterDefaultQueue", "d", id, { ...inputs });
    const before = setting("c-alpha", { clusterId: "c-alpha", queueId: "q-small" });
    const after = setting(undefined, { clusterId: "c-beta", queueId: "q-other" });
    const moves = step("replace", before, after, "clusterId", "queueId");
    const text = said(complete(sameOf(alpha), sameOf(beta), moves));
    expect(text).toContain(
      "**Stops:** The default queue of <code>Alpha</code> is removed. Agents that name no queue get no jobs.",
    );
    expect(text).not.toContain("Nothing dangerous");
    // Another default in the same cluster takes nothing away.
    const stays = { ...after, inputs: { ...after.inputs, clusterId: "c-alpha" } };
    expect(said(complete(sameOf(alpha), step("replace", before, stays, "queueId")))).not.toContain(
      "is removed",
    );
    // The engine may give the queue as the only reason, because the cluster isn't known yet.
    const asGiven = step("replace", before, after, "queueId");
    expect(said(complete(sameOf(alpha), sameOf(beta), asGiven))).toContain("is removed");
    const gone = said(complete(deleting(alpha), sameOf(beta), asGiven));
    expect(gone).not.toMatch(/The default queue of .* (?:is removed|changes)/);
  });

  test("where only resources of other packages drifted", () => {
    const bucket = {
      urn: `urn:pulumi:production::ci::aws:s3/bucket:Bucket::b`,
      type: "aws:s3/bucket:Bucket",
      id: "b",
    };
    const steps = [refreshOf(theStack), refreshOf(alpha), deleting(bucket)];
    const text = said({ steps, changeSummary: { same: 2, delete: 1 } });
    expect(text).toContain(
      "## ⚪ Drift: The refresh shows no drift of a resource of this package (not checked: resources of other packages)",
    );
    const unchanged = [refreshOf(theStack), refreshOf(alpha), refreshOf(bucket)];
    expect(said({ steps: unchanged, changeSummary: { same: 3 } })).toContain("## 🟢 Drift: No changes\n");
  });

  test("where a refresh found drift", () => {
    const steps = [refreshOf(theStack), refreshOf(alpha), deleting(small)];
    const text = said({ steps, changeSummary: { same: 2, delete: 1 } });
    expect(text).toMatch(
      /^## 🔴 Drift: Queue <code>small<\/code> of <code>Alpha<\/code> was deleted outside of the program/m,
    );
    expect(text).toContain("npx pulumi-buildpipeline docs recover");
    const renamed = { ...small, inputs: { ...small.inputs, description: "by hand" } };
    const changed = [refreshOf(theStack), refreshOf(alpha), step("update", small, renamed, "description")];
    expect(said({ steps: changed, changeSummary: { same: 2, update: 1 } })).toContain(
      "## 🟠 Drift: 1 changed\n",
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
    expect(said({ duration: 1 }, exported())).toMatch(/^## 🟢 Drift: No changes$/m);
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
    // The engine asks no provider for a difference whose settings aren't known yet.
    const paused = { ...small, inputs: { ...small.inputs, dispatchPaused: true } };
    expect(said(complete(sameOf(alpha), step("update", small, paused)))).toContain("is paused");
    expect(said(complete(sameOf(alpha), step("update", paused, small)))).toContain("dispatchPaused");
  });

  test("where a part of a value is not known yet", () => {
    const suite = resourceOf("Suite", "s", "s-1", { name: "Unit", teamIds: ["team"] });
    const after = { ...suite, inputs: { ...suite.inputs, teamIds: ["team", UNKNOWN] } };
    const text = said(complete(step("update", suite, after, "teamIds[1]")));
    expect(text).toContain(
      "(not checked: teamIds of test suite <code>Unit</code>, which is known only afterwards)",
    );
    expect(text).not.toContain("Nothing dangerous");
  });
});

describe("An event log that was cut off", () => {
  const recordings = "../../support/recorded";
  const logs = [`${recordings}/preview-events`, `${recordings}/drift-events`, "recorded/options-exclude"];

  test.each(someOf(logs))("passes no gate, wherever %s ends, and its verdict says so first", (name) => {
    const lines = linesOf(join(__dirname, `${name}.jsonl`));
    for (const length of lines.keys()) {
      const live = { live: liveOf([], "complete"), organization: "acme" };
      const findings = findingsOf(planOf(readEventLog(lines.slice(0, length))), live);
      const report = reportOf(findings);
      expect(isDangerous(report)).toBe(true);
      const { level, parts } = report.verdict;
      expect([level, parts[0]]).toEqual(["danger", "The preview failed"]);
      expect(formsOf(findings).Markdown).not.toContain("A refresh changes nothing");
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
    const released = deleting({ ...small, retainOnDelete: true });
    const text = said(complete(sameOf(alpha), sameOf(template), released));
    expect(text).toContain("is removed from state; nothing is deleted on the service");
    expect(text).not.toContain("takes away");
    const deleted = said(complete(sameOf(alpha), sameOf(template), deleting(small)));
    expect(deleted).toContain("which this deployment takes away");
  });

  test("to what is made in a cluster that is replaced", () => {
    const next = resourceOf("Cluster", "alpha", undefined, { name: "Alpha" });
    const text = said(complete(step("replace", alpha, next), step("create", undefined, madeIn(alpha.urn))));
    expect(text).toContain("is replaced with its queues, its agent tokens and its cluster secrets.");
  });

  test("to a secret that its pipelines find again where they run afterwards", () => {
    const secret = resourceOf("ClusterSecret", "token", "s-1", { clusterId: "c-alpha", key: "TOKEN" });
    const shop = resourceOf("Pipeline", "shop", "p-1", { clusterId: "c-alpha", name: "Shop" });
    const moved = (one: typeof secret) => ({ ...one, inputs: { ...one.inputs, clusterId: "c-beta" } });
    const move = (one: typeof secret, op: string) => step(op, one, moved(one), "clusterId");
    const both = complete(sameOf(alpha), sameOf(beta), move(secret, "replace"), move(shop, "update"));
    const read = (...others: LiveObject[]) => ({ withSteps: [live, ...others], named: new Map() });
    const live = liveObject("Pipeline", "p-1", "Shop", { clusterId: "c-alpha" });
    const alone = dangersOf({ consequences: consequencesBeside(read(), both.steps) });
    expect(alone).toContain(
      "caution: Cluster secret TOKEN of Alpha is replaced. This stack's pipelines find it again in Beta, where they run afterwards.",
    );
    // Other pipelines of the cluster lose it, or may.
    const web = liveObject("Pipeline", "p-2", "Web", { clusterId: "c-alpha" });
    for (const references of [read(web), undefined])
      expect(dangersOf({ consequences: consequencesBeside(references, both.steps) })[0]).toMatch(/^danger/);

    const next = resourceOf("Cluster", "gamma", undefined, { name: "Alpha" });
    const inNext = (one: typeof secret) => ({
      ...one,
      inputs: { ...one.inputs, clusterId: UNKNOWN },
      propertyDependencies: { clusterId: [next.urn] },
    });
    const follow = [
      step("replace", secret, inNext(secret), "clusterId"),
      step("update", shop, inNext(shop), "clusterId"),
    ];
    const again = said(complete(deleting(alpha), step("create", undefined, next), ...follow));
    expect(again).toContain(
      "find it again in the new cluster <code>Alpha</code>, where they run afterwards.",
    );
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
      expect(said(preview)).toContain(" · 1 to import\n");
      expect(said(preview)).not.toMatch(/is replaced|🔴/);
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
    const forms = formsOf(findingsFrom(complete(...steps)));
    for (const text of Object.values(forms)) expect(text).not.toMatch(/4da6b54/);
    const [, drawing = ""] = /```mermaid\n(.*?)```/s.exec(forms.Markdown) ?? [];
    expect(drawing).toContain("made");
  });

  test("where a value may come from one of two clusters", () => {
    const made = madeIn(alpha.urn, beta.urn);
    const text = said(complete(sameOf(alpha), sameOf(beta), step("create", undefined, made)));
    expect(text).toContain(
      "| + create | queue <code>made</code> | <code>&#40;known after deployment&#41;</code> |",
    );
  });
});
