import { changes, disappears } from "../../shared/plan/change.js";
import { text } from "../../shared/plan/text.js";
import { becomes, type Review } from "./review.js";

/** A template that is deleted or becomes unavailable. */
export const pipelineTemplate: Review = {
  lost: ({ title }) => ({
    message: text`Pipeline template ${title} is deleted. Look for pipelines that use it: the API doesn't show them.`,
  }),
  vanished: {
    lost: ["The API doesn't show which pipelines used it."],
    remains: ["A new template has another id, and no pipeline uses it until somebody assigns it."],
  },
  cautions: {
    available: ({ label }, values) =>
      becomes(values, "false")
        ? { message: text`Pipeline template ${label} can be assigned only by administrators.` }
        : undefined,
  },
  impact: {
    needs: (change) => {
      const hidden =
        change.action === "update" &&
        changes(change, "available") &&
        change.before.available === true &&
        change.after.available !== true;
      return disappears(change) || hidden ? {} : undefined;
    },
    finding: ({ action, title }) => ({
      ...(action === "update" && { effect: "hide", predicate: ["becomes unavailable"] }),
      subject: text`Pipeline template ${title}`,
      now: "not shown by the API",
      lines: action === "update" ? [["The API doesn't show which pipelines use a template."]] : [],
    }),
  },
};
