import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, BuildPipelineClient, NotFoundError } from "../client/index.js";
import type { Settings } from "../configuration/settings.js";
import type { AnyKind, Known, Service } from "../resources/kind.js";
import { messageOf } from "./plain-error.js";

/** How long a list stands for the truth when it is asked again. */
const REMEMBER_LIST_MS = 5_000;

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
  readonly #clients = new Map<string, BuildPipelineClient>();
  readonly #defaultsSet = new Map<string, Set<string>>();
  readonly #found = new Map<string, Set<string>>();
  readonly #adopted = new Set<string>();
  /** Ids of objects that this deployment deletes before it replaces them. */
  readonly deletedFirst = new Set<unknown>();
  readonly #lists = new Map<string, { entities: Promise<object[]>; readAt?: number }>();
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
  }

  warn(message: string): void {
    this.#warn(message);
  }

  /** What a kind's calls use, in the organization where the resource lives. */
  service(organization: string): Service {
    let client = this.#clients.get(organization);
    if (client === undefined) {
      const { accessToken, baseUrl } = this.settings;
      client = new BuildPipelineClient({
        accessToken,
        baseUrl,
        organization,
        onEvent: (event) => event.type === "rateLimit" && this.#tellWait(event.waitMs),
      });
      this.#clients.set(organization, client);
    }
    return {
      client,
      defaultsSet: setOf(this.#defaultsSet, organization),
      found: setOf(this.#found, organization),
      warn: (message) => this.#warn(message),
      pause: (milliseconds) => this.#pause(milliseconds),
      status: (error) => (error instanceof ApiError ? error.status : undefined),
    };
  }

  /** Says once for each window of the service's request limit that everything waits for it. */
  #tellWait(waitMs: number): void {
    const now = this.#now();
    if (now < this.#waitingUntil) return;
    this.#waitingUntil = now + waitMs;
    this.#warn(`the service's request limit is reached; going on in ${Math.ceil(waitMs / 1000)} seconds.`);
  }

  /** The list an object appears in, remembered for a few seconds and forgotten when something is written. */
  list(organization: string, kind: AnyKind, known: Known<Record<string, unknown>>): Promise<object[]> {
    const { collection } = kind;
    const key = `${organization}/${kind.name}/${collection.key(known)}`;
    const remembered = this.#lists.get(key);
    // While it is being read, however long the service's request limit makes that, everybody waits for the same.
    const fresh = remembered?.readAt === undefined || this.#now() - remembered.readAt < REMEMBER_LIST_MS;
    if (remembered !== undefined && fresh) return remembered.entities;
    const entities = collection.list(this.service(organization), known);
    const entry: { entities: Promise<object[]>; readAt?: number } = { entities };
    this.#lists.set(key, entry);
    entities.then(
      () => {
        entry.readAt = this.#now();
      },
      () => {
        if (this.#lists.get(key) === entry) this.#lists.delete(key);
      },
    );
    return entities;
  }

  /** Does a write, even one that fails: lists read before its end no longer tell the truth. */
  async writing<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } finally {
      this.#lists.clear();
    }
  }

  /** Remembers that a resource took over an object that was there. */
  adopt(organization: string, kind: AnyKind, id: string): void {
    this.#adopted.add(`${organization}/${kind.name}/${id}`);
  }

  /** Whether a resource of this deployment took over the object. */
  hasAdopted(organization: string, kind: AnyKind, id: string): boolean {
    return this.#adopted.has(`${organization}/${kind.name}/${id}`);
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
      const { client } = this.service(this.settings.organization);
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

function setOf(sets: Map<string, Set<string>>, name: string): Set<string> {
  const set = sets.get(name) ?? new Set();
  sets.set(name, set);
  return set;
}

/** Whether the service said that something is not there. It says the same when a permission is missing. */
export function isMissing(error: unknown): boolean {
  return error instanceof NotFoundError;
}
