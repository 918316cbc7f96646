import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { count, entity, flag, text } from "./api/entity.js";
import { operations } from "./api/operation.js";

const switchSchema = entity({
  optional: {
    /** True if it is on. */
    enabled: flag,
  },
  decorative: {
    /** When it was turned on, ISO 8601 in UTC; null if it is off. */
    enabled_at: text,
    /** User who turned it on; null if it is off. */
    enabled_by: z.looseObject({ id: text.optional(), name: text.optional() }).nullable(),
  },
});

/** A setting that somebody turned on or off. */
export interface SettingSwitch extends z.output<typeof switchSchema> {}

const switches: z.ZodType<SettingSwitch | null> = switchSchema.nullable();

const pipelineSettingsSchema = entity({
  optional: {
    /** Branch of new pipelines that name none. */
    default_branch: text,
    /** UUID of the cluster of new pipelines that name none; null if there is none. */
    default_cluster_id: text,
    /** Minutes after which a command step without a timeout ends; null if there is no limit. */
    default_timeout_in_minutes: count,
    /** Longest timeout of a command step, in minutes; null if there is no limit. */
    maximum_timeout_in_minutes: count,
    /** Minutes after which a job expires that no agent takes; null for Buildkite's default. */
    scheduled_job_expiry_in_minutes: count,
    /** Whether people can open terminals in jobs on hosted agents. */
    hosted_agents_terminal_access: switches,
    /** Whether people can create public pipelines. */
    public_pipeline_creation: switches,
  },
  decorative: {
    /** API URL. */
    url: text,
  },
});

/** What holds for all pipelines of an organization. */
export interface PipelineSettings extends z.output<typeof pipelineSettingsSchema> {}

/** Changes to the settings. Omitted fields keep their values; null clears a field. */
export interface PipelineSettingsUpdate {
  /** Branch of new pipelines that name none. */
  default_branch?: string | undefined;
  /** UUID of the cluster of new pipelines that name none; null for none. */
  default_cluster_id?: string | null | undefined;
  /** Minutes after which a command step without a timeout ends. Whether null clears it isn't documented. */
  default_timeout_in_minutes?: number | null | undefined;
  /** Longest timeout of a command step, in minutes. Whether null clears it isn't documented. */
  maximum_timeout_in_minutes?: number | null | undefined;
  /** Minutes after which a job expires that no agent takes, from 60 to 43200. */
  scheduled_job_expiry_in_minutes?: number | null | undefined;
}

const path = "/v2/organizations/{org_slug}/pipeline-settings";
const read = "read_organization_settings";
const write = "write_organization_settings";

export const pipelineSettingsOperations = operations("pipelineSettings", {
  get: ["GET", path, read, pipelineSettingsSchema],
  update: ["PATCH", path, write, pipelineSettingsSchema],
  enableHostedAgentsSsh: ["PUT", `${path}/hosted-agents-ssh`, write, pipelineSettingsSchema],
  disableHostedAgentsSsh: ["DELETE", `${path}/hosted-agents-ssh`, write, pipelineSettingsSchema],
  enablePublicPipelines: ["PUT", `${path}/public-pipelines`, write, pipelineSettingsSchema],
  disablePublicPipelines: ["DELETE", `${path}/public-pipelines`, write, pipelineSettingsSchema],
});

/** What holds for all pipelines of the organization. Only its admins may read and change it. */
export class PipelineSettingsOfOrganization extends Section {
  /**
   * Reads the settings. Scope: `read_organization_settings`.
   * @example const { default_cluster_id } = await client.pipelineSettings.get();
   */
  get(options?: RequestOptions): Promise<PipelineSettings> {
    return this.api.call(pipelineSettingsOperations.get, [], options);
  }

  /**
   * Changes settings. Scope: `write_organization_settings`.
   * @example await client.pipelineSettings.update({ maximum_timeout_in_minutes: 240 });
   */
  update(body: PipelineSettingsUpdate, options?: RequestOptions): Promise<PipelineSettings> {
    return this.api.call(pipelineSettingsOperations.update, [], options, body);
  }

  /**
   * Lets people open terminals in all jobs on hosted agents, with the jobs' secrets. Scope: `write_organization_settings`.
   * @example await client.pipelineSettings.enableHostedAgentsSsh();
   */
  enableHostedAgentsSsh(options?: RequestOptions): Promise<PipelineSettings> {
    return this.api.call(pipelineSettingsOperations.enableHostedAgentsSsh, [], options);
  }

  /**
   * Ends the access of people to terminals of hosted agents. Scope: `write_organization_settings`.
   * @example await client.pipelineSettings.disableHostedAgentsSsh();
   */
  disableHostedAgentsSsh(options?: RequestOptions): Promise<PipelineSettings> {
    return this.api.call(pipelineSettingsOperations.disableHostedAgentsSsh, [], options);
  }

  /**
   * Lets people create public pipelines. Scope: `write_organization_settings`.
   * @example await client.pipelineSettings.enablePublicPipelines();
   */
  enablePublicPipelines(options?: RequestOptions): Promise<PipelineSettings> {
    return this.api.call(pipelineSettingsOperations.enablePublicPipelines, [], options);
  }

  /**
   * Stops people from creating public pipelines. Scope: `write_organization_settings`.
   * @example await client.pipelineSettings.disablePublicPipelines();
   */
  disablePublicPipelines(options?: RequestOptions): Promise<PipelineSettings> {
    return this.api.call(pipelineSettingsOperations.disablePublicPipelines, [], options);
  }
}
