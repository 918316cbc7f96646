import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text } from "./api/entity.js";
import type { List } from "./api/list.js";
import { operations } from "./api/operation.js";

const partySchema = entity({
  decorative: {
    /** Such as `User` or `Organization`. */
    type: text,
    /** UUID. */
    uuid: text,
    name: text,
  },
});

/** Who did something, or what it was done to. */
export interface AuditEventParty extends z.output<typeof partySchema> {}

const party: z.ZodType<AuditEventParty | null> = partySchema.nullable();

const auditEventSchema = entity({
  required: {
    /** UUID. */
    uuid: identifier,
  },
  optional: {
    /** What happened, such as `OrganizationUpdatedEvent`. */
    type: text,
    /** ISO 8601, UTC. */
    occurred_at: text,
  },
  decorative: {
    /** Who did it; null for the service itself. */
    actor: party,
    /** What it was done to. */
    subject: party,
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** API URL. */
    url: text,
    /** Where it was done, such as the address of the request. Contains personal data. */
    context: z.looseObject({ type: z.string().optional() }).nullable(),
    /** What changed, by the type of the event. */
    data: z.record(z.string(), z.unknown()).nullable(),
  },
});

/** Something that happened in the organization. */
export interface AuditEvent extends z.output<typeof auditEventSchema> {}

const path = "/v2/organizations/{org_slug}/audit_events";

export const auditEventOperations = operations("auditEvents", {
  list: ["GET", path, "read_audit_events", auditEventSchema, { isByCursor: true }],
  get: ["GET", `${path}/{uuid}`, "read_audit_events", auditEventSchema],
});

/** The organization's audit log. Needs the Enterprise plan, and a user who is an admin. */
export class AuditEvents extends Section {
  /**
   * Lists the events, the newest first. The API has no filter: leave the loop where it is far enough. Scope:
   * `read_audit_events`.
   * @throws PermissionError if the plan lacks the audit log, or the user isn't an admin.
   * @example
   * ```ts
   * for await (const { type, occurred_at, actor } of client.auditEvents.list()) {
   *   if (!occurred_at || Date.parse(occurred_at) < Date.now() - 86_400_000) break;
   *   console.log(occurred_at, type, actor?.name);
   * }
   * ```
   */
  list(options?: RequestOptions): List<AuditEvent> {
    return this.api.list(auditEventOperations.list, [], options);
  }

  /**
   * Reads one event. Scope: `read_audit_events`.
   * @throws NotFoundError if there is no such event.
   * @throws PermissionError if the plan lacks the audit log, or the user isn't an admin.
   * @example
   * ```ts
   * const { subject, data } = await client.auditEvents.get(eventUuid);
   * ```
   */
  get(eventId: string, options?: RequestOptions): Promise<AuditEvent> {
    return this.api.call(auditEventOperations.get, [eventId], options);
  }
}
