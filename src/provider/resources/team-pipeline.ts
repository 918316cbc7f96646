import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { isSameObject } from "../../shared/protocol/identity.js";
import { noticedPair, pairs } from "../kind/behavior.js";
import { FULL_ACCESS, inTeam, pipelineAccess, pipelineId, property, teamId } from "../kind/fields.js";
import type { Kind, OneOf } from "../kind/kind.js";
import { pipelineAt } from "../kind/pipelines.js";
import { loses, opensInside, when } from "../kind/review.js";
import { type Get, getNamed } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import { PipelineTeamAccessLevel } from "./enumerations.js";
import type { Pipeline, PipelineTeam } from "./pipeline.js";
import type { Team } from "./team.js";

/** Arguments of a {@link TeamPipeline}. */
export interface TeamPipelineArgs {
  /** Team that gets access: a {@link Team} or the UUID of one. Required. Changing it replaces the access. */
  teamId: pulumi.Input<string> | Team;
  /** Pipeline that the team may use: a {@link Pipeline} or the UUID of one. Required. Changing it replaces the access. */
  pipelineId: pulumi.Input<string> | Pipeline;
  /**
   * What the team may do: see the pipeline, build it too, or change it as well. Of a user's teams, the highest level
   * applies. Required. Changing it updates in place.
   */
  accessLevel: pulumi.Input<OneOf<"read_only" | "build_and_read" | "manage_build_and_read">>;
}

/**
 * A team's access to a pipeline. Needs the scopes `read_teams` (or `view_teams`) and `write_teams`, and an access token
 * of an admin or of a maintainer of the team. Its id is `<team uuid>/<pipeline uuid>`.
 *
 * An access that exists already is an error, which shows its level and its import. The exception is one that came into
 * being with the pipeline, if the same program declares the pipeline: it is taken over, and gets the level of the program.
 *
 * A deletion keeps the team and the pipeline, and deleting either of the two deletes the access. Removing the last access with `manage_build_and_read` locks out people who aren't admins. If such a person destroys a
 * stack, the pipeline itself may then remain: use an admin's access token, or `retainOnDelete` on the access.
 *
 * `{ import: "<team uuid|slug|name>/<pipeline uuid|slug>" }` imports an existing access.
 *
 * @example
 * ```ts
 * new TeamPipeline("platform-storefront", { teamId: platform, pipelineId: storefront, accessLevel: "build_and_read" });
 * ```
 */
export class TeamPipeline extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:TeamPipeline";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<TeamPipeline>(TeamPipeline.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "TeamPipeline",
    words: { noun: "team pipeline", label: "pipelineId" },
    section: "teamPipelines",
    scopes: { read: [["read_teams", "view_teams"]], write: [["write_teams"]] },
    requires: "newer API",
    parent: inTeam,
    arguments: {
      teamId,
      pipelineId: {
        ...pipelineId,
        refersTo: "Pipeline",
        takesResource: true,
        goesWith: true,
        ...property("pipeline_id"),
        creationOnly: true,
        replaces: true,
      },
      accessLevel: {
        ...pipelineAccess,
        review: when(
          {
            more: opensInside("{place} gets {after} on {objects} instead of {before}", {
              todo: "Make sure that every member of the team may have that level.",
              runsCode: true,
            }),
            less: loses("{place} keeps only {after} on {objects} instead of {before}", { now: "restrict" }),
          },
          { levels: Object.values(PipelineTeamAccessLevel) },
        ),
        whenOmitted: "required",
        ...property("access_level"),
      },
    },
    review: {
      created: opensInside("{place} gets {accessLevel} on {objects}", { runsCode: true }),
      deleted: [loses("{place} loses {accessLevel} on {objects}")],
      vanished: { lost: "The team lost the access that it gave." },
    },
    outputs: {
      pipelineUrl: { returnedAs: "pipeline_url", spells: "pipelineId" },
      createdAt: { returnedAs: "created_at" },
    },
    identify: (pair) => pair.pipeline_id,
    isPair: true,
    comesWith: {
      argument: "pipelineId",
      gives: ({ known: { teams } }, { teamId }) => ({ accessLevel: levelIn(teams, teamId) }),
    },
    unique: { argument: "pipelineId", isRefused: true },
    once: {
      argument: "pipelineId",
      words: "is the pipeline of the same team in {other} already. Declare each access once.",
    },
    importing: {
      form: "<pipeline uuid|slug>",
      names: () => [],
      idOf: async ({ client }, name) => (await pipelineAt(client, name))?.id,
    },
    noticed: noticedPair("team pipeline"),
    behavior: pairs((client) => client.teamPipelines, "team pipeline"),
  } satisfies Kind<
    TeamPipelineArgs,
    TeamPipeline,
    api.TeamPipeline,
    api.TeamPipelineCreate,
    api.TeamPipelineUpdate
  >;

  /** UUID of the team. */
  declare readonly teamId: pulumi.Output<string>;
  /** UUID of the pipeline. */
  declare readonly pipelineId: pulumi.Output<string>;
  /** What the team may do. */
  declare readonly accessLevel: pulumi.Output<"read_only" | "build_and_read" | "manage_build_and_read">;
  /** Slug of the organization the team is in. */
  declare readonly organization: pulumi.Output<string>;
  /** API URL of the pipeline. */
  declare readonly pipelineUrl: pulumi.Output<string>;
  /** When the team got access, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * Reads an existing access without managing it. A missing one is an error.
   * @example TeamPipeline.get("web", `${teamUuid}/${pipelineUuid}`)
   */
  static readonly get: Get<TeamPipelineArgs, TeamPipeline> = getNamed("teamId", "pipelineId");

  constructor(name: string, args: TeamPipelineArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

/** Returns the level that a pipeline's creation gives a team, by the pipeline's argument `teams`. */
function levelIn(teams: unknown, teamId: unknown) {
  const given: readonly Partial<pulumi.Unwrap<PipelineTeam>>[] = Array.isArray(teams) ? teams : [];
  return given.find((team) => isSameObject(team.teamId, teamId))?.accessLevel ?? FULL_ACCESS;
}
