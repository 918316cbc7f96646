import { topologyAsJson } from "../../cli/drawing/topology.js";
import type { ArgumentChange } from "../plan/change.js";
import { otherSteps } from "../plan/resources.js";
import { plainText } from "../plan/text.js";
import { sentence } from "./dangers.js";
import type { Impact } from "./impact.js";
import { shown } from "./remarks/review.js";
import type { Report } from "./report.js";

/** Version of the format. It increases when a field is removed or changes its meaning, but not when a field is added. */
const FORMAT = 2;

export function reportAsJson(report: Report): object {
  const { plan } = report;
  return {
    format: FORMAT,
    title: report.title,
    verdict: report.verdict,
    organization: report.topology.organization ?? null,
    commit: report.origin.commit ?? null,
    pullRequest: report.origin.pullRequest ?? null,
    summary: report.summary.map(({ text }) => text),
    project: plan.project,
    stack: plan.stack,
    drift: plan.drift,
    failed: plan.failed,
    counts: lengths(Map.groupBy([...plan.changes, ...plan.pending], ({ action }) => action)),
    errors: report.errors,
    warnings: report.warnings,
    unchecked: plan.gaps.map(({ what }) => what),
    interrupted: plan.interrupted ?? null,
    dangers: report.dangers.map(({ level, message }) => ({ level, message: plainText(message) })),
    changes: report.groups.flatMap(({ name, kind: place, changes }) =>
      changes.map(({ urn, kind, label, shared, id, action, adopts, pending, movesTo, changed, undoes }) => ({
        urn,
        kind,
        label,
        action,
        ...(shared && { id }),
        ...(pending && { id, pending }),
        ...(place !== undefined && { [uncapitalized(place)]: name ?? null }),
        ...(movesTo !== undefined && { movesTo: movesTo.name ?? null }),
        ...(adopts !== undefined && { adopts }),
        properties: changed.map(({ before, after, texts: _, ...property }) => ({
          ...property,
          ...valuesOf({ before, after }),
          ...(undoes.includes(property.name) && { undoes: true }),
        })),
      })),
    ),
    outOfBand: plan.outOfBand.map(({ urn, kind, label, fate, action, changed }) => ({
      urn,
      kind,
      label,
      fate,
      gone: action === "delete",
      properties: changed.map(({ name, ...values }) => ({ name, ...valuesOf(values) })),
    })),
    others: lengths(otherSteps(plan.steps)),
    topology: topologyAsJson(report.topology),
    ...(report.impact && { impact: impactAsJson(report.impact) }),
  };
}

function valuesOf({ before, after }: Pick<ArgumentChange, "before" | "after">) {
  return { before: plainText([before]), after: plainText([after]) };
}

function lengths(groups: ReadonlyMap<string, readonly unknown[]>): Record<string, number> {
  return Object.fromEntries([...groups].map(([name, { length }]) => [name, length]));
}

function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Figures are numbers; an unknown figure is null. */
function impactAsJson({ findings, gaps, ...impact }: Impact): object {
  return {
    ...impact,
    unread: gaps.map(({ what, scope, reason }) => ({ what, scope: scope ?? null, reason })),
    findings: findings.map(({ change, figures, agents, lines, now, what, refusal, ...finding }) => ({
      ...finding,
      now: now ?? "not counted",
      kind: change.kind,
      urn: change.urn,
      cluster: change.place?.name ?? null,
      what: plainText(what),
      running: figures?.running ?? null,
      waiting: figures?.waiting ?? null,
      later: figures?.later ?? null,
      oldestWaitSeconds: figures?.oldestWaitSeconds ?? null,
      pipelines: figures?.pipelines ?? [],
      agents: agents ?? null,
      details: shown(lines).map(plainText),
      ...(refusal && { refusal: { certain: refusal.certain, message: plainText(sentence(refusal)) } }),
    })),
  };
}
