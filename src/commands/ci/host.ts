import type * as z from "zod";
import { oneLine } from "../../shared/messages/foreign-text.js";

export interface HostApi {
  readonly host: "GitHub" | "GitLab";
  /** The repository's or project's address. */
  readonly url: string;
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the API of the host that a repository is on, as the environment shows it. On Buildkite, that is GitHub. */
export function hostApi(gitLabToken: "COMMENT_TOKEN" | "ROTATION_TOKEN"): HostApi | undefined {
  const { env } = process;
  if (env.GITLAB_CI) {
    const { CI_API_V4_URL: api = "", CI_PROJECT_ID: id = "", [gitLabToken]: token } = env;
    if (!token)
      throw new Error(`Set ${gitLabToken}, a project access token of GitLab with the scope \`api\`.`);
    return {
      host: "GitLab",
      url: `${api}/projects/${encodeURIComponent(id)}`,
      api,
      headers: { "private-token": token },
    };
  }
  if (!env.GITHUB_REPOSITORY) return undefined;
  if (!env.GITHUB_TOKEN) throw new Error("Set GITHUB_TOKEN, a token for the repository on GitHub.");
  const api = env.GITHUB_API_URL ?? "https://api.github.com";
  const headers = { authorization: `Bearer ${env.GITHUB_TOKEN}`, accept: "application/vnd.github+json" };
  return { host: "GitHub", url: `${api}/repos/${env.GITHUB_REPOSITORY}`, api, headers };
}

/** Statuses that are `expected` return undefined. */
export async function send(
  { headers }: HostApi,
  method: "GET" | "POST" | "PUT" | "PATCH",
  url: string,
  body?: object,
  expected: readonly number[] = [],
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (expected.includes(response.status)) return undefined;
  if (!response.ok)
    throw new Error(`${method} ${url}: ${response.status} ${oneLine(await response.text(), 300)}`);
  return response.json();
}

/** Yields the entries on all pages of a list, whose address ends with `?` or `&`. */
export async function* entries<Entry>(api: HostApi, url: string, entry: z.ZodType<Entry>) {
  for (let page = 1; ; page++) {
    const found = entry.array().parse(await send(api, "GET", `${url}per_page=100&page=${page}`));
    yield* found;
    if (found.length < 100) return;
  }
}
