import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { type Answer, jsonAnswer } from "./answer.js";
import type { FaultAction } from "./faults.js";
import { rateLimited, rateLimitHeaders } from "./limits.js";

const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Carries out a fault, `answer` being the one that would go out. Returns the answer to send instead; `nothing` when
 * the caller gets none; undefined to go on as usual.
 */
export async function carryOutFault(
  bindings: HttpBindings,
  action: FaultAction,
  answer: Answer | undefined,
  closing: AbortSignal,
): Promise<Answer | "nothing" | undefined> {
  const { incoming, outgoing } = bindings;
  if (action === "drop") {
    incoming.socket.destroy();
    return "nothing";
  }
  if (action === "hang") {
    await once(outgoing, "close", { signal: closing }).catch(() => {});
    return "nothing";
  }
  if (action === "truncate") {
    const body = Buffer.from(answer?.body ?? "");
    outgoing.writeHead(answer?.status ?? 200, {
      ...answer?.headers,
      "Content-Length": Math.max(2, body.length),
    });
    const half = body.length < 2 ? " " : body.subarray(0, Math.ceil(body.length / 2));
    await new Promise((written) => outgoing.write(half, written));
    incoming.socket.destroy();
    return "nothing";
  }
  if ("workAfterMs" in action) return carryOutFault(bindings, action.meanwhile, answer, closing);
  if ("delayMs" in action) {
    await delay(action.delayMs, undefined, { signal: closing }).catch(() => {});
    return undefined;
  }
  if ("rateLimited" in action) return limitedAnswer(action.rateLimited);
  if ("change" in action) return withBody(answer, action.change(JSON.parse(answer?.body ?? "null")));
  if (!("status" in action)) return withBody(answer, action.body, action.headers);
  if (action.status === 429 && action.body === undefined) return limitedAnswer({}, action.headers);
  const { status, headers, body = { message: `Injected fault: status ${status}` } } = action;
  return bodiless.has(status)
    ? { status, headers: { ...headers }, body: null }
    : answerWith(status, body, headers);
}

/** Checks whether an action has to do with the answer, so that the work is done first in any case. */
export function needsAnswer(action: FaultAction): boolean {
  if (typeof action === "string") return action === "truncate";
  return "change" in action || ("body" in action && !("status" in action));
}

/** Returns the answer with another body; one that has no body gets the status of one that has. */
function withBody(
  answer: Answer | undefined,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const status = answer === undefined || answer.status === 204 ? 200 : answer.status;
  return answerWith(status, body, { ...answer?.headers, ...headers });
}

/** Text is sent as it is. */
function answerWith(status: number, body: unknown, headers?: Readonly<Record<string, string>>): Answer {
  const answer = jsonAnswer(status, body, headers);
  return typeof body === "string" ? { ...answer, body } : answer;
}

function limitedAnswer(
  limited: { readonly scope?: "rest" | "user"; readonly resetSeconds?: number },
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const { scope = "rest", resetSeconds = 1 } = limited;
  const hit = (limit: number, exceeded: boolean) => ({ limit, used: exceeded ? limit + 1 : 1, resetSeconds });
  const organization = hit(200, scope === "rest");
  const user = hit(50, scope === "user");
  const { body } = rateLimited(scope, scope === "user" ? user : organization);
  return jsonAnswer(429, body, { ...rateLimitHeaders(organization, user), ...headers });
}
