import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, BuildPipelineClient, NotFoundError } from "../client/index.js";
import type { Settings } from "../configuration/settings.js";
import type { AnyKind, Context } from "../resources/kind.js";
import { Collections } from "./collections.js";
import { messageOf } from "./errors.js";
import { Ownership } from "./ownership.js";

/** The parts of the outside world that can be handed in. */
export interface Surroundings {
  /** Tells the user something. Default: a line on standard error, which the engine shows. */
  warn?(message: string): void;
  now?(): number;
  pause?(milliseconds: number): Promise<void>;
}

/**
 * What the resources of one provider instance share: the client, the access token's scopes, lists that were just
 * read. All of them live in one process, as the engine starts one host for each provider instance.
 */
export class Session {
  readonly collections: Collections;
  readonly ownership = new Ownership();
  /** Ids of objects that this deployment deletes before it replaces them. */
  readonly deletedFirst = new Set<unknown>();
  /** Ids of objects that were looked for because the answer to their creation did not tell the id. */
  readonly taken = new Set<string>();
  readonly #contexts = new Map<string, Context>();
  readonly #warn: (message: string) => void;
  readonly #now: () => number;
  readonly #pause: (milliseconds: number) => Promise<void>;
  #waitingUntil = 0;
  #scopes: Promise<ReadonlySet<string> | undefined> | undefined;

  constructor(
    readonly settings: Settings,
    { warn, now, pause }: Surroundings = {},
  ) {
    this.#warn = warn ?? ((message) => process.stderr.write(`warning: ${message}\n`));
    this.#now = now ?? Date.now;
    this.#pause = pause ?? ((milliseconds) => sleep(milliseconds, undefined));
    this.collections = new Collections({ now: this.#now, pause: this.#pause });
  }

  warn(message: string): void {
    this.#warn(message);
  }

  pause(milliseconds: number): Promise<void> {
    return this.#pause(milliseconds);
  }

  /** What a kind's calls use, in the organization where the resource lives. */
  context(organization: string): Context {
    const known = this.#contexts.get(organization);
    if (known !== undefined) return known;
    const { accessToken, baseUrl } = this.settings;
    const context: Context = {
      client: new BuildPipelineClient({
        accessToken,
        baseUrl,
        organization,
        onEvent: (event) => event.type === "rateLimit" && this.#tellWait(event.waitMs),
      }),
      warn: (message) => this.#warn(message),
      pause: (milliseconds) => this.#pause(milliseconds),
      status: (error) => (error instanceof ApiError ? error.status : undefined),
    };
    this.#contexts.set(organization, context);
    return context;
  }

  /** Says once for each window of the service's request limit that everything waits for it. */
  #tellWait(waitMs: number): void {
    const now = this.#now();
    if (now < this.#waitingUntil) return;
    this.#waitingUntil = now + waitMs;
    this.#warn(`the service's request limit is reached; going on in ${Math.ceil(waitMs / 1000)} seconds.`);
  }

  /** All objects of a kind in a place, from a list that is shared for some seconds. */
  list(organization: string, kind: AnyKind, parent: string): Promise<object[]> {
    return this.collections.list(this.context(organization), { organization, kind, parent });
  }

  /**
   * The scopes of the access token, asked once in the life of the process. Undefined when the service would not
   * tell, after a warning; an access token that is refused is an error.
   */
  scopes(): Promise<ReadonlySet<string> | undefined> {
    this.#scopes ??= this.#askScopes();
    return this.#scopes;
  }

  async #askScopes(): Promise<ReadonlySet<string> | undefined> {
    try {
      const { client } = this.context(this.settings.organization);
      const { scopes } = await client.accessToken.get();
      return new Set(scopes);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw error;
      this.#warn(
        "could not look up which scopes the access token has, so a missing one shows only when it is needed. " +
          messageOf(error),
      );
      return undefined;
    }
  }
}

/** Whether the service said that something is not there. It says the same when a permission is missing. */
export function isMissing(error: unknown): boolean {
  return error instanceof NotFoundError;
}
