import { plainText } from "../../review/text.js";
import type { Impact } from "./impact.js";

/** Returns an impact for programs. Figures are numbers, and unknown ones are null. */
export function impactAsJson(impact: Impact): object {
  return {
    busy: impact.busy,
    uncertain: impact.uncertain,
    atLeast: impact.atLeast,
    readAt: impact.readAt,
    requests: impact.requests,
    jobsWithoutCluster: impact.jobsWithoutCluster,
    unread: impact.gaps.map(({ what, scope, reason }) => ({ what, scope: scope ?? null, reason })),
    findings: impact.findings.map(
      ({
        kind,
        urn,
        label,
        place,
        effect,
        busy,
        figures,
        agents,
        now,
        lines,
        subject,
        predicate,
        refusal,
      }) => ({
        kind,
        urn,
        label,
        cluster: place?.name ?? null,
        effect,
        what: plainText([...subject, " ", ...predicate]),
        busy,
        running: figures?.running ?? null,
        waiting: figures?.waiting ?? null,
        later: figures?.later ?? null,
        oldestWaitSeconds: figures?.oldestWaitSeconds ?? null,
        pipelines: figures?.pipelines ?? [],
        agents: agents ?? null,
        now,
        details: lines.map(plainText),
        ...(refusal && { refusal: { certain: refusal.certain, message: plainText(refusal.message) } }),
      }),
    ),
  };
}
