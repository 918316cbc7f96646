import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { type BodyChange, nothing, operations } from "./api/operation.js";

const pipelineTemplateSchema = entity({
  required: {
    /** UUID that identifies the template. Templates have no field `id`. */
    uuid: identifier,
    name: identifier,
    /** Steps as YAML text. */
    configuration: z.string(),
  },
  optional: {
    /** null or "" when unset. */
    description: text,
    /** True if people who aren't administrators may assign the template to pipelines. */
    available: z.boolean(),
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** Canonical address in the REST API. */
    url: text,
    /** Address in the web interface. */
    web_url: text,
    /** ISO 8601, UTC. */
    created_at: text,
    /** User who created it. */
    created_by: userSchema.nullable(),
    /** Time of the last update; ISO 8601, UTC. */
    updated_at: text,
    /** User who updated it last. */
    updated_by: userSchema.nullable(),
  },
});

/** A step configuration that pipelines share; Enterprise plan only. */
export interface PipelineTemplate extends z.output<typeof pipelineTemplateSchema> {}

/** A new pipeline template. */
export interface PipelineTemplateCreate {
  name: string;
  /** Steps as YAML text. */
  configuration: string;
  description?: string | null | undefined;
  /** True if people who aren't administrators may assign the template to pipelines. The API's default is false. */
  available?: boolean | undefined;
}

/** Changes to a pipeline template. Omitted fields keep their values; null clears the description. */
export interface PipelineTemplateUpdate extends BodyChange<PipelineTemplateCreate> {}

const path = "/v2/organizations/{org_slug}/pipeline-templates";
const one = `${path}/{uuid}` as const;
const read = "read_pipeline_templates";
const write = "write_pipeline_templates";

/** @internal */
export const pipelineTemplateOperations = operations("pipelineTemplates", {
  list: ["GET", path, read, pipelineTemplateSchema],
  get: ["GET", one, read, pipelineTemplateSchema],
  create: ["POST", path, write, pipelineTemplateSchema],
  update: ["PATCH", one, write, pipelineTemplateSchema],
  delete: ["DELETE", one, write, nothing],
});

/** Pipeline templates: step configurations that pipelines share; Enterprise plan only. */
export class PipelineTemplates extends Section {
  /**
   * Lists the organization's pipeline templates. People who aren't administrators get only available templates. Scope:
   * `read_pipeline_templates`.
   * @example const templates = await client.pipelineTemplates.list().all();
   */
  list(options?: RequestOptions): List<PipelineTemplate> {
    return this.api.list(pipelineTemplateOperations.list, [], options);
  }

  /**
   * Reads one pipeline template. Scope: `read_pipeline_templates`.
   * @throws NotFoundError if there is no such template, or the access token may not see it.
   * @example const { configuration } = await client.pipelineTemplates.get(template.uuid);
   */
  get(uuid: string, options?: RequestOptions): Promise<PipelineTemplate> {
    return this.api.call(pipelineTemplateOperations.get, [uuid], options);
  }

  /**
   * Creates a pipeline template. Only admins may do this. Scope: `write_pipeline_templates`.
   * @throws ConnectionError, TimeoutError, ServerError: the template may have been created; see
   * `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const template = await client.pipelineTemplates.create({
   *   name: "Upload",
   *   configuration: "steps:\n  - command: buildkite-agent pipeline upload\n",
   *   available: true,
   * });
   * ```
   */
  create(body: PipelineTemplateCreate, options?: RequestOptions): Promise<PipelineTemplate> {
    return this.api.call(pipelineTemplateOperations.create, [], options, body);
  }

  /**
   * Changes a pipeline template, and therefore the steps of every pipeline that uses it. Only admins may do this.
   * Scope: `write_pipeline_templates`.
   * @example await client.pipelineTemplates.update(template.uuid, { available: false });
   */
  update(uuid: string, body: PipelineTemplateUpdate, options?: RequestOptions): Promise<PipelineTemplate> {
    return this.api.call(pipelineTemplateOperations.update, [uuid], options, body);
  }

  /**
   * Deletes a pipeline template that no pipeline uses. Only admins may do this. Scope: `write_pipeline_templates`.
   * @throws NotFoundError if there is no such template; if `attempts` is above 1, an earlier attempt may have
   * deleted it.
   * @throws ValidationError with the reason if a pipeline uses it.
   * @example await client.pipelineTemplates.delete(template.uuid);
   */
  delete(uuid: string, options?: RequestOptions): Promise<void> {
    return this.api.call(pipelineTemplateOperations.delete, [uuid], options);
  }
}
