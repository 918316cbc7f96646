// Generated from the main entry by `npm run generate`.
import * as dynamic from "../resources/index.js";
import { served } from "./served.js";

export type * from "../resources/index.js";

/** {@link dynamic.AgentToken}, served by the plugin. */
export const AgentToken = served(dynamic.AgentToken);
export type AgentToken = dynamic.AgentToken;
/** {@link dynamic.ApiSettings}, served by the plugin. */
export const ApiSettings = served(dynamic.ApiSettings);
export type ApiSettings = dynamic.ApiSettings;
/** {@link dynamic.Cluster}, served by the plugin. */
export const Cluster = served(dynamic.Cluster);
export type Cluster = dynamic.Cluster;
/** {@link dynamic.ClusterDefaultQueue}, served by the plugin. */
export const ClusterDefaultQueue = served(dynamic.ClusterDefaultQueue);
export type ClusterDefaultQueue = dynamic.ClusterDefaultQueue;
/** {@link dynamic.ClusterMaintainer}, served by the plugin. */
export const ClusterMaintainer = served(dynamic.ClusterMaintainer);
export type ClusterMaintainer = dynamic.ClusterMaintainer;
/** {@link dynamic.ClusterSecret}, served by the plugin. */
export const ClusterSecret = served(dynamic.ClusterSecret);
export type ClusterSecret = dynamic.ClusterSecret;
/** {@link dynamic.NotificationService}, served by the plugin. */
export const NotificationService = served(dynamic.NotificationService);
export type NotificationService = dynamic.NotificationService;
/** {@link dynamic.OrganizationRule}, served by the plugin. */
export const OrganizationRule = served(dynamic.OrganizationRule);
export type OrganizationRule = dynamic.OrganizationRule;
/** {@link dynamic.Pipeline}, served by the plugin. */
export const Pipeline = served(dynamic.Pipeline);
export type Pipeline = dynamic.Pipeline;
/** {@link dynamic.PipelineSchedule}, served by the plugin. */
export const PipelineSchedule = served(dynamic.PipelineSchedule);
export type PipelineSchedule = dynamic.PipelineSchedule;
/** {@link dynamic.PipelineSettings}, served by the plugin. */
export const PipelineSettings = served(dynamic.PipelineSettings);
export type PipelineSettings = dynamic.PipelineSettings;
/** {@link dynamic.PipelineTemplate}, served by the plugin. */
export const PipelineTemplate = served(dynamic.PipelineTemplate);
export type PipelineTemplate = dynamic.PipelineTemplate;
/** {@link dynamic.Queue}, served by the plugin. */
export const Queue = served(dynamic.Queue);
export type Queue = dynamic.Queue;
/** {@link dynamic.Suite}, served by the plugin. */
export const Suite = served(dynamic.Suite);
export type Suite = dynamic.Suite;
/** {@link dynamic.Team}, served by the plugin. */
export const Team = served(dynamic.Team);
export type Team = dynamic.Team;
/** {@link dynamic.TeamMember}, served by the plugin. */
export const TeamMember = served(dynamic.TeamMember);
export type TeamMember = dynamic.TeamMember;
/** {@link dynamic.TeamPipeline}, served by the plugin. */
export const TeamPipeline = served(dynamic.TeamPipeline);
export type TeamPipeline = dynamic.TeamPipeline;
/** {@link dynamic.TeamSuite}, served by the plugin. */
export const TeamSuite = served(dynamic.TeamSuite);
export type TeamSuite = dynamic.TeamSuite;
