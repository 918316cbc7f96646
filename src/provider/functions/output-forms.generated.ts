// Generated from the functions of this folder by `npm run generate`.

import type { GetAccessTokenResult, getAccessToken } from "./access-token.js";
import type { NoArguments, OutputArguments } from "./invoke/arguments.js";
import { outputForm } from "./invoke/function.js";

export type { NoArguments as GetAccessTokenOutputArgs };
/** {@link getAccessToken} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getAccessTokenOutput = outputForm<NoArguments | undefined, GetAccessTokenResult>(
  "getAccessToken",
);

import type { GetAgentArgs, GetAgentResult, getAgent } from "./agents.js";
/** {@link GetAgentArgs}, each of which may be an Output. */
export interface GetAgentOutputArgs extends OutputArguments<GetAgentArgs> {}
/** {@link getAgent} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getAgentOutput = outputForm<GetAgentOutputArgs, GetAgentResult>("getAgent");

import type { GetAgentsArgs, GetAgentsResult, getAgents } from "./agents.js";
/** {@link GetAgentsArgs}, each of which may be an Output. */
export interface GetAgentsOutputArgs extends OutputArguments<GetAgentsArgs> {}
/** {@link getAgents} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getAgentsOutput = outputForm<GetAgentsOutputArgs | undefined, GetAgentsResult>("getAgents");

import type { GetApiSettingsResult, getApiSettings } from "./api-settings.js";

export type { NoArguments as GetApiSettingsOutputArgs };
/** {@link getApiSettings} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getApiSettingsOutput = outputForm<NoArguments | undefined, GetApiSettingsResult>(
  "getApiSettings",
);

import type { GetBuildArgs, GetBuildResult, getBuild } from "./builds.js";
/** {@link GetBuildArgs}, each of which may be an Output. */
export interface GetBuildOutputArgs extends OutputArguments<GetBuildArgs> {}
/** {@link getBuild} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getBuildOutput = outputForm<GetBuildOutputArgs, GetBuildResult>("getBuild");

import type { GetBuildsArgs, GetBuildsResult, getBuilds } from "./builds.js";
/** {@link GetBuildsArgs}, each of which may be an Output. */
export interface GetBuildsOutputArgs extends OutputArguments<GetBuildsArgs> {}
/** {@link getBuilds} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getBuildsOutput = outputForm<GetBuildsOutputArgs | undefined, GetBuildsResult>("getBuilds");

import type { GetClustersResult, getClusters } from "./clusters.js";

export type { NoArguments as GetClustersOutputArgs };
/** {@link getClusters} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getClustersOutput = outputForm<NoArguments | undefined, GetClustersResult>("getClusters");

import type {
  GetOrganizationMemberArgs,
  GetOrganizationMemberResult,
  getOrganizationMember,
} from "./members.js";
/** {@link GetOrganizationMemberArgs}, each of which may be an Output. */
export interface GetOrganizationMemberOutputArgs extends OutputArguments<GetOrganizationMemberArgs> {}
/** {@link getOrganizationMember} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getOrganizationMemberOutput = outputForm<
  GetOrganizationMemberOutputArgs,
  GetOrganizationMemberResult
>("getOrganizationMember");

import type { GetOrganizationMembersResult, getOrganizationMembers } from "./members.js";

export type { NoArguments as GetOrganizationMembersOutputArgs };
/** {@link getOrganizationMembers} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getOrganizationMembersOutput = outputForm<NoArguments | undefined, GetOrganizationMembersResult>(
  "getOrganizationMembers",
);

import type {
  GetNotificationServiceArgs,
  GetNotificationServiceResult,
  getNotificationService,
} from "./notification-services.js";
/** {@link GetNotificationServiceArgs}, each of which may be an Output. */
export interface GetNotificationServiceOutputArgs extends OutputArguments<GetNotificationServiceArgs> {}
/** {@link getNotificationService} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getNotificationServiceOutput = outputForm<
  GetNotificationServiceOutputArgs,
  GetNotificationServiceResult
>("getNotificationService");

import type { GetNotificationServicesResult, getNotificationServices } from "./notification-services.js";

export type { NoArguments as GetNotificationServicesOutputArgs };
/** {@link getNotificationServices} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getNotificationServicesOutput = outputForm<
  NoArguments | undefined,
  GetNotificationServicesResult
>("getNotificationServices");

import type {
  GetOrganizationRuleArgs,
  GetOrganizationRuleResult,
  getOrganizationRule,
} from "./organization-rules.js";
/** {@link GetOrganizationRuleArgs}, each of which may be an Output. */
export interface GetOrganizationRuleOutputArgs extends OutputArguments<GetOrganizationRuleArgs> {}
/** {@link getOrganizationRule} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getOrganizationRuleOutput = outputForm<GetOrganizationRuleOutputArgs, GetOrganizationRuleResult>(
  "getOrganizationRule",
);

import type { GetOrganizationRulesResult, getOrganizationRules } from "./organization-rules.js";

export type { NoArguments as GetOrganizationRulesOutputArgs };
/** {@link getOrganizationRules} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getOrganizationRulesOutput = outputForm<NoArguments | undefined, GetOrganizationRulesResult>(
  "getOrganizationRules",
);

import type { GetOrganizationArgs, GetOrganizationResult, getOrganization } from "./organizations.js";
/** {@link GetOrganizationArgs}, each of which may be an Output. */
export interface GetOrganizationOutputArgs extends OutputArguments<GetOrganizationArgs> {}
/** {@link getOrganization} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getOrganizationOutput = outputForm<GetOrganizationOutputArgs | undefined, GetOrganizationResult>(
  "getOrganization",
);

import type { GetOrganizationsResult, getOrganizations } from "./organizations.js";

export type { NoArguments as GetOrganizationsOutputArgs };
/** {@link getOrganizations} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getOrganizationsOutput = outputForm<NoArguments | undefined, GetOrganizationsResult>(
  "getOrganizations",
);

import type { GetPipelineSettingsResult, getPipelineSettings } from "./pipeline-settings.js";

export type { NoArguments as GetPipelineSettingsOutputArgs };
/** {@link getPipelineSettings} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getPipelineSettingsOutput = outputForm<NoArguments | undefined, GetPipelineSettingsResult>(
  "getPipelineSettings",
);

import type { GetPipelineTemplatesResult, getPipelineTemplates } from "./pipeline-templates.js";

export type { NoArguments as GetPipelineTemplatesOutputArgs };
/** {@link getPipelineTemplates} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getPipelineTemplatesOutput = outputForm<NoArguments | undefined, GetPipelineTemplatesResult>(
  "getPipelineTemplates",
);

import type { GetRunArgs, GetRunResult, getRun } from "./runs.js";
/** {@link GetRunArgs}, each of which may be an Output. */
export interface GetRunOutputArgs extends OutputArguments<GetRunArgs> {}
/** {@link getRun} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getRunOutput = outputForm<GetRunOutputArgs, GetRunResult>("getRun");

import type { GetSuitesResult, getSuites } from "./suites.js";

export type { NoArguments as GetSuitesOutputArgs };
/** {@link getSuites} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getSuitesOutput = outputForm<NoArguments | undefined, GetSuitesResult>("getSuites");

import type { GetTeamsArgs, GetTeamsResult, getTeams } from "./teams.js";
/** {@link GetTeamsArgs}, each of which may be an Output. */
export interface GetTeamsOutputArgs extends OutputArguments<GetTeamsArgs> {}
/** {@link getTeams} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getTeamsOutput = outputForm<GetTeamsOutputArgs | undefined, GetTeamsResult>("getTeams");
