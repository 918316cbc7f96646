import type { View } from "../entities/view.js";
import type { AccessTokenRecord } from "../store/records.js";
import type { Store } from "../store/store.js";
import { checkBody } from "../validation/check-body.js";
import type { Variations } from "../variations.js";
import { type Answer, failure, success } from "./answer.js";
import { badRequest, missingScope, notFound, Refusal, unauthenticated, validationFailed } from "./errors.js";
import type { RateLimiter } from "./limits.js";
import type { Operation } from "./operation.js";
import { Query } from "./query.js";

/** A request as it came from the network. */
export interface IncomingCall {
  readonly operation: Operation | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
  /** The address the caller used, without a slash at the end. */
  readonly base: string;
  readonly path: string;
  readonly query: string;
  readonly bodyText: string;
}

/** Takes a request from its credentials to its answer: who asks, how often, may they, what for, and then the work. */
export class Gateway {
  readonly #store: Store;
  readonly #variations: Variations;
  readonly #limiter: RateLimiter | undefined;
  readonly #clock: () => Date;

  constructor(parts: {
    store: Store;
    variations: Variations;
    limiter: RateLimiter | undefined;
    clock: () => Date;
  }) {
    this.#store = parts.store;
    this.#variations = parts.variations;
    this.#limiter = parts.limiter;
    this.#clock = parts.clock;
  }

  /** Answers a request. What it changed is in the file when this returns. */
  answer(call: IncomingCall): Answer {
    let headers: Record<string, string> = {};
    try {
      const token = this.#authenticate(call);
      const counted = this.#limiter?.take(token.user_id);
      headers = counted?.headers ?? {};
      if (counted?.refusal !== undefined) throw counted.refusal;
      const answer = this.#carryOut(call, token);
      return { ...answer, headers: { ...answer.headers, ...headers } };
    } catch (error) {
      const refusal = error instanceof Refusal ? error : brokenEmulator(error);
      const answer = failure(refusal, call.operation, this.#variations);
      return { ...answer, headers: { ...answer.headers, ...headers } };
    }
  }

  #authenticate({ authorization, base }: IncomingCall): AccessTokenRecord {
    const secret = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1];
    const token = secret === undefined ? undefined : this.#store.data.accessTokens.find("token", secret);
    if (token === undefined || token.revoked_at !== null) throw unauthenticated(base);
    return token;
  }

  #carryOut(call: IncomingCall, token: AccessTokenRecord): Answer {
    const { operation, params, base } = call;
    if (operation === undefined) throw new Refusal(404, { message: "Not Found" });
    this.#requireScope(operation, token);
    const organization = this.#organizationOf(params);
    const query = new Query(call.query);
    const body = bodyOf(operation, call.bodyText);
    const view: View = { base, organization, data: this.#store.data, variations: this.#variations };
    const result = this.#store.transaction(() =>
      operation.run({
        params,
        query,
        body,
        data: this.#store.data,
        token,
        view,
        variations: this.#variations,
        now: this.#clock().toISOString(),
      }),
    );
    return success(operation, result, { url: `${base}${call.path}`, query, variations: this.#variations });
  }

  #requireScope(operation: Operation, token: AccessTokenRecord): void {
    if (operation.scope === null) return;
    const accepted = this.#acceptedScopes(operation, operation.scope);
    if (accepted.some((scope) => token.scopes.includes(scope))) return;
    if (this.#variations.missingScope === 404) throw notFound("organization");
    throw missingScope(accepted[0] ?? operation.scope);
  }

  #acceptedScopes(operation: Operation, scope: string): readonly string[] {
    const either = [...operation.alsoScopes, scope];
    const { teamScope } = this.#variations;
    if (operation.id !== "teams.get" || teamScope === "either") return either;
    return [teamScope];
  }

  #organizationOf(params: Readonly<Record<string, string>>): string {
    const { organizations } = this.#store.data;
    const slug = params.org_slug;
    const organization = slug === undefined ? organizations.list()[0] : organizations.find("slug", slug);
    if (organization === undefined) throw notFound("organization");
    return organization.slug;
  }
}

/** No body and `null` count as an empty object; clients send PUT and POST without one. */
function bodyOf(operation: Operation, text: string): unknown {
  if (operation.body === null) return undefined;
  const body = text.trim() === "" ? {} : (parseJson(text) ?? {});
  if (typeof body !== "object" || Array.isArray(body)) throw validationFailed("Body must be a JSON object");
  if (operation.refuseBody === null) return checkBody(operation.body, body);
  const checked = operation.body.safeParse(body);
  if (!checked.success) throw operation.refuseBody(checked.error);
  return checked.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("The request body is not valid JSON");
  }
}

/** Something broke in here: the caller is told, and the change is not kept half. */
function brokenEmulator(error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  return new Refusal(500, { message: `The emulator failed: ${reason}` });
}
