import { randomUUID } from "node:crypto";
import { z } from "zod";
import { pipelineTemplateSchema, showPipelineTemplate } from "../entities/pipeline-template.js";
import { forbidden, notFound, refused } from "../http/errors.js";
import { type Call, listing, type Operation, operation } from "../http/operation.js";
import type { PipelineTemplateRecord } from "../store/records.js";
import { changedText, clearableText, optionalFlag, requiredText } from "../validation/fields.js";
import { keptYaml } from "../validation/normalize.js";
import { defined } from "./defined.js";

const collection = "/v2/organizations/{org_slug}/pipeline-templates";
const single = `${collection}/{uuid}`;
const section = "4.4";

/** Section 4.4. */
export const pipelineTemplateOperations: readonly Operation[] = [
  operation({
    id: "pipelineTemplates.list",
    method: "GET",
    path: collection,
    section,
    scope: "read_pipeline_templates",
    summary: "List pipeline templates",
    response: pipelineTemplateSchema,
    list: "whole",
    run: (call) => {
      requirePlan(call);
      const templates = call.data.pipelineTemplates.list().filter((template) => maySee(call, template));
      return listing(templates, (template) => showPipelineTemplate(call.view, template));
    },
  }),
  operation({
    id: "pipelineTemplates.get",
    method: "GET",
    path: single,
    section,
    scope: "read_pipeline_templates",
    summary: "Get a pipeline template",
    response: pipelineTemplateSchema,
    run: (call) => {
      requirePlan(call);
      return showPipelineTemplate(call.view, findTemplate(call));
    },
  }),
  operation({
    id: "pipelineTemplates.create",
    method: "POST",
    path: collection,
    section,
    scope: "write_pipeline_templates",
    summary: "Create a pipeline template",
    body: z.object({
      name: requiredText(),
      configuration: requiredText(),
      description: clearableText(),
      available: optionalFlag(),
    }),
    status: 201,
    response: pipelineTemplateSchema,
    errors: [{ status: 422, when: "validation fails, among it a configuration that is not YAML" }],
    run: (call) => {
      requireAdmin(call);
      const { body, data, view, token, variations, now } = call;
      const template = data.pipelineTemplates.insert({
        id: randomUUID(),
        name: body.name,
        description: body.description ?? null,
        configuration: keptYaml(body.configuration, variations),
        available: body.available ?? false,
        created_at: now,
        created_by: token.user_id,
        updated_at: now,
        updated_by: token.user_id,
      });
      return showPipelineTemplate(view, template);
    },
  }),
  operation({
    id: "pipelineTemplates.update",
    method: "PATCH",
    path: single,
    section,
    scope: "write_pipeline_templates",
    summary: "Update a pipeline template",
    body: z.object({
      name: changedText(),
      configuration: changedText(),
      description: clearableText(),
      available: optionalFlag(),
    }),
    response: pipelineTemplateSchema,
    errors: [{ status: 422, when: "validation fails" }],
    run: (call) => {
      requireAdmin(call);
      const { body, data, view, token, variations, now } = call;
      const { id } = findTemplate(call);
      const { configuration } = body;
      const fields = defined({
        ...body,
        configuration: configuration === undefined ? undefined : keptYaml(configuration, variations),
      });
      const update = { ...fields, updated_at: now, updated_by: token.user_id };
      return showPipelineTemplate(view, data.pipelineTemplates.update(id, update));
    },
  }),
  operation({
    id: "pipelineTemplates.delete",
    method: "DELETE",
    path: single,
    section,
    scope: "write_pipeline_templates",
    summary: "Delete a pipeline template that no pipeline uses",
    status: 204,
    errors: [{ status: 422, when: "a pipeline uses the template" }],
    run: (call) => {
      requireAdmin(call);
      const { id } = findTemplate(call);
      if (call.data.pipelines.list().some((pipeline) => pipeline.pipeline_template_id === id)) {
        throw refused("Pipeline template is in use by a pipeline and can't be deleted");
      }
      call.data.pipelineTemplates.delete(id);
    },
  }),
];

function findTemplate(call: Call<"uuid", unknown>): PipelineTemplateRecord {
  const template = call.data.pipelineTemplates.get(call.params.uuid.toLowerCase());
  if (template === undefined || !maySee(call, template)) throw notFound("pipeline template");
  return template;
}

/** Who does not administer the organization sees only available templates. */
function maySee(call: Call<string, unknown>, template: PipelineTemplateRecord): boolean {
  return call.token.admin || template.available;
}

function requirePlan(call: Call<string, unknown>): void {
  if (!call.variations.enterprisePlan) {
    throw forbidden("Pipeline templates are only available on an Enterprise plan");
  }
}

function requireAdmin(call: Call<string, unknown>): void {
  requirePlan(call);
  if (!call.token.admin) throw forbidden("Only organization admins can manage pipeline templates");
}
