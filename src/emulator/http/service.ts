import { messageOf } from "../../shared/messages/of-error.js";
import { fieldErrors } from "../model/body.js";
import { requireAllowedAddress } from "../model/networks.js";
import { found, notFound, Refusal, validationFailed } from "../model/refusals.js";
import type { Variations } from "../model/variations.js";
import type { RecordIn, StoredRecord } from "../store/collection.js";
import type { Store } from "../store/store.js";
import { type Answer, failure, jsonAnswer, listAnswer } from "./answer.js";
import type { Faults, FaultTarget } from "./faults.js";
import type { RateLimiter } from "./limits.js";
import { type Call, type Operation, Query } from "./operation.js";
import type { RequestLog } from "./request-log.js";

type AccessToken = RecordIn<"accessTokens">;

export interface EmulatedService {
  readonly store: Store;
  readonly variations: Variations;
  readonly clock: () => Date;
  /** Does what agents that work by themselves have done until now. Undefined where none does. */
  readonly work: ((data: Store["data"], now: Date) => void) | undefined;
  readonly limiter: RateLimiter | undefined;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly listeners: Set<(request: FaultTarget) => void>;
  /** New objects, with the number of lists that still lack them. */
  readonly unlisted: Map<string, number>;
  readonly readLagMs: number;
  readonly callerAddress: string | undefined;
  /** The paths of new objects, with the time from which reads and lists have them. */
  readonly unread: Map<string, number>;
}

/** A request: its operation is undefined if there is none, and its token if it is missing, unknown or revoked. */
interface IncomingCall extends Pick<Call, "params" | "base"> {
  readonly operation: Operation | undefined;
  readonly path: string;
  readonly query: string;
  readonly token: AccessToken | undefined;
  readonly json?: unknown;
  /** The address that it comes from; undefined if no list of allowed ones applies to it. */
  readonly from?: string | undefined;
  /** Why nothing is done: a limit is used up, or the body can't be read. */
  readonly refusal?: Refusal | undefined;
}

export function tokenOf(
  { store, clock }: EmulatedService,
  secret: string | undefined,
): AccessToken | undefined {
  if (secret === undefined) return undefined;
  const token = store.data.accessTokens.find("token", secret);
  const isValid = token?.revoked_at === null && !isPast(token.expires_at, clock());
  return isValid ? token : undefined;
}

/** Checks whether a time has come; null and undefined never do. */
export function isPast(time: string | null | undefined, now: Date): boolean {
  return time != null && Date.parse(time) <= now.getTime();
}

/** The changes that a request makes are in the file when this returns. */
export function answerTo(service: EmulatedService, call: IncomingCall, now = service.clock()): Answer {
  try {
    return carryOut(service, call, now.toISOString());
  } catch (error) {
    // A change that a fault of the emulator itself has cut off is taken back.
    const broken = () => new Refusal(500, `The emulator failed: ${messageOf(error)}`);
    return failure(error instanceof Refusal ? error : broken(), call.operation, service.variations);
  }
}

function carryOut(service: EmulatedService, incoming: IncomingCall, now: string): Answer {
  const { operation, params, base, path, token, refusal } = incoming;
  const { store, variations, clock, work, unlisted, unread, readLagMs } = service;
  if (token === undefined)
    throw new Refusal(401, `Authentication required. Please supply a valid API Access Token: ${base}/`);
  if (refusal !== undefined) throw refusal;
  if (operation === undefined || (operation.isNewer && !variations.newerApi))
    throw new Refusal(404, "Not Found");
  requireScope(operation, token, variations);
  const { data } = store;
  const { org_slug: slug = data.organizations.list()[0]?.slug ?? "" } = params;
  const known = found(data.organizations.find("slug", slug), "organization");
  const { slug: organization } = known;
  if (params.org_slug !== undefined)
    requireAllowedAddress(known.api_settings?.allowed_ip_addresses, incoming.from);
  const query = new Query(incoming.query);
  const body = bodyOf(operation, incoming.json, variations);
  if (work !== undefined) store.transaction(() => work(data, clock()));
  // A read of a collection, or of an object, needs each object on its path.
  const isRead = (of: string) => (unread.get(of) ?? 0) <= Date.parse(now);
  const collection = path.replace(/\/$/, "");
  const around = collection.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
  if (operation.method === "GET" && !around.every(isRead)) throw notFound(organization);
  return store.transaction(() => {
    const made = { id: crypto.randomUUID(), created_at: now, created_by: token.user_id };
    const call = { params, path, query, body, token, now, made, base, organization, data, variations };
    const result = operation.run(call);
    if (operation.list !== undefined) {
      // An operation that answers with a list returns records.
      const records = (result as readonly StoredRecord[]).filter(
        ({ id }) => isRead(`${collection}/${id}`) && isListed(unlisted, id),
      );
      return listAnswer(operation, call, records, `${base}${path}`);
    }
    const { status, response } = operation;
    // The live service says that an empty body is HTML.
    const headers: Record<string, string> = status === 201 ? { "Content-Type": "text/html" } : {};
    if (response === undefined) return { status, headers, body: null };
    const shown = response.show(call, result);
    const id = shown.id ?? shown.uuid;
    // A response without an id can't be missing from lists: its caller finds the object there.
    if (status === 201 && variations.listLag > 0 && typeof id === "string") {
      unlisted.set(id, variations.listLag);
    }
    if (status === 201 && readLagMs > 0)
      for (const name of [id, shown.slug, Object(result).id])
        unread.set(`${collection}/${name}`, Date.parse(now) + readLagMs);
    return jsonAnswer(status, shown);
  });
}

function isListed(unlisted: Map<string, number>, id: string): boolean {
  const left = unlisted.get(id) ?? 0;
  if (left > 1) unlisted.set(id, left - 1);
  else unlisted.delete(id);
  return left === 0;
}

function requireScope({ scope, acceptedScopes }: Operation, token: AccessToken, variations: Variations) {
  if (scope === null) return;
  const accepted = acceptedScopes?.(variations) ?? [scope];
  if (accepted.some((name) => token.scopes.includes(name))) return;
  if (variations.missingScope === 404) throw notFound("organization");
  throw new Refusal(403, `Your access token doesn't have the ${accepted[0]} scope`);
}

/** No body and `null` count as an empty object; clients send PUT and POST without one. */
function bodyOf(operation: Operation, json: unknown, { newerApi, textEnds }: Variations): unknown {
  if (operation.body === undefined) return undefined;
  const given = json ?? {};
  if (typeof given !== "object" || Array.isArray(given)) throw validationFailed("Body must be a JSON object");
  const unknown = newerApi ? [] : (operation.added ?? []);
  const body = Object.fromEntries(Object.entries(given).filter(([name]) => !unknown.includes(name)));
  const checked = operation.body.safeParse(textEnds === "trimmed" ? trimmed(body) : body, {
    reportInput: true,
  });
  if (checked.success) return checked.data;
  const reasons = fieldErrors(checked.error).map(({ field, message }) => `${humanized(field)} ${message}`);
  throw operation.refuseBody?.(checked.error) ?? validationFailed(...reasons);
}

function trimmed(body: object): object {
  const isTrimmed = (name: string) => name === "name" || name === "description";
  return Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => [
      name,
      isTrimmed(name) && typeof value === "string" ? value.trim() : value,
    ]),
  );
}

/** `default_queue_id` becomes `Default queue`, as the service's own messages have it. */
function humanized(field: string): string {
  const words = field.replace(/_ids?$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
