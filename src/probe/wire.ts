import { setTimeout as pause } from "node:timers/promises";
import { Agent, type Dispatcher } from "undici";
import type { Connection } from "../configuration/settings.js";

/** A response as it came over the wire: a probe asks what the typed client would normalize or refuse. */
export interface WireResponse {
  readonly status: number;
  /** Value of the `Link` header. Undefined where the response has none. */
  readonly link: string | undefined;
  /** The parsed JSON, the text where it is none, and undefined where there is no body. It may contain secrets. */
  readonly body: unknown;
}

/** An object in a body, as it came. */
export type Entity = Record<string, unknown>;

/** The user stopped the probe. */
export class Stopped extends Error {
  constructor() {
    super("The probe was stopped.");
  }
}

const TIMEOUT_MS = 30_000;
const MOST_TRIES = 5;
/** Requests of the window that are left to others. */
const SPARE = 3;
const LONGEST_WAIT_S = 300;
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
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Sends the requests of a probe. A read is repeated after a failure, a write never is: after a lost response its caller
 * looks. Before the rate limit is used up, it waits for the next window.
 */
export class Wire {
  readonly #settings: Connection;
  readonly #options: WireOptions;
  readonly #agent = new Agent({ pipelining: 1, keepAliveTimeout: LONGEST_IDLE_MS, connections: 1 });
  /** Once it is aborted, no further request is sent. */
  signal: AbortSignal | undefined;
  #sent = 0;
  #waitSeconds = 0;

  constructor(settings: Connection, options: WireOptions = {}) {
    this.#settings = settings;
    this.#options = options;
  }

  get organization(): string {
    return this.#settings.organization;
  }

  /** Number of requests sent. */
  get sent(): number {
    return this.#sent;
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  /** Reads. @param path after `/v2`, as `/access-token` */
  async get(path: string): Promise<WireResponse> {
    for (let tries = 1; ; tries++) {
      const response = await this.#send("GET", path).catch((error: unknown) => {
        if (tries === MOST_TRIES || error instanceof Stopped) throw error;
        return undefined;
      });
      if (response !== undefined && (response.status < 500 || tries === MOST_TRIES)) return response;
      await this.wait(1_000 * tries);
    }
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
  async write(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: object,
  ): Promise<WireResponse> {
    let response: WireResponse;
    try {
      response = await this.#send(method, path, body);
    } catch (error) {
      if (error instanceof Stopped) throw error;
      throw new Error(`The response to ${method} ${path} was lost.`);
    }
    if (response.status < 500) return response;
    throw new Error(`${method} ${path} failed with ${response.status}.`);
  }

  async #send(method: Dispatcher.HttpMethod, path: string, body?: object): Promise<WireResponse> {
    for (let tries = 1; ; tries++) {
      await this.#waitForLimit();
      if (this.signal?.aborted) throw new Stopped();
      this.#options.onRequest?.(++this.#sent);
      const { origin, pathname } = new URL(this.#settings.baseUrl);
      const {
        statusCode,
        headers,
        body: stream,
      } = await this.#agent.request({
        origin,
        path: `${pathname.replace(/\/$/, "")}/v2${path}`,
        method,
        headers: {
          authorization: `Bearer ${this.#settings.accessToken}`,
          accept: "application/json",
          "user-agent": "pulumi-buildpipeline probe",
          ...(method !== "GET" && method !== "DELETE" && { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      });
      const text = await stream.text();
      this.#noteLimit(statusCode, headers);
      // A request over the limit was not carried out.
      if (statusCode === 429 && tries < MOST_TRIES) continue;
      return { status: statusCode, link: one(headers.link), body: parsed(text) };
    }
  }

  #noteLimit(status: number, headers: Record<string, string | string[] | undefined>): void {
    const seconds = (name: string) => Number(one(headers[name]) ?? Number.NaN);
    for (const window of ["ratelimit", "ratelimit-user"]) {
      if (seconds(`${window}-remaining`) <= SPARE) this.#waitFor(seconds(`${window}-reset`));
    }
    if (status === 429 && this.#waitSeconds === 0) this.#waitFor(seconds("retry-after") || 60);
  }

  #waitFor(seconds: number): void {
    // Some services send the end of the window as seconds since the epoch.
    const left = seconds > 1e9 ? seconds - Date.now() / 1000 : seconds;
    if (left > 0) this.#waitSeconds = Math.max(this.#waitSeconds, Math.min(Math.ceil(left), LONGEST_WAIT_S));
  }

  async #waitForLimit(): Promise<void> {
    if (this.#waitSeconds === 0) return;
    this.#options.onWait?.(this.#waitSeconds);
    await this.wait(this.#waitSeconds * 1000);
    this.#waitSeconds = 0;
  }

  /** Waits between requests. */
  async wait(milliseconds: number): Promise<void> {
    await (this.#options.pause ?? pause)(milliseconds);
  }

  #nextPage({ link }: WireResponse): string | undefined {
    const address = link === undefined ? undefined : /<([^>]*)>\s*;[^,]*rel="?next"?/.exec(link)?.[1];
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

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
