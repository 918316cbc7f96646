import { slugOf } from "../../../provider/kind/slug.js";
import { counted } from "../../../shared/messages/nouns.js";
import { namesAmong, UNKNOWN_AT_IMPORT } from "../../../shared/protocol/properties.js";
import { disappears } from "../../shared/drawing/actions.js";
import type { ArgumentChange, Change } from "../../shared/plan/change.js";
import { listed, text } from "../../shared/plan/text.js";
import type { Remark, Review } from "./review.js";

/** A team that is deleted takes access away, and suites may have been created for it. */
export const team: Review = {
  lost: () => ({
    predicate: ["is deleted"],
    rest: [["Its members lose the access that it gives."]],
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
        rest: [["Links and scripts that use the slug must follow."]],
      };
    },
    privacy: "values",
    isDefaultTeam: "values",
    defaultMemberRole: permission,
    membersCanCreatePipelines: permission,
  },
  impact: {
    needs: (change) => (disappears(change) ? {} : undefined),
    finding: (change, _live, { deployed, managed }) => {
      const deleted = new Set(deployed.filter(({ action }) => action === "delete").map(({ id }) => id));
      const suites = managed.filter(({ kind, id }) => kind === "Suite" && !deleted.has(id));
      const names = suites.flatMap(({ label, properties: { teamIds } }) =>
        Array.isArray(teamIds) && teamIds.includes(change.id) ? [label] : [],
      );
      return {
        now:
          names.length === 0
            ? "no suite of this stack names it"
            : `${counted(names.length, "test suite")} of this stack ${names.length === 1 ? "names" : "name"} it`,
        lines: [
          names.length > 0 && ["Suites that lose the team: ", ...listed(names), "."],
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
    rest: [["The API doesn't return its present value, so this may take a permission away."]],
    level: "danger",
  };
}
