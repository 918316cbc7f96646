import type * as api from "../../client/index.js";
import { PipelineTemplate } from "../resources/pipeline-template.js";
import type { NoArguments, OutputArguments } from "./invoke/arguments.js";
import { outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a pipeline template by either `id` or `name`. */
export interface GetPipelineTemplateArgs {
  /** UUID. */
  id?: string | undefined;
  /** Exact name. The function fails if several templates have this name. */
  name?: string | undefined;
}

/** {@link GetPipelineTemplateArgs}, each of which may be an Output. */
export interface GetPipelineTemplateOutputArgs extends OutputArguments<GetPipelineTemplateArgs> {}

/** A pipeline template, as the API returns it. Its `id` is the `uuid` of the API. */
export interface GetPipelineTemplateResult extends KindResult<PipelineTemplate, api.PipelineTemplate> {}

export type { NoArguments as GetPipelineTemplatesArgs };

/** The pipeline templates of an organization. */
export interface GetPipelineTemplatesResult extends InOrganization {
  /** In the order of the API. */
  readonly pipelineTemplates: GetPipelineTemplateResult[];
}

const functions = functionsOf<GetPipelineTemplateResult>(PipelineTemplate.kind);

/**
 * Looks up a pipeline template by id or name. Scope: `read_pipeline_templates`.
 * People who aren't administrators get only `available` templates.
 * @throws LookupError if no object matches, or several do; the message lists their ids.
 * @example const { configuration } = await getPipelineTemplate({ name: "Standard" });
 */
export const getPipelineTemplate = functions.one<GetPipelineTemplateArgs>(["id", "name"]);

/**
 * {@link getPipelineTemplate} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn`
 * is.
 * @example const { updatedBy } = getPipelineTemplateOutput({ id: standard.id });
 */
export const getPipelineTemplateOutput = outputForm<GetPipelineTemplateOutputArgs, GetPipelineTemplateResult>(
  "getPipelineTemplate",
);

/**
 * Lists the pipeline templates. Scope: `read_pipeline_templates`. People who
 * aren't administrators get only `available` templates.
 * @example const { pipelineTemplates } = await getPipelineTemplates();
 */
export const getPipelineTemplates = functions.all<NoArguments | undefined, GetPipelineTemplatesResult>();
