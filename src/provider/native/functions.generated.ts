// Generated from the main entry by `npm run generate`.
import type * as functions from "../functions/index.js";
import { output, plain } from "../functions/invoke/engine.js";

export type * from "../functions/index.js";

/** As {@link functions.getAccessToken}. */
export const getAccessToken: typeof functions.getAccessToken = plain("getAccessToken");
/** As {@link functions.getAccessTokenOutput}. */
export const getAccessTokenOutput: typeof functions.getAccessTokenOutput = output("getAccessToken");
/** As {@link functions.getAgentToken}. */
export const getAgentToken: typeof functions.getAgentToken = plain("getAgentToken");
/** As {@link functions.getAgentTokenOutput}. */
export const getAgentTokenOutput: typeof functions.getAgentTokenOutput = output("getAgentToken");
/** As {@link functions.getAgentTokens}. */
export const getAgentTokens: typeof functions.getAgentTokens = plain("getAgentTokens");
/** As {@link functions.getAgentTokensOutput}. */
export const getAgentTokensOutput: typeof functions.getAgentTokensOutput = output("getAgentTokens");
/** As {@link functions.getAgent}. */
export const getAgent: typeof functions.getAgent = plain("getAgent");
/** As {@link functions.getAgentOutput}. */
export const getAgentOutput: typeof functions.getAgentOutput = output("getAgent");
/** As {@link functions.getAgents}. */
export const getAgents: typeof functions.getAgents = plain("getAgents");
/** As {@link functions.getAgentsOutput}. */
export const getAgentsOutput: typeof functions.getAgentsOutput = output("getAgents");
/** As {@link functions.getApiSettings}. */
export const getApiSettings: typeof functions.getApiSettings = plain("getApiSettings");
/** As {@link functions.getApiSettingsOutput}. */
export const getApiSettingsOutput: typeof functions.getApiSettingsOutput = output("getApiSettings");
/** As {@link functions.getBuild}. */
export const getBuild: typeof functions.getBuild = plain("getBuild");
/** As {@link functions.getBuildOutput}. */
export const getBuildOutput: typeof functions.getBuildOutput = output("getBuild");
/** As {@link functions.getBuilds}. */
export const getBuilds: typeof functions.getBuilds = plain("getBuilds");
/** As {@link functions.getBuildsOutput}. */
export const getBuildsOutput: typeof functions.getBuildsOutput = output("getBuilds");
/** As {@link functions.getClusterMaintainer}. */
export const getClusterMaintainer: typeof functions.getClusterMaintainer = plain("getClusterMaintainer");
/** As {@link functions.getClusterMaintainerOutput}. */
export const getClusterMaintainerOutput: typeof functions.getClusterMaintainerOutput =
  output("getClusterMaintainer");
/** As {@link functions.getClusterMaintainers}. */
export const getClusterMaintainers: typeof functions.getClusterMaintainers = plain("getClusterMaintainers");
/** As {@link functions.getClusterMaintainersOutput}. */
export const getClusterMaintainersOutput: typeof functions.getClusterMaintainersOutput =
  output("getClusterMaintainers");
/** As {@link functions.getClusterSecret}. */
export const getClusterSecret: typeof functions.getClusterSecret = plain("getClusterSecret");
/** As {@link functions.getClusterSecretOutput}. */
export const getClusterSecretOutput: typeof functions.getClusterSecretOutput = output("getClusterSecret");
/** As {@link functions.getClusterSecrets}. */
export const getClusterSecrets: typeof functions.getClusterSecrets = plain("getClusterSecrets");
/** As {@link functions.getClusterSecretsOutput}. */
export const getClusterSecretsOutput: typeof functions.getClusterSecretsOutput = output("getClusterSecrets");
/** As {@link functions.getCluster}. */
export const getCluster: typeof functions.getCluster = plain("getCluster");
/** As {@link functions.getClusterOutput}. */
export const getClusterOutput: typeof functions.getClusterOutput = output("getCluster");
/** As {@link functions.getClusters}. */
export const getClusters: typeof functions.getClusters = plain("getClusters");
/** As {@link functions.getClustersOutput}. */
export const getClustersOutput: typeof functions.getClustersOutput = output("getClusters");
/** As {@link functions.getOrganizationMember}. */
export const getOrganizationMember: typeof functions.getOrganizationMember = plain("getOrganizationMember");
/** As {@link functions.getOrganizationMemberOutput}. */
export const getOrganizationMemberOutput: typeof functions.getOrganizationMemberOutput =
  output("getOrganizationMember");
/** As {@link functions.getOrganizationMembers}. */
export const getOrganizationMembers: typeof functions.getOrganizationMembers =
  plain("getOrganizationMembers");
/** As {@link functions.getOrganizationMembersOutput}. */
export const getOrganizationMembersOutput: typeof functions.getOrganizationMembersOutput =
  output("getOrganizationMembers");
/** As {@link functions.getNotificationService}. */
export const getNotificationService: typeof functions.getNotificationService =
  plain("getNotificationService");
/** As {@link functions.getNotificationServiceOutput}. */
export const getNotificationServiceOutput: typeof functions.getNotificationServiceOutput =
  output("getNotificationService");
/** As {@link functions.getNotificationServices}. */
export const getNotificationServices: typeof functions.getNotificationServices =
  plain("getNotificationServices");
/** As {@link functions.getNotificationServicesOutput}. */
export const getNotificationServicesOutput: typeof functions.getNotificationServicesOutput =
  output("getNotificationServices");
/** As {@link functions.getOrganizationRule}. */
export const getOrganizationRule: typeof functions.getOrganizationRule = plain("getOrganizationRule");
/** As {@link functions.getOrganizationRuleOutput}. */
export const getOrganizationRuleOutput: typeof functions.getOrganizationRuleOutput =
  output("getOrganizationRule");
/** As {@link functions.getOrganizationRules}. */
export const getOrganizationRules: typeof functions.getOrganizationRules = plain("getOrganizationRules");
/** As {@link functions.getOrganizationRulesOutput}. */
export const getOrganizationRulesOutput: typeof functions.getOrganizationRulesOutput =
  output("getOrganizationRules");
/** As {@link functions.getOrganization}. */
export const getOrganization: typeof functions.getOrganization = plain("getOrganization");
/** As {@link functions.getOrganizationOutput}. */
export const getOrganizationOutput: typeof functions.getOrganizationOutput = output("getOrganization");
/** As {@link functions.getOrganizations}. */
export const getOrganizations: typeof functions.getOrganizations = plain("getOrganizations");
/** As {@link functions.getOrganizationsOutput}. */
export const getOrganizationsOutput: typeof functions.getOrganizationsOutput = output("getOrganizations");
/** As {@link functions.getPipelineSchedule}. */
export const getPipelineSchedule: typeof functions.getPipelineSchedule = plain("getPipelineSchedule");
/** As {@link functions.getPipelineScheduleOutput}. */
export const getPipelineScheduleOutput: typeof functions.getPipelineScheduleOutput =
  output("getPipelineSchedule");
/** As {@link functions.getPipelineSchedules}. */
export const getPipelineSchedules: typeof functions.getPipelineSchedules = plain("getPipelineSchedules");
/** As {@link functions.getPipelineSchedulesOutput}. */
export const getPipelineSchedulesOutput: typeof functions.getPipelineSchedulesOutput =
  output("getPipelineSchedules");
/** As {@link functions.getPipelineSettings}. */
export const getPipelineSettings: typeof functions.getPipelineSettings = plain("getPipelineSettings");
/** As {@link functions.getPipelineSettingsOutput}. */
export const getPipelineSettingsOutput: typeof functions.getPipelineSettingsOutput =
  output("getPipelineSettings");
/** As {@link functions.getPipelineTemplate}. */
export const getPipelineTemplate: typeof functions.getPipelineTemplate = plain("getPipelineTemplate");
/** As {@link functions.getPipelineTemplateOutput}. */
export const getPipelineTemplateOutput: typeof functions.getPipelineTemplateOutput =
  output("getPipelineTemplate");
/** As {@link functions.getPipelineTemplates}. */
export const getPipelineTemplates: typeof functions.getPipelineTemplates = plain("getPipelineTemplates");
/** As {@link functions.getPipelineTemplatesOutput}. */
export const getPipelineTemplatesOutput: typeof functions.getPipelineTemplatesOutput =
  output("getPipelineTemplates");
/** As {@link functions.getPipeline}. */
export const getPipeline: typeof functions.getPipeline = plain("getPipeline");
/** As {@link functions.getPipelineOutput}. */
export const getPipelineOutput: typeof functions.getPipelineOutput = output("getPipeline");
/** As {@link functions.getPipelines}. */
export const getPipelines: typeof functions.getPipelines = plain("getPipelines");
/** As {@link functions.getPipelinesOutput}. */
export const getPipelinesOutput: typeof functions.getPipelinesOutput = output("getPipelines");
/** As {@link functions.getQueue}. */
export const getQueue: typeof functions.getQueue = plain("getQueue");
/** As {@link functions.getQueueOutput}. */
export const getQueueOutput: typeof functions.getQueueOutput = output("getQueue");
/** As {@link functions.getQueues}. */
export const getQueues: typeof functions.getQueues = plain("getQueues");
/** As {@link functions.getQueuesOutput}. */
export const getQueuesOutput: typeof functions.getQueuesOutput = output("getQueues");
/** As {@link functions.getRun}. */
export const getRun: typeof functions.getRun = plain("getRun");
/** As {@link functions.getRunOutput}. */
export const getRunOutput: typeof functions.getRunOutput = output("getRun");
/** As {@link functions.getRuns}. */
export const getRuns: typeof functions.getRuns = plain("getRuns");
/** As {@link functions.getRunsOutput}. */
export const getRunsOutput: typeof functions.getRunsOutput = output("getRuns");
/** As {@link functions.getSuite}. */
export const getSuite: typeof functions.getSuite = plain("getSuite");
/** As {@link functions.getSuiteOutput}. */
export const getSuiteOutput: typeof functions.getSuiteOutput = output("getSuite");
/** As {@link functions.getSuites}. */
export const getSuites: typeof functions.getSuites = plain("getSuites");
/** As {@link functions.getSuitesOutput}. */
export const getSuitesOutput: typeof functions.getSuitesOutput = output("getSuites");
/** As {@link functions.getTeamMember}. */
export const getTeamMember: typeof functions.getTeamMember = plain("getTeamMember");
/** As {@link functions.getTeamMemberOutput}. */
export const getTeamMemberOutput: typeof functions.getTeamMemberOutput = output("getTeamMember");
/** As {@link functions.getTeamMembers}. */
export const getTeamMembers: typeof functions.getTeamMembers = plain("getTeamMembers");
/** As {@link functions.getTeamMembersOutput}. */
export const getTeamMembersOutput: typeof functions.getTeamMembersOutput = output("getTeamMembers");
/** As {@link functions.getTeamPipeline}. */
export const getTeamPipeline: typeof functions.getTeamPipeline = plain("getTeamPipeline");
/** As {@link functions.getTeamPipelineOutput}. */
export const getTeamPipelineOutput: typeof functions.getTeamPipelineOutput = output("getTeamPipeline");
/** As {@link functions.getTeamPipelines}. */
export const getTeamPipelines: typeof functions.getTeamPipelines = plain("getTeamPipelines");
/** As {@link functions.getTeamPipelinesOutput}. */
export const getTeamPipelinesOutput: typeof functions.getTeamPipelinesOutput = output("getTeamPipelines");
/** As {@link functions.getTeamSuite}. */
export const getTeamSuite: typeof functions.getTeamSuite = plain("getTeamSuite");
/** As {@link functions.getTeamSuiteOutput}. */
export const getTeamSuiteOutput: typeof functions.getTeamSuiteOutput = output("getTeamSuite");
/** As {@link functions.getTeamSuites}. */
export const getTeamSuites: typeof functions.getTeamSuites = plain("getTeamSuites");
/** As {@link functions.getTeamSuitesOutput}. */
export const getTeamSuitesOutput: typeof functions.getTeamSuitesOutput = output("getTeamSuites");
/** As {@link functions.getTeam}. */
export const getTeam: typeof functions.getTeam = plain("getTeam");
/** As {@link functions.getTeamOutput}. */
export const getTeamOutput: typeof functions.getTeamOutput = output("getTeam");
/** As {@link functions.getTeams}. */
export const getTeams: typeof functions.getTeams = plain("getTeams");
/** As {@link functions.getTeamsOutput}. */
export const getTeamsOutput: typeof functions.getTeamsOutput = output("getTeams");
