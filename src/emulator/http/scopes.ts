/** Every scope that the API document names. */
export const scopes = [
  "read_clusters",
  "write_clusters",
  "read_pipeline_templates",
  "write_pipeline_templates",
  "read_teams",
  "view_teams",
  "write_teams",
  "read_suites",
  "write_suites",
  "read_agents",
  "write_agents",
  "read_organizations",
  "read_builds",
  "write_builds",
] as const;

/** A scope of an API access token. */
export type Scope = (typeof scopes)[number];

export const readScopes: readonly Scope[] = scopes.filter((scope) => !scope.startsWith("write_"));
