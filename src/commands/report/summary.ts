import * as z from "zod";
import { busyIn, showsAll } from "./impact.js";
import { savedMarkdown } from "./markdown.js";
import { NO_CHANGES, type Report } from "./report.js";

const partSchema = z.strictObject({ levels: z.array(z.string()).readonly(), what: z.string() });
const summarySchema = z.strictObject({
  /** How many changes there are of each action, what is proven where there are none, or that it failed. */
  heading: z.string(),
  drift: z.boolean(),
  failed: z.boolean(),
  dangerous: z.number(),
  noticeable: z.number(),
  /** A warning is no change, but nothing then proves that there is none. */
  changes: z.enum(["some", "none", "unproven"]),
  /** What the changes hit now; undefined if it wasn't read. */
  impact: z
    .strictObject({
      busy: z.number(),
      running: z.number(),
      waiting: z.number(),
      atLeast: z.boolean(),
      /** Nothing is missing that could contradict the figures. */
      proven: z.boolean(),
    })
    .optional(),
  head: partSchema,
  /** What comes first in the report of several stacks, as Markdown: an interruption, a failure, and dangers. */
  dangers: z.array(z.string()),
  parts: z.array(partSchema),
});

/** What a report of several stacks needs of the report of each. */
export type Summary = z.infer<typeof summarySchema>;

/** Returns what a report saves for a report of several stacks. */
export function summaryOf(report: Report): Summary {
  const { title, summary, groups, verdict, impact, plan } = report;
  const { head, dangers, parts } = savedMarkdown(report);
  return {
    heading: plan.failed ? title : summary.map(({ text }) => text).join(", "),
    drift: plan.drift,
    failed: plan.failed,
    dangerous: verdict.dangerous,
    noticeable: verdict.noticeable,
    changes: groups.length > 0 ? "some" : summary[0]?.text === NO_CHANGES ? "none" : "unproven",
    ...(impact && {
      impact: {
        ...busyIn(impact.findings),
        atLeast: impact.atLeast,
        proven: !impact.uncertain && impact.gaps.length === 0 && showsAll(plan),
      },
    }),
    head,
    dangers: [
      ...(plan.interrupted === undefined ? [] : ["the last deployment was interrupted."]),
      ...(plan.failed ? [`${title.toLowerCase()}. What it would change is not all here.`] : []),
      ...dangers,
    ],
    parts,
  };
}

/** @throws if the value isn't the `summary.json` of a folder */
export function readSummary(value: unknown): Summary {
  const { data } = summarySchema.safeParse(value);
  if (data === undefined)
    throw new Error("is not a report's summary that `buildpipeline report --out <folder>` wrote.");
  return data;
}
