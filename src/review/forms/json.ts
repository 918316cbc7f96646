import { topologyAsJson } from "../../cli/drawing/topology.js";
import { canContain } from "../../provider/for-commands/kinds.js";
import type { Findings, Impact } from "../findings/findings.js";
import { changesOf, type Report } from "../findings/report.js";
import type { PlannedChange } from "../plan/change.js";
import { otherSteps } from "../plan/resources.js";
import { type Part, plainText } from "../plan/text.js";
import { topologyOfPlan } from "../plan/topology.js";

/** Version of the format. It increases when a field is removed or changes its meaning, but not when a field is added. */
const FORMAT = 2;

export function reportAsJson({ plan, impact }: Findings, report: Report): object {
  const changes = changesOf(plan);
  return {
    format: FORMAT,
    title: report.title,
    headline: plainText(report.headline),
    verdict: report.verdict,
    organization: report.origin.organization ?? null,
    commit: report.origin.commit ?? null,
    pullRequest: report.origin.pullRequest ?? null,
    summary: report.summary.map(({ text }) => text),
    project: plan.project,
    stack: plan.stack,
    drift: plan.drift,
    failed: plan.failed,
    counts: lengths(Map.groupBy(changes, ({ action }) => action)),
    errors: report.errors.map(({ message }) => message),
    warnings: report.warnings.map(({ message }) => message),
    messages: (["errors", "warnings"] as const).flatMap((severity) =>
      report[severity].map(({ message, code = null }) => ({
        severity: severity.slice(0, -1),
        message,
        code,
      })),
    ),
    unchecked: plan.gaps.map(({ what }) => what),
    interrupted: plan.interrupted ?? null,
    dangers: report.consequences.map(({ level, effect, message, todo, of }) => ({
      level,
      effect,
      message: plainText(message),
      of,
      todo: todo === undefined ? null : plainText(todo),
    })),
    changes: changes.map(changeAsJson),
    outOfBand: plan.outOfBand.map(({ urn, kind, label, fate, byOperator, action, changed }) => ({
      urn,
      kind,
      label,
      fate,
      byOperator,
      gone: action === "delete",
      properties: changed.map(({ name, ...argument }) => ({ name, ...valuesOf(argument) })),
    })),
    others: lengths(otherSteps(plan.steps)),
    topology: topologyAsJson(topologyOfPlan(plan)),
    ...(impact && { impact: impactAsJson(impact) }),
  };
}

function changeAsJson(change: PlannedChange): object {
  const { urn, kind, label, shared, id, action, adopts, pending, place, movesTo, changed, undoes } = change;
  const where = canContain(kind) ? { kind, name: label } : place;
  return {
    urn,
    kind,
    label,
    action,
    ...(shared && { id }),
    ...(pending && { id, pending }),
    ...(where !== undefined && { [uncapitalized(where.kind)]: where.name ?? null }),
    ...(movesTo !== undefined && { movesTo: movesTo.name ?? null }),
    ...(adopts !== undefined && { adopts }),
    properties: changed.map(({ texts: _, isNamed: __, entries = [], ...property }) => ({
      ...property,
      ...valuesOf(property),
      ...(entries.length > 0 && {
        entries: entries.map(({ key, ...entry }) => ({ key: key ?? null, ...valuesOf(entry) })),
      }),
      ...(undoes.includes(property.name) && { undoes: true }),
    })),
  };
}

function valuesOf({ before, after }: { readonly before: Part; readonly after: Part }) {
  return { before: plainText([before]), after: plainText([after]) };
}

function lengths(groups: ReadonlyMap<string, readonly unknown[]>): Record<string, number> {
  return Object.fromEntries([...groups].map(([name, { length }]) => [name, length]));
}

function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Figures are numbers; an unknown figure is null. */
function impactAsJson({ hits, gaps, ...impact }: Impact): object {
  return {
    ...impact,
    unread: gaps.map(({ what, scope, reason }) => ({ what, scope: scope ?? null, reason })),
    findings: hits.map(({ change, figures, agents, lines, now, refusal, effect, busy, what }) => ({
      label: change.label,
      effect,
      busy,
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
      details: lines.map(plainText),
      ...(refusal && { refusal: { certain: refusal.certain, message: plainText(refusal.message) } }),
    })),
  };
}
