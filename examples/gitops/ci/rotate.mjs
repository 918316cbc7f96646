#!/usr/bin/env node
// Opens a pull request (on GitLab a merge request) that raises `tokenGeneration` in the stack's configuration by one.
// It deploys nothing: a person merges it when the last generation has reached all machines. As long as the pull request
// is open, further runs do nothing. PROJECT: the project's folder, if there are several. On Buildkite, agents of the queue
// `review` have GITHUB_REPOSITORY and, for this job only, GITHUB_TOKEN.
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";

const path = join(env.PROJECT ?? "", `Pulumi.${env.PULUMI_STACK ?? "production"}.yaml`);
const setting = /^( *\S+:tokenGeneration: *["']?)(\d+)(["']? *)$/m;
const text = readFileSync(path, "utf8");
const [, , generation] = setting.exec(text) ?? [];
if (generation === undefined) throw new Error(`${path} has no tokenGeneration.`);
const next = Number(generation) + 1;
const content = text.replace(setting, `$1${next}$3`);
const branch = `rotate-agent-tokens-${next}`;
const title = `Rotate the agent tokens: generation ${next}`;
const body = `Revokes the tokens of generation ${next - 2}. Merge it when all machines have the secrets of generation ${generation}.`;

/** Sends a request with JSON. Undefined for a status that is expected, an error for any other failure. */
async function send(method, url, headers, json, expected) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(json && { body: JSON.stringify(json) }),
  });
  if (response.status === expected) return undefined;
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function onGitHub() {
  const headers = { authorization: `Bearer ${env.GITHUB_TOKEN}`, accept: "application/vnd.github+json" };
  const repository = `${env.GITHUB_API_URL ?? "https://api.github.com"}/repos/${env.GITHUB_REPOSITORY}`;
  const { default_branch: base } = await send("GET", repository, headers);
  const main = await send("GET", `${repository}/git/ref/heads/${base}`, headers);
  const file = await send("GET", `${repository}/contents/${path}?ref=${main.object.sha}`, headers);
  const ref = { ref: `refs/heads/${branch}`, sha: main.object.sha };
  // 422: the branch is there already.
  if ((await send("POST", `${repository}/git/refs`, headers, ref, 422)) === undefined) return false;
  const encoded = Buffer.from(content).toString("base64");
  const change = { message: title, content: encoded, sha: file.sha, branch };
  await send("PUT", `${repository}/contents/${path}`, headers, change);
  await send("POST", `${repository}/pulls`, headers, { title, body, head: branch, base });
  return true;
}

async function onGitLab() {
  const headers = { "private-token": env.ROTATION_TOKEN };
  const project = `${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}`;
  const base = env.CI_DEFAULT_BRANCH;
  const actions = [{ action: "update", file_path: path, content }];
  const commit = { branch, start_branch: base, commit_message: title, actions };
  // 400: the branch is there already.
  if ((await send("POST", `${project}/repository/commits`, headers, commit, 400)) === undefined) return false;
  const request = { title, description: body, source_branch: branch, target_branch: base };
  await send("POST", `${project}/merge_requests`, headers, request);
  return true;
}

const opened = env.GITLAB_CI ? await onGitLab() : await onGitHub();
process.stdout.write(opened ? `${title}: opened.\n` : `${branch} exists already: nothing was opened.\n`);
