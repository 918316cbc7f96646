import { Agent } from "undici";
import type { Method } from "../client/api/operation.js";
import { type Clock, systemClock } from "../client/clock.js";
import { checkOptions } from "../client/options.js";
import { nextAddress } from "../client/pages/list.js";
import { Redactor } from "../client/responses/redaction.js";
import { header } from "../client/transport/exchange.js";
import { readWindows } from "../client/transport/rate-limit.js";
import { retrying, type Send } from "../client/transport/retry.js";
import { ServiceClock } from "../client/transport/service-clock.js";
import type { Connection } from "../configuration/settings.js";
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

const TIMEOUT_MS = 30_000;
const MOST_RETRIES = 4;
/** Requests of a window that are left to others. Where none is left, the transport waits. */
const SPARE = 3;
const MOST_PAGES = 100;
/** A second try of a connection that the service has closed would look like a lost response. */
const LONGEST_IDLE_MS = 1_000;

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
  readonly #settings: Connection;
  readonly #options: WireOptions;
  readonly #clock: Clock;
  readonly #agent = new Agent({ pipelining: 1, keepAliveTimeout: LONGEST_IDLE_MS, connections: 1 });
  readonly #exchange: Send;
  /** Once it is aborted, no further request is sent. */
  signal: AbortSignal | undefined;
  /** Number of requests sent. */
  sent = 0;
  #waitSeconds = 0;

  constructor(settings: Connection, options: WireOptions = {}) {
    const { organization, accessToken, baseUrl } = settings;
    this.organization = organization;
    this.#settings = settings;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const network = {
      dispatcher: this.#agent,
      origin: new URL(baseUrl).origin,
      redactor: new Redactor([accessToken]),
      clock: this.#clock,
    };
    const checked = checkOptions({
      ...settings,
      clock: this.#clock,
      beforeSend: () => this.#beforeSend(),
      onResponse: ({ headers }) => {
        const scarce = readWindows(headers).filter(
          ({ remaining = 0 }) => remaining > 0 && remaining <= SPARE,
        );
        this.#waitSeconds = Math.max(0, ...scarce.map(({ reset = 0 }) => reset));
      },
      onEvent: (event) => {
        if (event.type === "rateLimit") options.onWait?.(Math.ceil(event.waitMs / 1_000));
      },
    });
    this.#exchange = retrying(network, new ServiceClock(), checked);
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  /** Reads. @param path after `/v2`, as `/access-token` */
  get(path: string): Promise<WireResponse> {
    return this.#send("GET", path);
  }

  /** Reads all pages of a list. @throws if it isn't a list */
  async all(path: string): Promise<Entity[]> {
    const entries: Entity[] = [];
    let next: string | undefined = `${path}${path.includes("?") ? "&" : "?"}per_page=100`;
    for (let pages = 1; next !== undefined; pages++) {
      const response = await this.get(next);
      if (response.status !== 200 || !Array.isArray(response.body)) throw new Error(unexpected(response));
      entries.push(...response.body.filter(isObject));
      next = pages < MOST_PAGES ? this.#nextPage(response) : undefined;
    }
    return entries;
  }

  /** Writes once. @throws if the response is lost or a 5xx: the service may have carried it out */
  async write(method: Exclude<Method, "GET">, path: string, body?: object): Promise<WireResponse> {
    const response = await this.#send(method, path, body);
    if (response.status < 500) return response;
    throw new Error(`A ${method} failed with ${response.status}.`);
  }

  async #send(method: Method, path: string, body?: object): Promise<WireResponse> {
    const { accessToken, baseUrl } = this.#settings;
    const { outcome } = await this.#exchange(
      {
        method,
        target: `${new URL(baseUrl).pathname.replace(/\/$/, "")}/v2${path}`,
        headers: {
          authorization: `Bearer ${accessToken}`,
          accept: "application/json",
          "user-agent": "pulumi-buildpipeline probe",
          ...(method !== "GET" && method !== "DELETE" && { "content-type": "application/json" }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        resendable: method === "GET",
        timeoutMs: TIMEOUT_MS,
        maxRetries: MOST_RETRIES,
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
    if (this.#waitSeconds > 0) {
      this.#options.onWait?.(this.#waitSeconds);
      await this.wait(this.#waitSeconds * 1_000);
    }
    if (this.signal?.aborted) throw new Stopped();
    this.#options.onRequest?.(++this.sent);
  }

  /** Waits between requests. */
  wait(milliseconds: number): Promise<void> {
    return this.#clock.sleep(milliseconds);
  }

  #nextPage({ link }: WireResponse): string | undefined {
    const address = nextAddress(link);
    const url = address === undefined ? null : URL.parse(address, this.#settings.baseUrl);
    // Another origin would get the access token.
    if (url === null || url.origin !== new URL(this.#settings.baseUrl).origin) return undefined;
    return `${url.pathname}${url.search}`.replace(/^.*?\/v2(?=\/)/, "");
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
