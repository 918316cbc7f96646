import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { clusterId, inCluster, uuid } from "../kind/fields.js";
import type { Kind } from "../kind/kind.js";
import { loses, opensInside, replaced } from "../kind/review.js";
import { type GetIn, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import type { Cluster } from "./cluster.js";
import type { Team } from "./team.js";

/** Arguments of a {@link ClusterMaintainer}: a user or a team. Each change replaces the assignment. */
export interface ClusterMaintainerArgs {
  /** Cluster that is maintained: a {@link Cluster} or the UUID of one. Required. Changing it replaces the assignment. */
  clusterId: pulumi.Input<string> | Cluster;
  /** UUID of the user who maintains it. Give this or `teamId`. Changing it replaces the assignment. Default: none. */
  userId?: pulumi.Input<string | undefined>;
  /** Team that maintains it: a {@link Team} or the UUID of one. Changing it replaces the assignment. Default: none. */
  teamId?: pulumi.Input<string | undefined> | Team;
}

/**
 * The assignment of a user or a team as a maintainer of a cluster, who may change the cluster, its queues, agent tokens
 * and secrets. Needs the scopes `read_clusters` and `write_clusters`, and an access token of an admin or of a maintainer
 * of the cluster: others can't read the list of maintainers, and a refresh then keeps the state.
 *
 * A deletion ends the assignment and keeps the user or the team. Deleting the cluster ends all its assignments.
 *
 * The API can't update an assignment. Another user or team is assigned before the old assignment ends.
 *
 * `{ import: "<cluster uuid|name>/<assignment uuid|user uuid|email|team uuid|slug>" }` imports an existing assignment.
 *
 * @example new ClusterMaintainer("platform", { clusterId: linux, teamId: platform });
 */
export class ClusterMaintainer extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:ClusterMaintainer";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<ClusterMaintainer>(ClusterMaintainer.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "ClusterMaintainer",
    words: {
      noun: "cluster maintainer",
      short: "maintainer",
      label: "userId",
      knownBy: ["actorName", "actorSlug", "actorEmail"],
    },
    section: "clusterMaintainers",
    scopes: { read: [["read_clusters"]], write: [["write_clusters"]] },
    requires: "newer API",
    parent: inCluster,
    arguments: {
      clusterId,
      userId: {
        ...uuid("a user of the organization"),
        review: replaced,
        whenOmitted: "cleared",
        sentAs: "user",
        returnedAs: "actor",
        decode: (actor) => idOf(actor, "user"),
        creationOnly: true,
        replaces: true,
      },
      teamId: {
        ...uuid("a team, or a Team resource"),
        review: replaced,
        whenOmitted: "cleared",
        refersTo: "Team",
        takesResource: true,
        goesWith: true,
        sentAs: "team",
        returnedAs: "actor",
        decode: (actor) => idOf(actor, "team"),
        creationOnly: true,
        replaces: true,
      },
    },
    review: {
      created: opensInside("{objects} can change {place}, its queues, agent tokens and secrets"),
      deleted: [loses("{objects} can no longer change {place}, its queues, agent tokens and secrets")],
      vanished: { lost: "This user or team can no longer change the cluster." },
    },
    outputs: {
      actorType: { returnedAs: "actor.type" },
      actorName: { returnedAs: "actor.name", spells: "userId" },
      actorEmail: { returnedAs: "actor.email" },
      actorSlug: { returnedAs: "actor.slug" },
    },
    rules: [
      {
        arguments: ["userId", "teamId"],
        broken: ({ userId, teamId }) =>
          (userId === undefined) === (teamId === undefined)
            ? "give exactly one of userId and teamId: a maintainer is a user or a team."
            : undefined,
      },
    ],
    identify: ({ id }) => id,
    // A user or a team is a maintainer once.
    unique: {
      argument: "userId",
      isRefused: true,
      derived: { from: "teamId" },
      taken: ({ actor }) => [actor.id],
    },
    once: {
      argument: "userId",
      words: "maintains the same cluster by {other} already. Declare each maintainer once.",
    },
    importing: {
      form: "<assignment uuid|user uuid|email|team uuid|slug>",
      names: ({ actor }) => [actor.id, actor.email, actor.slug],
    },
    behavior: {
      list: ({ client, signal }, { parent }) => client.clusterMaintainers.list(parent, { signal }),
      get: ({ client }, { parent, id }) => client.clusterMaintainers.get(parent, id),
      create: ({ client }, { parent }, { user, team = "" }, options) =>
        client.clusterMaintainers.create(parent, user === undefined ? { team } : { user }, options),
      delete: ({ client }, { parent, id }) => client.clusterMaintainers.delete(parent, id),
    },
  } satisfies Kind<ClusterMaintainerArgs, ClusterMaintainer, api.ClusterMaintainer, Assignment>;

  /** UUID of the cluster. */
  declare readonly clusterId: pulumi.Output<string>;
  /** UUID of the user; undefined if a team maintains the cluster. */
  declare readonly userId: pulumi.Output<string | undefined>;
  /** UUID of the team; undefined if a user maintains the cluster. */
  declare readonly teamId: pulumi.Output<string | undefined>;
  /** Slug of the organization the cluster is in. */
  declare readonly organization: pulumi.Output<string>;
  /** `user` or `team`. */
  declare readonly actorType: pulumi.Output<string | undefined>;
  /** Name of the user or the team, where the API returns it. */
  declare readonly actorName: pulumi.Output<string | undefined>;
  /** Email address of the user; undefined for a team. */
  declare readonly actorEmail: pulumi.Output<string | undefined>;
  /** Slug of the team, where the API returns it; undefined for a user. */
  declare readonly actorSlug: pulumi.Output<string | undefined>;

  /**
   * Reads an existing assignment without managing it. A missing one is an error.
   * @example ClusterMaintainer.get("platform", assignmentUuid, { clusterId: clusterUuid })
   */
  static readonly get: GetIn<ClusterMaintainerArgs, ClusterMaintainer, "clusterId"> = get;

  constructor(name: string, args: ClusterMaintainerArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

interface Assignment {
  user?: string;
  team?: string;
}

/** Returns the id of an actor of a type. One without a type is a user if it has an email address. */
function idOf(actor: unknown, wanted: "user" | "team"): string | undefined {
  if (typeof actor !== "object" || actor === null) return undefined;
  const { id, type, email }: { id?: unknown; type?: unknown; email?: unknown } = actor;
  const found = typeof type === "string" ? type.toLowerCase() : email == null ? "team" : "user";
  return typeof id === "string" && found === wanted ? id : undefined;
}
