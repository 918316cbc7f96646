import type { Api, RequestOptions } from "../api.js";
import { type PipelineTemplate, pipelineTemplateSchema } from "../entities/pipeline-template.js";
import { nothing, operation } from "../operation.js";
import type { List } from "../pages/list.js";

/** A new pipeline template (section 4.4). */
export interface PipelineTemplateCreate {
  name: string;
  /** Steps as YAML text. */
  configuration: string;
  description?: string | null | undefined;
  /** Whether people who are no admins may assign it to pipelines. The service's default is false. */
  available?: boolean | undefined;
}

/** A change of a pipeline template (section 4.4): what is left out stays. */
export interface PipelineTemplateUpdate {
  name?: string | undefined;
  /** Steps as YAML text. */
  configuration?: string | undefined;
  /** null clears. */
  description?: string | null | undefined;
  /** Whether people who are no admins may assign it to pipelines. */
  available?: boolean | undefined;
}

const path = "/v2/organizations/{org_slug}/pipeline-templates";
const one = `${path}/{uuid}` as const;
const read = "read_pipeline_templates";
const write = "write_pipeline_templates";

export const pipelineTemplateOperations = {
  list: operation("pipelineTemplates.list", "GET", path, read, "4.4", pipelineTemplateSchema),
  get: operation("pipelineTemplates.get", "GET", one, read, "4.4", pipelineTemplateSchema),
  create: operation("pipelineTemplates.create", "POST", path, write, "4.4", pipelineTemplateSchema),
  update: operation("pipelineTemplates.update", "PATCH", one, write, "4.4", pipelineTemplateSchema),
  delete: operation("pipelineTemplates.delete", "DELETE", one, write, "4.4", nothing),
} as const;

/** Pipeline templates: step configurations that pipelines share; Enterprise plan only (section 4.4). */
export class PipelineTemplates {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the organization's pipeline templates. Who is no admin sees the available ones only.
   *
   * Scope: `read_pipeline_templates`. Section 4.4.
   * @example
   * ```ts
   * const templates = await client.pipelineTemplates.list().all();
   * ```
   */
  list(options?: RequestOptions): List<PipelineTemplate> {
    return this.#api.list(pipelineTemplateOperations.list, {}, {}, options);
  }

  /**
   * Reads one pipeline template.
   *
   * Scope: `read_pipeline_templates`. Section 4.4.
   * @throws NotFoundError if there is no such template, or the access token may not see it.
   * @example
   * ```ts
   * const { configuration } = await client.pipelineTemplates.get(template.uuid);
   * ```
   */
  get(uuid: string, options?: RequestOptions): Promise<PipelineTemplate> {
    return this.#api.call(pipelineTemplateOperations.get, { uuid }, {}, options);
  }

  /**
   * Creates a pipeline template. For admins.
   *
   * Scope: `write_pipeline_templates`. Section 4.4.
   * @throws ValidationError if the service refuses a value.
   * @throws ConnectionError, TimeoutError, ServerError: it may have been created; see `mayHaveBeenCarriedOut`.
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
    return this.#api.call(pipelineTemplateOperations.create, {}, { body }, options);
  }

  /**
   * Changes a pipeline template, and so the steps of every pipeline that uses it. For admins.
   *
   * Scope: `write_pipeline_templates`. Section 4.4.
   * @throws NotFoundError if there is no such template.
   * @throws ValidationError if the service refuses a value.
   * @example
   * ```ts
   * await client.pipelineTemplates.update(template.uuid, { available: false });
   * ```
   */
  update(uuid: string, body: PipelineTemplateUpdate, options?: RequestOptions): Promise<PipelineTemplate> {
    return this.#api.call(pipelineTemplateOperations.update, { uuid }, { body }, options);
  }

  /**
   * Deletes a pipeline template that no pipeline uses. For admins.
   *
   * Scope: `write_pipeline_templates`. Section 4.4.
   * @throws NotFoundError if there is no such template; with `attempts` above 1, an earlier try may have deleted it.
   * @throws ValidationError with the reason if a pipeline uses it.
   * @example
   * ```ts
   * await client.pipelineTemplates.delete(template.uuid);
   * ```
   */
  delete(uuid: string, options?: RequestOptions): Promise<void> {
    return this.#api.call(pipelineTemplateOperations.delete, { uuid }, {}, options);
  }
}
