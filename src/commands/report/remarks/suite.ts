import { counted } from "../../../shared/messages/nouns.js";
import { disappears } from "../../shared/drawing/actions.js";
import { text } from "../../shared/plan/text.js";
import { NOT_COUNTED } from "./live.js";
import type { Review } from "./review.js";

/** A suite that is deleted loses its runs and its API token. */
export const suite: Review = {
  lost: () => ({ predicate: ["is deleted with its runs, and its API token stops working"] }),
  vanished: {
    lost: ["Its runs are deleted, and its API token stopped working."],
    remains: ["A new suite has another id and API token, and no runs."],
  },
  impact: {
    needs: (change) => {
      const { slug } = change.before;
      if (!disappears(change)) return undefined;
      return typeof slug === "string" && change.id !== undefined ? { runsOf: { id: change.id, slug } } : {};
    },
    finding: (change, live) => {
      const runs = live.runs.get(change.id ?? "");
      const open = runs?.filter(({ state }) => state === "running").length ?? 0;
      const latest = runs?.[0]?.created_at;
      const inProgress = `${open > 0 ? counted(open, "run") : "no run"} in progress`;
      return {
        busy: open > 0,
        now: runs === undefined ? NOT_COUNTED : inProgress,
        lines: latest ? [text`The latest run began at ${latest}.`] : [],
      };
    },
  },
};
