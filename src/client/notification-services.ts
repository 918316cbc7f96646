import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, flag, identifier, text, texts, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { type BodyChange, nothing, operations } from "./api/operation.js";

const providerSchema = entity({ required: { id: identifier }, decorative: { name: text } });

/** What a notification service notifies. */
export interface NotificationProvider extends z.output<typeof providerSchema> {}

const notificationServiceSchema = entity({
  required: {
    /** UUID. */
    id: identifier,
    /** What is notified: `webhook`, `slack`, `aws_event_bridge` and others. */
    provider: providerSchema as z.ZodType<NotificationProvider>,
  },
  optional: {
    /** null or "" when unset. */
    description: text,
    /** False if nothing is sent: somebody disabled it, or its deliveries failed too often. */
    enabled: flag,
    /** What it is about: `all`, `some_projects`, `some_teams` or `some_clusters`. */
    scope: text,
    /** UUIDs of the pipelines, teams or clusters that it is about; empty with `all`. */
    scope_uuids: texts,
    /** Filter of branches; "" for all. */
    branch_configuration: text,
  },
  decorative: {
    /** Settings by the provider. Of secret ones, some are left out and others masked. */
    settings: z.record(z.string(), z.unknown()).nullable(),
    /** Opaque id for Buildkite's GraphQL API; null for most providers. */
    graphql_id: text,
    /** API URL. */
    url: text,
    /** What of a build is announced. Only `slack` regards it. */
    build_states: z.record(z.string(), z.boolean()).nullable(),
    /** ISO 8601, UTC. */
    created_at: text,
    /** User who created it. */
    created_by: userSchema.nullable(),
  },
});

/** A notification service, which sends what happens in an organization to another system. */
export interface NotificationService extends z.output<typeof notificationServiceSchema> {}

/** A new notification service. It is enabled. */
export interface NotificationServiceCreate {
  /** What is notified. It never changes. `slack_workspace` and `linear` are connected in a browser. */
  provider: string;
  /** Settings by the provider, in the API's spelling. */
  settings: Readonly<Record<string, unknown>>;
  /** What it is about. Default: `all`. */
  scope?: string | undefined;
  /** UUIDs of the pipelines, teams or clusters that it is about. Leave it out with `all`. */
  scope_uuids?: readonly string[] | undefined;
  /** Purpose of the service. */
  description?: string | null | undefined;
  /** Filter of branches. Default: all. */
  branch_configuration?: string | null | undefined;
  /** What of a build is announced. Only `slack` regards it. */
  build_states?: Readonly<Record<string, boolean>> | undefined;
}

/**
 * Changes to a notification service. Omitted fields keep their values, also within `settings`. A masked setting that is sent
 * back unchanged keeps its value as well; any other text replaces it.
 */
export interface NotificationServiceUpdate extends BodyChange<Omit<NotificationServiceCreate, "provider">> {}

const path = "/v2/organizations/{org_slug}/services";
const one = `${path}/{uuid}` as const;
const [read, write] = ["read_notification_services", "write_notification_services"] as const;
const secret = (body: object) => {
  const { token, api_key, headers, url } = Object(Reflect.get(body, "settings"));
  return [token, api_key, headers, url];
};

export const notificationServiceOperations = operations("notificationServices", {
  list: ["GET", path, read, notificationServiceSchema, { isByCursor: true }],
  get: ["GET", one, read, notificationServiceSchema],
  create: ["POST", path, write, notificationServiceSchema, { secret }],
  update: ["PATCH", one, write, notificationServiceSchema, { secret }],
  delete: ["DELETE", one, write, nothing],
  enable: ["PUT", `${one}/enable`, write, notificationServiceSchema],
  disable: ["PUT", `${one}/disable`, write, notificationServiceSchema],
});

/** Notification services of the organization. */
export class NotificationServices extends Section {
  /**
   * Lists the notification services, the oldest first. Scope: `read_notification_services`.
   * @example const services = await client.notificationServices.list().all();
   */
  list(options?: RequestOptions): List<NotificationService> {
    return this.api.list(notificationServiceOperations.list, [], options);
  }

  /**
   * Reads one notification service. Scope: `read_notification_services`.
   * @throws NotFoundError if there is no such service, or the access token may not see it.
   * @example const { enabled } = await client.notificationServices.get(service.id);
   */
  get(serviceId: string, options?: RequestOptions): Promise<NotificationService> {
    return this.api.call(notificationServiceOperations.get, [serviceId], options);
  }

  /**
   * Creates a notification service. Without `scope` it gets the events of the whole organization. The client's errors don't
   * contain its secrets. Scope: `write_notification_services`.
   * @throws ValidationError if the API refuses a value, or the plan lacks the provider.
   * @throws ConnectionError, TimeoutError, ServerError: the service may have been created; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const service = await client.notificationServices.create({
   *   provider: "webhook",
   *   scope: "some_projects",
   *   scope_uuids: [pipeline.id],
   *   settings: { url: "https://ci.example.com/events", events: ["build.finished"] },
   * });
   * ```
   */
  create(body: NotificationServiceCreate, options?: RequestOptions): Promise<NotificationService> {
    return this.api.call(notificationServiceOperations.create, [], options, body);
  }

  /**
   * Changes a notification service. The client's errors don't contain its secrets. Scope: `write_notification_services`.
   * @throws ValidationError if the API refuses a value, such as another region of `aws_event_bridge`.
   * @example await client.notificationServices.update(service.id, { settings: { tls_verify: true } });
   */
  update(
    serviceId: string,
    body: NotificationServiceUpdate,
    options?: RequestOptions,
  ): Promise<NotificationService> {
    return this.api.call(notificationServiceOperations.update, [serviceId], options, body);
  }

  /**
   * Deletes a notification service, and with it a token that the API generated. Scope: `write_notification_services`.
   * @throws NotFoundError if there is no such service; if `attempts` is above 1, an earlier attempt may have deleted it.
   * @throws ValidationError if the provider's side can't be removed.
   * @example await client.notificationServices.delete(service.id);
   */
  delete(serviceId: string, options?: RequestOptions): Promise<void> {
    return this.api.call(notificationServiceOperations.delete, [serviceId], options);
  }

  /**
   * Enables a notification service, also one that the API disabled after failures. Scope: `write_notification_services`.
   * @example await client.notificationServices.enable(service.id);
   */
  enable(serviceId: string, options?: RequestOptions): Promise<NotificationService> {
    return this.api.call(notificationServiceOperations.enable, [serviceId], options);
  }

  /**
   * Disables a notification service, which then sends nothing. Scope: `write_notification_services`.
   * @example await client.notificationServices.disable(service.id);
   */
  disable(serviceId: string, options?: RequestOptions): Promise<NotificationService> {
    return this.api.call(notificationServiceOperations.disable, [serviceId], options);
  }
}
