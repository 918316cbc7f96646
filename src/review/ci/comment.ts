import { spawn } from "node:child_process";
import { once } from "node:events";
import { isAbsolute, join, resolve } from "node:path";
import * as z from "zod";
import { annotationAt } from "../../cli/terminal/annotation.js";
import { note, result } from "../../cli/terminal/terminal.js";
import { originOfRun } from "../findings/origin.js";
import { link, type Host as Markup } from "../forms/markdown.js";
import { reportsIn } from "../forms/stacks.js";
import { type HostApi, hostApi } from "./host.js";
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
    await publish(api, number, await reportFor(out, LONGEST[api.host]));
    if (process.env.GITHUB_ACTIONS) await annotateLines(out);
  }
  return 0;
}

async function reportFor(out: string, longest: number, markup?: Markup): Promise<string> {
  const { env } = process;
  const address =
    env.GITHUB_RUN_ID &&
    `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`;
  const linked = link(
    "All reports are in the artifacts of this run",
    address || env.CI_PIPELINE_URL || env.BUILDKITE_BUILD_URL,
  );
  const number = env.GITHUB_RUN_NUMBER || env.CI_PIPELINE_IID;
  const run = /^\d+$/.test(number ?? "") ? `<!-- run ${number} of ${originOfRun().commit ?? "?"} -->` : "";
  const end = [run, linked && `${linked}.`].flatMap((line) => (line ? `\n${line}\n` : [])).join("");
  return `${await reportOfAll(out, longest - end.length, markup)}${end}`;
}

function runOf(body: string): Run | undefined {
  const [, number, commit] = [...body.matchAll(/^<!-- run (\d+) of (\S+) -->$/gm)].at(-1) ?? [];
  return number === undefined ? undefined : { number: Number(number), commit };
}

async function publish(api: HostApi, number: string, body: string): Promise<void> {
  const [marker = ""] = body.split("\n", 1);
  if (!/^<!-- buildpipeline report \S* -->$/.test(marker))
    throw new Error("The report has no marker in its first line.");
  const isGitHub = api.host === "GitHub";
  const request = `${api.path}/${isGitHub ? "pulls" : "merge_requests"}/${number}`;
  const comments = isGitHub ? `${api.path}/issues/${number}/comments` : `${request}/notes`;
  const isOwn = await ownership(api);
  const find = async () => {
    for await (const one of api.entries(`${comments}?`, commentSchema))
      if (one.body?.startsWith(marker) && isOwn(one)) return one;
    return undefined;
  };
  const shown = <Id extends z.ZodType>(id: Id) => z.object({ id, body: z.string().startsWith(marker) });
  const update = ({ id }: Comment) => {
    const path = isGitHub ? `${api.path}/issues/comments/${id}` : `${comments}/${id}`;
    return api.write(shown(z.literal(id)), isGitHub ? "PATCH" : "PUT", path, { body });
  };
  const own = await find();
  if (own === undefined) {
    await api.write(shown(z.number()), "POST", comments, { body }, async () => {
      const made = await find();
      return made && update(made);
    });
    return note("The report is a new comment.");
  }
  const newer = await newerThan(runOf(body), runOf(own.body ?? ""), () => headOf(api, request));
  if (newer !== undefined) return note(`The comment has the report of ${newer}, so it stays.`);
  await update(own);
  note("The comment with the report is updated.");
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
  const [code] = await once(agent, "close");
  if (code !== 0) throw new Error(`buildkite-agent annotate ended with ${code}.`);
}
