import { z } from "zod";
import { type Call, listing, newerSection, reading } from "./http/operation.js";
import * as model from "./model/entity.js";
import { forbidden, found } from "./model/refusals.js";
import type { StoredRecord } from "./store/collection.js";

const party = z.object({ type: z.string(), uuid: model.uuid, name: z.string() }).nullable();
const details = z.record(z.string(), z.unknown());

const fields = {
  uuid: model.derived(model.uuid, ({ id }: StoredRecord) => id),
  graphql_id: model.graphqlId("AuditEvent"),
  url: model.apiUrl(({ id }: StoredRecord) => `/audit_events/${id}`),
  type: z.string(),
  occurred_at: model.timestamp,
  actor: party,
  subject: party,
  context: details.nullable(),
  data: details,
};

/** What happened, as tests put it in: the emulator itself notes nothing. */
export interface AuditEventRecord extends model.RecordOf<typeof fields>, StoredRecord {}

const event = model.entity<AuditEventRecord>("AuditEvent", fields);
const collection = "/v2/organizations/{org_slug}/audit_events";

export const auditEvents = newerSection("auditEvents", "audit_events", {
  list: listing(
    collection,
    "List what happened, the newest first",
    event,
    (call) => visible(call).list().toReversed(),
    { list: "cursor" },
  ),
  get: reading(`${collection}/{uuid}`, "Get an audit event", event, (call) =>
    found(visible(call).get(call.params.uuid.toLowerCase()), "audit event"),
  ),
});

function visible({ data, token, variations }: Call) {
  if (!token.admin || !variations.enterprisePlan) throw forbidden();
  return data.auditEvents;
}
