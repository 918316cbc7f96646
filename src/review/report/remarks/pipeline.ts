import { changes } from "../../plan/change.js";
import { listed, type Text, text } from "../../plan/text.js";
import type { Review } from "./review.js";

/** States of builds that have not ended. */
const OPEN: ReadonlySet<string> = new Set(["scheduled", "running", "failing", "canceling"]);

/** A pipeline is archived or deleted, as `onDelete` says in the state. */
export const pipeline: Review = {
  lost: ({ before: { onDelete, archived } }, { contents }) => {
    const inside = contents.flatMap(({ noun, labels }) =>
      labels.length === 0 ? [] : [text`Deleted with it: ${[noun]} ${listed(labels)}.`],
    );
    if (onDelete === "delete")
      return { predicate: ["is deleted with its builds, logs and artifacts"], rest: inside };
    if (archived === true) {
      const rest = [["Nothing is sent, because it is archived already."], ...inside];
      return { predicate: ["is removed from state"], rest, level: "caution" };
    }
    const rest: Text = ["It gets no builds from then on, and keeps its old ones and its slug."];
    return { predicate: ["is archived"], rest: [rest, ...inside] };
  },
  vanished: {
    lost: ["Its builds, logs and artifacts are deleted."],
    remains: ["A new pipeline has another id, webhook address and no builds."],
  },
  cautions: {
    archived: ({ after }) =>
      after.archived === true
        ? { predicate: ["is archived"], rest: [["It gets no builds from then on, and keeps its old ones."]] }
        : { predicate: ["is unarchived, so it gets builds again"], level: "danger" },
    visibility: (change, { before, after }) =>
      change.after.visibility === "public"
        ? { predicate: ["becomes public: everybody can see its builds and their logs"], level: "danger" }
        : { predicate: ["changes visibility from ", before, " to ", after] },
    slug: (_, { before, after }) => ({
      predicate: ["gets another slug: ", after, " instead of ", before],
      rest: [["Web addresses, trigger steps and scripts that use the slug must follow."]],
    }),
    clusterId: (change, { before, after }) => {
      if (change.after.clusterId === "") return { predicate: ["leaves its cluster (", before, ")"] };
      const next = change.nameAfter("clusterId");
      return {
        predicate: ["moves to another cluster: from ", before, " to ", next ? { code: next } : after],
      };
    },
    repository: "values",
    pipelineTemplateUuid: "values",
    onDelete: ({ after }) =>
      after.onDelete === "delete"
        ? { predicate: ["would be deleted with its builds, and no longer archived, if the program drops it"] }
        : undefined,
  },
  impact: {
    reads: ["builds"],
    isHit: (change) => changes(change, "archived") && change.after.archived === true,
    load: ({ action, id = "", before, after }, live) => {
      const builds = live.builds.get(id);
      const [last] = builds ?? [];
      const open = builds?.filter(({ state }) => OPEN.has(state)) ?? [];
      const numbers = listed(open.map(({ number }) => String(number)));
      const waits = before.onDelete === "delete" && after.archived !== true;
      return {
        ...(action === "update" && { effect: "hide" }),
        busy: open.length > 0,
        now:
          builds === undefined
            ? undefined
            : last === undefined
              ? "it has no build"
              : `its last build is ${last.number} of ${(last.created_at ?? "an unknown date").slice(0, 10)}`,
        lines: [
          open.length > 0 && [
            "Builds that have not ended: ",
            ...numbers,
            waits ? ". The deletion waits up to five minutes for them." : ".",
          ],
        ],
      };
    },
  },
};

export const pipelineSchedule: Review = {
  lost: ({ before: { enabled, cronline } }) => {
    if (enabled === false)
      return { predicate: ["is deleted"], rest: [["It was disabled."]], level: "caution" };
    const when: Text = typeof cronline === "string" ? text` (${cronline})` : [];
    return { predicate: ["is deleted, so it starts no more builds", ...when] };
  },
  vanished: { lost: ["It starts no more builds."] },
  cautions: {
    enabled: ({ before, after }) => {
      const { cronline } = { ...before, ...after };
      const when: Text = typeof cronline === "string" ? text` (${cronline})` : [];
      return after.enabled === true
        ? { predicate: ["is enabled, so it starts builds", ...when] }
        : after.enabled === false
          ? { predicate: ["is disabled, so it starts no more builds", ...when] }
          : undefined;
    },
    cronline: "values",
    branch: "values",
  },
};
