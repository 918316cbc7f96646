import { escaped, inline } from "../page-text.js";
import type { Report } from "../report.js";
import { impactHeadline, impactNotes, impactRows } from "./summary.js";

/** Returns the section of the page with the impact of a change. */
export function impactSection({ impact }: Pick<Report, "impact">): string {
  if (impact === undefined) return "";
  const rows = impactRows(impact).map(
    ({ what, now, lines, busy }) =>
      `<tr${busy ? ' class="busy"' : ""}><td>${inline(what)}</td><td>${escaped(now)}</td><td>${lines.map(inline).join("<br>")}</td></tr>`,
  );
  const table =
    rows.length === 0
      ? ""
      : `<div class="scroll"><table class="impact"><thead><tr><th scope="col">change</th><th scope="col">now</th><th></th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>`;
  const headline = escaped(impactHeadline(impact));
  return `<section><h2>Impact now</h2>
<p${impact.busy ? ' class="danger"' : ""}>${impact.busy ? `<strong>${headline}</strong>` : headline}</p>
${table}
<p class="quiet">${impactNotes(impact).map(inline).join("<br>")}</p>
</section>
`;
}
