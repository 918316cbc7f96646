import * as z from "zod";
import { savedMarkdown } from "./markdown.js";
import { NO_CHANGES, type Report } from "./report.js";

const partSchema = z.strictObject({ levels: z.array(z.string()), what: z.string() });
const summarySchema = z.strictObject({
  /** How many changes there are of each action, what is proven where there are none, or that it failed. */
  heading: z.string(),
  drift: z.boolean(),
  failed: z.boolean(),
  interrupted: z.boolean(),
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
  dangers: z.array(z.string()),
  parts: z.array(partSchema),
});

/** What a report of several stacks needs of the report of each. */
export type Summary = z.infer<typeof summarySchema>;

/** Returns what a report saves for a report of several stacks. */
export function summaryOf(report: Report): Summary {
  const { title, summary, groups, verdict, impact, plan } = report;
  const busy = impact?.findings.filter((one) => one.busy) ?? [];
  const sum = (of: "running" | "waiting") =>
    busy.reduce((total, { figures }) => total + (figures?.[of] ?? 0), 0);
  return {
    heading: plan.failed ? title : summary.map(({ text }) => text).join(", "),
    drift: plan.drift,
    failed: plan.failed,
    interrupted: plan.interrupted !== undefined,
    noticeable: verdict.noticeable,
    changes: groups.length > 0 ? "some" : summary[0]?.text === NO_CHANGES ? "none" : "unproven",
    ...(impact && {
      impact: {
        busy: busy.length,
        running: sum("running"),
        waiting: sum("waiting"),
        atLeast: impact.atLeast,
        proven:
          !plan.failed &&
          !impact.uncertain &&
          impact.gaps.length === 0 &&
          plan.gaps.every(({ what }) => what === "out-of-band changes"),
      },
    }),
    ...savedMarkdown(report),
  };
}

/** @throws if the value isn't the `summary.json` of a folder */
export function readSummary(value: unknown): Summary {
  const { data } = summarySchema.safeParse(value);
  if (data === undefined)
    throw new Error("is not a summary that `buildpipeline report --out <folder>` wrote.");
  return data;
}
