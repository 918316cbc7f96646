import { z } from "zod";
import type { SuiteRecord } from "../store/records.js";
import { analyticsUrl, graphqlId, optionalText, type View, webUrl } from "./view.js";
import { address, opaqueId, unsettable, uuid } from "./wire.js";

/** Section 2.7. */
export const suiteSchema = z
  .object({
    id: uuid,
    graphql_id: opaqueId,
    slug: z.string(),
    name: z.string(),
    url: address,
    web_url: address,
    default_branch: z.string(),
    application_name: unsettable,
    color: unsettable,
    emoji: unsettable,
    api_token: z.string().optional(),
  })
  .meta({ id: "Suite" });

/** How much of a suite an answer shows. */
export interface SuiteDetail {
  /** The fields that section 2.7 gives to create. */
  readonly createFields: boolean;
  readonly apiToken: boolean;
}

export function showSuite(view: View, suite: SuiteRecord, detail: SuiteDetail): z.infer<typeof suiteSchema> {
  return {
    id: suite.id,
    graphql_id: graphqlId("Suite", suite.id),
    slug: suite.slug,
    name: suite.name,
    url: analyticsUrl(view, `/suites/${suite.slug}`),
    web_url: webUrl(view, `/analytics/suites/${suite.slug}`),
    default_branch: suite.default_branch,
    ...(detail.createFields
      ? {
          ...optionalText(view, "application_name", suite.application_name),
          ...optionalText(view, "color", suite.color),
          ...optionalText(view, "emoji", suite.emoji),
        }
      : {}),
    ...(detail.apiToken ? { api_token: suite.api_token } : {}),
  };
}
