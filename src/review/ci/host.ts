import type * as z from "zod";
import { Waits } from "../../cli/terminal/connection.js";
import { type CheckedOptions, checkOptions } from "../../client/transport/options.js";
import { isLimited } from "../../client/transport/rate-limit.js";
import { retrying } from "../../client/transport/retry.js";
import { ServiceClock } from "../../client/transport/service-clock.js";
import { readServiceMessage } from "../../client/transport/service-message.js";
import { parseConnection } from "../../shared/configuration/settings.js";
import { oneLine } from "../../shared/messages/foreign-text.js";

/** What is particular to a host and the work on it. */
interface Place {
  readonly host: "GitHub" | "GitLab";
  /** The repository's or project's. */
  readonly path: string;
  /** The variables with the settings. */
  readonly names: Readonly<Record<"accessToken" | "baseUrl", string>>;
  /** What a job must have whose request is refused. */
  readonly needs: string;
  headers(accessToken: string): Readonly<Record<string, string>>;
}

/** A request that the host refused, or that has no usable response. */
export class HostError extends Error {
  override readonly name = "HostError";

  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

interface Answer {
  readonly status: number | undefined;
  /** True if the request may have been carried out all the same. */
  readonly isUnknown: boolean;
  /** Reads what a success must show. @throws for anything else */
  shows<Shown>(shown: z.ZodType<Shown>): Shown;
}

/** Tries of one write, each after a look at what the one before did. */
const MOST_TRIES = 4;
/** Ten thousand comments. A host that ignores the page returns full ones for ever. */
const MOST_PAGES = 100;
/** How the hosts refuse what is there already, and what is wrong by itself. */
const REFUSALS = [400, 409, 422];

/** The API of the host that a repository is on, by an instance of the API client's transport: its waits are the host's. */
export class HostApi {
  readonly host: Place["host"];
  readonly path: string;
  readonly #place: Place;
  readonly #options: CheckedOptions;
  readonly #exchange: ReturnType<typeof retrying>;

  /** @throws if the API client refuses a setting */
  constructor(place: Place, baseUrl = process.env[place.names.baseUrl]) {
    const { names } = place;
    const given = { baseUrl, accessToken: process.env[names.accessToken], organization: "-" };
    const { connection, problems } = parseConnection((name) => given[name], {});
    for (const { setting, words } of problems)
      if (setting !== "organization") throw new Error(`${names[setting]} ${words}.`);
    this.host = place.host;
    this.path = place.path;
    this.#place = place;
    this.#options = checkOptions({ ...connection, onEvent: new Waits().onEvent });
    this.#exchange = retrying(this.#options, new ServiceClock());
  }

  /** Reads. @throws unless the response shows success */
  async read<Shown>(shown: z.ZodType<Shown>, path: string): Promise<Shown> {
    return (await this.request("GET", path)).shows(shown);
  }

  /** Reads what may not exist. @throws unless the response shows success, or that it doesn't exist */
  async find<Shown>(shown: z.ZodType<Shown>, path: string): Promise<Shown | undefined> {
    const answer = await this.request("GET", path);
    return answer.status === 404 ? undefined : answer.shows(shown);
  }

  /**
   * Writes, and after a try without a usable response looks for what it made before it is sent again. A refusal may also
   * mean that it is there already.
   *
   * @param find undefined for a write that can be repeated as it is
   * @throws unless a response shows that it was done
   */
  async write<Shown>(
    shown: z.ZodType<Shown>,
    method: WriteMethod,
    path: string,
    body: object,
    find?: (isRefused: boolean) => Promise<Shown | undefined>,
  ): Promise<Shown> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.request(method, path, body, find === undefined);
      const isRefused = REFUSALS.includes(answer.status ?? 0);
      if (find === undefined || !(answer.isUnknown || isRefused)) return answer.shows(shown);
      if (answer.isUnknown) await this.#options.clock.sleep(500 * 2 ** attempt);
      const found = await find(isRefused);
      if (found !== undefined) return found;
      if (isRefused || attempt === MOST_TRIES) return answer.shows(shown);
    }
  }

  /** @param resendable false for a write that must not be carried out twice */
  async request(
    method: "GET" | WriteMethod,
    path: string,
    body?: object,
    resendable = method === "GET",
  ): Promise<Answer> {
    const { accessToken, origin, prefix, redactor, timeoutMs, userAgent, maxRetries } = this.#options;
    const { outcome } = await this.#exchange(
      {
        method,
        target: `${prefix}${path}`,
        headers: {
          ...this.#place.headers(accessToken),
          "accept-encoding": "identity",
          "user-agent": userAgent,
          ...(body && { "content-type": "application/json" }),
        },
        body: body && JSON.stringify(body),
        timeoutMs,
        resendable,
        maxRetries,
      },
      undefined,
    );
    const failed = (why: string, status?: number) =>
      new HostError(`${method} ${origin}${prefix}${path}: ${why}`, status);
    if (outcome.kind === "ended") throw outcome.reason;
    const { names, needs } = this.#place;
    const shows = <Shown>(shown: z.ZodType<Shown>): Shown => {
      if (outcome.kind === "timedOut") throw failed("no response in time.");
      if (outcome.kind === "lost") throw failed(`${outcome.cause.message}.`);
      const { status, body: said, cutOff } = outcome;
      if (cutOff !== undefined) throw failed(`the response was cut off: ${cutOff.message}.`);
      // Whoever follows a redirect hands over the token, and may turn a write into a read.
      if (status >= 300 && status < 400)
        throw failed(
          `${status}, a redirect, which is not followed. Correct ${names.baseUrl}, or the name of a repository that was renamed.`,
        );
      if (status < 200 || status >= 300) {
        const words = oneLine(readServiceMessage(said, redactor).serviceMessage, 300);
        const advice = {
          401: `. Check ${names.accessToken}, which may have expired.`,
          403: isLimited(outcome) ? "" : `. Check that the job has ${needs}.`,
        }[status];
        throw failed(`${status} ${words}${advice ?? ""}`, status);
      }
      const { success, data } = shown.safeParse(said.kind === "json" ? said.value : undefined);
      if (!success) throw failed(`${status}, but the response doesn't show that this was done.`);
      return data;
    };
    const status = outcome.kind === "response" && outcome.cutOff === undefined ? outcome.status : undefined;
    const isUnknown =
      outcome.sentAt !== undefined && (status === undefined || status >= 500 || status === 408);
    return { status, isUnknown, shows };
  }

  /** Yields the entries on all pages of a list, whose path ends with `?` or `&`. */
  async *entries<Entry>(path: string, entry: z.ZodType<Entry>) {
    for (let page = 1; page <= MOST_PAGES; page++) {
      const found = await this.read(entry.array(), `${path}per_page=100&page=${page}`);
      yield* found;
      if (found.length < 100) return;
    }
    throw new HostError(`${path.slice(0, -1)} doesn't end: ${this.host} returned ${MOST_PAGES} full pages.`);
  }
}

type WriteMethod = "POST" | "PUT" | "PATCH";

/** What a job on each host needs for its work. */
const NEEDS = {
  COMMENT_TOKEN: "`permissions: pull-requests: write`",
  ROTATION_TOKEN: "`permissions: contents: write, pull-requests: write`",
} as const;

/** Returns the API of the host that a repository is on, as the environment shows it. On Buildkite, that is GitHub. */
export function hostApi(work: keyof typeof NEEDS): HostApi | undefined {
  const { env } = process;
  if (env.GITLAB_CI) {
    const needs = `${work}, a project access token of GitLab with the scope \`api\``;
    if (!env[work]) throw new Error(`Set ${needs}.`);
    return new HostApi({
      host: "GitLab",
      path: `/projects/${encodeURIComponent(env.CI_PROJECT_ID ?? "")}`,
      names: { baseUrl: "CI_API_V4_URL", accessToken: work },
      needs,
      headers: (token) => ({ "private-token": token }),
    });
  }
  if (!env.GITHUB_REPOSITORY) return undefined;
  if (!env.GITHUB_TOKEN) throw new Error("Set GITHUB_TOKEN, a token for the repository on GitHub.");
  return new HostApi(
    {
      host: "GitHub",
      path: `/repos/${env.GITHUB_REPOSITORY}`,
      names: { baseUrl: "GITHUB_API_URL", accessToken: "GITHUB_TOKEN" },
      needs: NEEDS[work],
      headers: (token) => ({ authorization: `Bearer ${token}`, accept: "application/vnd.github+json" }),
    },
    env.GITHUB_API_URL ?? "https://api.github.com",
  );
}
