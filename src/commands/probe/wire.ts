import type { Agent } from "undici";
import { nextAddress } from "../../client/api/list.js";
import { type Clock, systemClock } from "../../client/transport/clock.js";
import { connections } from "../../client/transport/dispatch.js";
import type { Method } from "../../client/transport/exchange.js";
import { header } from "../../client/transport/exchange.js";
import { type CheckedOptions, checkOptions } from "../../client/transport/options.js";
import { readWindows } from "../../client/transport/rate-limit.js";
import { Redactor } from "../../client/transport/redaction.js";
import { retrying, type Send } from "../../client/transport/retry.js";
import { ServiceClock } from "../../client/transport/service-clock.js";
import type { Connection } from "../../shared/configuration/settings.js";
import { NoAnswer } from "./answer.js";

/** A response as it came over the wire: a probe asks what the typed client would normalize or refuse. */
export interface WireResponse {
  readonly status: number;
  /** Value of the `Link` header. Undefined where the response has none. */
  readonly link: string | undefined;
  /** The parsed JSON, the text where it is none, undefined where there is no body, and null where it is broken. */
  readonly body: unknown;
}

/** An object in a body, as it came. */
export type Entity = Record<string, unknown>;

/** The user stopped the probe. */
export class Stopped extends NoAnswer {
  constructor() {
    super("the probe was stopped");
  }
}

/** Requests of a window that are left to others. Where none is left, the transport waits. */
const SPARE = 3;
const MOST_PAGES = 100;

/** Events for progress, and the time between requests. */
export interface WireOptions {
  /** Called before each wait for the rate limit. */
  readonly onWait?: (seconds: number) => void;
  /** Called before each request. */
  readonly onRequest?: (sent: number) => void;
  /** Waits between requests. Default: real time. */
  readonly clock?: Clock;
}

/**
 * Sends the requests of a probe by the client's transport. A read is repeated after a failure, a write never is: after a
 * lost response its caller looks. Before the rate limit is used up, it waits for the next window.
 */
export class Wire {
  readonly organization: string;
  readonly #options: WireOptions;
  readonly #clock: Clock;
  readonly #checked: CheckedOptions;
  readonly #agent: Agent;
  readonly #exchange: Send;
  /** Once it is aborted, no further request is sent. */
  signal: AbortSignal | undefined;
  /** Number of requests sent. */
  sent = 0;
  #waitSeconds = 0;

  constructor(settings: Connection, options: WireOptions = {}) {
    this.organization = settings.organization;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const clock = { now: () => this.#clock.now(), sleep: (milliseconds: number) => this.wait(milliseconds) };
    const checked = checkOptions({
      ...settings,
      clock,
      beforeSend: () => this.#beforeSend(),
      onResponse: ({ headers }) => {
        const scarce = readWindows(headers).filter(
          ({ remaining = 0, reset = 0 }) =>
            remaining > 0 && remaining <= SPARE && reset * 1_000 <= checked.maxRateLimitWaitMs,
        );
        this.#waitSeconds = Math.max(0, ...scarce.map(({ reset = 0 }) => reset));
      },
      onEvent: (event) => {
        if (event.type === "rateLimit") options.onWait?.(Math.ceil(event.waitMs / 1_000));
      },
    });
    this.#checked = checked;
    this.#agent = connections(checked);
    const { origin } = new URL(checked.baseUrl);
    const redactor = new Redactor([checked.accessToken]);
    const network = { dispatcher: this.#agent, origin, redactor, clock };
    this.#exchange = retrying(network, new ServiceClock(), checked);
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  /** Reads. @param path after `/v2`, as `/access-token` */
  get(path: string): Promise<WireResponse> {
    return this.#send("GET", this.#target(path));
  }

  /** Reads all pages of a list. @throws if it isn't a list, or can't be read to its end */
  async all(path: string): Promise<Entity[]> {
    const entries: Entity[] = [];
    let target: string | undefined = this.#target(`${path}?per_page=100`);
    for (let pages = 1; target !== undefined; pages++) {
      if (pages > MOST_PAGES) throw new Error(`A list has more than ${MOST_PAGES} pages.`);
      const response: WireResponse = await this.#send("GET", target);
      if (response.status !== 200 || !Array.isArray(response.body)) throw new Error(unexpected(response));
      entries.push(...response.body.filter(isObject));
      target = this.#nextTarget(response, target);
    }
    return entries;
  }

  /** Writes once. @throws if the response is lost or a 5xx: the service may have carried it out */
  async write(method: Exclude<Method, "GET">, path: string, body?: object): Promise<WireResponse> {
    const response = await this.#send(method, this.#target(path), body);
    if (response.status < 500) return response;
    throw new Error(`A ${method} failed with ${response.status}.`);
  }

  #target(path: string): string {
    return `${new URL(this.#checked.baseUrl).pathname.replace(/\/$/, "")}/v2${path}`;
  }

  async #send(method: Method, target: string, body?: object): Promise<WireResponse> {
    const { accessToken, timeoutMs, maxRetries } = this.#checked;
    const { outcome } = await this.#exchange(
      {
        method,
        target,
        headers: {
          authorization: `Bearer ${accessToken}`,
          accept: "application/json",
          "user-agent": "pulumi-buildpipeline probe",
          ...(method !== "GET" && method !== "DELETE" && { "content-type": "application/json" }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        resendable: method === "GET",
        timeoutMs,
        maxRetries,
      },
      undefined,
    );
    // No path: a reason for a missing answer contains no names and ids.
    if (outcome.kind === "lost") throw new Error(`A ${method} failed: ${outcome.cause.message}.`);
    if (outcome.kind === "timedOut" || outcome.cutOff !== undefined)
      throw new Error(`The response to a ${method} was lost.`);
    const { status, headers, body: received } = outcome;
    const unreadable = received.kind === "empty" ? undefined : null;
    return { status, link: header(headers, "link"), body: "value" in received ? received.value : unreadable };
  }

  async #beforeSend(): Promise<void> {
    this.#throwIfStopped();
    if (this.#waitSeconds > 0) {
      this.#options.onWait?.(this.#waitSeconds);
      await this.wait(this.#waitSeconds * 1_000);
      this.#throwIfStopped();
      // The window has ended, also if no response to this request says so.
      this.#waitSeconds = 0;
    }
    this.#options.onRequest?.(++this.sent);
  }

  #throwIfStopped(): void {
    if (this.signal?.aborted) throw new Stopped();
  }

  /** Waits between requests. A stop ends the wait. */
  wait(milliseconds: number): Promise<void> {
    return this.#clock.sleep(milliseconds, this.signal).catch(() => {});
  }

  #nextTarget({ link }: WireResponse, target: string): string | undefined {
    const { origin } = new URL(this.#checked.baseUrl);
    const address = nextAddress(link);
    if (address === undefined) return undefined;
    const url = URL.parse(address, `${origin}${target}`);
    // Another origin would get the access token.
    if (url?.origin !== origin) throw new Error("The next page of a list is at another address.");
    return `${url.pathname}${url.search}`;
  }
}

/** Describes a response in an error, without its values. */
export function unexpected({ status, body }: WireResponse): string {
  const kind = Array.isArray(body) ? "a list" : isObject(body) ? "an object" : "no JSON object";
  return `The service responded with ${status} and ${kind}.`;
}

export function isObject(value: unknown): value is Entity {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
