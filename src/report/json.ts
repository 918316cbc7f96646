import { plainText } from "../review/text.js";
import { topologyAsJson } from "../topology/json.js";
import { impactAsJson } from "./impact/json.js";
import type { Report } from "./report.js";

/** Returns a report for programs. */
export function reportAsJson(report: Report): object {
  return {
    stack: report.stack,
    drift: report.drift,
    counts: report.counts,
    errors: report.errors,
    warnings: report.warnings,
    dangers: report.dangers.map(({ level, message }) => ({ level, message: plainText(message) })),
    changes: report.groups.flatMap(({ title, kind: place, changes }) =>
      changes.map(({ urn, kind, label, action, adopts, properties }) => ({
        urn,
        kind,
        label,
        action,
        ...(place !== undefined && { [uncapitalized(place)]: title }),
        ...(adopts !== undefined && { adopts }),
        properties: properties.map(({ before, after, texts: _, ...property }) => ({
          ...property,
          before: plainText([before]),
          after: plainText([after]),
        })),
      })),
    ),
    others: report.others,
    topology: topologyAsJson(report.topology),
    ...(report.impact && { impact: impactAsJson(report.impact) }),
  };
}

function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
