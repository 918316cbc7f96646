import { changes } from "../../plan/change.js";
import type { Review } from "./review.js";

export const pipelineTemplate: Review = {
  lost: () => ({
    predicate: ["is deleted"],
    rest: [["Look for pipelines that use it: the API doesn't show them."]],
  }),
  vanished: {
    lost: ["The API doesn't show which pipelines used it."],
    remains: ["A new template has another id, and no pipeline uses it until somebody assigns it."],
  },
  cautions: {
    available: ({ before, after }, { unknown }) => {
      if (after.available === false) return { predicate: ["can be assigned only by administrators"] };
      return unknown && before.available === true ? { predicate: ["may become unavailable"] } : undefined;
    },
  },
  impact: {
    reads: [],
    isHit: (change) =>
      changes(change, "available") && change.before.available === true && change.after.available !== true,
    load: ({ action }) => ({
      ...(action === "update" && { effect: "hide" }),
      lines: [action === "update" && ["The API doesn't show which pipelines use a template."]],
    }),
  },
};
