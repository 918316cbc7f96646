import { slugOf } from "../../../provider/kind/canonical.js";
import { counted } from "../../../shared/messages/nouns.js";
import { namesAmong, UNKNOWN_AT_IMPORT } from "../../../shared/protocol/properties.js";
import { type ArgumentChange, type Change, disappears } from "../../shared/plan/change.js";
import { listed, text } from "../../shared/plan/text.js";
import type { Remark, Review } from "./review.js";

/** A team that is deleted takes access away, and suites may have been created for it. */
export const team: Review = {
  lost: () => ({
    predicate: ["is deleted"],
    rest: [{ text: ["Its members lose the access that it gives."] }],
  }),
  vanished: {
    lost: ["Its members lose the access that it gave."],
    remains: ["A new team has another id; members and access to pipelines must be given to it."],
  },
  cautions: {
    name: ({ before }, { after }) => {
      const slug = typeof after === "object" ? slugOf(after.code) : undefined;
      if (slug === undefined || before.slug === slug || typeof before.slug !== "string") return undefined;
      return {
        predicate: text`gets another slug with its name: ${slug} instead of ${before.slug}`,
        rest: [{ text: ["Links and scripts that use the slug must follow."] }],
      };
    },
    privacy: "values",
    isDefaultTeam: "values",
    defaultMemberRole: permission,
    membersCanCreatePipelines: permission,
  },
  impact: {
    needs: (change) => (disappears(change) ? {} : undefined),
    finding: (change, _live, plan, managed) => {
      const deleted = new Set(plan.filter(({ action }) => action === "delete").map(({ id }) => id));
      const names = managed
        .filter(({ kind, id, properties: { teamIds } }) => {
          return (
            kind === "Suite" && !deleted.has(id) && Array.isArray(teamIds) && teamIds.includes(change.id)
          );
        })
        .map(({ label }) => label);
      return {
        now:
          names.length === 0
            ? "no suite of this stack names it"
            : `${counted(names.length, "test suite")} of this stack ${names.length === 1 ? "names" : "name"} it`,
        lines: [
          ...(names.length === 0 ? [] : [["Suites that lose the team: ", ...listed(names), "."]]),
          ["The API does not show a suite's teams, nor a team's pipelines."],
        ],
      };
    },
  },
};

/** Of an imported team, the present value may be unknown. */
function permission(change: Change, { name, before, after }: ArgumentChange): Remark {
  if (!namesAmong(change.before[UNKNOWN_AT_IMPORT]).has(name))
    return { predicate: [`changes ${name} from `, before, " to ", after] };
  return {
    predicate: [`sets ${name} to `, after],
    rest: [{ text: ["The API doesn't return its present value, so this may take a permission away."] }],
    level: "danger",
  };
}
