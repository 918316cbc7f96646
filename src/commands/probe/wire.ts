import {
  ApiError,
  BuildPipelineClient,
  type BuildPipelineClientOptions,
  BuildPipelineError,
  UnexpectedResponseError,
} from "../../client/index.js";
import { header, type Method } from "../../client/transport/exchange.js";
import { type Clock, systemClock } from "../../client/transport/options.js";
import { readWindows } from "../../client/transport/rate-limit.js";
import type { Connection } from "../../shared/configuration/settings.js";
import { messageOf } from "../../shared/messages/of-error.js";

/** Why a question has no answer. It contains no names and ids, because people attach the answers to issues. */
export class NoAnswer extends Error {}

export class Stopped extends NoAnswer {}

/** A response as it came over the wire: a probe asks what the typed client would normalize or refuse. */
export interface WireResponse {
  readonly status: number;
  readonly link: string | undefined;
  /** The parsed JSON, the text where it is none, undefined where there is no body, and null where it is broken. */
  readonly body: unknown;
}

export type Entity = Record<string, unknown>;

/** Requests of a window that are left to others. Where none is left, the client waits. */
const SPARE = 3;
const LONGEST_WAIT_MS = 15 * 60_000;

export interface WireOptions {
  readonly onWait?: (seconds: number) => void;
  /** Called before each request, with what it is for. */
  readonly onRequest?: (sent: number, purpose: string) => void;
  readonly clock?: Clock;
  /** Called with each request and its response. */
  readonly onExchange?: BuildPipelineClientOptions["onExchange"];
}

/**
 * Sends the requests of a probe. The client repeats a read after a failure, and never a write: after a lost response its
 * caller looks. Before the rate limit is used up, the probe waits for the next window.
 */
export class Wire {
  readonly organization: string;
  readonly #clock: Clock;
  readonly #client: BuildPipelineClient;
  /** Once it is aborted, no further request is sent. */
  signal: AbortSignal | undefined;
  purpose = "Reading";
  sent = 0;
  #waitSeconds = 0;

  constructor(
    settings: Connection,
    private readonly options: WireOptions,
  ) {
    this.organization = settings.organization;
    this.#clock = options.clock ?? systemClock;
    this.#client = new BuildPipelineClient({
      ...settings,
      userAgent: "pulumi-buildpipeline probe",
      onExchange: options.onExchange,
      maxRateLimitWaitMs: LONGEST_WAIT_MS,
      clock: { now: () => this.#clock.now(), sleep: (milliseconds) => this.wait(milliseconds) },
      beforeSend: () => this.#beforeSend(),
      onResponse: ({ headers }) => {
        const scarce = readWindows(headers).filter(
          ({ remaining = 0, reset = 0 }) =>
            remaining > 0 && remaining <= SPARE && reset * 1_000 <= LONGEST_WAIT_MS,
        );
        this.#waitSeconds = Math.max(0, ...scarce.map(({ reset = 0 }) => reset));
      },
      onEvent: (event) => {
        if (event.type === "rateLimit") options.onWait?.(Math.ceil(event.waitMs / 1_000));
      },
    });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** @param path after `/v2`, as `/access-token` */
  get(path: string): Promise<WireResponse> {
    return this.#request("GET", path);
  }

  /** Reads all pages of a list. @throws if it isn't a list, or can't be read to its end */
  async all(path: string): Promise<Entity[]> {
    const entries = await this.#client.requestList(`/v2${path}`).all().catch(rethrow);
    return entries.filter(isObject);
  }

  /** Writes once. @throws if the response is lost or a 5xx: the service may have carried it out */
  async send(method: Exclude<Method, "GET">, path: string, body?: object): Promise<WireResponse> {
    const response = await this.#request(method, path, body);
    if (response.status < 500) return response;
    throw new Error(`A ${method} failed with ${response.status}.`);
  }

  async #request(method: Method, path: string, sent?: object): Promise<WireResponse> {
    const { status, headers, body } = await this.#client.request(method, `/v2${path}`, sent).catch(rethrow);
    const unreadable = body.kind === "empty" ? undefined : null;
    return { status, link: header(headers, "link"), body: "value" in body ? body.value : unreadable };
  }

  async #beforeSend(): Promise<void> {
    this.#throwIfStopped();
    if (this.#waitSeconds > 0) {
      this.options.onWait?.(this.#waitSeconds);
      await this.wait(this.#waitSeconds * 1_000);
      this.#throwIfStopped();
      // The window has ended, also if no response to this request says so.
      this.#waitSeconds = 0;
    }
    this.sent += 1;
    this.options.onRequest?.(this.sent, this.purpose);
  }

  #throwIfStopped(): void {
    if (this.signal?.aborted) throw new Stopped("the probe was stopped");
  }

  /** Waits between requests. A stop ends the wait. */
  wait(milliseconds: number): Promise<void> {
    return this.#clock.sleep(milliseconds, this.signal).catch(() => {});
  }
}

/** Rethrows a failure without its path: a reason for a missing answer contains no names and ids. */
function rethrow(error: unknown): never {
  if (error instanceof ApiError) throw new Error(`The service responded with ${error.status}.`);
  if (error instanceof UnexpectedResponseError)
    throw new Error(`The response's ${error.field} isn't ${error.expected}.`);
  if (error instanceof BuildPipelineError)
    throw new Error(`A request failed: ${messageOf(error.cause ?? "no response in time")}.`);
  throw error;
}

/** Describes a response in an error, without its values. */
export function unexpected({ status, body }: WireResponse): string {
  const kind = Array.isArray(body) ? "a list" : isObject(body) ? "an object" : "no JSON object";
  return `The service responded with ${status} and ${kind}.`;
}

export function isObject(value: unknown): value is Entity {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
