import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { basename, relative, sep } from "node:path";
import { isMap, isScalar, parseDocument } from "yaml";
import * as z from "zod";
import { namedStack, passphraseOf, stackFile } from "../../cli/pulumi/project-folder.js";
import { onlyProjects, projectsIn } from "../../cli/pulumi/repository.js";
import { type StackState, stateOf } from "../../cli/pulumi/stack-export.js";
import { json, note, result } from "../../cli/terminal/terminal.js";
import { oneLine } from "../../shared/messages/foreign-text.js";
import { counted } from "../../shared/messages/nouns.js";
import { type HostApi, hostApi } from "./host.js";

const BRANCH = "rotate-agent-tokens";

export interface RotateFlags {
  readonly stack?: string;
  readonly only?: string;
  /** Days. */
  readonly olderThan?: number;
  readonly expiresWithin?: number;
  readonly json: boolean;
}

/** Opens the pull request of a rotation, unless one is open. It deploys nothing. */
export async function rotate(flags: RotateFlags): Promise<number> {
  const { path, name, project } = await fileOf(flags);
  const due =
    flags.olderThan === undefined && flags.expiresWithin === undefined
      ? true
      : isDue(await stateOf(project), flags);
  if (due !== true) {
    if (flags.json) result(json({ opened: false, due: false }));
    else note(due);
    return 0;
  }
  const api = hostApi("ROTATION_TOKEN");
  if (api === undefined)
    throw new Error(
      "No repository is known: set GITHUB_REPOSITORY and GITHUB_TOKEN, or run this in a job of GitLab.",
    );
  const { opened, title, url } = await propose(api, path, name);
  if (flags.json) result(json({ opened, title, url: url ?? null }));
  else
    note(
      opened
        ? `${title}: opened.`
        : `${title}: ${url ?? "a pull request"} is open already, so nothing was sent.`,
    );
  return 0;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Checks the tokens of rotations in a state. @returns true if one is due, or else why none is */
function isDue(
  { components, resources }: StackState,
  { olderThan, expiresWithin }: RotateFlags,
): true | string {
  const now = Date.now();
  const newest = [...components.values()].flatMap(({ tokenId }) =>
    resources.filter(({ id }) => id === tokenId),
  );
  if (newest.length === 0)
    throw new Error("The stack's state has no token of a RotatingAgentToken. Deploy it first.");
  const daysUntil = (time: unknown) =>
    typeof time === "string" && !Number.isNaN(Date.parse(time))
      ? (Date.parse(time) - now) / DAY_MS
      : undefined;
  const ages = newest.flatMap(({ properties: { createdAt } }) => {
    const days = daysUntil(createdAt);
    return days === undefined ? [] : [-days];
  });
  // A token of the generation before ends with the next rotation anyway, so only the newest decides.
  const ends = newest.flatMap(({ properties: { expiresAt } }) => daysUntil(expiresAt) ?? []);
  const oldest = Math.max(...ages);
  if (olderThan !== undefined && oldest >= olderThan) return true;
  if (expiresWithin !== undefined && ends.some((days) => days <= expiresWithin)) return true;
  const ageless = newest.find(({ properties: { createdAt } }) => daysUntil(createdAt) === undefined);
  if (olderThan !== undefined && ageless !== undefined)
    throw new Error(
      `The state doesn't say how old ${ageless.urn} (${ageless.id}) is, so --older-than can't be decided. ` +
        "`pulumi refresh` records it, if the API returns it.",
    );
  const expiry =
    ends.length === 0
      ? "none expires"
      : `the next one expires in ${counted(Math.floor(Math.min(...ends)), "day")}`;
  const age = ages.length === 0 ? "of unknown age" : `${counted(Math.floor(oldest), "day")} old`;
  return `No agent token is due: the oldest of the newest tokens is ${age}, and ${expiry}.`;
}

async function fileOf({ stack, only }: RotateFlags) {
  const stackName = namedStack(stack) ?? "production";
  const repository = await projectsIn(process.cwd());
  const asked = onlyProjects(repository, only === undefined ? undefined : [only]);
  const broken = asked.find(({ problem }) => problem !== undefined);
  if (only !== undefined && broken?.problem !== undefined) throw new Error(broken.problem);
  const files = asked
    .filter(({ problem }) => problem === undefined)
    .map((project) => ({ ...project, file: stackFile(project.directory, stackName) }))
    .filter(({ file }) => existsSync(file) && generationIn(readFileSync(file), file) !== undefined);
  const [found, ...more] = files;
  if (found === undefined)
    throw new Error(
      `No ${basename(stackFile(process.cwd(), stackName))} ${only === undefined ? "" : `in ${only} `}has tokenGeneration.`,
    );
  if (more.length > 0) throw new Error(`Several projects have tokenGeneration: give --only <folder>.`);
  return {
    path: relative(repository.top, found.file).replaceAll(sep, "/"),
    name: `${found.name}/${stackName}`,
    project: { directory: found.directory, stack: stackName, environment: passphraseOf(found) },
  };
}

/** Finds the one setting `tokenGeneration` of a stack's configuration, with the texts around its number. */
function generationIn(bytes: Buffer, file: string) {
  // Each byte of another encoding is a character, so that all of them stay as they are.
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = bytes.toString(encoding);
  const { contents, errors } = parseDocument(text);
  const [problem] = errors;
  if (problem !== undefined) throw new Error(`${file} is not YAML: ${oneLine(problem.message)}`);
  const config = isMap(contents) ? contents.get("config") : undefined;
  const [setting, ...more] = (isMap(config) ? config.items : []).filter(
    ({ key }) => isScalar(key) && String(key.value).endsWith(":tokenGeneration"),
  );
  if (setting === undefined) return undefined;
  if (more.length > 0)
    throw new Error(
      `${file} has ${more.length + 1} settings called tokenGeneration, and only one can be raised. Raise the one that you mean in a commit.`,
    );
  const [start = 0, end = 0] = (isScalar(setting.value) && setting.value.range) || [];
  const [, quote = "", number] = /^(["']?)([1-9]\d*)\1$/.exec(text.slice(start, end)) ?? [];
  const generation = Number(number);
  // YAML 1.1, which Pulumi reads, takes a number with a leading zero for an octal one.
  if (!Number.isSafeInteger(generation + 1))
    throw new Error(
      `${file}: tokenGeneration is not a whole number from 1 to ${Number.MAX_SAFE_INTEGER - 1} without leading zeros.`,
    );
  return {
    generation,
    raisedTo: (next: number) =>
      Buffer.from(`${text.slice(0, start)}${quote}${next}${quote}${text.slice(end)}`, encoding),
  };
}

/** @param name the project's and the stack's */
async function propose(api: HostApi, path: string, name: string) {
  const version = await versionOf(api, path);
  const found = generationIn(version.bytes, `${path} of ${version.base}`);
  if (found === undefined) throw new Error(`${path} of ${version.base} has no tokenGeneration.`);
  const { generation, raisedTo } = found;
  const next = generation + 1;
  const title = `Rotate the agent tokens of ${name}: generation ${next}`;
  const revoked =
    generation === 1
      ? "Revokes nothing yet: the tokens of generation 1 stay valid until the next rotation."
      : `Revokes the tokens of generation ${next - 2}. Merge it when all machines have the secrets of generation ${generation}.`;
  // A branch of an earlier version doesn't name the stack, and two names may have one spelling: the content decides.
  const open = await openRequest(api, version.base, async (branch) => {
    const proposed = branch.startsWith(BRANCH) ? await fileAt(api, path, branch) : undefined;
    const raised = proposed && generationIn(proposed.bytes, `${path} of ${branch}`);
    return raised !== undefined && raised.generation >= next;
  });
  if (open !== undefined) return { opened: false, title, url: open.url };
  const body = `${revoked}\n\nProject and stack: ${name}`;
  const content = raisedTo(next);
  const prefix = `${BRANCH}-${name.replace(/[^\w-]+/g, "-")}-${next}`;
  for (let attempt = 1; attempt <= 20; attempt++) {
    const branch = attempt === 1 ? prefix : `${prefix}-${attempt}`;
    const isThere = await isOurs(api, { path, branch, title, content }, version);
    if (isThere === false) continue;
    await PUSHES[api.host](api, { path, branch, title, content }, version, isThere === true);
    return { title, ...(await openFrom(api, { branch, title, body }, version.base)) };
  }
  throw new Error(`All branches called ${prefix} exist. Delete those that no pull request needs.`);
}

const encodedPath = (path: string) => path.split("/").map(encodeURIComponent).join("/");
const bytes = z.string().transform((content) => Buffer.from(content, "base64"));
/** A file, and the version that a change of exactly this one names: on GitHub its blob, on GitLab its last commit. */
const FILES = {
  GitHub: z
    .object({ content: bytes, sha: z.string() })
    .transform(({ content, sha }) => ({ bytes: content, version: sha })),
  GitLab: z
    .object({ content: bytes, last_commit_id: z.string() })
    .transform(({ content, last_commit_id }) => ({ bytes: content, version: last_commit_id })),
};

/** Reads a file at a branch or commit. Undefined if it isn't there. */
function fileAt(api: HostApi, path: string, ref: string) {
  const place =
    api.host === "GitHub" ? `contents/${encodedPath(path)}` : `repository/files/${encodeURIComponent(path)}`;
  return api.find(FILES[api.host], `${api.path}/${place}?ref=${encodeURIComponent(ref)}`);
}

/** Returns a file of the main branch. A change starts at `start`: on GitHub the branch's commit, on GitLab the branch. */
async function versionOf(api: HostApi, path: string) {
  let base = process.env.CI_DEFAULT_BRANCH ?? "main";
  let start = base;
  if (api.host === "GitHub") {
    base = (await api.read(z.object({ default_branch: z.string() }), api.path)).default_branch;
    const ref = z.object({ object: z.object({ sha: z.string() }) });
    start = (await api.read(ref, `${api.path}/git/ref/heads/${encodedPath(base)}`)).object.sha;
  }
  const found = await fileAt(api, path, start);
  if (found === undefined) throw new Error(`${path} is not in ${base}. Merge it first.`);
  return { ...found, base, start };
}

const openSchema = z.union([
  z
    .object({ html_url: z.string(), head: z.object({ ref: z.string() }) })
    .transform(({ html_url, head }) => ({ url: html_url, branch: head.ref })),
  z
    .object({ web_url: z.string(), source_branch: z.string() })
    .transform(({ web_url, source_branch }) => ({ url: web_url, branch: source_branch })),
]);

/** Returns the first open request whose branch is one that is looked for. */
async function openRequest(
  api: HostApi,
  base: string,
  isMeant: (branch: string) => boolean | Promise<boolean>,
) {
  const target = encodeURIComponent(base);
  const list =
    api.host === "GitHub"
      ? `${api.path}/pulls?state=open&base=${target}&`
      : `${api.path}/merge_requests?state=opened&target_branch=${target}&`;
  for await (const open of api.entries(list, openSchema)) if (await isMeant(open.branch)) return open;
  return undefined;
}

type Version = Awaited<ReturnType<typeof versionOf>>;
interface RaisedFile extends Readonly<Record<"path" | "branch" | "title", string>> {
  readonly content: Buffer;
}

const changedPath = z.union([
  z.object({ filename: z.string() }).transform(({ filename }) => filename),
  z.object({ new_path: z.string() }).transform(({ new_path }) => new_path),
]);
const comparison = z.union([
  z.object({ files: changedPath.array() }).transform(({ files }) => files),
  z.object({ diffs: changedPath.array() }).transform(({ diffs }) => diffs),
]);

/**
 * Tells the branch of a run that ended early, or that goes on, from one that a closed or merged pull request left behind.
 * That may have a colleague's commits, and stays as it is. Undefined if there is none.
 */
async function isOurs(
  api: HostApi,
  change: RaisedFile,
  { bytes, start }: Version,
): Promise<boolean | undefined> {
  const [from, to] = [start, change.branch].map(encodeURIComponent);
  const isGitHub = api.host === "GitHub";
  const place = isGitHub ? `compare/${from}...${to}` : `repository/compare?from=${from}&to=${to}`;
  const changed = await api.find(comparison, `${api.path}/${place}`);
  if (changed === undefined) return undefined;
  if (changed.some((file) => file !== change.path)) return false;
  const found = await fileAt(api, change.path, change.branch);
  // On GitHub, a branch exists before its commit.
  const expected = changed.length > 0 ? change.content : isGitHub ? bytes : undefined;
  return expected !== undefined && found?.bytes.equals(expected) === true;
}

/** Make a branch with a commit. One that is there may be without it on GitHub. */
const PUSHES = {
  async GitHub(api: HostApi, change: RaisedFile, version: Version, isThere: boolean): Promise<void> {
    const { path, branch, title, content } = change;
    const start = { ref: `refs/heads/${branch}`, sha: version.start };
    const made = z.object({ ref: z.literal(start.ref) });
    const find = async () => ((await isOurs(api, change, version)) ? start : undefined);
    if (!isThere) await api.write(made, "POST", `${api.path}/git/refs`, start, find);
    const file = { message: title, content: content.toString("base64"), sha: version.version, branch };
    const changed = z.object({ content: z.object({ path: z.literal(path) }) });
    // GitHub refuses the commit if the file is another one already.
    await api.write(changed, "PUT", `${api.path}/contents/${encodedPath(path)}`, file, async () =>
      (await fileAt(api, path, branch))?.bytes.equals(content) ? { content: { path } } : undefined,
    );
  },
  async GitLab(api: HostApi, change: RaisedFile, version: Version, isThere: boolean): Promise<void> {
    if (isThere) return;
    const { path, branch, title, content } = change;
    // GitLab refuses the commit if the file has a later one.
    const file = { content: content.toString("base64"), encoding: "base64", last_commit_id: version.version };
    const actions = [{ action: "update", file_path: path, ...file }];
    const commit = { branch, start_branch: version.start, commit_message: title, actions };
    const made = z.object({ id: z.string() });
    await api.write(made, "POST", `${api.path}/repository/commits`, commit, async () =>
      (await isOurs(api, change, version)) ? { id: branch } : undefined,
    );
  },
};

/** Opens the request for a branch. The host refuses a second one of the same branch, which another run opened meanwhile. */
async function openFrom(
  api: HostApi,
  { branch, title, body }: Readonly<Record<"branch" | "title" | "body", string>>,
  base: string,
): Promise<{ readonly opened: boolean; readonly url: string }> {
  const [list, request] =
    api.host === "GitHub"
      ? ["pulls", { title, body, head: branch, base }]
      : ["merge_requests", { title, description: body, source_branch: branch, target_branch: base }];
  let opened = true;
  const { url } = await api.write(openSchema, "POST", `${api.path}/${list}`, request, (isRefused) => {
    opened = !isRefused;
    return openRequest(api, base, (name) => name === branch);
  });
  return { opened, url };
}
