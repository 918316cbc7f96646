/** Scopes of an access token. */
export type Scope =
  | "read_clusters"
  | "write_clusters"
  | "read_pipeline_templates"
  | "write_pipeline_templates"
  | "read_teams"
  | "view_teams"
  | "write_teams"
  | "read_suites"
  | "write_suites"
  | "read_agents"
  | "write_agents"
  | "read_organizations"
  | "read_builds"
  | "write_builds";
