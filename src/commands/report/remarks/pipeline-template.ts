import { changes, disappears } from "../../shared/plan/change.js";
import { NOT_COUNTED } from "./live.js";
import { becomes, type Review } from "./review.js";

/** A template that is deleted or becomes unavailable. */
export const pipelineTemplate: Review = {
  lost: () => ({
    predicate: ["is deleted"],
    rest: [{ text: ["Look for pipelines that use it: the API doesn't show them."] }],
  }),
  vanished: {
    lost: ["The API doesn't show which pipelines used it."],
    remains: ["A new template has another id, and no pipeline uses it until somebody assigns it."],
  },
  cautions: {
    available: ({ before }, values) => {
      if (becomes(values, "false")) return { predicate: ["can be assigned only by administrators"] };
      return values.unknown && before.available === true
        ? { predicate: ["may become unavailable"] }
        : undefined;
    },
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
    finding: ({ action }) => ({
      ...(action === "update" && { effect: "hide" }),
      now: NOT_COUNTED,
      lines: action === "update" ? [["The API doesn't show which pipelines use a template."]] : [],
    }),
  },
};
