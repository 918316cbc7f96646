import { z } from "zod";
import { newerSection, operation, type Response, reading } from "./http/operation.js";
import { flag } from "./model/body.js";
import * as model from "./model/entity.js";
import { networksIn } from "./model/networks.js";
import { Refusal } from "./model/refusals.js";
import type { OrganizationRecord } from "./organizations.js";
import { administered } from "./pipeline-settings.js";

const settingsOf = ({ api_settings: settings = {} }: OrganizationRecord) => settings;

const settings: Response<OrganizationRecord> = model.entity<OrganizationRecord>("ApiSettings", {
  allowed_ip_addresses: model.derived(z.string().nullable(), (one: OrganizationRecord) => {
    return settingsOf(one).allowed_ip_addresses ?? null;
  }),
  revoke_inactive_tokens_after_days: model.derived(z.int().nullable(), (one: OrganizationRecord) => {
    return settingsOf(one).revoke_inactive_tokens_after_days ?? null;
  }),
  restrict_user_api_token_creation: model.derived(z.boolean(), (one: OrganizationRecord) => {
    return settingsOf(one).restrict_user_api_token_creation ?? false;
  }),
  features: model.derived(
    z.object({ api_ip_allow_list: z.boolean(), inactive_api_token_revocation: z.boolean() }),
    (_: OrganizationRecord, { variations: { enterprisePlan } }) => {
      return { api_ip_allow_list: enterprisePlan, inactive_api_token_revocation: enterprisePlan };
    },
  ),
  url: model.apiUrl(() => "/api-settings"),
});

const path = "/v2/organizations/{org_slug}/api-settings";

/** Fields of the Enterprise plan, with the feature that a plan without them lacks. */
const ofPlan = {
  allowed_ip_addresses: "API IP allow list",
  revoke_inactive_tokens_after_days: "inactive API token revocation",
};

export const apiSettings = newerSection("apiSettings", "organization_settings", {
  get: reading(path, "Get who can use the API", settings, administered),
  update: operation("PATCH", path, "Change who can use the API", {
    body: z
      .object({
        allowed_ip_addresses: z
          .string({ error: "must be a string" })
          .refine((text) => networksIn(text) !== undefined, { error: "must be networks in CIDR notation" })
          .nullable(),
        revoke_inactive_tokens_after_days: z
          .literal([30, 60, 90, 180, 365], { error: "must be 30, 60, 90, 180 or 365" })
          .nullable(),
        restrict_user_api_token_creation: flag,
      })
      .partial(),
    response: settings,
    run: (call) => {
      const { body, data, variations } = call;
      const { id, ...old } = administered(call);
      // The plan is tested by the presence of a field, whatever its value.
      for (const [field, feature] of Object.entries(ofPlan))
        if (field in body && !variations.enterprisePlan)
          throw new Refusal(403, `Your plan does not include the ${feature} feature`);
      return data.organizations.update(id, {
        api_settings: { ...settingsOf({ id, ...old }), ...body },
      });
    },
  }),
});
