import "../node-version.js";

/**
 * What a program imports whose resources the plugin serves: the names of the package's main entry, except
 * `LookupError`, which the lookups of the plugin do not throw. A class is not exported as a type alone: TypeScript
 * would accept its import as a value in a module of ECMAScript, and Node.js would not.
 */
export type { ProviderArgs } from "../configuration/provider.js";
export type * from "../lookups/index.js";
export type { EmbeddedUser } from "../resources/embedded-user.js";
export type * from "../resources/index.js";
export type { ResourceOptions } from "../resources/registration.js";
export {
  getAccessToken,
  getAccessTokenOutput,
  getAgent,
  getAgentOutput,
  getAgents,
  getAgentsOutput,
  getAgentToken,
  getAgentTokenOutput,
  getAgentTokens,
  getAgentTokensOutput,
  getBuild,
  getBuildOutput,
  getBuilds,
  getBuildsOutput,
  getCluster,
  getClusterOutput,
  getClusters,
  getClustersOutput,
  getOrganization,
  getOrganizationMember,
  getOrganizationMemberOutput,
  getOrganizationMembers,
  getOrganizationMembersOutput,
  getOrganizationOutput,
  getOrganizations,
  getOrganizationsOutput,
  getPipelineTemplate,
  getPipelineTemplateOutput,
  getPipelineTemplates,
  getPipelineTemplatesOutput,
  getQueue,
  getQueueOutput,
  getQueues,
  getQueuesOutput,
  getRun,
  getRunOutput,
  getRuns,
  getRunsOutput,
  getSuite,
  getSuiteOutput,
  getSuites,
  getSuitesOutput,
  getTeam,
  getTeamOutput,
  getTeams,
  getTeamsOutput,
} from "./lookups.js";
export { Provider } from "./provider.js";
export {
  AgentToken,
  Cluster,
  ClusterDefaultQueue,
  PipelineTemplate,
  Queue,
  Suite,
  Team,
} from "./resources.js";
