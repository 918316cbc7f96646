/** The values of arguments that take one of a few, for programs that would rather name them. */

/**
 * The values of a team's `privacy`. A plain string does as well. Pulumi writes these names after `pulumi import`.
 *
 * @example new Team("owners", { name: "Owners", privacy: TeamPrivacy.Secret })
 */
export const TeamPrivacy = { Visible: "visible", Secret: "secret" } as const;

/** The values of a team's `defaultMemberRole`, as {@link TeamPrivacy} has those of `privacy`. */
export const TeamDefaultMemberRole = { Member: "member", Maintainer: "maintainer" } as const;

/** The values of `retryAgentAffinity`. A plain string does as well. */
export const QueueRetryAgentAffinity = {
  PreferWarmest: "prefer-warmest",
  PreferDifferent: "prefer-different",
} as const;

/** The values of a notification service's `scope`. A plain string does as well. */
export const NotificationServiceScope = {
  All: "all",
  SomeProjects: "some_projects",
  SomeTeams: "some_teams",
  SomeClusters: "some_clusters",
} as const;

/** The values of an organization rule's `type`. A plain string does as well. */
export const OrganizationRuleType = {
  PipelineTriggerBuildPipeline: "pipeline.trigger_build.pipeline",
  PipelineArtifactsReadPipeline: "pipeline.artifacts_read.pipeline",
} as const;

/** The values of a pipeline's `visibility`. A plain string does as well. */
export const PipelineVisibility = { Private: "private", Public: "public" } as const;

/** The values of a pipeline's `onDelete`. A plain string does as well. */
export const PipelineOnDelete = { Archive: "archive", Delete: "delete" } as const;

/** The values of a team's `accessLevel` to a pipeline. A plain string does as well. */
export const PipelineTeamAccessLevel = {
  ReadOnly: "read_only",
  BuildAndRead: "build_and_read",
  ManageBuildAndRead: "manage_build_and_read",
} as const;

/** The values of a team member's `role`. A plain string does as well. */
export const TeamMemberRole = { Member: "member", Maintainer: "maintainer" } as const;

/** The entries of a team's `accessLevel` to a suite. A plain string does as well. */
export const TeamSuiteAccessLevel = { Read: "read", Edit: "edit" } as const;
