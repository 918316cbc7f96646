import type * as api from "../client/index.js";
import { PipelineTemplate } from "../resources/pipeline-template.js";
import type { NoArguments, OutputArguments } from "./invoke/arguments.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization } from "./results/fields.js";
import { type KindResult, kindReader } from "./results/kind-result.js";

/** Which pipeline template: give one of the two. */
export interface GetPipelineTemplateArgs {
  /** UUID. */
  id?: string | undefined;
  /** Name, exactly. An error if several templates have it. */
  name?: string | undefined;
}

/** {@link GetPipelineTemplateArgs}, where each may be an Output. */
export interface GetPipelineTemplateOutputArgs extends OutputArguments<GetPipelineTemplateArgs> {}

/** A pipeline template, as the service has it. Its `uuid` is the `id`. */
export interface GetPipelineTemplateResult extends KindResult<PipelineTemplate, api.PipelineTemplate> {}

export type { NoArguments as GetPipelineTemplatesArgs, NoArguments as GetPipelineTemplatesOutputArgs };

/** The pipeline templates of an organization. */
export interface GetPipelineTemplatesResult extends InOrganization {
  /** In the order of the service. */
  readonly pipelineTemplates: GetPipelineTemplateResult[];
}

const read = kindReader<typeof PipelineTemplate.kind, GetPipelineTemplateResult>(PipelineTemplate.kind);
const functions = functionsOf(PipelineTemplate.kind, read);
const pipelineTemplate = functions.one<GetPipelineTemplateArgs, GetPipelineTemplateOutputArgs>([
  "id",
  "name",
]);
const pipelineTemplates = functions.all<
  NoArguments | undefined,
  NoArguments | undefined,
  GetPipelineTemplatesResult
>();

export default [pipelineTemplate, pipelineTemplates];

/**
 * Looks up a pipeline template by id or name. Scope: `read_pipeline_templates`.
 * People who aren't administrators get only those that are `available`.
 *
 * @throws LookupError if there is none, or several; the message lists their ids.
 * @example
 * ```ts
 * const { configuration } = await getPipelineTemplate({ name: "Standard" });
 * ```
 */
export const getPipelineTemplate = pipelineTemplate.plain;

/**
 * {@link getPipelineTemplate} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is.
 * @example
 * ```ts
 * const { updatedBy } = getPipelineTemplateOutput({ id: standard.id });
 * ```
 */
export const getPipelineTemplateOutput = pipelineTemplate.output;

/**
 * Lists the pipeline templates. Scope: `read_pipeline_templates`. People who
 * aren't administrators get only those that are `available`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { pipelineTemplates } = await getPipelineTemplates();
 * ```
 */
export const getPipelineTemplates = pipelineTemplates.plain;

/** {@link getPipelineTemplates} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is. */
export const getPipelineTemplatesOutput = pipelineTemplates.output;
