/** The groups of the client's methods, in the order in which documentation and commands list what they are about. */
export const sections = [
  "clusters",
  "queues",
  "agentTokens",
  "pipelineTemplates",
  "teams",
  "suites",
  "runs",
  "agents",
  "organizations",
  "members",
  "accessToken",
  "builds",
  "pipelines",
  "pipelineSchedules",
  "teamMembers",
  "teamPipelines",
  "teamSuites",
  "clusterMaintainers",
  "clusterSecrets",
  "notificationServices",
  "organizationRules",
  "pipelineSettings",
  "apiSettings",
] as const;

export type SectionName = (typeof sections)[number];
