import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { type Answer, jsonAnswer } from "./answer.js";
import { rateLimited, rateLimitHeaders } from "./limits.js";

/** The parts of a request that fault rules match. */
export interface FaultTarget {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** As `queues.create`; undefined where no operation is served. */
  readonly operation: string | undefined;
  /** The parsed body, the text if it isn't JSON, undefined if there is no body. */
  readonly body: unknown;
}

/** Response to a caller whose request is not carried out, or only later. */
export type LateAnswer =
  /** Closes the connection without an answer. */
  | "drop"
  /** Never answers: until the caller gives up, or the emulator is closed. */
  | "hang"
  /** Answers with this status. Without `body`: a message, and for 429 what the live service answers. */
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

/** Effect of a fault on a request. */
export type FaultAction =
  | LateAnswer
  /** Does the work, answers with all headers and half of the body, then closes the connection. */
  | "truncate"
  /**
   * Does the work and answers with this body instead, the status as it is. Text is sent as it is, be it no JSON, a
   * page or nothing at all; anything else as JSON.
   */
  | { readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Does the work and answers with what this makes of the body that was parsed. */
  | { readonly change: (body: unknown) => unknown }
  /**
   * Responds now with `meanwhile`, and does the work later: at the first request after that time, by the emulator's
   * clock, or in `finishLateWork`. The service was slow, and its caller gave up.
   */
  | { readonly workAfterMs: number; readonly meanwhile: LateAnswer }
  /** Waits, then goes on as usual. Milliseconds of real time. */
  | { readonly delayMs: number }
  /** Answers 429 as the live service does: `scope` `rest` is the organization's limit. */
  | { readonly rateLimited: { readonly scope?: "rest" | "user"; readonly resetSeconds?: number } };

/** Requests that fail, and how. An omitted property matches everything. */
export interface FaultRule {
  readonly method?: string;
  /** All of the path without the query, or a pattern that is searched in it. */
  readonly path?: string | RegExp;
  /** An operation, as `queues.create`. */
  readonly operation?: string;
  /** Looks closer at a request that fits so far. */
  readonly matches?: (request: FaultTarget) => boolean;
  /** How many requests go wrong; `Infinity` until the fault is removed. Default 1. */
  readonly times?: number;
  /** How many matching requests pass unharmed first. Default 0. */
  readonly after?: number;
  /** `before` the request is looked at (default), or `after` its work is done and kept: a lost response. */
  readonly when?: "before" | "after";
  /** True if requests without a valid access token are hit too. Default false. */
  readonly anyCaller?: boolean;
  readonly action: FaultAction;
}

/** A fault that was injected. */
export interface Fault {
  /** How many requests it has hit. */
  readonly hits: number;
  /** Takes it away. */
  remove(): void;
}

interface ActiveFault extends Fault {
  readonly rule: FaultRule;
  toSkip: number;
  left: number;
  hits: number;
}

export class Faults {
  readonly #active = new Set<ActiveFault>();
  /** Work that the service finishes after it has answered, or after the caller has given up. */
  #late: { readonly at: number; readonly work: (at: Date) => void }[] = [];
  readonly #clock: () => Date;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  /** Adds a rule. Earlier rules come first; a request is hit by one rule at most. */
  inject(rule: FaultRule): Fault {
    const fault: ActiveFault = {
      rule,
      toSkip: rule.after ?? 0,
      left: rule.times ?? 1,
      hits: 0,
      remove: () => this.#active.delete(fault),
    };
    this.#active.add(fault);
    return fault;
  }

  /** Returns the rule that hits this request, counted as a hit; undefined when none does. */
  hit(target: FaultTarget, hasAccessToken: boolean): FaultRule | undefined {
    for (const fault of this.#active) {
      const isMeant = hasAccessToken || fault.rule.anyCaller;
      if (!isMeant || !matches(fault.rule, target)) continue;
      fault.toSkip -= 1;
      if (fault.toSkip >= 0) continue;
      fault.hits += 1;
      fault.left -= 1;
      if (fault.left <= 0) this.#active.delete(fault);
      return fault.rule;
    }
    return undefined;
  }

  /** Postpones work; it then runs with the time at which it is due. */
  postpone(milliseconds: number, work: (at: Date) => void): void {
    this.#late.push({ at: this.#clock().getTime() + milliseconds, work });
    this.#late.sort((one, other) => one.at - other.at);
  }

  /** Does the postponed work that is due, or all of it until a later time. Returns how many pieces of work that was. */
  catchUp(until = this.#clock().getTime()): number {
    const due = this.#late.filter(({ at }) => at <= until);
    this.#late = this.#late.filter(({ at }) => at > until);
    for (const { at, work } of due) work(new Date(at));
    return due.length;
  }

  clear(): void {
    this.#active.clear();
    this.#late = [];
  }
}

function matches(rule: FaultRule, target: FaultTarget): boolean {
  if (rule.method !== undefined && rule.method.toUpperCase() !== target.method) return false;
  if (rule.operation !== undefined && rule.operation !== target.operation) return false;
  if (typeof rule.path === "string" && rule.path !== target.path) return false;
  // A global pattern remembers where it stopped; a fresh search starts at the beginning.
  if (rule.path instanceof RegExp && target.path.search(rule.path) === -1) return false;
  return rule.matches?.(target) ?? true;
}

type Fields = Readonly<Record<string, string>>;

const bodiless = [204, 205, 304];

/** @internal Returns what is sent instead of `answer`; `nothing` if the caller gets no answer, undefined to go on as usual. */
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
    const length = Math.max(2, body.length);
    outgoing.writeHead(answer?.status ?? 200, { ...answer?.headers, "Content-Length": length });
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
  if (bodiless.includes(status)) return { status, headers: { ...headers }, body: null };
  return answerWith(status, body, headers);
}

/** Checks whether an action uses the answer: the work is then done first in any case. */
export function needsAnswer(action: FaultAction): boolean {
  if (typeof action === "string") return action === "truncate";
  return "change" in action || ("body" in action && !("status" in action));
}

/** Returns the answer with another body; one that has no body gets the status of one that has. */
function withBody(answer: Answer | undefined, body: unknown, headers?: Fields): Answer {
  const status = answer === undefined || answer.status === 204 ? 200 : answer.status;
  return answerWith(status, body, { ...answer?.headers, ...headers });
}

/** Text is sent as it is. */
function answerWith(status: number, body: unknown, headers?: Fields): Answer {
  const answer = jsonAnswer(status, body, headers);
  return typeof body === "string" ? { ...answer, body } : answer;
}

function limitedAnswer(
  { scope = "rest", resetSeconds = 1 }: Extract<FaultAction, { rateLimited: unknown }>["rateLimited"],
  headers?: Fields,
): Answer {
  const rest = { limit: 200, used: scope === "rest" ? 201 : 1, resetSeconds };
  const user = { limit: 50, used: scope === "user" ? 51 : 1, resetSeconds };
  const { body } = rateLimited(scope, { rest, user }[scope]);
  return jsonAnswer(429, body, { ...rateLimitHeaders(rest, user), ...headers });
}
