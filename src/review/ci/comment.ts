import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import * as z from "zod";
import { LISTING_FILE } from "../../cli/pulumi/stack-listing.js";
import { annotationAt } from "../../cli/terminal/annotation.js";
import { note, result, stackName } from "../../cli/terminal/terminal.js";
import { originOfRun } from "../findings/origin.js";
import { code, link, MARKS, type Host as Markup } from "../forms/markdown.js";
import { reportsIn } from "../forms/stacks.js";
import { type HostApi, HostError, hostApi } from "./host.js";
import { LONGEST_COMMENT } from "./review.js";
import { levelOfAll, reportOfAll } from "./review-folder.js";

/** As many characters as a comment or an annotation may have. Buildkite counts bytes: 1 MiB. */
const LONGEST = { GitHub: LONGEST_COMMENT, GitLab: 1_000_000, Buildkite: 340_000 } as const;

const commentSchema = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  author: z.object({ id: z.number() }).nullish(),
});
type Comment = z.infer<typeof commentSchema>;

/** The run that a report is of. A comment carries it, so that no later job replaces a newer report. */
interface Run {
  readonly number: number;
  readonly commit: string | undefined;
}

/** Publishes the report in a folder of results as the one comment that each push updates. */
export async function comment(flags: { readonly out: string; readonly print: boolean }): Promise<number> {
  const out = resolve(flags.out);
  if (flags.print) result(await reportFor(out, LONGEST_COMMENT));
  else if (process.env.BUILDKITE)
    await annotate(await reportFor(out, LONGEST.Buildkite, "CommonMark"), await levelOfAll(out));
  else {
    const number = originOfRun().pullRequest?.slice(1);
    const api = hostApi("COMMENT_TOKEN");
    if (api === undefined || number === undefined)
      throw new Error(
        "No pull request is known: on GitHub GITHUB_ACTIONS, GITHUB_REPOSITORY and GITHUB_REF name it, on GitLab GITLAB_CI and " +
          "CI_MERGE_REQUEST_IID, on Buildkite BUILDKITE. `--print` prints the report instead.",
      );
    const request = new Request(api, number);
    if (!existsSync(join(out, LISTING_FILE))) await request.sayMissing();
    await request.publish(await reportFor(out, LONGEST[api.host]));
    if (process.env.GITHUB_ACTIONS) await annotateLines(out);
  }
  return 0;
}

async function reportFor(out: string, longest: number, markup?: Markup): Promise<string> {
  const run = thisRun();
  const marks = run === undefined ? "" : `${runMark(run)}\n${await stacksMark(out)}`;
  const end = [marks, linkToRun()].flatMap((line) => (line ? `\n${line}\n` : [])).join("");
  return `${await reportOfAll(out, longest - end.length, markup)}${end}`;
}

function linkToRun(): string {
  const { env } = process;
  const address =
    env.GITHUB_RUN_ID &&
    `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`;
  const linked = link(
    "All reports are in the artifacts of this run",
    address || env.CI_PIPELINE_URL || env.BUILDKITE_BUILD_URL,
  );
  return linked ? `${linked}.` : "";
}

function thisRun(): Run | undefined {
  const number = process.env.GITHUB_RUN_NUMBER || process.env.CI_PIPELINE_IID || "";
  return /^\d+$/.test(number) ? { number: Number(number), commit: originOfRun().commit } : undefined;
}

function runMark({ number, commit = "?" }: Run): string {
  return `<!-- run ${number} of ${commit} -->`;
}

function runOf(body: string): Run | undefined {
  const [, number, commit] = [...body.matchAll(/^<!-- run (\d+) of (\S+) -->$/gm)].at(-1) ?? [];
  return number === undefined ? undefined : { number: Number(number), commit };
}

/** Says in few characters of which stacks a report is. */
async function stacksMark(out: string): Promise<string> {
  const digests = (await reportsIn(out)).map(({ stack }) =>
    createHash("sha256").update(stackName(stack)).digest("hex").slice(0, 8),
  );
  return `<!-- stacks ${digests.join(" ")} -->`;
}

function stacksOf(body: string): readonly string[] {
  return /^<!-- stacks ([0-9a-f ]+) -->$/m.exec(body)?.[1]?.split(" ") ?? [];
}

/**
 * A repository with one project more or less has other stacks, and no other comment. Jobs with reports of their own have
 * comments of the same commit.
 */
function continues(body: string, earlier: string): boolean {
  const [run, before] = [runOf(body), runOf(earlier)];
  const stacks = stacksOf(earlier);
  return (
    run !== undefined &&
    before !== undefined &&
    run.commit !== before.commit &&
    stacksOf(body).some((one) => stacks.includes(one))
  );
}

const MARKER = /^<!-- buildpipeline report \S* -->$/;

/** A pull request with its comments. */
class Request {
  readonly #path: string;
  readonly #comments: string;

  constructor(
    private readonly api: HostApi,
    number: string,
  ) {
    const isGitHub = api.host === "GitHub";
    this.#path = `${api.path}/${isGitHub ? "pulls" : "merge_requests"}/${number}`;
    this.#comments = isGitHub ? `${api.path}/issues/${number}/comments` : `${this.#path}/notes`;
  }

  /** @param isAgain whether somebody deleted the comment between its reading and its update */
  async publish(body: string, isAgain = false): Promise<void> {
    const marker = markerOf(body);
    if (marker === undefined) throw new Error("The report has no marker in its first line.");
    const shown = z.object({ id: z.number(), body: z.string().startsWith(marker) });
    const find = async () => {
      const reports = await this.#reports();
      const same = reports.find((one) => one.body?.startsWith(marker));
      return same ?? reports.find((one) => continues(body, one.body ?? ""));
    };
    const own = await find();
    if (own === undefined) {
      await this.api.write(shown, "POST", this.#comments, { body }, async () => {
        const made = await find();
        return made && this.#update(made, body);
      });
      return note("The report is a new comment.");
    }
    const newer = await this.#newerThan(runOf(body), own);
    if (newer !== undefined) return note(`The comment has the report of ${newer}, so it stays.`);
    try {
      await this.#update(own, body);
    } catch (error) {
      if (isAgain || !(error instanceof HostError) || error.status !== 404) throw error;
      return await this.publish(body, true);
    }
    note("The comment with the report is updated.");
  }

  /** Says in the comment of an earlier push that this one has no report. Of several comments, nobody knows whose it is. */
  async sayMissing(): Promise<void> {
    const run = thisRun();
    const [own, ...others] = await this.#reports();
    const { body = "" } = own ?? {};
    const before = runOf(body ?? "");
    if (own === undefined || others.length > 0 || !body || run?.commit === undefined || before === undefined)
      return;
    if (before.commit === run.commit || (await this.#newerThan(run, own)) !== undefined) return;
    const stacks = stacksOf(body);
    const lines = [
      markerOf(body) ?? "",
      `## ${MARKS.danger} No report of ${code(run.commit)}: its preview didn't end`,
      "",
      `The log of the job has the reason. The last report was of ${code(before.commit ?? "?")}.`,
      "",
      // A report of this commit that comes later, or of another job, replaces it.
      runMark(before),
      ...(stacks.length === 0 ? [] : [`<!-- stacks ${stacks.join(" ")} -->`]),
      "",
      linkToRun(),
    ];
    await this.#update(own, `${lines.join("\n").trimEnd()}\n`);
    note("The comment with the report says that this commit has none.");
  }

  /** Returns the own comments that have reports. */
  async #reports(): Promise<Comment[]> {
    const isOwn = await ownership(this.api);
    const all: Comment[] = [];
    for await (const one of this.api.entries(`${this.#comments}?`, commentSchema))
      if (markerOf(one.body ?? "") !== undefined && isOwn(one)) all.push(one);
    return all;
  }

  #update({ id }: Comment, body: string) {
    const { api } = this;
    const [method, path] =
      api.host === "GitHub"
        ? (["PATCH", `${api.path}/issues/comments/${id}`] as const)
        : (["PUT", `${this.#comments}/${id}`] as const);
    const shown = z.object({ id: z.literal(id), body: z.string().startsWith(markerOf(body) ?? "") });
    return api.write(shown, method, path, { body });
  }

  #newerThan(run: Run | undefined, { body }: Comment): Promise<string | undefined> {
    return newerThan(run, runOf(body ?? ""), () => headOf(this.api, this.#path));
  }
}

function markerOf(body: string): string | undefined {
  const [marker = ""] = body.split(/\r?\n/, 1);
  return MARKER.test(marker) ? marker : undefined;
}

/** Returns what makes a published report newer than one of this run, or undefined if it is to be replaced. */
async function newerThan(
  run: Run | undefined,
  published: Run | undefined,
  headOf: () => Promise<string | undefined>,
): Promise<string | undefined> {
  if (run === undefined || published === undefined) return undefined;
  const head = await headOf();
  const [isOfHead, publishedIsOfHead] = [run, published].map(({ commit }) => commit === head);
  if (head !== undefined && isOfHead !== publishedIsOfHead)
    return isOfHead ? undefined : `the request's last commit, ${head}`;
  return published.number > run.number ? `the later run ${published.number}` : undefined;
}

/** Undefined if the host doesn't show it: then the numbers of the runs decide. */
async function headOf(api: HostApi, request: string): Promise<string | undefined> {
  const sha = z.object({ sha: z.string() });
  const shape = api.host === "GitHub" ? z.object({ head: sha }).transform(({ head }) => head) : sha;
  const answer = await api.request("GET", request);
  return answer.status === 200 ? answer.shows(shape.catch({ sha: "" })).sha || undefined : undefined;
}

/** Returns how to tell the own comments. GitHub tells a workflow's token nothing about its user. */
async function ownership(api: HostApi): Promise<(comment: Comment) => boolean> {
  if (api.host === "GitLab") {
    const { id } = await api.read(z.object({ id: z.number() }), "/user");
    return ({ author }) => author?.id === id;
  }
  const user = await api.request("GET", "/user");
  const isUnknown = [401, 403, 404].includes(user.status ?? 0);
  const { login } = isUnknown
    ? { login: "github-actions[bot]" }
    : user.shows(z.object({ login: z.string() }));
  return (one) => one.user?.login === login;
}

/** Says at the line of each changed resource what happens to it. GitHub shows that beside the change of the program. */
async function annotateLines(out: string): Promise<void> {
  for (const { stack, report } of await reportsIn(out))
    for (const { file, line, level, message } of report?.annotations ?? [])
      if (!isAbsolute(file)) result(annotationAt(join(stack.folder, file), line, level, message));
}

/** The color of an annotation, by the verdict. */
const STYLES = { danger: "error", caution: "warning", open: "warning", clear: "success" } as const;

async function annotate(report: string, level: keyof typeof STYLES): Promise<void> {
  const args = ["annotate", "--context", "buildpipeline", "--style", STYLES[level]];
  const agent = spawn("buildkite-agent", args, { stdio: ["pipe", "inherit", "inherit"] });
  // One that ends early reads no more: how it ended says why.
  agent.stdin.on("error", () => {}).end(report);
  const [code] = await once(agent, "close").catch((error: unknown) => {
    throw Object(error).code !== "ENOENT"
      ? error
      : new Error(
          "buildkite-agent, which annotates the build with the report, is not on the PATH. In a container, add it; " +
            "Buildkite's Docker plugin does with mount-buildkite-agent: true.",
        );
  });
  if (code !== 0) throw new Error(`buildkite-agent annotate ended with ${code}.`);
}
