import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { identityOf } from "../../shared/protocol/identity.js";
import { foundFirst } from "../kind/behavior.js";
import { canonicalSet, hasPlainSlug } from "../kind/canonical.js";
import {
  boolean,
  color,
  description,
  emoji,
  FULL_ACCESS,
  flag,
  optionalCluster,
  optionalText,
  pipelineAccess,
  problemOfUuid,
  property,
  requiredText,
  stepsInYaml,
  unmanagedMinutes,
  unmanagedText,
  uuid,
} from "../kind/fields.js";
import type { EmbeddedUser, Kind, OneOf } from "../kind/kind.js";
import {
  doubtOfBranches,
  existing,
  findPipeline,
  judgedChange,
  noticedPipeline,
  pipelineAt,
  pipelineOfSlug,
  pipelineSlugOf,
  problemOfSlug,
  problemOfTag,
  readGithubWebhooks,
  received,
  removed,
  type ShownPipeline,
  withArchived,
  withGithubWebhooks,
  withWebhook,
} from "../kind/pipelines.js";
import {
  doubtOfSettings,
  onlyNamed,
  settingsIn,
  settingsReview,
  settingsShape,
  snakeCase,
  withKeys,
} from "../kind/provider-settings.js";
import {
  branches,
  directionOfLimits,
  directionOfRepositories,
  loses,
  nothing,
  notices,
  opens,
  opensInside,
  RUN_BY_MORE,
  slows,
  stops,
  when,
} from "../kind/review.js";
import { choice, list, object, onlyTrue, text } from "../kind/shape.js";
import { type Get, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import type { Cluster } from "./cluster.js";
import { PipelineOnDelete, PipelineVisibility } from "./enumerations.js";
import type { PipelineTemplate } from "./pipeline-template.js";

/** A team's access to a new {@link Pipeline}. */
export interface PipelineTeam {
  /** UUID of the team. */
  teamId: pulumi.Input<string>;
  /** What the team may do with the pipeline. Default: `manage_build_and_read`. */
  accessLevel?: pulumi.Input<OneOf<"read_only" | "build_and_read" | "manage_build_and_read"> | undefined>;
}

const TRUST = {
  todo: "Make sure that you trust who can write to it: agents run its code.",
  runsCode: true,
} as const;

/** Whether the program says `archived: true` or leaves the pipeline out. */
const ARCHIVED = stops("{is|are} archived", {
  rest: "{It gets|They get} no builds from then on, and {keeps its old ones and its slug|keep their old ones and their slugs}.",
});

const minutesOf = (steps: string) =>
  when(
    { less: slows(`{ends|end} ${steps} after {after} minutes instead of {before}`) },
    { compare: directionOfLimits, none: "no limit" },
  );

/** Arguments of a {@link Pipeline}. Changing them updates the pipeline in place. */
export interface PipelineArgs {
  /** Name of the pipeline. Required, not blank. A new name keeps the slug. */
  name: pulumi.Input<string>;
  /** Address of the Git repository. It decides the source provider. Required. */
  repository: pulumi.Input<string>;
  /**
   * The steps: YAML text, or a plain object that the provider writes as YAML. In TypeScript also an object with
   * `toYAML()`, and within a plain object a Queue in `agents.queue`, a Pipeline in `trigger`, a ClusterSecret in
   * `secrets` and `checkout.ssh_secret`, and a Team in `allowed_teams`. Another layout of the same YAML on Buildkite
   * isn't drift. Default, without a template: one step that runs `buildkite-agent pipeline upload`.
   * @example { steps: [{ command: "make test" }] }
   */
  // biome-ignore lint/suspicious/noExplicitAny: an interface, as typed steps have, is assignable to no other map.
  configuration?: pulumi.Input<string | { [key: string]: any } | undefined>;
  /** Template with the steps, in place of `configuration`: a {@link PipelineTemplate} or the UUID of one. Default: none. */
  pipelineTemplateUuid?: pulumi.Input<string | undefined> | PipelineTemplate;
  /**
   * Cluster with the pipeline's queues: a {@link Cluster} or the UUID of one; `""` for none. Default: the provider doesn't
   * manage it, and organizations differ in what they do with a new pipeline, of which the preview warns.
   */
  clusterId?: pulumi.Input<string | undefined> | Cluster;
  /**
   * Name in web addresses and in trigger steps: letters, digits and hyphens, at most 100, unique in the organization.
   * Default: the API derives it from the name at the creation, and it stays then.
   */
  slug?: pulumi.Input<string | undefined>;
  /** Purpose of the pipeline. Default: none; leaving it out clears it. */
  description?: pulumi.Input<string | undefined>;
  /** Branch that Buildkite shows first; `""` for none. Default: the provider doesn't manage it. */
  defaultBranch?: pulumi.Input<string | undefined>;
  /** Patterns of branches to build, separated by spaces. Default: all branches. @example "main release/*" */
  branchConfiguration?: pulumi.Input<string | undefined>;
  /** True if a new build of a branch skips the waiting builds of that branch. Default: false. */
  skipQueuedBranchBuilds?: pulumi.Input<boolean | undefined>;
  /** Branches that `skipQueuedBranchBuilds` applies to. Default: all branches. */
  skipQueuedBranchBuildsFilter?: pulumi.Input<string | undefined>;
  /** True if a new build of a branch cancels the running builds of that branch. Default: false. */
  cancelRunningBranchBuilds?: pulumi.Input<boolean | undefined>;
  /** Branches that `cancelRunningBranchBuilds` applies to. Default: all branches. */
  cancelRunningBranchBuildsFilter?: pulumi.Input<string | undefined>;
  /** True if people can rebuild builds. Default: true. */
  allowRebuilds?: pulumi.Input<boolean | undefined>;
  /** Minutes after which a command step without a timeout ends; 0 for never. Default: the provider doesn't manage it. */
  defaultCommandStepTimeout?: pulumi.Input<number | undefined>;
  /** Longest timeout of a command step, in minutes; 0 for any. Default: the provider doesn't manage it. */
  maximumCommandStepTimeout?: pulumi.Input<number | undefined>;
  /** Who can see the pipeline; only admins can change it. Default: the provider doesn't manage it. */
  visibility?: pulumi.Input<OneOf<"private" | "public"> | undefined>;
  /** Tags, at most 10 with 128 characters each, in any order. Default: none. */
  tags?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Emoji in emoji syntax, such as `:rocket:`. Default: none. */
  emoji?: pulumi.Input<string | undefined>;
  /** Hex color code, such as `#14cc80`. Default: none. */
  color?: pulumi.Input<string | undefined>;
  /** Address of a mirror from which agents clone, without credentials. Default: none. */
  cloneMirrorUrl?: pulumi.Input<string | undefined>;
  /**
   * How the pipeline reacts to its repository: a map of the source provider's settings, in camelCase. The provider
   * manages the settings that you name and no others. Default: none.
   * @example { triggerMode: "code", buildTags: true }
   */
  providerSettings?: pulumi.Input<{ [setting: string]: unknown } | undefined>;
  /**
   * True if the API should register a webhook at the repository's host, without which no push starts a build: at the
   * creation, when you add the argument, and when `repository` changes. If the API refuses, as it does where the
   * repository has one, the provider warns. Nobody can read whether there is a webhook. An import sends nothing, and leaving
   * it out keeps the webhook. Default: left out.
   */
  createWebhook?: pulumi.Input<boolean | undefined>;
  /**
   * True if GitHub's events start builds, false if they don't; settings and other ways to start builds stay. It needs full access to the
   * pipeline and a repository on GitHub, and not every organization has it. Default: the provider doesn't manage it.
   */
  githubWebhooks?: pulumi.Input<boolean | undefined>;
  /**
   * Teams that get access at the creation, each once. It counts only then: afterwards, use `TeamPipeline`. Default: none, or the
   * only team of a user who isn't an admin.
   */
  teams?: pulumi.Input<pulumi.Input<PipelineTeam>[] | undefined>;
  /**
   * True if the pipeline is archived: it gets no builds, and keeps its old ones. The API refuses other changes of an
   * archived pipeline, so set it by itself. Default: false.
   */
  archived?: pulumi.Input<boolean | undefined>;
  /**
   * What a deletion by Pulumi does. `archive` keeps the pipeline with its builds, logs and artifacts, and `delete` deletes
   * all of them; it waits up to five minutes for running builds. Default: `archive`.
   */
  onDelete?: pulumi.Input<OneOf<"archive" | "delete"> | undefined>;
}

type AccessLevel = OneOf<"read_only" | "build_and_read" | "manage_build_and_read">;

type Team = { teamId: string; accessLevel?: AccessLevel };

const UPLOAD = 'steps:\n  - command: "buildkite-agent pipeline upload"\n';
const MOST_TAGS = 10;

/**
 * A pipeline: the builds of a repository. Needs the scopes `read_pipelines` and `write_pipelines`. The API addresses a
 * pipeline by its slug, which others can change and reuse, so a read shows the pipeline's UUID before each write.
 *
 * No push or pull request starts a build before the repository has a webhook. There are three ways to one: `createWebhook:
 * true`; the resource `RepositoryWebhook` of Pulumi's GitHub provider, with `events: ["push", "pull_request", "deployment"]`
 * and `configuration: { url: storefront.webhookUrl, contentType: "json" }`; or by hand, as the pipeline's settings page on
 * Buildkite describes.
 *
 * A deletion archives the pipeline unless `onDelete` is `delete`. Deleting a pipeline that you created and then declaring
 * it again needs an import, because an archived pipeline keeps its slug. It also stays in its cluster, and Buildkite's pages
 * don't say whether a cluster with archived pipelines can be deleted. `onDelete: "delete"` deletes the builds, logs and
 * artifacts as well. A team whose `TeamPipeline` is deleted with an archived pipeline loses its access to the kept builds;
 * `retainOnDelete` on the `TeamPipeline` keeps it.
 *
 * The preview of new or changed steps warns of properties that Buildkite doesn't know, and of a queue, pipeline, secret or
 * team that neither the program nor the organization has. It reads one list for each, and only if steps name one.
 *
 * The API never returns `teams`, so a change of access on Buildkite is drift of a `TeamPipeline` and not of the pipeline.
 *
 * `{ import: "<slug|uuid>" }` imports an existing pipeline. A pipeline with visual steps must be given YAML first.
 *
 * @example
 * ```ts
 * new Pipeline("storefront", {
 *   name: "Storefront",
 *   repository: "git@github.com:acme/storefront.git",
 *   clusterId: linux,
 *   configuration: { steps: [{ command: "make test", agents: { queue: "small" } }] },
 *   tags: ["team:web"],
 * });
 * ```
 */
export class Pipeline extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:Pipeline";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<Pipeline>(Pipeline.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "Pipeline",
    words: { noun: "pipeline", label: "name" },
    section: "pipelines",
    scopes: { read: [["read_pipelines"]], write: [["write_pipelines"]] },
    requires: "newer API",
    arguments: {
      name: { ...requiredText, review: { means: {}, note: "the slug {slug} stays" }, ...property("name") },
      repository: {
        ...requiredText,
        review: when(
          {
            elsewhere: opens(
              "{builds|build} a repository of another host or owner: {after} instead of {before}",
              TRUST,
            ),
            changed: notices("{builds|build} another repository: {after} instead of {before}"),
          },
          { compare: directionOfRepositories },
        ),
        ...property("repository"),
      },
      configuration: {
        ...stepsInYaml,
        whenOmitted: "cleared",
        default: UPLOAD,
        unless: {
          argument: "pipelineTemplateUuid",
          words: "can't be given with pipelineTemplateUuid: the steps come from one of the two.",
        },
        ...property("configuration"),
      },
      pipelineTemplateUuid: {
        ...uuid("a pipeline template, or a PipelineTemplate resource"),
        review: when(
          {
            cleared: notices(
              "{has|have} steps of {its|their} own, and no longer those of the template {before}",
            ),
            changed: notices("{has|have} the steps of the template {after} instead of {before}"),
          },
          { none: "no template" },
        ),
        whenOmitted: "cleared",
        clearedBy: null,
        refersTo: "PipelineTemplate",
        takesResource: true,
        ...property("pipeline_template_uuid"),
      },
      clusterId: {
        ...optionalCluster,
        review: when(
          {
            cleared: slows(
              "{leaves|leave} the cluster {before}: only agents outside of clusters take {its|their} jobs",
            ),
            changed: notices("{moves|move} to another cluster: from {before} to {after}"),
          },
          { none: "no cluster" },
        ),
        ...property("cluster_id"),
      },
      slug: {
        shape: text(problemOfSlug),
        expected: 'letters, digits and hyphens such as "storefront", at most 100',
        review: when({
          changed: notices("{gets|get} another slug: {after} instead of {before}", {
            rest: "Web addresses, trigger steps and scripts that use the slug must follow.",
          }),
        }),
        whenOmitted: "unmanaged",
        ...property("slug"),
      },
      description,
      defaultBranch: {
        ...unmanagedText,
        review: when(
          {
            changed: notices("{has|have} another default branch: {after} instead of {before}", {
              todo: "Make sure that {its repository has|their repositories have} this branch.",
            }),
          },
          {
            filteredBy: {
              filter: "branchConfiguration",
              ...stops(
                "no longer {builds|build} {its|their} default branch {branch}, because {its|their} branchConfiguration {filter} leaves it out",
                { todo: "Add the branch to branchConfiguration." },
              ),
            },
            unless: { archived: [true], triggerMode: ["none"] },
          },
        ),
        ...property("default_branch"),
      },
      branchConfiguration: {
        ...optionalText,
        // It also restricts the builds that people and programs start.
        review: { ...branches("branches"), unless: { archived: [true], triggerMode: ["none"] } },
        doubt: doubtOfBranches,
        ...property("branch_configuration"),
      },
      skipQueuedBranchBuilds: {
        ...flag,
        review: when({
          true: notices("{skips|skip} waiting builds of a branch when a new one comes{within}"),
        }),
        ...property("skip_queued_branch_builds"),
      },
      skipQueuedBranchBuildsFilter: {
        ...optionalText,
        review: when(
          { changed: notices("{skips|skip} waiting builds of other branches: {after} instead of {before}") },
          { none: "every branch", within: "skipQueuedBranchBuilds" },
        ),
        doubt: doubtOfBranches,
        ...property("skip_queued_branch_builds_filter"),
      },
      cancelRunningBranchBuilds: {
        ...flag,
        review: when({
          true: slows("{cancels|cancel} running builds of a branch when a new one comes{within}"),
        }),
        ...property("cancel_running_branch_builds"),
      },
      cancelRunningBranchBuildsFilter: {
        ...optionalText,
        review: when(
          {
            changed: slows("{cancels|cancel} running builds of other branches: {after} instead of {before}"),
          },
          { none: "every branch", within: "cancelRunningBranchBuilds" },
        ),
        doubt: doubtOfBranches,
        ...property("cancel_running_branch_builds_filter"),
      },
      allowRebuilds: {
        ...flag,
        review: when({
          true: opensInside("{lets|let} people rebuild builds", RUN_BY_MORE),
          false: notices("no longer {lets|let} people rebuild builds"),
        }),
        default: true,
        ...property("allow_rebuilds"),
      },
      defaultCommandStepTimeout: {
        ...unmanagedMinutes,
        review: minutesOf("command steps without a timeout of their own"),
        ...property("default_command_step_timeout"),
      },
      maximumCommandStepTimeout: {
        ...unmanagedMinutes,
        review: minutesOf("every command step"),
        ...property("maximum_command_step_timeout"),
      },
      visibility: {
        shape: choice(Object.values(PipelineVisibility)),
        expected: '"private" or "public"',
        review: when({
          public: opens("{becomes|become} public: everybody can see {its|their} builds and their logs", {
            todo: "Make sure that no log shows a secret.",
          }),
          private: notices("{becomes|become} private"),
        }),
        whenOmitted: "unmanaged",
        ...property("visibility"),
      },
      tags: {
        shape: list(text(problemOfTag), MOST_TAGS),
        expected: "a list of tags, at most 10 with 128 characters each",
        review: nothing,
        whenOmitted: "cleared",
        clearedBy: [],
        ...property("tags"),
        encode: (tags) => [...new Set(tags)],
        canonical: canonicalSet,
      },
      emoji: { ...emoji, ...property("emoji") },
      color: { ...color, ...property("color") },
      cloneMirrorUrl: {
        ...optionalText,
        review: when({
          set: opens("{takes|take} {its|their} code from the mirror {after}", TRUST),
          changed: opens(
            "{takes|take} {its|their} code from another mirror: {after} instead of {before}",
            TRUST,
          ),
          cleared: notices("no longer {takes|take} {its|their} code from the mirror {before}"),
        }),
        clearedBy: null,
        ...property("clone_mirror_url"),
      },
      providerSettings: {
        shape: settingsShape,
        expected: 'a map of settings in camelCase such as { triggerMode: "code" }',
        doubt: doubtOfSettings,
        review: settingsReview,
        whenOmitted: "unmanaged",
        sentAs: "provider_settings",
        returnedAs: "provider.settings",
        isMerged: true,
        encode: (settings) => withKeys(settings, snakeCase),
        decode: settingsIn,
        concerned: (found, wanted) => ({ ...wanted, ...onlyNamed(found, wanted) }),
      },
      createWebhook: {
        shape: onlyTrue,
        expected: "true, or leave it out",
        review: when({ true: opensInside("{asks|ask} for a webhook, so that pushes start builds") }),
        whenOmitted: "ignored",
        changesWith: ["repository"],
        apply: withWebhook,
      },
      githubWebhooks: {
        ...boolean,
        review: when({
          true: opensInside("{builds|build} what GitHub announces, also where somebody had stopped that"),
          false: stops("no longer {builds|build} what GitHub announces"),
        }),
        whenOmitted: "unmanaged",
        byOperator: true,
        returnedAs: "github_webhooks",
        mayBeLeftOut: "unless stated",
        apply: (context, address, { githubWebhooks }) =>
          withGithubWebhooks(context, address, githubWebhooks === true),
      },
      teams: {
        shape: list(
          object<Team>({ teamId: text(problemOfUuid), accessLevel: { optional: pipelineAccess.shape } }),
        ),
        expected: 'a list such as [{ teamId: team.id, accessLevel: "build_and_read" }]',
        review: nothing,
        whenOmitted: "ignored",
        sentAs: "teams",
        creationOnly:
          "counts only when the pipeline is created; the API cannot change it afterwards. Declare a TeamPipeline for " +
          'each team, and add ignoreChanges: ["teams"] to the pipeline\'s options.',
        encode: (teams) =>
          Object.fromEntries(teams.map(({ teamId, accessLevel = FULL_ACCESS }) => [teamId, accessLevel])),
        canonical: (teams = []) =>
          canonicalSet(
            teams.map(({ teamId, accessLevel = FULL_ACCESS }) => `${identityOf(teamId)} ${accessLevel}`),
          ),
      },
      archived: {
        ...flag,
        review: when({
          true: { ...ARCHIVED, now: "hide" },
          false: opensInside("{is|are} unarchived, so {it gets|they get} builds again"),
        }),
        returnedAs: "archived_at",
        decode: (time) => typeof time === "string" && time !== "",
        isFirst: true,
        apply: async (context, address, { archived }) =>
          withArchived(context, await existing(context, address), archived === true),
      },
      onDelete: {
        shape: choice(Object.values(PipelineOnDelete)),
        expected: '"archive" or "delete"',
        review: when({
          delete: notices(
            "would be deleted with {its|their} builds, and no longer archived, if the program drops {it|them}",
          ),
        }),
        whenOmitted: "cleared",
        default: "archive",
        providerOnly: true,
      },
    },
    otherNames: {
      steps: "configuration",
      pipelineTemplateId: "pipelineTemplateUuid",
      skipIntermediateBuilds: "skipQueuedBranchBuilds",
      skipIntermediateBuildsBranchFilter: "skipQueuedBranchBuildsFilter",
      cancelIntermediateBuilds: "cancelRunningBranchBuilds",
      cancelIntermediateBuildsBranchFilter: "cancelRunningBranchBuildsFilter",
      defaultTimeoutInMinutes: "defaultCommandStepTimeout",
      maximumTimeoutInMinutes: "maximumCommandStepTimeout",
      defaultTeamId: "teams",
      archiveOnDelete: "onDelete",
    },
    onlyRead: {
      steps: "steps",
      scheduledBuildsCount: "scheduled_builds_count",
      runningBuildsCount: "running_builds_count",
      scheduledJobsCount: "scheduled_jobs_count",
      runningJobsCount: "running_jobs_count",
      waitingJobsCount: "waiting_jobs_count",
    },
    review: {
      usedBy: "builds",
      deleted: [
        {
          if: { onDelete: "delete" },
          ...loses("{is|are} deleted with {its|their} builds, logs and artifacts"),
        },
        {
          if: { archived: true },
          remains: true,
          ...notices("{is|are} removed from state", {
            rest: "Nothing is sent, because {it is|they are} archived already.",
          }),
        },
        { remains: true, ...ARCHIVED },
      ],
      vanished: {
        lost: "Its builds, logs and artifacts are deleted.",
        remains: "A new pipeline has another id, webhook address and no builds.",
      },
    },
    outputs: {
      graphqlId: { returnedAs: "graphql_id" },
      url: { returnedAs: "url", spells: "slug" },
      webUrl: { returnedAs: "web_url", spells: "slug" },
      buildsUrl: { returnedAs: "builds_url", spells: "slug" },
      badgeUrl: { returnedAs: "badge_url" },
      providerId: { returnedAs: "provider.id", changesWith: ["repository"] },
      webhookUrl: {
        returnedAs: "provider.webhook_url",
        secret: "always",
        default: "",
        changesWith: ["repository"],
      },
      archivedAt: { returnedAs: "archived_at", changesWith: ["archived"] },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
    },
    rules: [
      {
        arguments: ["teams"],
        broken: ({ teams = [] }) => {
          const ids = Array.isArray(teams) ? teams.map((team) => identityOf(String(team?.teamId))) : [];
          return new Set(ids).size < ids.length ? "names a team twice. Give each team once." : undefined;
        },
      },
      {
        isDoubt: true,
        arguments: ["clusterId"],
        broken: ({ clusterId }, planned) =>
          clusterId === undefined && planned?.isCreation
            ? "is left out. Organizations differ in what they do with a new pipeline then: put it into the default " +
              'cluster, or into none, or refuse it. Give a cluster, or "" for none.'
            : undefined,
      },
    ],
    archiving: { argument: "archived", unless: ["onDelete", "delete"] },
    change: judgedChange,
    identify: (pipeline) => pipeline.id,
    inSteps: {
      place: /^trigger$/,
      output: "slug",
      none: "is the slug of no pipeline that the access token can see",
      consequence: "Buildkite rejects steps with such a trigger",
      isRejected: true,
      stops: "Buildkite would reject {its|their} steps",
      level: "danger",
    },
    unique: {
      argument: "slug",
      taken: ({ slug }) => [slug],
      derived: { from: "name", form: pipelineSlugOf, isCertain: hasPlainSlug },
      holder: async ({ client }, slug) => {
        // A name without letters makes no slug that anybody can predict.
        const found = problemOfSlug(slug) === undefined ? await pipelineAt(client, slug) : undefined;
        return found?.slug === slug ? found : undefined;
      },
      isRefused: "An archived pipeline keeps its slug, and a pipeline is never replaced.",
    },
    once: {
      argument: "slug",
      words:
        "is the slug of {other} already. Give each pipeline its own slug, or names that make different ones.",
      tolerated:
        "is the slug that {other} gets as well, by its `slug` or its name. Unless one of them has another slug by an earlier " +
        "name, the API refuses it: give each its own `slug`.",
    },
    hidden: {
      when: () => true,
      words: "a pipeline can be hidden from people whose teams have no access to it",
      evidence: { is: "needed", of: ({ archived_at }) => archived_at != null },
    },
    importing: {
      form: "<pipeline slug|uuid>",
      names: (pipeline) => [pipeline.slug],
      judged: ({ configuration, pipeline_template_uuid }) =>
        configuration == null && pipeline_template_uuid == null
          ? {
              refusal:
                "has visual steps, which can't be declared. Convert it to YAML steps in the web interface first.",
            }
          : {},
    },
    noticed: noticedPipeline,
    behavior: {
      list: ({ client, signal }, { named }) => client.pipelines.list({ name: named }, { signal }),
      narrows: true,
      get: pipelineOfSlug,
      stated: async (context, pipeline, { githubWebhooks }) =>
        typeof githubWebhooks === "boolean" ? readGithubWebhooks(context, pipeline) : pipeline,
      create: async (context, _, { visibility, ...body }, options) => {
        // Only admins may send it, and a new pipeline is private.
        const sent = visibility === "public" ? { ...body, visibility } : body;
        return received(context, body, await context.client.pipelines.create(sent, options));
      },
      ...foundFirst(findPipeline, {
        async update(context, found, body: api.PipelineUpdate, options, { stated = {} }) {
          const { slug, visibility } = found;
          const { visibility: wanted, ...rest } = body;
          const sent = {
            ...(rest.name !== undefined && { slug }),
            ...rest,
            ...(wanted !== undefined && wanted !== visibility && { visibility: wanted }),
          };
          const isDone = Object.keys(sent).length === 0;
          return isDone
            ? found
            : received(
                context,
                body,
                await context.client.pipelines.update(slug, sent, options),
                body.repository === undefined ? {} : stated.providerSettings,
              );
        },
        delete: ({ client }, { slug }, options) => client.pipelines.delete(slug, options),
      }),
      delete: (context, address) => removed(context, address, address.known.onDelete === "delete"),
    },
  } satisfies Kind<PipelineArgs, Pipeline, ShownPipeline, api.PipelineCreate, api.PipelineUpdate>;

  /** Name of the pipeline. */
  declare readonly name: pulumi.Output<string>;
  /** Address of the Git repository. */
  declare readonly repository: pulumi.Output<string>;
  /** The steps as YAML text; undefined if they come from a template. */
  declare readonly configuration: pulumi.Output<string | undefined>;
  /** UUID of the template with the steps. */
  declare readonly pipelineTemplateUuid: pulumi.Output<string | undefined>;
  /** UUID of the cluster. */
  declare readonly clusterId: pulumi.Output<string | undefined>;
  /** Name in web addresses, by which requests address the pipeline. */
  declare readonly slug: pulumi.Output<string>;
  /** Purpose of the pipeline. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Branch that Buildkite shows first. */
  declare readonly defaultBranch: pulumi.Output<string | undefined>;
  /** Patterns of branches to build. */
  declare readonly branchConfiguration: pulumi.Output<string | undefined>;
  /** True if a new build of a branch skips the waiting builds of that branch. */
  declare readonly skipQueuedBranchBuilds: pulumi.Output<boolean>;
  /** Branches that `skipQueuedBranchBuilds` applies to. */
  declare readonly skipQueuedBranchBuildsFilter: pulumi.Output<string | undefined>;
  /** True if a new build of a branch cancels the running builds of that branch. */
  declare readonly cancelRunningBranchBuilds: pulumi.Output<boolean>;
  /** Branches that `cancelRunningBranchBuilds` applies to. */
  declare readonly cancelRunningBranchBuildsFilter: pulumi.Output<string | undefined>;
  /** True if people can rebuild builds. */
  declare readonly allowRebuilds: pulumi.Output<boolean>;
  /** Minutes after which a command step without a timeout ends. */
  declare readonly defaultCommandStepTimeout: pulumi.Output<number | undefined>;
  /** Longest timeout of a command step, in minutes. */
  declare readonly maximumCommandStepTimeout: pulumi.Output<number | undefined>;
  /** `private` or `public`. */
  declare readonly visibility: pulumi.Output<"private" | "public" | undefined>;
  /** Tags. */
  declare readonly tags: pulumi.Output<string[] | undefined>;
  /** Emoji. */
  declare readonly emoji: pulumi.Output<string | undefined>;
  /** Hex color code. */
  declare readonly color: pulumi.Output<string | undefined>;
  /** Address of a mirror from which agents clone. */
  declare readonly cloneMirrorUrl: pulumi.Output<string | undefined>;
  /** The settings that the program names, or all of the source provider's if it names none. */
  declare readonly providerSettings: pulumi.Output<{ [setting: string]: unknown } | undefined>;
  /** True if the provider asks for a webhook. */
  declare readonly createWebhook: pulumi.Output<boolean | undefined>;
  /** True if GitHub's events start builds. */
  declare readonly githubWebhooks: pulumi.Output<boolean | undefined>;
  /** Teams that got access at the creation. */
  declare readonly teams: pulumi.Output<pulumi.Unwrap<PipelineTeam>[] | undefined>;
  /** True if the pipeline is archived. */
  declare readonly archived: pulumi.Output<boolean>;
  /** `archive` or `delete`. */
  declare readonly onDelete: pulumi.Output<"archive" | "delete">;
  /** Slug of the organization the pipeline is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Opaque id for Buildkite's GraphQL API. */
  declare readonly graphqlId: pulumi.Output<string>;
  /** API URL. */
  declare readonly url: pulumi.Output<string>;
  /** Address in the web interface. */
  declare readonly webUrl: pulumi.Output<string>;
  /** API URL of its builds. */
  declare readonly buildsUrl: pulumi.Output<string>;
  /** Address of its badge. */
  declare readonly badgeUrl: pulumi.Output<string>;
  /** The source provider, such as `github`. */
  declare readonly providerId: pulumi.Output<string>;
  /**
   * Address at which the repository's host announces commits, encrypted in state: whoever knows it can start builds. `""`
   * while nobody who may see it has read it.
   */
  declare readonly webhookUrl: pulumi.Output<string>;
  /** When it was archived, ISO 8601 in UTC. */
  declare readonly archivedAt: pulumi.Output<string | undefined>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** User who created it. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;

  /**
   * Reads an existing pipeline without managing it. A missing one is an error.
   * @example Pipeline.get("storefront", pipelineUuid)
   */
  static readonly get: Get<PipelineArgs, Pipeline> = get;

  constructor(name: string, args: PipelineArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}
