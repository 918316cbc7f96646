import { readComplete } from "../../client/api/list.js";
import type * as api from "../../client/index.js";
import { pipelineAt } from "../kind/pipelines.js";
import { Pipeline } from "../resources/pipeline.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { exactlyOne, onlyMatch } from "./invoke/find-one.js";
import { getFunction, outputForm } from "./invoke/function.js";
import { LookupFailure } from "./invoke/lookup-error.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a pipeline by exactly one of `slug`, `id` and `name`. */
export interface GetPipelineArgs {
  /** Name in web addresses. */
  slug?: string | undefined;
  /** UUID. */
  id?: string | undefined;
  /** Exact name. The function fails if several pipelines have this name. */
  name?: string | undefined;
}

/** {@link GetPipelineArgs}, each of which may be an Output. */
export interface GetPipelineOutputArgs extends OutputArguments<GetPipelineArgs> {}

/** A pipeline, as the API returns it, without the address of its webhook, which is secret. */
export interface GetPipelineResult
  extends KindResult<
    Pipeline,
    api.Pipeline,
    | "webhookUrl"
    | "createWebhook"
    | "githubWebhooks"
    | "teams"
    | "onDelete"
    | "providerId"
    | "providerSettings"
  > {
  /** The source provider, such as `github`. */
  readonly providerId?: string;
  /** The source provider's settings, in camelCase. */
  readonly providerSettings?: { [setting: string]: unknown };
  /** Steps as the API derives them from the YAML text or the template. The format is not documented. */
  readonly steps?: unknown[];
  /** Number of builds that wait. */
  readonly scheduledBuildsCount?: number;
  /** Number of builds that run. */
  readonly runningBuildsCount?: number;
  /** Number of jobs that wait for an agent. */
  readonly scheduledJobsCount?: number;
  /** Number of jobs that run. */
  readonly runningJobsCount?: number;
  /** Number of jobs that wait for other jobs. */
  readonly waitingJobsCount?: number;
}

/** Filters for a list of pipelines. */
export interface GetPipelinesArgs {
  /** Part of the name, in any case. Default: all pipelines. */
  name?: string | undefined;
  /** Part of the repository's address, in any case. Default: all pipelines. */
  repository?: string | undefined;
}

/** {@link GetPipelinesArgs}, each of which may be an Output. */
export interface GetPipelinesOutputArgs extends OutputArguments<GetPipelinesArgs> {}

/** Pipelines of an organization. */
export interface GetPipelinesResult extends InOrganization {
  /** In the order of the API. */
  readonly pipelines: GetPipelineResult[];
}

const functions = functionsOf<GetPipelineResult, api.Pipeline>(Pipeline.kind);
const bySlug = (client: api.BuildPipelineClient, slug: string) => pipelineAt(client, slug);
const matching = (client: api.BuildPipelineClient, name: string, repository: string) =>
  readComplete(client.pipelines.list({ ...(name && { name }), ...(repository && { repository }) }), {
    noun: "pipeline",
    idOf: Pipeline.kind.identify,
  });

/**
 * Looks up a pipeline by slug, id or name, with the numbers of its builds and jobs. Scope: `read_pipelines`.
 * @throws LookupError if no object matches, or several do; the message lists their ids.
 * @example const { id, runningBuildsCount } = await getPipeline({ slug: "storefront" });
 */
export const getPipeline = getFunction<GetPipelineArgs, GetPipelineResult>(
  "getPipeline",
  async (api, args) => {
    const { argument, value } = exactlyOne(args, ["slug", "id", "name"]);
    if (argument === "slug") {
      const found = await api.get(bySlug, value);
      if (found !== undefined) return functions.read(api, found);
      throw new LookupFailure(`the service has no pipeline ${value}.`, { missing: true });
    }
    const words = { nouns: "pipelines", all: "getPipelines()", idOf: Pipeline.kind.identify };
    return functions.read(api, onlyMatch(await functions.list(api), argument, value, words));
  },
  Pipeline.kind.name,
);

/**
 * {@link getPipeline} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { clusterId } = getPipelineOutput({ slug: storefront.slug });
 */
export const getPipelineOutput = outputForm<GetPipelineOutputArgs, GetPipelineResult>("getPipeline");

/**
 * Lists pipelines, all of them or those that fit. Scope: `read_pipelines`. The list may omit archived pipelines.
 * @example const { pipelines } = await getPipelines({ repository: "acme/storefront" });
 */
export const getPipelines = getFunction<GetPipelinesArgs | undefined, GetPipelinesResult>(
  "getPipelines",
  async (api, args) => {
    const part = (argument: "name" | "repository") =>
      args[argument] === undefined ? "" : exactlyOne(args, [argument]).value;
    const found = await api.get(matching, part("name"), part("repository"));
    return {
      organization: api.organization,
      pipelines: found.map((pipeline) => functions.read(api, pipeline)),
    };
  },
  Pipeline.kind.name,
);

/**
 * {@link getPipelines} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const slugs = getPipelinesOutput({ name: "shop" }).pipelines.apply((all) => all.map(({ slug }) => slug));
 */
export const getPipelinesOutput = outputForm<GetPipelinesOutputArgs | undefined, GetPipelinesResult>(
  "getPipelines",
);
