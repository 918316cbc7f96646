import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { identityOf } from "../../shared/protocol/identity.js";
import { inOrganization } from "../kind/behavior.js";
import { canonicalSet } from "../kind/canonical.js";
import { boolean, description, optionalText, problemOfUuid, property } from "../kind/fields.js";
import type { EmbeddedUser, Kind, OneOf } from "../kind/kind.js";
import {
  CONNECTED,
  canonicalSettings,
  misplacedSetting,
  namedSettings,
  notificationSettingsShape,
  plainSettingsIn,
  secretSettingsIn,
} from "../kind/notification-settings.js";
import { snakeCase, withKeys } from "../kind/provider-settings.js";
import {
  branches,
  directionOfHosts,
  directionOfReach,
  loses,
  notices,
  opens,
  opensInside,
  replaced,
  slows,
  stops,
  when,
} from "../kind/review.js";
import { choice, list, map, text } from "../kind/shape.js";
import { type Get, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import type { Cluster } from "./cluster.js";
import { NotificationServiceScope } from "./enumerations.js";
import type { Pipeline } from "./pipeline.js";
import type { Team } from "./team.js";

/** Arguments of a {@link NotificationService}. */
export interface NotificationServiceArgs {
  /**
   * What is notified: `webhook`, `slack`, `aws_event_bridge`, `datadog_pipeline_visibility`, `open_telemetry_tracing` and
   * others that the API takes. `slack_workspace` and `linear` are connected in the web interface, and can be imported.
   * Required. Changing it replaces the service.
   */
  provider: pulumi.Input<string>;
  /**
   * What the service is about: `all`, `some_projects`, `some_teams` or `some_clusters`. Required, because the API's default is
   * the whole organization. Changing it updates in place.
   */
  scope: pulumi.Input<OneOf<"all" | "some_projects" | "some_teams" | "some_clusters">>;
  /**
   * Pipelines, teams or clusters that the service is about, by `scope`: resources or their UUIDs, in any order. Without any,
   * it announces nothing; with `all`, leave it out. Default: none. Changing it updates in place.
   */
  scopeIds?: pulumi.Input<(pulumi.Input<string> | Pipeline | Team | Cluster)[] | undefined>;
  /**
   * Settings by the provider, with the API's names in camelCase. The provider of this package manages those that are named, and
   * changing one updates in place; changing `awsRegion` or `awsAccountId` replaces the service. Default: none is managed.
   * @example { url: "https://ci.example.com/events", events: ["build.finished"] }
   */
  settings?: pulumi.Input<{ [setting: string]: unknown } | undefined>;
  /**
   * Settings that are secret: `token`, `apiKey`, `headers`, and the `url` of `slack`. Encrypted in state and masked in every
   * output, whatever the program passes. Default: not managed, and the API makes a webhook's token. Changing one updates in
   * place, and sends only what changes.
   * @example { token: config.requireSecret("webhookToken") }
   */
  secretSettings?: pulumi.Input<{ [setting: string]: unknown } | undefined>;
  /** Purpose of the service. Default: none. Changing it updates in place; leaving it out clears it. */
  description?: pulumi.Input<string | undefined>;
  /**
   * Patterns of branches whose builds are announced, separated by spaces. Default: all branches. Changing it updates in place;
   * leaving it out clears it.
   */
  branchConfiguration?: pulumi.Input<string | undefined>;
  /**
   * False if the service announces nothing. Default: the provider doesn't manage it, so that people can stop a service. Changing
   * it updates in place, by a request of its own; `true` also enables a service that Buildkite disabled after failures.
   */
  enabled?: pulumi.Input<boolean | undefined>;
  /**
   * Any map. Changing, adding or removing it sends `secretSettings` again, in place. Use it where the API doesn't show whether it
   * has them, as after an import. Default: none.
   * @example { rotated: "2026-11" }
   */
  triggers?: pulumi.Input<{ [key: string]: unknown } | undefined>;
}

/** A body in which the two maps of settings are still apart. */
interface Settings {
  settings?: Readonly<Record<string, unknown>>;
  secret_settings?: Readonly<Record<string, unknown>>;
}
type Create = Omit<api.NotificationServiceCreate, "settings"> & Settings;
type Update = Omit<api.NotificationServiceUpdate, "settings"> & Settings;

const SCOPED: Readonly<Record<string, string>> = {
  some_projects: "Pipeline",
  some_teams: "Team",
  some_clusters: "Cluster",
};

const groupOf = ({ notificationServices: group }: api.BuildPipelineClient) => group;
const behavior = inOrganization(groupOf);

const address = when(
  {
    elsewhere: opens("{sends|send} what happens to another host: {after} instead of {before}", {
      todo: "Make sure that it is the organization's own.",
    }),
    readable: opens("{sends|send} what happens to {after} without encryption", {
      todo: "Use an address with https, because others on the way can read what is sent, with its token.",
    }),
    changed: notices("{sends|send} what happens to another address: {after} instead of {before}"),
  },
  { compare: directionOfHosts },
);

const READERS = { todo: "Make sure that everybody who reads it there may know that." };

const events = when(
  {
    more: opensInside("{announces|announce} more events: {after} instead of {before}", READERS),
    less: slows("{announces|announce} fewer events: {after} instead of {before}"),
  },
  { compare: directionOfReach },
);

const settingsField = {
  shape: notificationSettingsShape,
  whenOmitted: "unmanaged",
  isMerged: true,
  encode: (settings: { [setting: string]: never }) => withKeys(settings, snakeCase),
  concerned: namedSettings,
  canonical: canonicalSettings,
} as const;

/**
 * A notification service, which sends what happens in the organization to another system. Needs the scopes
 * `read_notification_services` and `write_notification_services`, and an access token of an admin.
 *
 * The API shows secrets in part or not at all. What it shows is compared; after an import, the rest is taken to be what the
 * program says, without a check, until `secretSettings` or `triggers` change. Deleting a service loses the token that the API
 * made for a webhook, the event source in AWS, and the connection that somebody made in a browser.
 *
 * `{ import: "<uuid|provider/description>" }` imports an existing service.
 *
 * @example
 * ```ts
 * new NotificationService("dashboards", {
 *   provider: "webhook",
 *   scope: "some_projects",
 *   scopeIds: [storefront],
 *   settings: { url: "https://ci.example.com/events", events: ["build.finished"] },
 *   secretSettings: { token: config.requireSecret("webhookToken") },
 *   description: "Dashboards",
 * });
 * ```
 */
export class NotificationService extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:NotificationService";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<NotificationService>(NotificationService.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "NotificationService",
    words: { noun: "notification service", short: "service", label: "description" },
    section: "notificationServices",
    scopes: { read: [["read_notification_services"]], write: [["write_notification_services"]] },
    requires: "newer API",
    arguments: {
      provider: {
        shape: text((value) => (value.trim() === "" ? "is blank" : undefined)),
        expected: 'a provider such as "webhook"',
        review: replaced,
        whenOmitted: "required",
        sentAs: "provider",
        returnedAs: "provider.id",
        creationOnly: true,
        replaces: true,
      },
      scope: {
        shape: choice(Object.values(NotificationServiceScope)),
        expected: '"all", "some_projects", "some_teams" or "some_clusters"',
        review: when({
          all: opens(
            "{announces|announce} what happens in the whole organization, and no longer only in {before}",
            READERS,
          ),
          changed: opensInside("{announces|announce} other events: {after} instead of {before}"),
        }),
        whenOmitted: "required",
        ...property("scope"),
      },
      scopeIds: {
        shape: list(text(problemOfUuid)),
        expected: "a list of pipelines, teams or clusters, or their UUIDs",
        review: when(
          {
            more: opens(
              "{announces|announce} what happens in more places: {after} instead of {before}",
              READERS,
            ),
            less: slows("{announces|announce} what happens in fewer places: {after} instead of {before}"),
          },
          { compare: directionOfReach },
        ),
        takesResource: ({ scope }) => (typeof scope === "string" ? SCOPED[scope] : undefined),
        whenOmitted: "cleared",
        clearedBy: [],
        ...property("scope_uuids"),
        canonical: (ids: readonly string[] | undefined) => canonicalSet(ids?.map(identityOf)),
      },
      settings: {
        ...settingsField,
        expected: 'a map of settings in camelCase such as { url: "https://ci.example.com/events" }',
        review: when({}, { entries: { url: address, endpoint: address, datadogSite: address, events } }),
        ...property("settings"),
        decode: plainSettingsIn,
        replaces: "sometimes",
        replacesFor: (next, { provider, settings }) =>
          provider === "aws_event_bridge" &&
          ["awsRegion", "awsAccountId"].some(
            (key) => ![null, Object(next)[key]].includes(Object(settings)[key]),
          ) &&
          // One service fits.
          "deletes first",
      },
      secretSettings: {
        ...settingsField,
        expected: 'a map of secret settings in camelCase such as { token: "…" }',
        review: when({ changed: notices("{gets|get} other secrets") }),
        secret: true,
        sentAs: "secret_settings",
        returnedAs: "settings",
        mayBeLeftOut: "anywhere",
        changesWith: ["triggers"],
        decode: secretSettingsIn,
      },
      description: { ...description, clearedBy: null },
      branchConfiguration: {
        ...optionalText,
        review: branches("branches", "{announces|announce}", {}),
        clearedBy: null,
        ...property("branch_configuration"),
      },
      enabled: {
        ...boolean,
        review: when({
          true: opensInside("{is|are} enabled, so {it announces|they announce} what happens again", {
            rest: "Somebody had stopped {it|them}, or {its|their} deliveries failed.",
          }),
          false: stops("{is|are} disabled, so {it announces|they announce} nothing"),
        }),
        whenOmitted: "unmanaged",
        byOperator: true,
        returnedAs: "enabled",
        apply: ({ client }, { id }, { enabled }) => groupOf(client)[enabled ? "enable" : "disable"](id),
      },
      triggers: {
        shape: map,
        expected: 'a map such as { rotated: "2026-11" }',
        review: when({ changed: notices("{gets|get} {its secrets|their secrets} again") }),
        whenOmitted: "ignored",
        providerOnly: true,
      },
    },
    rules: [
      {
        arguments: ["provider"],
        broken: ({ provider }, planned) =>
          planned?.isCreation && CONNECTED.includes(provider)
            ? `${provider} is connected in the web interface. Connect it there, then add { import: "<uuid>" }.`
            : undefined,
      },
      {
        arguments: ["settings", "provider"],
        broken: ({ settings, provider }) => misplacedSetting("settings", settings, provider),
      },
      {
        arguments: ["secretSettings", "provider"],
        broken: ({ secretSettings, provider }) =>
          misplacedSetting("secretSettings", secretSettings, provider),
      },
      {
        arguments: ["scopeIds", "scope"],
        broken: ({ scopeIds = [], scope }) =>
          scope === "all" && scopeIds.length > 0
            ? 'has no meaning with scope "all", which is the whole organization. Leave it out, or narrow the scope.'
            : undefined,
      },
      {
        isDoubt: true,
        arguments: ["scopeIds", "scope"],
        broken: ({ scopeIds = [], scope }) =>
          scope !== undefined && scope !== "all" && scopeIds.length === 0
            ? `names nothing, so with scope ${JSON.stringify(scope)} the service announces nothing.`
            : undefined,
      },
    ],
    review: {
      created: opensInside("{announces|announce} what happens to another system ({provider}, {scope})"),
      deleted: [
        ...CONNECTED.map((provider) => ({
          if: { provider },
          ...loses("{is|are} deleted", {
            rest: "Only somebody in the web interface can connect {it|them} again.",
          }),
        })),
        {
          if: { provider: "webhook" },
          ...loses("{is|are} deleted", { rest: "A new one has another token, unless the program gives it." }),
        },
        loses("{is|are} deleted, so {it announces|they announce} nothing"),
      ],
      replaced: [
        {
          if: { provider: "webhook" },
          ...loses("{is|are} replaced", {
            rest: "A new one has another token, unless the program gives it.",
          }),
        },
        loses("{is|are} replaced", { rest: "{Its|Their} other side, such as an event source, is lost." }),
      ],
      vanished: { lost: "It announces nothing.", remains: "A new one has another token or event source." },
    },
    outputs: {
      url: { returnedAs: "url" },
      token: { returnedAs: "settings.token", secret: "always", changesWith: ["secretSettings", "triggers"] },
      eventSourceName: { returnedAs: "settings.event_source_name" },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
    },
    equalIn: ["provider", "description", "settings"],
    identify: (service) => service.id,
    importing: {
      form: "<uuid|provider/description>",
      names: ({ provider, description }) => [description ? `${provider.id}/${description}` : undefined],
      remarks: [
        {
          words:
            "The secrets of {objects} are not in the program, and stay as they are. To manage them, add `secretSettings`.",
        },
      ],
    },
    behavior: {
      ...behavior,
      create: ({ client }, _, { settings, secret_settings, ...body }, options) =>
        groupOf(client).create({ ...body, settings: { ...settings, ...secret_settings } }, options),
      update: ({ client }, { id }, { settings, secret_settings, ...body }) =>
        groupOf(client).update(id, {
          ...body,
          ...((settings || secret_settings) && { settings: { ...settings, ...secret_settings } }),
        }),
    },
  } satisfies Kind<NotificationServiceArgs, NotificationService, api.NotificationService, Create, Update>;

  /** What is notified. */
  declare readonly provider: pulumi.Output<string>;
  /** What the service is about. */
  declare readonly scope: pulumi.Output<"all" | "some_projects" | "some_teams" | "some_clusters">;
  /** UUIDs of the pipelines, teams or clusters that it is about. */
  declare readonly scopeIds: pulumi.Output<string[] | undefined>;
  /** Settings by the provider, without secret ones; null for one that the API shows in part. */
  declare readonly settings: pulumi.Output<{ [setting: string]: unknown } | undefined>;
  /** Secret settings, encrypted in state: those that this stack sent last, or those that the API shows. */
  declare readonly secretSettings: pulumi.Output<{ [setting: string]: unknown } | undefined>;
  /** Purpose of the service. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Patterns of branches whose builds are announced. */
  declare readonly branchConfiguration: pulumi.Output<string | undefined>;
  /** False if the service announces nothing. */
  declare readonly enabled: pulumi.Output<boolean | undefined>;
  /** Values that send the secret settings again when they change. */
  declare readonly triggers: pulumi.Output<{ [key: string]: unknown } | undefined>;
  /** Slug of the organization the service is in. */
  declare readonly organization: pulumi.Output<string>;
  /** API URL. */
  declare readonly url: pulumi.Output<string>;
  /** Token of a webhook, encrypted in state, also where the API made it. */
  declare readonly token: pulumi.Output<string | undefined>;
  /** Name of the partner event source in AWS. */
  declare readonly eventSourceName: pulumi.Output<string | undefined>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** User who created it. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;

  /**
   * Reads an existing notification service without managing it. A missing one is an error.
   * @example NotificationService.get("dashboards", serviceUuid)
   */
  static readonly get: Get<NotificationServiceArgs, NotificationService> = get;

  constructor(name: string, args: NotificationServiceArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}
