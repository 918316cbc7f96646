import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach } from "vitest";
import type { LiveObject } from "../../../src/cli/inventory/live-object.js";
import { readPreview } from "../../../src/cli/pulumi/preview.js";
import { readStackState } from "../../../src/cli/pulumi/stack-export.js";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { type Findings, findingsOf } from "../../../src/review/findings/findings.js";
import type { Live } from "../../../src/review/findings/live.js";
import type { Origin } from "../../../src/review/findings/origin.js";
import { type Report, reportOf } from "../../../src/review/findings/report.js";
import type { LiveReferences } from "../../../src/review/findings/steps.js";
import { html } from "../../../src/review/forms/html.js";
import { reportAsJson } from "../../../src/review/forms/json.js";
import { markdown } from "../../../src/review/forms/markdown.js";
import { terminalForm } from "../../../src/review/forms/terminal.js";
import { type Plan, planOf } from "../../../src/review/plan/plan.js";
import { plainText } from "../../../src/review/plan/text.js";
import { Scratch } from "../../support/command.js";
import { resourceOf, step } from "../../support/recording.js";

/** What the recorders in this folder wrote of the real engine. */
export const recordedHere = (name: string) =>
  JSON.parse(readFileSync(join(__dirname, "recorded", `${name}.json`), "utf8"));

/** The lines of an event log. */
export const linesOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

type Properties = Readonly<Record<string, unknown>>;
type Resource = ReturnType<typeof resourceOf>;

/** The step of an object that stays as it is. */
export const staying = <One extends Parameters<typeof step>[1]>(one: One) => step("same", one, one);

/** The step that deletes an object. */
export const deleting = (one: Parameters<typeof step>[1]) => step("delete", one, undefined);

/** The step that creates an object. */
export const creating = (kind: string, name: string, inputs: Resource["inputs"], more: object = {}) =>
  step("create", undefined, resourceOf(kind, name, undefined, inputs, more));

/** The step that updates an object; without what changes, that of one which stays. */
export function updating(kind: string, name: string, before: Properties, after?: Properties, outputs = {}) {
  const old = resourceOf(kind, name, `id-${name}`, before, { outputs: { ...before, ...outputs } });
  if (after === undefined) return staying(old);
  const next = resourceOf(kind, name, undefined, { ...before, ...after });
  return step("update", old, next, ...Object.keys(after));
}

/** The plan in a preview's JSON. @param state of a stack's export */
export const planFrom = (preview: unknown, state?: unknown) =>
  planOf(readPreview(preview), state === undefined ? undefined : readStackState(state));

export const findingsFrom = (preview: unknown, state?: unknown) => findingsOf(planFrom(preview, state));

export const reportFrom = (preview: unknown, state?: unknown) => reportOf(findingsFrom(preview, state));

/** The report of a preview with these steps. */
export const reportOfSteps = (...steps: readonly unknown[]) => reportFrom({ steps, changeSummary: {} });

export const reportOfPlan = (plan: Plan, origin?: Origin) => reportOf(findingsOf(plan), origin);

/** The whole Markdown of a report. */
export const said = (preview: unknown, state?: unknown) => markdown(reportFrom(preview, state), 65_536);

type Consequence = Report["consequences"][number];

export const messagesOf = (all: readonly Pick<Consequence, "message">[]) =>
  all.map(({ message }) => plainText(message));

export const detailsOf = (all: readonly Consequence[]) =>
  all.flatMap(({ details }) => details.map(plainText));

/** Consequences as they read: `caution: Queue arm is paused.` */
export const dangersOf = ({ consequences }: Pick<Report, "consequences">) =>
  consequences.map(({ level, message }) => `${level}: ${plainText(message)}`);

/** What a service has: nothing that anybody looked for, unless a test says more. */
export function liveWith(more: Partial<Live> = {}): Live {
  const at = "2030-01-01T00:00:00.000Z";
  return {
    now: new Date(at),
    jobs: { items: [], extent: "complete", at },
    agents: { items: [], extent: "complete", at },
    objects: [],
    names: [],
    hasClusters: true,
    unread: new Map(),
    references: { withSteps: [], named: new Map() },
    runs: new Map(),
    builds: new Map(),
    areRunsMissing: false,
    gaps: [],
    requests: 1,
    inside: () => [],
    defaultQueue: () => undefined,
    ...more,
  };
}

/** An object of the service, in a cluster that it names or, as a secret is, inside of one. */
export function liveObject(kindName: string, id: string, label: string, observed: object): LiveObject {
  const kind = kinds.get(kindName);
  if (kind === undefined) throw new Error(`There is no kind ${kindName}.`);
  const all = { kind, id, label, observed: { ...observed }, entity: {}, key: id, viewOf: undefined };
  const { clusterId } = all.observed as { clusterId?: string };
  const isInside = kind.parent !== undefined && clusterId !== undefined;
  return { ...all, parent: isInside ? liveObject("Cluster", clusterId, clusterId, {}) : undefined };
}

/** The consequences of a preview's steps, beside what a reading of the organization found. */
export const consequencesBeside = (
  references: LiveReferences | undefined,
  steps: readonly { readonly op: string }[],
) => {
  const live = references && { live: liveWith({ references }), organization: "acme" };
  return reportOf(findingsOf(planFrom({ steps, changeSummary: {} }), live)).consequences;
};

/** Every form of a report, by name. */
export function formsOf(findings: Findings, columns = 100) {
  const report = reportOf(findings);
  return {
    Markdown: markdown(report, 1_000_000),
    CommonMark: markdown(report, 1_000_000, "CommonMark"),
    page: html(report),
    terminal: onTerminal(report, columns),
    JSON: JSON.stringify(reportAsJson(findings, report), null, 2),
  };
}

/** A report as a terminal of a width shows it. */
export function onTerminal(report: Report, columns: number): string {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, hasColors: () => true });
  return terminalForm(report, stream as never);
}

/** A preview that ended with an error. */
export const failedWith = (message: string) => ({ steps: [], diagnostics: [{ severity: "error", message }] });

/** A broken rule, as the engine and `pulumi policy analyze --json` print it. */
export const violation = (policyName: string, enforcementLevel: string, message: string) => ({
  sequence: 1_000,
  timestamp: 0,
  policyEvent: {
    policyName,
    enforcementLevel,
    message,
    resourceUrn: "urn:pulumi:production::ci::buildpipeline:index:AgentToken::agents",
    color: "never",
    policyPackName: "buildpipeline",
    policyPackVersion: "1.0.0",
  },
});

/** A directory of each test's own. */
export function scratchOfEach(): Pick<Scratch, "path"> {
  let scratch: Scratch;
  beforeEach(() => {
    scratch = new Scratch();
  });
  afterEach(() => scratch.remove());
  return { path: (name) => scratch.path(name) };
}
