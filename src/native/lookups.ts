import type * as pulumi from "@pulumi/pulumi";
import type * as lookups from "../lookups/index.js";
import { invoke, invokeOutput } from "../lookups/invoke/engine.js";

/**
 * The lookups, answered by the plugin through the engine. Arguments, results and their documentation are those of the
 * other entry.
 */

type Plain = (args?: object, opts?: pulumi.InvokeOptions) => Promise<never>;
type Output = (args?: object, opts?: pulumi.InvokeOutputOptions) => pulumi.Output<never>;

// The plugin answers with what the lookup of the same name finds, so the declared type of each below is its result's.
const plain =
  (name: keyof typeof lookups): Plain =>
  (args, opts) =>
    invoke(name, args, opts) as Promise<never>;
const output =
  (name: keyof typeof lookups): Output =>
  (args, opts) =>
    invokeOutput(name, args, opts) as pulumi.Output<never>;

/** As {@link lookups.getAccessToken}. */
export const getAccessToken: typeof lookups.getAccessToken = plain("getAccessToken");
/** As {@link lookups.getAccessTokenOutput}. */
export const getAccessTokenOutput: typeof lookups.getAccessTokenOutput = output("getAccessToken");
/** As {@link lookups.getAgent}. */
export const getAgent: typeof lookups.getAgent = plain("getAgent");
/** As {@link lookups.getAgentOutput}. */
export const getAgentOutput: typeof lookups.getAgentOutput = output("getAgent");
/** As {@link lookups.getAgentToken}. */
export const getAgentToken: typeof lookups.getAgentToken = plain("getAgentToken");
/** As {@link lookups.getAgentTokenOutput}. */
export const getAgentTokenOutput: typeof lookups.getAgentTokenOutput = output("getAgentToken");
/** As {@link lookups.getAgentTokens}. */
export const getAgentTokens: typeof lookups.getAgentTokens = plain("getAgentTokens");
/** As {@link lookups.getAgentTokensOutput}. */
export const getAgentTokensOutput: typeof lookups.getAgentTokensOutput = output("getAgentTokens");
/** As {@link lookups.getAgents}. */
export const getAgents: typeof lookups.getAgents = plain("getAgents");
/** As {@link lookups.getAgentsOutput}. */
export const getAgentsOutput: typeof lookups.getAgentsOutput = output("getAgents");
/** As {@link lookups.getBuild}. */
export const getBuild: typeof lookups.getBuild = plain("getBuild");
/** As {@link lookups.getBuildOutput}. */
export const getBuildOutput: typeof lookups.getBuildOutput = output("getBuild");
/** As {@link lookups.getBuilds}. */
export const getBuilds: typeof lookups.getBuilds = plain("getBuilds");
/** As {@link lookups.getBuildsOutput}. */
export const getBuildsOutput: typeof lookups.getBuildsOutput = output("getBuilds");
/** As {@link lookups.getCluster}. */
export const getCluster: typeof lookups.getCluster = plain("getCluster");
/** As {@link lookups.getClusterOutput}. */
export const getClusterOutput: typeof lookups.getClusterOutput = output("getCluster");
/** As {@link lookups.getClusters}. */
export const getClusters: typeof lookups.getClusters = plain("getClusters");
/** As {@link lookups.getClustersOutput}. */
export const getClustersOutput: typeof lookups.getClustersOutput = output("getClusters");
/** As {@link lookups.getOrganization}. */
export const getOrganization: typeof lookups.getOrganization = plain("getOrganization");
/** As {@link lookups.getOrganizationOutput}. */
export const getOrganizationOutput: typeof lookups.getOrganizationOutput = output("getOrganization");
/** As {@link lookups.getOrganizationMember}. */
export const getOrganizationMember: typeof lookups.getOrganizationMember = plain("getOrganizationMember");
/** As {@link lookups.getOrganizationMemberOutput}. */
export const getOrganizationMemberOutput: typeof lookups.getOrganizationMemberOutput =
  output("getOrganizationMember");
/** As {@link lookups.getOrganizationMembers}. */
export const getOrganizationMembers: typeof lookups.getOrganizationMembers = plain("getOrganizationMembers");
/** As {@link lookups.getOrganizationMembersOutput}. */
export const getOrganizationMembersOutput: typeof lookups.getOrganizationMembersOutput =
  output("getOrganizationMembers");
/** As {@link lookups.getOrganizations}. */
export const getOrganizations: typeof lookups.getOrganizations = plain("getOrganizations");
/** As {@link lookups.getOrganizationsOutput}. */
export const getOrganizationsOutput: typeof lookups.getOrganizationsOutput = output("getOrganizations");
/** As {@link lookups.getPipelineTemplate}. */
export const getPipelineTemplate: typeof lookups.getPipelineTemplate = plain("getPipelineTemplate");
/** As {@link lookups.getPipelineTemplateOutput}. */
export const getPipelineTemplateOutput: typeof lookups.getPipelineTemplateOutput =
  output("getPipelineTemplate");
/** As {@link lookups.getPipelineTemplates}. */
export const getPipelineTemplates: typeof lookups.getPipelineTemplates = plain("getPipelineTemplates");
/** As {@link lookups.getPipelineTemplatesOutput}. */
export const getPipelineTemplatesOutput: typeof lookups.getPipelineTemplatesOutput =
  output("getPipelineTemplates");
/** As {@link lookups.getQueue}. */
export const getQueue: typeof lookups.getQueue = plain("getQueue");
/** As {@link lookups.getQueueOutput}. */
export const getQueueOutput: typeof lookups.getQueueOutput = output("getQueue");
/** As {@link lookups.getQueues}. */
export const getQueues: typeof lookups.getQueues = plain("getQueues");
/** As {@link lookups.getQueuesOutput}. */
export const getQueuesOutput: typeof lookups.getQueuesOutput = output("getQueues");
/** As {@link lookups.getRun}. */
export const getRun: typeof lookups.getRun = plain("getRun");
/** As {@link lookups.getRunOutput}. */
export const getRunOutput: typeof lookups.getRunOutput = output("getRun");
/** As {@link lookups.getRuns}. */
export const getRuns: typeof lookups.getRuns = plain("getRuns");
/** As {@link lookups.getRunsOutput}. */
export const getRunsOutput: typeof lookups.getRunsOutput = output("getRuns");
/** As {@link lookups.getSuite}. */
export const getSuite: typeof lookups.getSuite = plain("getSuite");
/** As {@link lookups.getSuiteOutput}. */
export const getSuiteOutput: typeof lookups.getSuiteOutput = output("getSuite");
/** As {@link lookups.getSuites}. */
export const getSuites: typeof lookups.getSuites = plain("getSuites");
/** As {@link lookups.getSuitesOutput}. */
export const getSuitesOutput: typeof lookups.getSuitesOutput = output("getSuites");
/** As {@link lookups.getTeam}. */
export const getTeam: typeof lookups.getTeam = plain("getTeam");
/** As {@link lookups.getTeamOutput}. */
export const getTeamOutput: typeof lookups.getTeamOutput = output("getTeam");
/** As {@link lookups.getTeams}. */
export const getTeams: typeof lookups.getTeams = plain("getTeams");
/** As {@link lookups.getTeamsOutput}. */
export const getTeamsOutput: typeof lookups.getTeamsOutput = output("getTeams");
