#!/usr/bin/env node
// Writes one report of what is in the folder `review` (or the one that REVIEW names), and publishes it as the comment that
// has the report's marker, or as a new one.
// Runs from a checkout of the main branch, because it has a token that no code of a change may see.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { env } from "node:process";

const command = join(import.meta.dirname, "..", "node_modules", ".bin", "buildpipeline");
const report = execFileSync(command, ["report", env.REVIEW ?? "review"], { encoding: "utf8" });
const [marker = ""] = report.split("\n", 1);
if (!/^<!-- buildpipeline report \S* -->$/.test(marker))
  throw new Error("The report has no marker in its first line.");

/** Sends a request with JSON. The response's body, or an error that names the request and its status. */
async function send(method, url, headers, body) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Finds the comment of this job, by its marker and its author, on all pages. */
async function find(url, headers, isOwn) {
  for (let page = 1; ; page++) {
    const comments = await send("GET", `${url}?per_page=100&page=${page}`, headers);
    const own = comments.find((comment) => comment.body.startsWith(marker) && isOwn(comment));
    if (own !== undefined || comments.length < 100) return own;
  }
}

async function onGitHub() {
  const headers = { authorization: `Bearer ${env.GITHUB_TOKEN}`, accept: "application/vnd.github+json" };
  const repository = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}/issues`;
  const comments = `${repository}/${env.PULL_REQUEST}/comments`;
  const own = await find(comments, headers, ({ user }) => user?.login === "github-actions[bot]");
  if (own === undefined) await send("POST", comments, headers, { body: report });
  else await send("PATCH", `${repository}/comments/${own.id}`, headers, { body: report });
}

async function onGitLab() {
  const headers = { "private-token": env.COMMENT_TOKEN };
  const notes = `${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}/merge_requests/${env.CI_MERGE_REQUEST_IID}/notes`;
  const user = await send("GET", `${env.CI_API_V4_URL}/user`, headers);
  const own = await find(notes, headers, ({ author }) => author?.id === user.id);
  if (own === undefined) await send("POST", notes, headers, { body: report });
  else await send("PUT", `${notes}/${own.id}`, headers, { body: report });
}

if (env.GITHUB_ACTIONS) await onGitHub();
else if (env.GITLAB_CI) await onGitLab();
else if (env.BUILDKITE)
  execFileSync("buildkite-agent", ["annotate", "--context", "preview", "--style", "info"], { input: report });
else process.stdout.write(report);
