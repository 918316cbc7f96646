import type * as api from "../../client/index.js";
import { NotificationService } from "../resources/notification-service.js";
import type { NoArguments } from "./invoke/arguments.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a notification service by `id` or `description`. */
export interface GetNotificationServiceArgs {
  /** UUID. */
  id?: string | undefined;
  /** Exact description. The function fails if several services have it. */
  description?: string | undefined;
}

/** A notification service, as the API returns it: without secrets. */
export interface GetNotificationServiceResult
  extends KindResult<NotificationService, api.NotificationService, "secretSettings" | "token" | "triggers"> {}

export type { NoArguments as GetNotificationServicesArgs };

/** The notification services of an organization. */
export interface GetNotificationServicesResult extends InOrganization {
  /** The oldest first. */
  readonly notificationServices: GetNotificationServiceResult[];
}

const functions = functionsOf<GetNotificationServiceResult>(NotificationService.kind);

/**
 * Looks up a notification service by id or description, without its secrets. Scope: `read_notification_services`.
 * @throws LookupError if no object matches, or several do; the message lists their ids.
 * @example const { enabled } = await getNotificationService({ description: "Dashboards" });
 */
export const getNotificationService = functions.one<GetNotificationServiceArgs>(["id", "description"]);

/**
 * Lists the notification services of the organization, without their secrets. Scope: `read_notification_services`.
 * @example
 * ```ts
 * const { notificationServices } = await getNotificationServices();
 * const stopped = notificationServices.filter(({ enabled }) => enabled === false);
 * ```
 */
export const getNotificationServices = functions.all<
  NoArguments | undefined,
  GetNotificationServicesResult
>();
