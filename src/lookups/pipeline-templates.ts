import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import type { EmbeddedUser } from "../resources/embedded-user.js";
import { type InputsOf, oneWay } from "./asking/arguments.js";
import { oneOf } from "./asking/one-of.js";
import { request } from "./asking/request.js";
import { entity, leftOut, same, user } from "./entity-fields.js";
import { Lookup } from "./lookup.js";

/** Which pipeline template: give one of the two. */
export interface GetPipelineTemplateArgs {
  /** UUID. */
  id?: string | undefined;
  /** Name, exactly. An error if several templates have it. */
  name?: string | undefined;
}

/** {@link GetPipelineTemplateArgs}, where each may be an Output. */
export interface GetPipelineTemplateOutputArgs extends InputsOf<GetPipelineTemplateArgs> {}

/** A pipeline template, as the service has it (the API document, section 2.5). */
export interface GetPipelineTemplateResult {
  /** UUID: the API document's `uuid`. */
  readonly id: string;
  /** Name of the template. */
  readonly name: string;
  /** Steps as YAML text. */
  readonly configuration: string;
  /** Slug of the organization the template is in. */
  readonly organization: string;
  /** What the template is for. */
  readonly description?: string;
  /** Whether people who are no admins may assign the template to pipelines. */
  readonly available?: boolean;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** Canonical API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** When it was created, ISO 8601 in UTC. */
  readonly createdAt?: string;
  /** Who created it. */
  readonly createdBy?: EmbeddedUser;
  /** When it was last updated, ISO 8601 in UTC. */
  readonly updatedAt?: string;
  /** Who last updated it. */
  readonly updatedBy?: EmbeddedUser;
}

/** Takes no arguments. */
export type GetPipelineTemplatesArgs = Record<string, never>;

/** Takes no arguments. */
export type GetPipelineTemplatesOutputArgs = Record<string, never>;

/** The pipeline templates of an organization. */
export interface GetPipelineTemplatesResult {
  readonly pipelineTemplates: GetPipelineTemplateResult[];
  /** Slug of the organization. */
  readonly organization: string;
}

const fields = entity<wire.PipelineTemplate, GetPipelineTemplateResult>({
  uuid: leftOut,
  graphql_id: same,
  name: same,
  description: same,
  configuration: same,
  available: same,
  url: same,
  web_url: same,
  created_at: same,
  created_by: user,
  updated_at: same,
  updated_by: user,
});

function read(template: wire.PipelineTemplate, organization: string): GetPipelineTemplateResult {
  return { ...fields(template), id: template.uuid, organization };
}

const templateById = request("pipelineTemplates.get", (client, id: string) =>
  client.pipelineTemplates.get(id),
);
const allTemplates = request("pipelineTemplates.list", (client) => client.pipelineTemplates.list().all());

const pipelineTemplate = new Lookup<GetPipelineTemplateArgs, GetPipelineTemplateResult>(
  "getPipelineTemplate",
  async (service, args) => {
    const { way, value } = oneWay(args, ["id", "name"]);
    const found =
      way === "id"
        ? await service.ask(templateById, value)
        : oneOf(await service.ask(allTemplates), {
            nouns: "pipeline templates",
            way,
            matches: ({ name }) => name === value,
            idOf: ({ uuid }) => uuid,
            all: "getPipelineTemplates()",
          });
    return read(found, service.organization);
  },
);

const pipelineTemplates = new Lookup<GetPipelineTemplatesArgs, GetPipelineTemplatesResult>(
  "getPipelineTemplates",
  async (service) => {
    const { organization } = service;
    const found = await service.ask(allTemplates);
    return { pipelineTemplates: found.map((each) => read(each, organization)), organization };
  },
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
export function getPipelineTemplate(
  args: GetPipelineTemplateArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetPipelineTemplateResult> {
  return pipelineTemplate.now(args, opts);
}

/**
 * {@link getPipelineTemplate} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 * @example
 * ```ts
 * const { updatedBy } = getPipelineTemplateOutput({ id: standard.id });
 * ```
 */
export function getPipelineTemplateOutput(
  args: GetPipelineTemplateOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipelineTemplateResult> {
  return pipelineTemplate.output(args, opts);
}

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
export function getPipelineTemplates(
  args: GetPipelineTemplatesArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetPipelineTemplatesResult> {
  return pipelineTemplates.now(args, opts);
}

/**
 * {@link getPipelineTemplates} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getPipelineTemplatesOutput(
  args: GetPipelineTemplatesOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipelineTemplatesResult> {
  return pipelineTemplates.output(args, opts);
}
