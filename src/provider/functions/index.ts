/**
 * The functions that read what exists while the program runs. One file for each group of the client; each
 * function has a form for known arguments and an `…Output` form.
 */
export * from "./access-token.js";
export * from "./agent-tokens.js";
export * from "./agents.js";
export * from "./api-settings.js";
export * from "./builds.js";
export * from "./cluster-maintainers.js";
export * from "./cluster-secrets.js";
export * from "./clusters.js";
export * from "./members.js";
export * from "./notification-services.js";
export * from "./organization-rules.js";
export * from "./organizations.js";
export * from "./output-forms.generated.js";
export * from "./pipeline-schedules.js";
export * from "./pipeline-settings.js";
export * from "./pipeline-templates.js";
export * from "./pipelines.js";
export * from "./queues.js";
export type {
  GetAccessTokenUser,
  GetBuildAuthor,
  GetBuildJob,
  GetBuildJobAgent,
  GetBuildJobStep,
  GetBuildJobStepSignature,
  GetBuildPipeline,
  GetBuildPipelineProvider,
  GetBuildPipelineProviderSettings,
  GetBuildRebuiltFrom,
} from "./results/entities.generated.js";
export * from "./runs.js";
export * from "./suites.js";
export * from "./team-members.js";
export * from "./team-pipelines.js";
export * from "./team-suites.js";
export * from "./teams.js";
