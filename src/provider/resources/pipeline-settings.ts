import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { isSameObject } from "../../shared/protocol/identity.js";
import { boolean, optionalCluster, property, unmanagedText } from "../kind/fields.js";
import type { Kind } from "../kind/kind.js";
import { directionOfLimits, notices, opens, opensInside, slows, stops, when } from "../kind/review.js";
import { ofOrganization } from "../kind/settings.js";
import { integer } from "../kind/shape.js";
import { type Get, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import type { Cluster } from "./cluster.js";

/** Arguments of {@link PipelineSettings}. Changing them updates in place. The provider neither manages nor compares what you leave out. */
export interface PipelineSettingsArgs {
  /** Branch of new pipelines that name none. */
  defaultBranch?: pulumi.Input<string | undefined>;
  /**
   * Cluster of new pipelines that name none: a {@link Cluster} or the UUID of one; `""` for none. Because the API refuses to
   * delete this cluster, a deletion of the resource clears it, unless somebody set another one.
   */
  defaultClusterId?: pulumi.Input<string | undefined> | Cluster;
  /** Minutes after which a command step without a timeout ends. */
  defaultTimeoutInMinutes?: pulumi.Input<number | undefined>;
  /** Longest timeout of a command step, in minutes. */
  maximumTimeoutInMinutes?: pulumi.Input<number | undefined>;
  /** Minutes after which a job expires that no agent takes, from 60 to 43200. */
  scheduledJobExpiryInMinutes?: pulumi.Input<number | undefined>;
  /** True if people can open terminals in jobs on hosted agents, where the jobs' secrets are. */
  hostedAgentsTerminalAccess?: pulumi.Input<boolean | undefined>;
  /** True if people can create public pipelines. */
  publicPipelineCreation?: pulumi.Input<boolean | undefined>;
}

const MOST_MINUTES = 43_200;

const minutes = (least: number) =>
  ({
    shape: integer(least, MOST_MINUTES),
    expected: `a whole number of minutes from ${least} to ${MOST_MINUTES}`,
    whenOmitted: "unmanaged",
  }) as const;

const timeout = {
  ...minutes(1),
  review: when(
    { less: slows("{ends|end} command steps of all pipelines after {after} minutes instead of {before}") },
    { compare: directionOfLimits, none: "no limit" },
  ),
} as const;

/**
 * What holds for all pipelines of the organization. Needs the scopes `read_organization_settings` and
 * `write_organization_settings`, and a user who is an admin. Its id is the organization's slug. Declare it once for each
 * organization: two stacks can manage different arguments.
 *
 * These settings always exist, so a creation changes only what you state and the API has otherwise, and its preview shows
 * each such change. A deletion changes nothing but `defaultClusterId`.
 *
 * `{ import: "settings" }` imports them, so that a program that differs is an error.
 *
 * @example new PipelineSettings("pipelines", { defaultClusterId: linux, maximumTimeoutInMinutes: 240 });
 */
export class PipelineSettings extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:PipelineSettings";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<PipelineSettings>(PipelineSettings.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "PipelineSettings",
    words: { noun: "pipeline setting" },
    section: "pipelineSettings",
    scopes: { read: [["read_organization_settings"]], write: [["write_organization_settings"]] },
    requires: "newer API",
    arguments: {
      defaultBranch: {
        ...unmanagedText,
        review: when({
          changed: notices("{give|give} new pipelines the branch {after} instead of {before}"),
        }),
        ...property("default_branch"),
      },
      defaultClusterId: {
        ...optionalCluster,
        review: when(
          {
            cleared: slows("{put|put} new pipelines into no cluster, before into {before}"),
            changed: notices("{put|put} new pipelines into the cluster {after} instead of {before}"),
          },
          { none: "no cluster" },
        ),
        ...property("default_cluster_id"),
      },
      defaultTimeoutInMinutes: { ...timeout, ...property("default_timeout_in_minutes") },
      maximumTimeoutInMinutes: { ...timeout, ...property("maximum_timeout_in_minutes") },
      scheduledJobExpiryInMinutes: {
        ...minutes(60),
        review: when(
          { less: stops("{let|let} jobs expire that wait for {after} minutes instead of {before}") },
          { compare: directionOfLimits, none: "Buildkite's default" },
        ),
        ...property("scheduled_job_expiry_in_minutes"),
      },
      hostedAgentsTerminalAccess: {
        ...boolean,
        review: when({
          true: {
            ...opensInside("{let|let} people open terminals in jobs on hosted agents", {
              todo: "Make sure that everybody who can do that may see the secrets of these jobs.",
            }),
            level: "danger",
          },
          false: notices("no longer {let|let} people open terminals in jobs on hosted agents"),
        }),
        whenOmitted: "unmanaged",
        returnedAs: "hosted_agents_terminal_access.enabled",
        apply: async (
          { client: { pipelineSettings, organization } },
          _,
          { hostedAgentsTerminalAccess: on },
        ) => ({
          ...(on
            ? await pipelineSettings.enableHostedAgentsSsh()
            : await pipelineSettings.disableHostedAgentsSsh()),
          organization,
        }),
      },
      publicPipelineCreation: {
        ...boolean,
        review: when({
          true: opens("{let|let} people create public pipelines", {
            todo: "Leave it to admins, or make sure that everybody knows what a log may show.",
          }),
          false: notices("no longer {let|let} people create public pipelines"),
        }),
        whenOmitted: "unmanaged",
        returnedAs: "public_pipeline_creation.enabled",
        apply: async ({ client: { pipelineSettings, organization } }, _, { publicPipelineCreation: on }) => ({
          ...(on
            ? await pipelineSettings.enablePublicPipelines()
            : await pipelineSettings.disablePublicPipelines()),
          organization,
        }),
      },
    },
    outputs: { url: { returnedAs: "url" } },
    rules: [
      {
        isDoubt: true,
        arguments: ["defaultTimeoutInMinutes", "maximumTimeoutInMinutes"],
        broken: ({ defaultTimeoutInMinutes: usual = 0, maximumTimeoutInMinutes: most = usual }) =>
          usual > most ? "is above maximumTimeoutInMinutes, which the API may refuse." : undefined,
      },
    ],
    ...ofOrganization(
      { name: "PipelineSettings", noun: "pipeline setting" },
      {
        get: (client) => client.pipelineSettings.get(),
        update: (client, body: api.PipelineSettingsUpdate) => client.pipelineSettings.update(body),
        cleared:
          "The organization keeps what it has, except for a default cluster that the program stated: it is cleared.",
        async clear(client, { defaultClusterId: own }) {
          const { default_cluster_id: live } = own ? await client.pipelineSettings.get() : {};
          if (!isSameObject(live, own)) return undefined;
          await client.pipelineSettings.update({ default_cluster_id: null });
          return "they have no default cluster now";
        },
      },
    ),
  } satisfies Kind<
    PipelineSettingsArgs,
    PipelineSettings,
    api.PipelineSettings & { readonly organization: string },
    api.PipelineSettingsUpdate
  >;

  /** Branch of new pipelines that name none. */
  declare readonly defaultBranch: pulumi.Output<string | undefined>;
  /** UUID of the cluster of new pipelines that name none. */
  declare readonly defaultClusterId: pulumi.Output<string | undefined>;
  /** Minutes after which a command step without a timeout ends. */
  declare readonly defaultTimeoutInMinutes: pulumi.Output<number | undefined>;
  /** Longest timeout of a command step, in minutes. */
  declare readonly maximumTimeoutInMinutes: pulumi.Output<number | undefined>;
  /** Minutes after which a job expires that no agent takes. */
  declare readonly scheduledJobExpiryInMinutes: pulumi.Output<number | undefined>;
  /** True if people can open terminals in jobs on hosted agents. */
  declare readonly hostedAgentsTerminalAccess: pulumi.Output<boolean | undefined>;
  /** True if people can create public pipelines. */
  declare readonly publicPipelineCreation: pulumi.Output<boolean | undefined>;
  /** Slug of the organization. */
  declare readonly organization: pulumi.Output<string>;
  /** API URL. */
  declare readonly url: pulumi.Output<string>;

  /**
   * Reads the settings without managing them.
   * @example PipelineSettings.get("pipelines", "acme")
   */
  static readonly get: Get<PipelineSettingsArgs, PipelineSettings> = get;

  constructor(name: string, args: PipelineSettingsArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}
