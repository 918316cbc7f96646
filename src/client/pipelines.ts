import * as z from "zod";
import { type Api, type RequestOptions, Section } from "./api/api.js";
import { count, entity, flag, identifier, text, texts, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { type BodyChange, nothing, operations } from "./api/operation.js";
import { pipelineFacts, pipelineSettings } from "./builds/pipeline.js";

const pipelineSchema = entity({
  required: {
    /** UUID. It never changes. */
    id: identifier,
    /** Name of the pipeline. */
    name: identifier,
    /** Name in web addresses, by which requests identify the pipeline. It can change, and another pipeline can take it. */
    slug: identifier,
  },
  optional: {
    ...pipelineSettings,
    /** Steps as YAML text, as they were sent. Absent from pipelines with visual steps. */
    configuration: text,
    /** UUID of the template that the steps come from; null if there is none. */
    pipeline_template_uuid: text,
    /** UUID of the cluster; null if the pipeline is in none. */
    cluster_id: text,
    /** null or "" when unset. */
    description: text,
    /** True if people can rebuild builds. */
    allow_rebuilds: flag,
    /** Time after which a command step without a timeout ends, in minutes. Some responses omit it. */
    default_command_step_timeout: count,
    /** Longest timeout that a command step can have, in minutes. Some responses omit it. */
    maximum_command_step_timeout: count,
    /** `private` or `public`. */
    visibility: text,
    /** null when there are none. */
    tags: texts,
    /** Emoji syntax, `:name:`; null or "" when unset. */
    emoji: text,
    /** Hex color code; null or "" when unset. */
    color: text,
    /** Address of a mirror from which agents clone; absent if the organization can't use mirrors. */
    clone_mirror_url: text,
    /** Time the pipeline was archived; null if it is active. */
    archived_at: text,
  },
  decorative: {
    ...pipelineFacts,
    /** Steps as the API derives them from the YAML text or the template. The format is not documented. */
    steps: z.array(z.unknown()).nullable(),
    /** Environment variables of a pipeline with visual steps; null or {} when there are none. */
    env: z.record(z.string(), z.unknown()).nullable(),
    /** User who created it. Some responses omit it. */
    created_by: userSchema.nullable(),
  },
});

/** A pipeline. Requests identify it by its `slug`. */
export interface Pipeline extends z.output<typeof pipelineSchema> {}

const githubWebhooksSchema = entity({
  required: {
    /** True if GitHub's events start builds. */
    enabled: z.boolean(),
  },
  decorative: {
    /** API URL. */
    url: text,
    /** When somebody disabled them, ISO 8601 in UTC; null if they are enabled. */
    disabled_at: text,
    /** Name of who disabled them; null if they are enabled. */
    disabled_by: text,
  },
});

/** Whether a pipeline processes the events that its repository's webhook sends from GitHub. */
export interface PipelineGithubWebhooks extends z.output<typeof githubWebhooksSchema> {}

/** Filters for a list of pipelines. */
export interface PipelineQuery {
  /** Part of the name, in any case. */
  name?: string | undefined;
  /** Part of the repository's address, in any case. */
  repository?: string | undefined;
}

/** What a team may do with a pipeline. */
export type PipelineAccess = "read_only" | "build_and_read" | "manage_build_and_read";

/** A new pipeline. It needs a `configuration`, a `pipeline_template_uuid` or `steps`. */
export interface PipelineCreate {
  /** Unique in the organization. */
  name: string;
  /** Address of the Git repository. It decides the provider. */
  repository: string;
  /** Steps as YAML text, not empty. The API returns them unchanged. */
  configuration?: string | undefined;
  /** UUID of the template that the steps come from; null for none. Default: none. */
  pipeline_template_uuid?: string | null | undefined;
  /** Visual steps. The API ignores them if there is a `configuration`. */
  steps?: readonly object[] | undefined;
  /** Environment variables of a pipeline with visual steps. The API ignores them for other pipelines. */
  env?: Readonly<Record<string, string>> | undefined;
  /**
   * UUID of the cluster; null for none. Default: the organization's default cluster. Without one, organizations differ:
   * the pipeline is in no cluster, or the API refuses it.
   */
  cluster_id?: string | null | undefined;
  /** Letters, digits and hyphens, 100 at most; unique in the organization. Default, or null: derived from the name. */
  slug?: string | null | undefined;
  /** Purpose of the pipeline. */
  description?: string | undefined;
  /** Branch that Buildkite shows first, and builds if a request names none. Default: chosen by the API. */
  default_branch?: string | undefined;
  /** Patterns of branches to build, separated by spaces. Default: all branches. */
  branch_configuration?: string | undefined;
  /** True if a new build of a branch skips the waiting builds of that branch. Default: false. */
  skip_queued_branch_builds?: boolean | undefined;
  /** Branches that `skip_queued_branch_builds` applies to. Default: all branches. */
  skip_queued_branch_builds_filter?: string | undefined;
  /** True if a new build of a branch cancels the running build of that branch. Default: false. */
  cancel_running_branch_builds?: boolean | undefined;
  /** Branches that `cancel_running_branch_builds` applies to. Default: all branches. */
  cancel_running_branch_builds_filter?: string | undefined;
  /** True if people can rebuild builds. Default: true. */
  allow_rebuilds?: boolean | undefined;
  /** Time after which a command step without a timeout ends, in minutes; 0 for none. Default: the organization's. */
  default_command_step_timeout?: number | undefined;
  /** Longest timeout that a command step can have, in minutes; 0 for none. Default: the organization's. */
  maximum_command_step_timeout?: number | undefined;
  /** Only admins may send it. Default: `private`. */
  visibility?: "private" | "public" | undefined;
  /** 10 at most, with 128 characters each. */
  tags?: readonly string[] | undefined;
  /** Emoji syntax, `:name:`. */
  emoji?: string | undefined;
  /** Hex color code. */
  color?: string | undefined;
  /** Address of a mirror from which agents clone, without credentials; null for none. */
  clone_mirror_url?: string | null | undefined;
  /** How the pipeline reacts to its repository. An update keeps the settings that it doesn't name. */
  provider_settings?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Access of teams, by their UUIDs. People who aren't admins and are in several teams must name at least one. The API
   * returns no teams.
   */
  teams?: Readonly<Record<string, PipelineAccess>> | undefined;
}

/**
 * Changes to a pipeline. Omitted fields keep their values, except that a `name` without a `slug` derives the slug again.
 * "" clears a text, [] the tags. The API ignores teams in an update.
 */
export interface PipelineUpdate extends BodyChange<Omit<PipelineCreate, "teams">> {}

const path = "/v2/organizations/{org_slug}/pipelines";
const one = `${path}/{pipeline_slug}` as const;
const read = "read_pipelines";
const write = "write_pipelines";

/** @internal */
export const pipelineOperations = operations("pipelines", {
  list: ["GET", path, read, pipelineSchema],
  get: ["GET", one, read, pipelineSchema],
  create: ["POST", path, write, pipelineSchema],
  // Another pipeline can take the slug, so after a lost response a repeated write might change that pipeline.
  update: ["PATCH", one, write, pipelineSchema, { resendable: false }],
  delete: ["DELETE", one, write, nothing, { resendable: false }],
  archive: ["POST", `${one}/archive`, write, pipelineSchema],
  unarchive: ["POST", `${one}/unarchive`, write, pipelineSchema],
  createWebhook: ["POST", `${one}/webhook`, write, nothing],
  "githubWebhooks.get": ["GET", `${one}/github-webhooks`, read, githubWebhooksSchema],
  "githubWebhooks.enable": [
    "PUT",
    `${one}/github-webhooks`,
    write,
    githubWebhooksSchema,
    { resendable: false },
  ],
  "githubWebhooks.disable": [
    "DELETE",
    `${one}/github-webhooks`,
    write,
    githubWebhooksSchema,
    { resendable: false },
  ],
});

/**
 * Whether pipelines process GitHub's events. All methods throw a NotFoundError if there is no such pipeline, its repository
 * isn't on GitHub or GitHub Enterprise, or the organization doesn't have this setting.
 */
export class GithubWebhooks extends Section {
  /**
   * Reads whether GitHub's events start builds of a pipeline. Scope: `read_pipelines`.
   * @example const { enabled, disabled_by } = await client.pipelines.githubWebhooks.get("storefront");
   */
  get(pipelineSlug: string, options?: RequestOptions): Promise<PipelineGithubWebhooks> {
    return this.api.call(pipelineOperations["githubWebhooks.get"], [pipelineSlug], options);
  }

  /**
   * Makes GitHub's events start builds again, with the settings of before. Scope: `write_pipelines`.
   * @example await client.pipelines.githubWebhooks.enable("storefront");
   */
  enable(pipelineSlug: string, options?: RequestOptions): Promise<PipelineGithubWebhooks> {
    return this.api.call(pipelineOperations["githubWebhooks.enable"], [pipelineSlug], options);
  }

  /**
   * Stops all builds by GitHub's events and keeps the settings. Builds by the API, by schedules and by trigger steps
   * go on. Scope: `write_pipelines`.
   * @example await client.pipelines.githubWebhooks.disable("storefront");
   */
  disable(pipelineSlug: string, options?: RequestOptions): Promise<PipelineGithubWebhooks> {
    return this.api.call(pipelineOperations["githubWebhooks.disable"], [pipelineSlug], options);
  }
}

/** Pipelines, identified by slug. */
export class Pipelines extends Section {
  /** Whether GitHub's events start builds of a pipeline. */
  readonly githubWebhooks: GithubWebhooks;

  /** @internal */
  constructor(api: Api) {
    super(api);
    this.githubWebhooks = new GithubWebhooks(api);
  }

  /**
   * Lists the organization's pipelines that the access token may see, or only those that fit the filters. Scope:
   * `read_pipelines`.
   * @example const pipelines = await client.pipelines.list({ repository: "acme/storefront" }).all();
   */
  list(query: PipelineQuery = {}, options?: RequestOptions): List<Pipeline> {
    const { name, repository } = query;
    return this.api.list(pipelineOperations.list, [], options, { name, repository });
  }

  /**
   * Reads one pipeline. Scope: `read_pipelines`.
   * @throws NotFoundError if there is no such pipeline, or the access token may not see it.
   * @example const { archived_at } = await client.pipelines.get("storefront");
   */
  get(pipelineSlug: string, options?: RequestOptions): Promise<Pipeline> {
    return this.api.call(pipelineOperations.get, [pipelineSlug], options);
  }

  /**
   * Creates a pipeline. Scope: `write_pipelines`.
   * @throws ValidationError with `errors` if the API refuses a value, for example a name that is taken.
   * @throws ConnectionError, TimeoutError, ServerError: the pipeline may have been created; see
   * `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const pipeline = await client.pipelines.create({
   *   name: "Storefront",
   *   repository: "git@github.com:acme/storefront.git",
   *   cluster_id: cluster.id,
   *   configuration: "steps:\n  - command: buildkite-agent pipeline upload\n",
   * });
   * ```
   */
  create(body: PipelineCreate, options?: RequestOptions): Promise<Pipeline> {
    return this.api.call(pipelineOperations.create, [], options, body);
  }

  /**
   * Changes a pipeline. Send the `slug` with a new `name` to keep the pipeline's addresses. Scope: `write_pipelines`.
   * @throws ValidationError if the API refuses a value, or the pipeline is archived.
   * @throws ConnectionError, TimeoutError, ServerError: the pipeline may have been changed; see
   * `mayHaveBeenCarriedOut`.
   * @example await client.pipelines.update("storefront", { name: "Shop", slug: "storefront", tags: ["team:web"] });
   */
  update(pipelineSlug: string, body: PipelineUpdate, options?: RequestOptions): Promise<Pipeline> {
    return this.api.call(pipelineOperations.update, [pipelineSlug], options, body);
  }

  /**
   * Deletes a pipeline with its builds, logs and artifacts. `archive` keeps them. Scope: `write_pipelines`.
   * @throws ValidationError with the reason if the API refuses, for example because builds are running.
   * @throws ConnectionError, TimeoutError, ServerError: the pipeline may have been deleted; see
   * `mayHaveBeenCarriedOut`.
   * @example await client.pipelines.delete("storefront");
   */
  delete(pipelineSlug: string, options?: RequestOptions): Promise<void> {
    return this.api.call(pipelineOperations.delete, [pipelineSlug], options);
  }

  /**
   * Archives a pipeline: it gets no new builds, and keeps the old ones with their logs and artifacts. Scope:
   * `write_pipelines`.
   * @throws ValidationError `Pipeline could not be archived.`
   * @throws ConnectionError, TimeoutError, ServerError: the pipeline may have been archived; see
   * `mayHaveBeenCarriedOut`.
   * @example await client.pipelines.archive("storefront");
   */
  archive(pipelineSlug: string, options?: RequestOptions): Promise<Pipeline> {
    return this.api.call(pipelineOperations.archive, [pipelineSlug], options);
  }

  /**
   * Makes an archived pipeline active, so that it gets builds again. Scope: `write_pipelines`.
   * @throws ValidationError `Pipeline could not be unarchived.`
   * @throws ConnectionError, TimeoutError, ServerError: the pipeline may be active; see `mayHaveBeenCarriedOut`.
   * @example await client.pipelines.unarchive("storefront");
   */
  unarchive(pipelineSlug: string, options?: RequestOptions): Promise<Pipeline> {
    return this.api.call(pipelineOperations.unarchive, [pipelineSlug], options);
  }

  /**
   * Creates the webhook in the pipeline's repository that starts builds. Scope: `write_pipelines`.
   * @throws ValidationError `Webhooks could not be created for your repository.` (also if there is one), or
   * `Auto-creating webhooks is not supported for your repository.`
   * @throws ConnectionError, TimeoutError, ServerError: the webhook may have been created; see
   * `mayHaveBeenCarriedOut`.
   * @example await client.pipelines.createWebhook("storefront");
   */
  createWebhook(pipelineSlug: string, options?: RequestOptions): Promise<void> {
    return this.api.call(pipelineOperations.createWebhook, [pipelineSlug], options);
  }
}
