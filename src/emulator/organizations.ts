import { z } from "zod";
import { listing, reading, section } from "./http/operation.js";
import * as model from "./model/entity.js";
import { found } from "./model/refusals.js";

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("Organization"),
  url: model.apiUrl(() => ""),
  web_url: model.webUrl(() => ""),
  name: z.string(),
  slug: z.string(),
  pipelines_url: model.apiUrl(() => "/pipelines"),
  agents_url: model.apiUrl(() => "/agents"),
  emojis_url: model.apiUrl(() => "/emojis"),
  created_at: model.timestamp,
};

/** When and by whom something was turned on. */
interface TurnedOn {
  readonly at: string;
  readonly by: string;
}

/** What holds for all pipelines, as far as somebody set it. */
export interface PipelineSettingsRecord {
  readonly default_branch?: string | undefined;
  readonly default_cluster_id?: string | null | undefined;
  readonly default_timeout_in_minutes?: number | null | undefined;
  readonly maximum_timeout_in_minutes?: number | null | undefined;
  readonly scheduled_job_expiry_in_minutes?: number | null | undefined;
  readonly hosted_agents_terminal_access?: TurnedOn | null | undefined;
  readonly public_pipeline_creation?: TurnedOn | null | undefined;
}

/** Who can use the API, as far as somebody set it. */
interface ApiSettingsRecord {
  readonly allowed_ip_addresses?: string | null | undefined;
  readonly revoke_inactive_tokens_after_days?: number | null | undefined;
  readonly restrict_user_api_token_creation?: boolean | undefined;
}

/** The organization. `seeded` is true if it started with example pipelines, builds, agents and members. */
export interface OrganizationRecord extends model.RecordOf<typeof fields> {
  readonly seeded: boolean;
  readonly pipeline_settings?: PipelineSettingsRecord;
  readonly api_settings?: ApiSettingsRecord;
}

const organization = model.entity<OrganizationRecord>("Organization", fields);

export const organizations = section("organizations", "organizations", {
  list: listing(
    "/v2/organizations",
    "List the organizations the access token reaches",
    organization,
    ({ data }) => data.organizations.list(),
  ),
  get: reading("/v2/organizations/{org_slug}", "Get an organization", organization, ({ data, params }) =>
    found(data.organizations.find("slug", params.org_slug), "organization"),
  ),
});
