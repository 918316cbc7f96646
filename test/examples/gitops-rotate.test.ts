import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const SCRIPT = join(__dirname, "..", "..", "examples", "gitops", "ci", "rotate.mjs");
const CONFIGURATION = "config:\n  buildpipeline:organization: acme\n  ci:tokenGeneration: 7\n";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

let directory: string;
let server: Server;
let address: string;
let sent: Sent[];
/** Paths that are answered with another status than 200: the branch is there already. */
let refused: Readonly<Record<string, number>>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "gitops-rotate-"));
  writeFileSync(join(directory, "Pulumi.production.yaml"), CONFIGURATION);
  sent = [];
  refused = {};
  server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { method = "", url: path = "" } = request;
    if (method !== "GET") sent.push({ method, path, body: JSON.parse(text) });
    response.writeHead(refused[path] ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ default_branch: "main", object: { sha: "main-sha" }, sha: "file-sha" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // A TCP server's address is never a text.
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

/** Runs the script. @returns what it prints */
async function rotate(env: Readonly<Record<string, string>>): Promise<string> {
  const options = { cwd: directory, env: { PATH: process.env.PATH ?? "", ...env } };
  return (await promisify(execFile)(process.execPath, [SCRIPT], options)).stdout;
}

const TITLE = "Rotate the agent tokens: generation 8";
const BODY =
  "Revokes the tokens of generation 6. Merge it when all machines have the secrets of generation 7.";
const RAISED = CONFIGURATION.replace("7", "8");

const gitHub = () => ({
  GITHUB_API_URL: address,
  GITHUB_REPOSITORY: "acme/ci",
  GITHUB_TOKEN: "t0ken",
});
const gitLab = () => ({
  GITLAB_CI: "true",
  CI_API_V4_URL: address,
  CI_PROJECT_ID: "7",
  CI_DEFAULT_BRANCH: "main",
  ROTATION_TOKEN: "t0ken",
});

describe("ci/rotate.mjs", () => {
  test("opens a pull request on GitHub, also from Buildkite", async () => {
    expect(await rotate(gitHub())).toBe(`${TITLE}: opened.\n`);
    const branch = "rotate-agent-tokens-8";
    const content = Buffer.from(RAISED).toString("base64");
    expect(sent).toEqual([
      {
        method: "POST",
        path: "/repos/acme/ci/git/refs",
        body: { ref: `refs/heads/${branch}`, sha: "main-sha" },
      },
      {
        method: "PUT",
        path: "/repos/acme/ci/contents/Pulumi.production.yaml",
        body: { message: TITLE, content, sha: "file-sha", branch },
      },
      {
        method: "POST",
        path: "/repos/acme/ci/pulls",
        body: { title: TITLE, body: BODY, head: branch, base: "main" },
      },
    ]);
  });

  test("opens a merge request on GitLab", async () => {
    expect(await rotate(gitLab())).toBe(`${TITLE}: opened.\n`);
    const branch = "rotate-agent-tokens-8";
    const actions = [{ action: "update", file_path: "Pulumi.production.yaml", content: RAISED }];
    expect(sent).toEqual([
      {
        method: "POST",
        path: "/projects/7/repository/commits",
        body: { branch, start_branch: "main", commit_message: TITLE, actions },
      },
      {
        method: "POST",
        path: "/projects/7/merge_requests",
        body: { title: TITLE, description: BODY, source_branch: branch, target_branch: "main" },
      },
    ]);
  });

  test.each([
    ["GitHub", gitHub, { "/repos/acme/ci/git/refs": 422 }],
    ["GitLab", gitLab, { "/projects/7/repository/commits": 400 }],
  ])("opens nothing twice on %s", async (_, env, answers) => {
    refused = answers;
    expect(await rotate(env())).toBe("rotate-agent-tokens-8 exists already: nothing was opened.\n");
    expect(sent).toHaveLength(1);
  });

  test("fails where there is nothing to rotate, or a request fails", async () => {
    refused = { "/repos/acme/ci/pulls": 403 };
    await expect(rotate(gitHub())).rejects.toThrow("/repos/acme/ci/pulls: 403");
    writeFileSync(join(directory, "Pulumi.production.yaml"), "config: {}\n");
    await expect(rotate(gitHub())).rejects.toThrow("Pulumi.production.yaml has no tokenGeneration.");
  });
});
