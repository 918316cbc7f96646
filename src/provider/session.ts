import { setTimeout as sleep } from "node:timers/promises";
import {
  ApiError,
  AuthenticationError,
  BuildPipelineClient,
  type BuildPipelineClientOptions,
  type Clock,
  ConnectionError,
  NotFoundError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
} from "../client/index.js";
import { READ_ONLY, type Settings } from "../configuration/settings.js";
import { oneLine } from "../messages/one-line.js";
import type { Context } from "../resources/calls.js";
import { Collections } from "./collections.js";
import { Disappearances } from "./disappearances.js";
import { Inventory } from "./inventory.js";
import { Ownership } from "./ownership.js";
import type { Where } from "./resource-ref.js";
import { RunRecord } from "./run-record.js";

const READ_ONLY_REFUSAL = `Read-only mode (${READ_ONLY}=true): nothing was sent. To deploy, unset ${READ_ONLY} and run again.`;

/** The parts of the outside world that can be handed in. */
export interface Surroundings {
  /** Tells the user something. Default: a line on standard error, which the engine shows. */
  warn?(message: string): void;
  /** Tells the user what is no reason to worry. Default: the same. */
  inform?(message: string): void;
  /** Tells the user what is being waited for. Default: as a warning. */
  progress?(message: string): void;
  /** The engine's name of the resource that is being worked on, where it tells. */
  urn?(): string | undefined;
  now?(): number;
  pause?(milliseconds: number): Promise<void>;
  /** Called before each request that changes something is sent, after every wait for it. A rejection ends it. */
  beforeWrite?(): Promise<void>;
  /** Called before a request of this method waits for the rate limit, or to be repeated. */
  beforeWait?(method: string): void;
  /** Time of the client's waits. */
  readonly clock?: Clock;
  /** What exists already is about to be imported, so it is in nobody's way. Default: false. */
  readonly importing?: boolean;
  /** Milliseconds that one try of a request may take. */
  readonly timeoutMs?: number;
  /** The client's network. */
  readonly dispatcher?: BuildPipelineClientOptions["dispatcher"];
}

/**
 * What the resources of one provider instance share: the client, the access token's scopes, lists that were just
 * read. All of them live in one process, as the engine starts one host for each provider instance.
 */
export class Session {
  readonly collections: Collections;
  /** What this process remembers of each object. */
  readonly run = new RunRecord();
  /** Id of the access token's user, as the service names the creator of what this process created. */
  user: string | undefined;
  readonly ownership = new Ownership(this.run);
  /** What the reads of this process found missing. */
  readonly disappearances: Disappearances;
  /** What was there before anything was created. */
  readonly inventory = new Inventory(this);
  readonly #contexts = new Map<string, Context>();
  readonly #warn: (message: string) => void;
  readonly #progress: (message: string) => void;
  readonly #surroundings: Surroundings;
  readonly #now: () => number;
  readonly #pause: (milliseconds: number) => Promise<void>;
  readonly #ownOrigins = new Set<string>();
  readonly #queues = new Map<string, Promise<unknown>>();
  #waitingUntil = 0;
  #waitedMs = 0;
  readonly #said = new Set<string>();
  #access: Promise<Access> | undefined;

  constructor(
    readonly settings: Settings,
    surroundings: Surroundings = {},
  ) {
    const { warn, progress, now, pause } = surroundings;
    this.#surroundings = surroundings;
    const inform = warn ?? ((message) => process.stderr.write(`warning: ${message}\n`));
    this.#warn = (message) => inform(oneLine(message));
    this.#progress = progress ?? this.#warn;
    this.#now = now ?? Date.now;
    this.#pause = pause ?? ((milliseconds) => sleep(milliseconds, undefined));
    // It stands still during a wait for the request limit.
    const worked = () => Math.max(this.#now(), this.#waitingUntil) - this.#waitedMs;
    this.collections = new Collections({ now: this.#now, worked, pause: this.#pause });
    this.disappearances = new Disappearances(this.#pause);
  }

  /** Whether what exists already is about to be imported. */
  get importing(): boolean {
    return this.#surroundings.importing === true;
  }

  warn(message: string): void {
    this.#warn(message);
  }

  /** The engine's name of the resource that is being worked on, where it tells. */
  get urn(): string | undefined {
    return this.#surroundings.urn?.();
  }

  inform(message: string): void {
    const inform = this.#surroundings.inform ?? ((line) => process.stderr.write(`${line}\n`));
    inform(oneLine(message));
  }

  /** Warns of what concerns all resources, and would be said of each. */
  warnOnce(message: string): void {
    if (this.#said.has(message)) return;
    this.#said.add(message);
    this.#warn(message);
  }

  now(): number {
    return this.#now();
  }

  pause(milliseconds: number): Promise<void> {
    return this.#pause(milliseconds);
  }

  /** What a kind's calls use, in the organization where the resource lives. */
  context(organization: string): Context {
    const known = this.#contexts.get(organization);
    if (known !== undefined) return known;
    const { accessToken, baseUrl } = this.settings;
    const { beforeWrite, clock, timeoutMs, dispatcher } = this.#surroundings;
    const context: Context = {
      client: new BuildPipelineClient({
        accessToken,
        baseUrl,
        organization,
        ...(clock && { clock }),
        ...(timeoutMs && { timeoutMs }),
        ...(dispatcher && { dispatcher }),
        beforeSend: ({ method }) => {
          if (method === "GET") return undefined;
          if (this.settings.readOnly) throw new Error(READ_ONLY_REFUSAL);
          return beforeWrite?.();
        },
        onEvent: ({ type, method, waitMs }) => {
          this.#surroundings.beforeWait?.(method);
          if (type === "rateLimit") this.#logWait(waitMs);
        },
      }),
      warn: (message) => this.#warn(message),
      pause: (milliseconds) => this.#pause(milliseconds),
      mayPass: (error) =>
        isUnreachable(error) || error instanceof RateLimitError || error instanceof UnexpectedResponseError,
      status: (error) => (error instanceof ApiError ? error.status : undefined),
      done: (kind, id) => this.run.of({ organization, kind: { name: kind }, id }),
    };
    this.#contexts.set(organization, context);
    return context;
  }

  /** Milliseconds for which requests still wait for the rate limit. */
  get rateLimitWaitMs(): number {
    return Math.max(0, this.#waitingUntil - this.#now());
  }

  /** Says once for each window of the service's request limit that everything waits for it. */
  #logWait(waitMs: number): void {
    const now = this.#now();
    if (now < this.#waitingUntil) return;
    this.#waitingUntil = now + waitMs;
    this.#waitedMs += waitMs;
    this.#progress(`Rate limit reached. Resuming in ${Math.ceil(waitMs / 1000)}s.`);
  }

  /** Notes that an object was found whose address is in the state: the service is then the one that it came from. */
  noteFound(url: unknown): void {
    const origin = originOf(url);
    if (origin !== undefined) this.#ownOrigins.add(origin);
  }

  /** The origin that the settings lead to. */
  get origin(): string {
    return new URL(this.settings.baseUrl).origin;
  }

  /** The origin of an address in the state, where that is another service than the settings lead to. */
  foreignOrigin(url: unknown): string | undefined {
    const origin = originOf(url);
    if (origin === undefined || origin === this.origin) return undefined;
    return this.#ownOrigins.has(origin) ? undefined : origin;
  }

  /** Does work that must not overlap with other work of the same name. */
  async oneAtATime<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#queues.get(name);
    const mine = (before ?? Promise.resolve()).then(work, work);
    this.#queues.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#queues.get(name) === mine) this.#queues.delete(name);
    }
  }

  /**
   * All objects of a kind in a place, from a list that is shared for some seconds.
   *
   * @param since a list that was asked for earlier is too old
   */
  list(where: Where, since?: number): Promise<object[]> {
    return this.collections.list(this.context(where.organization), where, since);
  }

  /**
   * What the access token may do, asked once in the life of the process. An access token that is refused is an error;
   * what the service does not tell is unknown.
   */
  access(): Promise<Access> {
    this.#access ??= this.#askAccess();
    return this.#access;
  }

  /** UUID of the API access token in use; undefined where the service doesn't tell it. */
  async tokenId(): Promise<string | undefined> {
    return (await this.access().catch(() => undefined))?.tokenId;
  }

  async #askAccess(): Promise<Access> {
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

/** Sessions by their settings: the kinds of one host share one. */
export function sessionPool(surroundings?: Surroundings): (settings: Settings) => Session {
  const sessions = new Map<string, Session>();
  return (settings) => {
    const key = JSON.stringify(settings);
    const session = sessions.get(key) ?? new Session(settings, surroundings);
    sessions.set(key, session);
    return session;
  };
}

/** What an access token may do, or why the service did not tell. */
export type Access =
  | { readonly scopes: ReadonlySet<string>; readonly tokenId: string; readonly failure?: undefined }
  | { readonly scopes?: undefined; readonly tokenId?: undefined; readonly failure: unknown };

/** Whether there was no answer to a request, or none of the service itself. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServerError;
}

function originOf(url: unknown): string | undefined {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Whether the service said that something is not there. It says the same when a permission is missing. */
export function isMissing(error: unknown): boolean {
  return error instanceof NotFoundError;
}
