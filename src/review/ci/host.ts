import type * as z from "zod";
import { dispatch } from "../../client/transport/dispatch.js";
import { type CheckedOptions, checkOptions } from "../../client/transport/options.js";
import { parseConnection } from "../../shared/configuration/settings.js";
import { oneLine } from "../../shared/messages/foreign-text.js";

type Names = Readonly<Record<"accessToken" | "baseUrl", string>>;

/** The API of the host that a repository is on, by the transport and the rules of the API client. */
export class HostApi {
  readonly #options: CheckedOptions;

  /**
   * @param path the repository's or project's
   * @param names of the variables with the settings
   * @throws if the API client refuses such a setting
   */
  constructor(
    readonly host: "GitHub" | "GitLab",
    readonly path: string,
    private readonly names: Names,
    private readonly headers: (accessToken: string) => Readonly<Record<string, string>>,
    api = process.env[names.baseUrl],
  ) {
    const given = { baseUrl: api, accessToken: process.env[names.accessToken], organization: "-" };
    const { connection, problems } = parseConnection((name) => given[name], {});
    for (const { setting, words } of problems)
      if (setting !== "organization") throw new Error(`${names[setting]} ${words}.`);
    this.#options = checkOptions(connection);
  }

  /** Sends a request once. @throws unless the response shows success */
  async send<Shown>(shown: z.ZodType<Shown>, method: Method, path: string, body?: object): Promise<Shown> {
    return (await this.request(method, path, body)).shows(shown);
  }

  /** Sends a request once. @returns the status, and how to read what the response must show */
  async request(method: Method, path: string, body?: object) {
    const { accessToken, origin, prefix, redactor, timeoutMs, userAgent } = this.#options;
    const failure = (why: string) => new Error(`${method} ${origin}${prefix}${path}: ${why}`);
    const outcome = await dispatch(
      this.#options,
      {
        method,
        target: `${prefix}${path}`,
        headers: {
          ...this.headers(accessToken),
          "user-agent": userAgent,
          ...(body && { "content-type": "application/json" }),
        },
        body: body && JSON.stringify(body),
        timeoutMs,
        resendable: false,
        maxRetries: 0,
      },
      undefined,
    );
    if (outcome.kind === "lost") throw failure(`${outcome.cause.message}.`);
    if (outcome.kind !== "response") throw failure("no response in time.");
    if (outcome.cutOff !== undefined) throw failure(`the response was cut off: ${outcome.cutOff.message}.`);
    const { status } = outcome;
    const value = "value" in outcome.body ? outcome.body.value : "";
    const shows = <Shown>(shown: z.ZodType<Shown>): Shown => {
      // Whoever follows a redirect hands over the token, and may turn a write into a read.
      if (status >= 300 && status < 400)
        throw failure(
          `${status}, a redirect, which is not followed. Correct ${this.names.baseUrl}, or the name of a repository that was renamed.`,
        );
      if (status < 200 || status >= 300)
        throw failure(
          `${status} ${oneLine(redactor.text(typeof value === "string" ? value : JSON.stringify(value)), 300)}`,
        );
      const { success, data } = shown.safeParse(value);
      if (!success) throw failure(`${status}, but the response doesn't show that this was done.`);
      return data;
    };
    return { status, shows };
  }

  /** Yields the entries on all pages of a list, whose path ends with `?` or `&`. */
  async *entries<Entry>(path: string, entry: z.ZodType<Entry>) {
    for (let page = 1; ; page++) {
      const found = await this.send(entry.array(), "GET", `${path}per_page=100&page=${page}`);
      yield* found;
      if (found.length < 100) return;
    }
  }
}

type Method = "GET" | "POST" | "PUT" | "PATCH";

/** Returns the API of the host that a repository is on, as the environment shows it. On Buildkite, that is GitHub. */
export function hostApi(gitLabToken: "COMMENT_TOKEN" | "ROTATION_TOKEN"): HostApi | undefined {
  const { env } = process;
  if (env.GITLAB_CI) {
    if (!env[gitLabToken])
      throw new Error(`Set ${gitLabToken}, a project access token of GitLab with the scope \`api\`.`);
    const names = { baseUrl: "CI_API_V4_URL", accessToken: gitLabToken };
    const project = `/projects/${encodeURIComponent(env.CI_PROJECT_ID ?? "")}`;
    return new HostApi("GitLab", project, names, (token) => ({ "private-token": token }));
  }
  if (!env.GITHUB_REPOSITORY) return undefined;
  if (!env.GITHUB_TOKEN) throw new Error("Set GITHUB_TOKEN, a token for the repository on GitHub.");
  const names = { baseUrl: "GITHUB_API_URL", accessToken: "GITHUB_TOKEN" };
  const headers = (token: string) => ({
    authorization: `Bearer ${token}`,
    accept: "application/vnd.github+json",
  });
  return new HostApi(
    "GitHub",
    `/repos/${env.GITHUB_REPOSITORY}`,
    names,
    headers,
    env.GITHUB_API_URL ?? "https://api.github.com",
  );
}
