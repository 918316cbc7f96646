import { disappears } from "../../../cli/drawing/actions.js";
import { TeamPipeline } from "../../../provider/resources/index.js";
import { isUnknown } from "../../../shared/protocol/encoded-values.js";
import type { Change } from "../../plan/change.js";
import type { Plan } from "../../plan/plan.js";
import { type Text, text } from "../../plan/text.js";
import type { Live } from "./read.js";
import type { Review } from "./review.js";

const FULL = "manage_build_and_read";
/** From little to much. */
const LEVELS = ["member", "maintainer", "read_only", "build_and_read", FULL];

/** Says what a pair gives, and that it ends or shrinks: who is its label, and where is its place. */
function access(argument: string, who: string, more?: Review): Review {
  return {
    lost: ({ action, before: { [argument]: level } }) => ({
      predicate: [action === "delete" ? "is removed" : "is replaced", ...given(level)],
      rest: [[`${who} loses the access that it gives.`]],
    }),
    vanished: { lost: [`${who} lost the access that it gave.`] },
    cautions: {
      [argument]: (change, { before, after }) => ({
        predicate: [`changes ${argument} from `, before, " to ", after],
        ...(isLess(change.before[argument], change.after[argument]) && {
          rest: [[`${who} loses access.`]],
          level: "danger" as const,
        }),
      }),
    },
    ...more,
  };
}

function given(level: unknown): Text {
  if (typeof level === "string") return text` (${level})`;
  return Array.isArray(level) ? text` (${level.join(", ")})` : [];
}

/** Lists of levels, as suites have them, lose one that isn't in the list any more. */
function isLess(before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after)) return before.some((level) => !after.includes(level));
  return LEVELS.indexOf(String(after)) < LEVELS.indexOf(String(before)) && !isUnknown(after);
}

export const teamMember = access("role", "The user");

const isFull = ({ kind, before, after, action }: Change) =>
  kind === TeamPipeline.kind.name &&
  before.accessLevel === FULL &&
  (disappears({ action }) || after.accessLevel !== FULL);

export const teamPipeline = access("accessLevel", "The team", {
  impact: {
    reads: ["allAccess"],
    isHit: isFull,
    load: (change, live, plan) => ({
      ...(change.action === "update" && { effect: "restrict" }),
      lines: [isFull(change) && lastFull(change, live, plan)],
    }),
  },
});

/** Says that no team has full access any more, if all lists of teams that the access token may see were read. */
function lastFull({ before: { pipelineId }, label }: Change, live: Live, { deployed }: Plan): Text | false {
  if (live.unread.has(TeamPipeline.kind.name))
    return text`Whether another team has full access to ${label} was not read.`;
  const changed = new Set(deployed.filter(isFull).map(({ id }) => id));
  const gone = new Set(deployed.filter(disappears).map(({ id }) => id));
  const remains = live.objects.some(
    ({ kind, id, parent, observed }) =>
      kind.name === TeamPipeline.kind.name &&
      observed.pipelineId === pipelineId &&
      observed.accessLevel === FULL &&
      !changed.has(id) &&
      !gone.has(parent?.id),
  );
  const mayBe = (value: unknown, wanted: unknown) => value === wanted || isUnknown(value);
  const isGiven = deployed.some(
    ({ kind, action, after }) =>
      kind === TeamPipeline.kind.name &&
      action !== "delete" &&
      mayBe(after.pipelineId, pipelineId) &&
      mayBe(after.accessLevel, FULL),
  );
  return (
    !remains &&
    !isGiven &&
    text`No team that the access token may see has full access to ${label} afterwards, so only admins can change it.`
  );
}

export const teamSuite = access("accessLevel", "The team");

export const clusterMaintainer: Review = {
  lost: ({ action }) => ({
    predicate: [action === "delete" ? "is removed" : "is replaced"],
    rest: [["This user or team can no longer change the cluster, its queues, agent tokens and secrets."]],
  }),
  vanished: { lost: ["This user or team can no longer change the cluster."] },
};

export const clusterSecret: Review = {
  lost: ({ action }) => ({
    predicate: [action === "delete" ? "is deleted" : "is replaced"],
    rest: [["Jobs that read it by this key no longer get it."]],
  }),
  vanished: {
    lost: ["Jobs that read it no longer get it."],
    remains: ["A new secret has another id."],
  },
  cautions: {
    value: () => ({ predicate: ["gets another value"], rest: [["Jobs that start from then on read it."]] }),
    triggers: () => ({ predicate: ["gets its value again"] }),
    policy: () => ({ predicate: ["changes which jobs may read it"] }),
  },
};
