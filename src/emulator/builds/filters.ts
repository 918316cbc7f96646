import type { Query } from "../http/operation.js";
import type { View } from "../model/entity.js";
import { Refusal } from "../model/refusals.js";
import type { RecordIn } from "../store/collection.js";

type BuildRecord = RecordIn<"builds">;

export const buildFilterParameters = {
  branch: "One or more branch names.",
  commit: "The full commit SHA.",
  created_from: "Builds created on or after this ISO 8601 time.",
  created_to: "Builds created before this ISO 8601 time.",
  creator: "The user who created the build: id, email or name.",
  finished_from: "Builds finished on or after this ISO 8601 time.",
  include_retried_jobs: "When given, every retried job execution is shown.",
  meta_data: "Build meta-data, as `meta_data[key]=value`.",
  state: "One or more states; `finished` stands for passed, failed, blocked and canceled.",
} as const;

const finishedStates = ["passed", "failed", "canceled"];

export function buildFilter(view: View, query: Query): (build: BuildRecord) => boolean {
  const branches = query.all("branch");
  const states = query.all("state");
  const commit = query.one("commit") ?? "";
  const creator = query.one("creator") ?? "";
  const metaData = [...query].flatMap(([parameter, value]) => {
    const key = /^meta_data\[(.+)\]$/s.exec(parameter)?.[1];
    return key === undefined ? [] : [{ key, value }];
  });
  const createdFrom = timeOf(query, "created_from");
  const createdTo = timeOf(query, "created_to");
  const finishedFrom = timeOf(query, "finished_from");
  return (build) =>
    (branches.length === 0 || branches.includes(build.branch)) &&
    (states.length === 0 || states.some((state) => isInState(build, state))) &&
    (commit === "" || build.commit === commit) &&
    (creator === "" || isCreator(view, build, creator)) &&
    metaData.every(
      ({ key, value }) => Object.hasOwn(build.meta_data, key) && build.meta_data[key] === value,
    ) &&
    (createdFrom === undefined || Date.parse(build.created_at) >= createdFrom) &&
    (createdTo === undefined || Date.parse(build.created_at) < createdTo) &&
    (finishedFrom === undefined ||
      (build.finished_at !== null && Date.parse(build.finished_at) >= finishedFrom));
}

function isInState(build: BuildRecord, state: string): boolean {
  if (state === "blocked") return build.blocked || build.state === "blocked";
  if (state === "finished") return build.blocked || finishedStates.includes(build.state);
  return build.state === state;
}

function isCreator(view: View, build: BuildRecord, wanted: string): boolean {
  const user = build.author ?? view.data.users.get(build.creator_id);
  if (user === undefined) return false;
  return [user.id, user.email, user.name].includes(wanted);
}

function timeOf(query: Query, name: string): number | undefined {
  const text = query.one(name);
  if (!text) return undefined;
  // An unescaped plus of a time zone arrives as a blank.
  const time = Date.parse(text.replace(/ (\d\d:?\d\d)$/, "+$1"));
  if (Number.isNaN(time)) throw new Refusal(400, `${name} is not a valid ISO 8601 time`);
  return time;
}
