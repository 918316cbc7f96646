import type * as api from "../client/index.js";
import { PipelineTemplate } from "../resources/pipeline-template.js";
import type { NoArguments, OutputArguments } from "./invoke/arguments.js";
import { findOne } from "./invoke/find-one.js";
import { lookup } from "./invoke/lookup.js";
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

/** A pipeline template, as the service has it (the API document, section 2.5). Its `uuid` is the `id`. */
export interface GetPipelineTemplateResult extends KindResult<PipelineTemplate, api.PipelineTemplate> {}

export type { NoArguments as GetPipelineTemplatesArgs, NoArguments as GetPipelineTemplatesOutputArgs };

/** The pipeline templates of an organization. */
export interface GetPipelineTemplatesResult extends InOrganization {
  /** In the order of the service. */
  readonly pipelineTemplates: GetPipelineTemplateResult[];
}

const read = kindReader<typeof PipelineTemplate.kind, GetPipelineTemplateResult>(PipelineTemplate.kind);
const byId = (client: api.BuildPipelineClient, id: string) => client.pipelineTemplates.get(id);
const list = (client: api.BuildPipelineClient) => client.pipelineTemplates.list().all();

const pipelineTemplate = lookup<
  GetPipelineTemplateArgs,
  GetPipelineTemplateOutputArgs,
  GetPipelineTemplateResult
>(
  "getPipelineTemplate",
  async ({ get, organization }, args) => {
    const found = await findOne(args, ["id", "name"], {
      get: (id) => get(byId, id),
      list: () => get(list),
      nouns: "pipeline templates",
      all: "getPipelineTemplates()",
    });
    return read(found, { organization });
  },
  PipelineTemplate.kind.name,
);

const pipelineTemplates = lookup<
  NoArguments | undefined,
  NoArguments | undefined,
  GetPipelineTemplatesResult
>(
  "getPipelineTemplates",
  async ({ get, organization }) => {
    const found = await get(list);
    return { pipelineTemplates: found.map((each) => read(each, { organization })), organization };
  },
  PipelineTemplate.kind.name,
);

/**
 * Looks up a pipeline template by id or name (the API document, section 4.4). Scope: `read_pipeline_templates`.
 * People who are no admins see only those that are `available`.
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
 * Lists the pipeline templates (the API document, section 4.4). Scope: `read_pipeline_templates`. People who are no
 * admins see only those that are `available`.
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
