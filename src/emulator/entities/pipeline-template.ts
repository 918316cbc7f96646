import { z } from "zod";
import type { PipelineTemplateRecord } from "../store/records.js";
import { showUser, userSchema } from "./user.js";
import { apiUrl, graphqlId, optionalText, type View, webUrl } from "./view.js";
import { address, opaqueId, timestamp, unsettable, uuid } from "./wire.js";

/** Section 2.5. */
export const pipelineTemplateSchema = z
  .object({
    uuid,
    graphql_id: opaqueId,
    name: z.string(),
    description: unsettable,
    configuration: z.string(),
    available: z.boolean(),
    url: address,
    web_url: address,
    created_at: timestamp,
    created_by: userSchema.nullable(),
    updated_at: timestamp,
    updated_by: userSchema.nullable(),
  })
  .meta({ id: "PipelineTemplate" });

export function showPipelineTemplate(
  view: View,
  template: PipelineTemplateRecord,
): z.infer<typeof pipelineTemplateSchema> {
  const path = `/pipeline-templates/${template.id}`;
  return {
    uuid: template.id,
    graphql_id: graphqlId("PipelineTemplate", template.id),
    name: template.name,
    ...optionalText(view, "description", template.description),
    configuration: template.configuration,
    available: template.available,
    url: apiUrl(view, path),
    web_url: webUrl(view, path),
    created_at: template.created_at,
    created_by: showUser(view, template.created_by),
    updated_at: template.updated_at,
    updated_by: showUser(view, template.updated_by),
  };
}
