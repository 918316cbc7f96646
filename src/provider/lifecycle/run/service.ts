import {
  ApiError,
  AuthenticationError,
  BuildPipelineClient,
  type BuildPipelineClientOptions,
  type Clock,
  systemClock,
  TimeoutError,
} from "../../../client/index.js";
import { resultOf } from "../../../client/write.js";
import { READ_ONLY, type Settings } from "../../../shared/configuration/settings.js";
import { RateLimitWaits, rateLimitText } from "../../../shared/messages/rate-limit.js";
import type { Context } from "../../kind/behavior.js";
import type { ResourceRef } from "../values/state.js";
import { Collections } from "./collections.js";
import { isUnreachable } from "./errors.js";
import type { RunRecord } from "./memory.js";
import { RecentObjects } from "./recent-objects.js";
import type { Reporter } from "./reporter.js";
import { currentSubject } from "./subject.js";

const READ_ONLY_REFUSAL = `Read-only mode (${READ_ONLY}=true): nothing was sent. To deploy, unset ${READ_ONLY} and run again.`;

/** A longer wait for what was just created is said. */
const LONGEST_SILENCE_MS = 5_000;

/**
 * A new object's own time may be behind `Date` by so much, because clocks of the service's machines differ. If it is further
 * behind, a gateway's clock is ahead, by which the object would look old. Its age then counts from that `Date`.
 */
const MOST_LATE_MS = 5_000;

export interface Transport {
  /** Called before each request that changes something is sent, after every wait for it. A rejection ends it. */
  beforeWrite?(): Promise<void>;
  /** Called before a request of this method waits for the rate limit, or to be repeated. */
  beforeWait?(method: string): void;
  /** Time, and the client's waits. Default: real time. */
  readonly clock?: Clock;
  /** Waits for others, or for the service to settle. Default: as the clock. */
  pause?(milliseconds: number): Promise<void>;
  /** Milliseconds that one try of a request may take. */
  readonly timeoutMs?: number;
  readonly dispatcher?: BuildPipelineClientOptions["dispatcher"];
}

/** The service as one access token reaches it: clients, shared lists, and what the token may do. */
export class RunService {
  readonly collections: Collections;
  readonly recent: RecentObjects;
  /** Id of the access token's user, as the service names the creator of what this process created. */
  user: string | undefined;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly #clock: Clock;
  readonly #waits: RateLimitWaits;
  readonly #contexts = new Map<string, Context>();
  readonly #ownOrigins = new Set<string>();
  #access: ReturnType<RunService["access"]> | undefined;
  #absentUntil = 0;

  constructor(
    readonly settings: Settings,
    private readonly transport: Transport,
    private readonly reporter: Reporter,
    private readonly run: RunRecord,
  ) {
    const { clock = systemClock } = transport;
    this.#clock = clock;
    this.pause = (milliseconds) => transport.pause?.(milliseconds) ?? clock.sleep(milliseconds);
    this.#waits = new RateLimitWaits(
      () => clock.now(),
      (wait) => reporter.progress(rateLimitText(wait)),
    );
    const time = { now: () => clock.now(), pause: this.pause, worked: () => this.#waits.worked };
    this.collections = new Collections((organization) => this.context(organization), run, time);
    this.recent = new RecentObjects(time.now);
  }

  context(organization: string): Context {
    const known = this.#contexts.get(organization);
    if (known !== undefined) return known;
    const { accessToken, baseUrl, readOnly } = this.settings;
    const { timeoutMs, dispatcher } = this.transport;
    const context: Context = {
      client: new BuildPipelineClient({
        accessToken,
        baseUrl,
        organization,
        clock: this.#clock,
        ...(timeoutMs && { timeoutMs }),
        ...(dispatcher && { dispatcher }),
        settlesIn: (path) => this.recent.waitFor(path, context.client.serviceClock),
        hide: (text) => currentSubject()?.hideForeign(text) ?? text,
        beforeSend: ({ method }) => {
          if (method === "GET") return undefined;
          if (readOnly) throw new Error(READ_ONLY_REFUSAL);
          return this.transport.beforeWrite?.();
        },
        onEvent: (event) => {
          this.transport.beforeWait?.(event.method);
          if (event.type === "retry" && event.reason === "absent") this.#sayAbsent(event.waitMs);
          this.#waits.report(event);
        },
      }),
      warn: (message) => this.reporter.warn(message),
      now: () => this.time(),
      inform: (message) => this.reporter.inform(message),
      pause: this.pause,
      write: resultOf,
      status: (error) => (error instanceof ApiError ? error.status : undefined),
      done: (kind, id) => this.run.of({ organization, kind: { name: kind }, id }),
    };
    this.#contexts.set(organization, context);
    return context;
  }

  /** Returns the time of this machine, by which waits and the age of lists are measured. */
  now(): number {
    return this.#clock.now();
  }

  /** Returns the time of the service, as far as its responses have told it. */
  time(): number {
    return this.context(this.settings.organization).client.serviceClock.at(this.now());
  }

  /** Returns the time from which the absence of an object counts: the service may not show yet what was just made. */
  settledAt(ref: Pick<ResourceRef, "organization" | "kind" | "id">): number {
    return this.recent.settledAt(ref, this.context(ref.organization).client.serviceClock);
  }

  /** Waits until the absence of an object counts. @returns whether that was later */
  async settle(ref: Pick<ResourceRef, "organization" | "kind" | "id">): Promise<boolean> {
    const waitMs = this.settledAt(ref) - this.now();
    if (waitMs <= 0) return false;
    this.#sayAbsent(waitMs);
    await this.pause(waitMs);
    return true;
  }

  /** Says why a run stands still, once for all that wait. */
  #sayAbsent(waitMs: number): void {
    const now = this.now();
    if (waitMs < LONGEST_SILENCE_MS || now < this.#absentUntil) return;
    this.#absentUntil = now + waitMs;
    this.reporter.inform(
      `the API doesn't return what was created seconds ago, so it is looked for again in ${Math.ceil(waitMs / 1000)} s.`,
    );
  }

  /** Checks whether people may still remember the creation of an object. */
  isRecent(ref: Pick<ResourceRef, "organization" | "kind" | "id">): boolean {
    return this.recent.isRecent(ref, this.context(ref.organization).client.serviceClock);
  }

  /** Notes what was just made. @returns when that was, where the object has no time, or too early a one */
  noteMade(ref: ResourceRef): string | undefined {
    this.recent.noteMade(ref);
    const known = this.context(ref.organization).client.serviceClock.earliestAt(this.now());
    const isTold = known !== undefined && known - Date.parse(String(ref.known.createdAt)) < MOST_LATE_MS;
    return isTold ? undefined : new Date(known ?? this.now()).toISOString();
  }

  get rateLimitWaitMs(): number {
    return this.#waits.remainingMs;
  }

  /** Notes that an object was found at an origin in state: then both are the same service. */
  noteFound(url: unknown): void {
    const origin = originOf(url);
    if (origin !== undefined) this.#ownOrigins.add(origin);
  }

  get origin(): string {
    return new URL(this.settings.baseUrl).origin;
  }

  /** Returns the origin of an address in the state, where that is another service than the settings lead to. */
  foreignOrigin(url: unknown): string | undefined {
    const origin = originOf(url);
    if (origin === undefined || origin === this.origin) return undefined;
    return this.#ownOrigins.has(origin) ? undefined : origin;
  }

  /** Asks once in the life of the process. Rejects if the token is refused; what the API doesn't return is unknown. */
  access(): Promise<{ scopes?: ReadonlySet<string>; tokenId?: string; failure?: unknown }> {
    this.#access ??= this.#askAccess();
    return this.#access;
  }

  async tokenId(): Promise<string | undefined> {
    return (await this.access().catch(() => undefined))?.tokenId;
  }

  async #askAccess() {
    const { accessToken } = this.context(this.settings.organization).client;
    try {
      // A service that does not answer holds everything up, so it is not asked again.
      const asking = accessToken.get({ maxRetries: 0 });
      const { scopes, uuid } = await asking.catch((error: unknown) => {
        if (!isUnreachable(error) || error instanceof TimeoutError) throw error;
        return accessToken.get({ maxRetries: 2 });
      });
      return { scopes: new Set(scopes), tokenId: uuid };
    } catch (error) {
      if (error instanceof AuthenticationError) throw error;
      return { failure: error };
    }
  }
}

export function originOf(url: unknown): string | undefined {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).origin : undefined;
}
