import { fieldErrors } from "../model/body.js";
import type { StoredRecord } from "../store/collection.js";
import type { RecordIn } from "../store/organization-data.js";
import type { Store } from "../store/store.js";
import type { Variations } from "../variations.js";
import { type Answer, failure, jsonAnswer, listAnswer } from "./answer.js";
import type { RateLimiter } from "./limits.js";
import type { Operation } from "./operation.js";
import { Query } from "./query.js";
import { found, notFound, Refusal, unauthenticated, validationFailed } from "./refusals.js";
import type { RequestBody } from "./request-body.js";

type AccessToken = RecordIn<"accessTokens">;

/** A request as it came from the network. */
export interface IncomingCall {
  readonly operation: Operation | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** The address the caller used, without a slash at the end. */
  readonly base: string;
  readonly path: string;
  readonly query: string;
}

/** The caller of a request, and whether the request is admitted. */
export interface Admission {
  /** Undefined when it is missing, unknown or revoked. */
  readonly token: AccessToken | undefined;
  /** The rest of the caller's limits, in every response. */
  readonly headers: Record<string, string>;
  /** Why nothing more is done for this request. */
  readonly refusal: Refusal | undefined;
}

/** The parts that requests pass through. */
interface GatewayParts {
  readonly store: Store;
  readonly variations: Variations;
  readonly limiter: RateLimiter | undefined;
  readonly clock: () => Date;
  /** Brings what happens without requests to the present. */
  readonly beforeWork: () => void;
}

/** Takes a request from its credentials to its answer: who asks, how often, may they, what for, and then the work. */
export class Gateway {
  readonly #parts: GatewayParts;
  /** New objects, with the number of lists that still lack them. */
  readonly #unlisted = new Map<string, number>();

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  /** Looks at the credentials, and counts the request. */
  admit(authorization: string | undefined, base: string): Admission {
    const secret = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1];
    const token = secret === undefined ? undefined : this.tokenOf(secret);
    if (token === undefined) {
      return { token: undefined, headers: {}, refusal: unauthenticated(base) };
    }
    const counted = this.#parts.limiter?.take(token.user_id);
    return { token, headers: counted?.headers ?? {}, refusal: counted?.refusal };
  }

  /** Returns the access token with this secret; undefined when it is unknown or revoked. */
  tokenOf(secret: string): AccessToken | undefined {
    const token = this.#parts.store.data.accessTokens.find("token", secret);
    return token?.revoked_at === null ? token : undefined;
  }

  /** Carries out a request. Its changes are in the file when this returns. */
  answer(
    call: IncomingCall,
    { token, refusal }: Pick<Admission, "token" | "refusal">,
    body: RequestBody,
    now = this.#parts.clock(),
  ): Answer {
    try {
      if (refusal !== undefined || token === undefined) throw refusal ?? unauthenticated(call.base);
      if (body.refusal !== undefined) throw body.refusal;
      return this.#carryOut(call, token, body.json, now.toISOString());
    } catch (error) {
      const refusal = error instanceof Refusal ? error : brokenEmulator(error);
      return failure(refusal, call.operation, this.#parts.variations);
    }
  }

  #carryOut(
    { operation, params, base, path, query: text }: IncomingCall,
    token: AccessToken,
    json: unknown,
    now: string,
  ): Answer {
    if (operation === undefined) throw new Refusal(404, "Not Found");
    const { store, variations, beforeWork } = this.#parts;
    const { data } = store;
    requireScope(operation, token, variations);
    const { organizations } = data;
    const { org_slug: slug } = params;
    const { slug: organization } = found(
      slug === undefined ? organizations.list()[0] : organizations.find("slug", slug),
      "organization",
    );
    const query = new Query(text);
    const body = bodyOf(operation, json);
    store.transaction(beforeWork);
    return store.transaction(() => {
      const call = { params, query, body, token, now, base, organization, data, variations };
      const result = operation.run(call);
      if (operation.list !== undefined) {
        // An operation that answers with a list returns records.
        const records = (result as readonly StoredRecord[]).filter(({ id }) => this.#isListed(id));
        return listAnswer(operation, call, records, `${base}${path}`);
      }
      const { status, response } = operation;
      if (response === undefined) return { status, headers: {}, body: null };
      const shown = response.show(call, result);
      const id = shown.id ?? shown.uuid;
      // A response without an id can't be missing from lists: its caller finds the object there.
      if (status === 201 && variations.listLag > 0 && typeof id === "string") {
        this.#unlisted.set(id, variations.listLag);
      }
      return jsonAnswer(status, shown);
    });
  }

  #isListed(id: string): boolean {
    const left = this.#unlisted.get(id) ?? 0;
    if (left > 1) this.#unlisted.set(id, left - 1);
    else this.#unlisted.delete(id);
    return left === 0;
  }
}

function requireScope(
  { scope, acceptedScopes }: Operation,
  token: AccessToken,
  variations: Variations,
): void {
  if (scope === null) return;
  const accepted = acceptedScopes?.(variations) ?? [scope];
  if (accepted.some((name) => token.scopes.includes(name))) return;
  if (variations.missingScope === 404) throw notFound("organization");
  throw new Refusal(403, `Your access token doesn't have the ${accepted[0]} scope`);
}

/** No body and `null` count as an empty object; clients send PUT and POST without one. */
function bodyOf(operation: Operation, json: unknown): unknown {
  if (operation.body === undefined) return undefined;
  const body = json ?? {};
  if (typeof body !== "object" || Array.isArray(body)) throw validationFailed("Body must be a JSON object");
  const checked = operation.body.safeParse(body);
  if (checked.success) return checked.data;
  throw (
    operation.refuseBody?.(checked.error) ??
    validationFailed(
      ...fieldErrors(checked.error).map(({ field, message }) => `${humanized(field)} ${message}`),
    )
  );
}

/** `default_queue_id` becomes `Default queue`, as the service's own messages have it. */
function humanized(field: string): string {
  const words = field.replace(/_ids?$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the response to a fault of the emulator itself. The change is taken back. */
function brokenEmulator(error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  return new Refusal(500, `The emulator failed: ${reason}`);
}
