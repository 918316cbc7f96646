import { z } from "zod";
import type { Call } from "./http/operation.js";
import { id } from "./model/body.js";
import * as model from "./model/entity.js";
import { validationFailed } from "./model/refusals.js";
import type { StoredRecord } from "./store/collection.js";

export const actor = z.object({
  id: model.uuid,
  graphql_id: z.string(),
  type: z.enum(["user", "team"]).optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  slug: z.string().optional(),
});

/** A user or a team who maintains a cluster: one of the two ids is set. */
export interface ClusterMaintainerRecord extends StoredRecord {
  readonly cluster_id: string;
  readonly user_id: string | null;
  readonly team_id: string | null;
}

const actors = z.array(z.object({ id: model.uuid, actor }));

/** What a cluster shows of its maintainers: users and teams apart, and teams with their name. */
export const maintainersOfCluster = model.derived(
  z.object({ users: actors, teams: actors }).optional(),
  ({ id }: { id: string }, view) => {
    if (!view.variations.newerApi) return undefined;
    const all = view.data.clusterMaintainers.list("cluster_id", id);
    const shown = all.map((record) => ({ id: record.id, record, actor: actorOf(record, view) }));
    const users = shown.filter(({ record }) => record.user_id !== null);
    const teams = shown.filter(({ record }) => record.team_id !== null);
    return {
      users: users.map(({ id, actor }) => ({ id, actor })),
      teams: teams.map(({ id, record, actor: { type: _, ...team } }) => {
        return { id, actor: { ...team, name: view.data.teams.get(record.team_id ?? "")?.name } };
      }),
    };
  },
);

/** Who is to maintain a cluster: exactly one of the two. */
export const maintainerBody = z.object({ user: id, team: id }).partial();

export function addMaintainer(
  { data }: Call,
  cluster_id: string,
  { user, team }: z.output<typeof maintainerBody>,
): ClusterMaintainerRecord {
  if ((user === undefined) === (team === undefined)) {
    throw validationFailed("Exactly one of user and team must be given");
  }
  if (user !== undefined && !data.users.get(user)?.member) {
    throw validationFailed("User must be a member of this organization");
  }
  if (team !== undefined && data.teams.get(team) === undefined) {
    throw validationFailed("Team must be a team of this organization");
  }
  const actor = { user_id: user ?? null, team_id: team ?? null };
  const others = data.clusterMaintainers.list("cluster_id", cluster_id);
  if (others.some((one) => one.user_id === actor.user_id && one.team_id === actor.team_id)) {
    throw validationFailed(`${user === undefined ? "Team" : "User"} is already a maintainer of this cluster`);
  }
  return data.clusterMaintainers.insert({ id: crypto.randomUUID(), cluster_id, ...actor });
}

export function actorOf(
  { user_id, team_id }: ClusterMaintainerRecord,
  view: model.View,
): z.output<typeof actor> {
  const user = view.data.users.get(user_id ?? "");
  if (user !== undefined) {
    const { id, name, email } = user;
    return { id, graphql_id: model.graphqlId("User").derive(user, view), type: "user", name, email };
  }
  const id = team_id ?? "";
  const graphql_id = model.graphqlId("Team").derive({ id }, view);
  return { id, graphql_id, type: "team", slug: view.data.teams.get(id)?.slug };
}
