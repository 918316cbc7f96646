import { existsSync, readFileSync } from "node:fs";
import { basename, relative } from "node:path";
import * as z from "zod";
import { repositoryOf } from "../../shared/process/folders.js";
import { projectsIn, stackFile } from "../shared/pulumi/project-folder.js";
import { json, note, result } from "../shared/terminal/terminal.js";
import { entries, type HostApi, hostApi, send } from "./host.js";

const SETTING = /^( *\S+:tokenGeneration: *["']?)(\d+)(["']? *)$/m;
const BRANCH = "rotate-agent-tokens";

export interface RotateFlags {
  readonly stack?: string;
  readonly only?: string;
  readonly json: boolean;
}

/** Opens the pull request of a rotation, unless one is open. It deploys nothing. */
export async function rotate(flags: RotateFlags): Promise<number> {
  const path = fileOf(flags);
  const api = hostApi("ROTATION_TOKEN");
  if (api === undefined)
    throw new Error(
      "No repository is known: set GITHUB_REPOSITORY and GITHUB_TOKEN, or run this in a job of GitLab.",
    );
  const { opened, title, url } = await propose(api, path);
  if (flags.json) result(json({ opened, title, url: url ?? null }));
  else
    note(
      opened
        ? `${title}: opened.`
        : `${title}: ${url ?? "a pull request"} is open already, so nothing was sent.`,
    );
  return 0;
}

function fileOf({ stack, only }: RotateFlags): string {
  const named = stack ?? process.env.PULUMI_STACK ?? "production";
  const root = process.cwd();
  const files = projectsIn(root)
    .filter(({ folder }) => only === undefined || folder === only)
    .map(({ directory }) => stackFile(directory, named))
    .filter((file) => existsSync(file) && SETTING.test(readFileSync(file, "utf8")));
  const [file, ...more] = files;
  if (file === undefined)
    throw new Error(
      `No ${basename(stackFile(process.cwd(), named))} ${only === undefined ? "" : `in ${only} `}has tokenGeneration.`,
    );
  if (more.length > 0) throw new Error(`Several projects have tokenGeneration: give --only <folder>.`);
  return relative(repositoryOf(root) ?? root, file).replaceAll("\\", "/");
}

async function propose(api: HostApi, path: string) {
  const version = api.host === "GitHub" ? await gitHubVersion(api, path) : await gitLabVersion(api, path);
  const [, , generation] = SETTING.exec(version.text) ?? [];
  if (generation === undefined) throw new Error(`${path} of ${version.base} has no tokenGeneration.`);
  const next = Number(generation) + 1;
  const title = `Rotate the agent tokens: generation ${next}`;
  const prefix = `${BRANCH}-${next}`;
  const url = await openRequest(api, prefix, version.base);
  if (url !== undefined) return { opened: false, title, url };
  const proposal = {
    path,
    title,
    body: `Revokes the tokens of generation ${next - 2}. Merge it when all machines have the secrets of generation ${generation}.`,
    content: version.text.replace(SETTING, `$1${next}$3`),
  };
  // A closed pull request left its branch behind, which may have a colleague's commits: it stays as it is.
  for (let attempt = 1; attempt <= 20; attempt++) {
    const branch = attempt === 1 ? prefix : `${prefix}-${attempt}`;
    const opened = await (api.host === "GitHub" ? onGitHub : onGitLab)(api, { ...proposal, branch }, version);
    if (opened !== undefined) return { opened: true, title, url: opened };
  }
  throw new Error(`All branches called ${prefix} exist. Delete those that no pull request needs.`);
}

const decoded = (content: string) => Buffer.from(content, "base64").toString("utf8");
const encodedPath = (path: string) => path.split("/").map(encodeURIComponent).join("/");

/**
 * Returns a file of the main branch, and what a change of exactly this version names. On GitHub, `file` is its blob and
 * `start` the branch's commit; on GitLab, they are its last commit and the branch.
 */
async function gitHubVersion(api: HostApi, path: string) {
  const { default_branch: base } = z
    .object({ default_branch: z.string() })
    .parse(await send(api, "GET", api.url));
  const ref = await send(api, "GET", `${api.url}/git/ref/heads/${encodedPath(base)}`);
  const start = z.object({ object: z.object({ sha: z.string() }) }).parse(ref).object.sha;
  const found = await send(api, "GET", `${api.url}/contents/${encodedPath(path)}?ref=${start}`);
  const { sha: file, content } = z.object({ sha: z.string(), content: z.string() }).parse(found);
  return { text: decoded(content), base, file, start };
}

async function gitLabVersion(api: HostApi, path: string): Promise<Version> {
  const base = process.env.CI_DEFAULT_BRANCH ?? "main";
  const url = `${api.url}/repository/files/${encodeURIComponent(path)}?ref=${encodeURIComponent(base)}`;
  const found = z
    .object({ content: z.string(), last_commit_id: z.string() })
    .parse(await send(api, "GET", url));
  return { text: decoded(found.content), base, file: found.last_commit_id, start: base };
}

const openSchema = z.union([
  z
    .object({ html_url: z.string(), head: z.object({ ref: z.string() }) })
    .transform(({ html_url, head }) => ({ url: html_url, branch: head.ref })),
  z
    .object({ web_url: z.string(), source_branch: z.string() })
    .transform(({ web_url, source_branch }) => ({ url: web_url, branch: source_branch })),
]);

async function openRequest(api: HostApi, prefix: string, base: string): Promise<string | undefined> {
  const target = encodeURIComponent(base);
  const list =
    api.host === "GitHub"
      ? `${api.url}/pulls?state=open&base=${target}&`
      : `${api.url}/merge_requests?state=opened&target_branch=${target}&`;
  for await (const { url, branch } of entries(api, list, openSchema))
    if (branch === prefix || branch.startsWith(`${prefix}-`)) return url;
  return undefined;
}

type Version = Awaited<ReturnType<typeof gitHubVersion>>;
type Proposal = Readonly<Record<"path" | "branch" | "title" | "body" | "content", string>>;

/** Undefined if the branch exists. */
async function onGitHub(api: HostApi, proposal: Proposal, version: Version): Promise<string | undefined> {
  const { path, branch, title, body, content } = proposal;
  const ref = { ref: `refs/heads/${branch}`, sha: version.start };
  if ((await send(api, "POST", `${api.url}/git/refs`, ref, [422])) === undefined) return undefined;
  const encoded = Buffer.from(content).toString("base64");
  const change = { message: title, content: encoded, sha: version.file, branch };
  await send(api, "PUT", `${api.url}/contents/${encodedPath(path)}`, change);
  const request = await send(api, "POST", `${api.url}/pulls`, {
    title,
    body,
    head: branch,
    base: version.base,
  });
  return z.object({ html_url: z.string() }).parse(request).html_url;
}

async function onGitLab(api: HostApi, proposal: Proposal, version: Version): Promise<string | undefined> {
  const { path, branch, title, body, content } = proposal;
  const branches = `${api.url}/repository/branches`;
  if ((await send(api, "GET", `${branches}/${encodeURIComponent(branch)}`, undefined, [404])) !== undefined)
    return undefined;
  // GitLab refuses the commit if the file has a later one.
  const actions = [{ action: "update", file_path: path, content, last_commit_id: version.file }];
  const commit = { branch, start_branch: version.start, commit_message: title, actions };
  await send(api, "POST", `${api.url}/repository/commits`, commit);
  const request = { title, description: body, source_branch: branch, target_branch: version.base };
  return z
    .object({ web_url: z.string() })
    .parse(await send(api, "POST", `${api.url}/merge_requests`, request)).web_url;
}
