import { z } from "zod";
import { type Call, deletion, listing, operation, reading, section } from "./http/operation.js";
import { clearableText, optionalFlag, text, unlessGiven } from "./model/body.js";
import * as model from "./model/entity.js";
import { normalizedYaml } from "./model/normalize.js";
import { found, Refusal } from "./model/refusals.js";
import type { StoredRecord } from "./store/collection.js";

const path = ({ id }: StoredRecord) => `/pipeline-templates/${id}`;

const fields = {
  uuid: model.derived(model.uuid, ({ id }: StoredRecord) => id),
  graphql_id: model.graphqlId("PipelineTemplate"),
  name: z.string(),
  description: model.optionalText,
  configuration: z.string(),
  available: z.boolean(),
  url: model.apiUrl(path),
  web_url: model.webUrl(path),
  created_at: model.timestamp,
  created_by: model.user,
  updated_at: model.timestamp,
  updated_by: model.user,
};

export interface PipelineTemplateRecord extends model.RecordOf<typeof fields> {
  readonly id: string;
}

const template = model.entity<PipelineTemplateRecord>("PipelineTemplate", fields);

const required = { name: text, configuration: text };
const clearable = { description: clearableText };

const collection = "/v2/organizations/{org_slug}/pipeline-templates";
const single = `${collection}/{uuid}`;
const inUse = "a pipeline uses the template";

export const pipelineTemplates = section("pipelineTemplates", "pipeline_templates", {
  list: listing(collection, "List pipeline templates", template, visibleTemplates, { list: "unpaged" }),
  get: reading(single, "Get a pipeline template", template, findTemplate),
  create: operation("POST", collection, "Create a pipeline template", {
    body: z.object({ ...required, ...unlessGiven(clearable), available: optionalFlag(false) }),
    response: template,
    errors: { 422: "validation fails, among it a configuration that is not YAML" },
    run: (call) => {
      requireAdmin(call);
      const { body, data, variations, made } = call;
      return data.pipelineTemplates.insert({
        ...made,
        ...body,
        configuration: normalizedYaml(body.configuration, variations),
        updated_at: made.created_at,
        updated_by: made.created_by,
      });
    },
  }),
  update: operation("PATCH", single, "Update a pipeline template", {
    body: z.object({ ...required, ...clearable, available: optionalFlag(undefined) }).partial(),
    response: template,
    run: (call) => {
      requireAdmin(call);
      const { body, data, token, variations, now } = call;
      const { id } = findTemplate(call);
      return data.pipelineTemplates.update(id, {
        ...body,
        configuration: body.configuration && normalizedYaml(body.configuration, variations),
        updated_at: now,
        updated_by: token.user_id,
      });
    },
  }),
  delete: deletion(single, "Delete a pipeline template that no pipeline uses", inUse, (call) => {
    requireAdmin(call);
    const { id } = findTemplate(call);
    if (call.data.pipelines.count("pipeline_template_id", id) > 0) {
      throw new Refusal(422, "Pipeline template is in use by a pipeline and can't be deleted");
    }
    return call.data.pipelineTemplates.delete(id);
  }),
});

/** Only administrators of the organization can read unavailable templates. */
function visibleTemplates(call: Call): PipelineTemplateRecord[] {
  requirePlan(call);
  return call.data.pipelineTemplates.list().filter(({ available }) => call.token.admin || available);
}

function findTemplate(call: Call<"uuid">): PipelineTemplateRecord {
  const uuid = call.params.uuid.toLowerCase();
  return found(
    visibleTemplates(call).find(({ id }) => id === uuid),
    "pipeline template",
  );
}

function requirePlan({ variations }: Call): void {
  if (!variations.enterprisePlan) {
    throw new Refusal(403, "Pipeline templates are only available on an Enterprise plan");
  }
}

function requireAdmin(call: Call): void {
  requirePlan(call);
  if (!call.token.admin) throw new Refusal(403, "Only organization admins can manage pipeline templates");
}
