import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OFFICIAL_SHA256, PROVIDED_VERSION } from "../../tools/pulumi-cli/release.mjs";
import { writeCommand } from "../commands-on-path.js";

const EXAMPLE = join(__dirname, "..", "..", "examples", "gitops");
const REPORT = "<!-- buildpipeline report production -->\n## Preview\n";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "gitops-"));
  cpSync(join(EXAMPLE, "ci"), join(directory, "ci"), { recursive: true });
  writeFileSync(join(directory, "report.md"), REPORT);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Puts a command on the PATH of the scripts. */
const command = (name: string, script: string) => writeCommand(join(directory, "bin"), name, script);

const environment = (env: Record<string, string>) => ({
  PATH: `${join(directory, "bin")}:${process.env.PATH}`,
  HOME: directory,
  ...env,
});

interface Comment {
  readonly id: number;
  readonly body: string;
  readonly user?: { readonly login: string };
  readonly author?: { readonly id: number };
}

describe("ci/comment.mjs", () => {
  let server: Server;
  let comments: Comment[];
  let requests: { method: string; path: string; headers: IncomingMessage["headers"]; body: string }[];
  let address: string;

  beforeEach(async () => {
    comments = [];
    requests = [];
    server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const url = new URL(request.url ?? "", address);
      requests.push({ method: request.method ?? "", path: url.pathname, headers: request.headers, body });
      const page = Number(url.searchParams.get("page") ?? 1);
      const answer = url.pathname.endsWith("/user")
        ? { id: 42 }
        : comments.slice((page - 1) * 100, page * 100);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(request.method === "GET" ? answer : {}));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // A TCP server's address is never a text.
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const comment = async (env: Record<string, string> = {}) => {
    const script = join(directory, "ci", "comment.mjs");
    return promisify(execFile)(process.execPath, [script], { cwd: directory, env: environment(env) });
  };
  const gitHub = () => ({
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: address,
    GITHUB_REPOSITORY: "acme/ci",
    GITHUB_TOKEN: "t0ken",
    PULL_REQUEST: "12",
  });
  const gitLab = () => ({
    GITLAB_CI: "true",
    CI_API_V4_URL: `${address}/api/v4`,
    CI_PROJECT_ID: "7",
    CI_MERGE_REQUEST_IID: "3",
    COMMENT_TOKEN: "t0ken",
  });
  const writes = () =>
    requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => [method, path, JSON.parse(body)]);

  test("prints the report where no host is", async () => {
    expect((await comment()).stdout).toBe(REPORT);
  });

  test("annotates the build of the service", async () => {
    command("buildkite-agent", `echo "$@" > '${directory}/call'; cat >> '${directory}/call'`);
    await comment({ BUILDKITE: "true" });
    expect(readFileSync(join(directory, "call"), "utf8")).toBe(
      `annotate --context preview --style info\n${REPORT}`,
    );
  });

  test("adds a comment on GitHub, and updates its own on any page: no other's, and no other report's", async () => {
    const bot = { login: "github-actions[bot]" };
    comments = [
      { id: 1, body: `${REPORT}quoted by a person`, user: { login: "ada" } },
      { id: 2, body: "Another comment of the same bot", user: bot },
      { id: 3, body: "<!-- buildpipeline report staging -->\n", user: bot },
    ];
    await comment(gitHub());
    expect(writes()).toEqual([["POST", "/repos/acme/ci/issues/12/comments", { body: REPORT }]]);
    expect(requests[0]?.headers.authorization).toBe("Bearer t0ken");

    requests = [];
    comments.push(
      ...Array.from({ length: 150 }, (_, index) => ({ id: 100 + index, body: "talk", user: bot })),
    );
    comments.push({ id: 999, body: REPORT.replace("Preview", "An earlier preview"), user: bot });
    await comment(gitHub());
    expect(writes()).toEqual([["PATCH", "/repos/acme/ci/issues/comments/999", { body: REPORT }]]);
  });

  test("adds a note on GitLab, and updates its own", async () => {
    const notes = "/api/v4/projects/7/merge_requests/3/notes";
    comments = [{ id: 1, body: REPORT, author: { id: 41 } }];
    await comment(gitLab());
    expect(writes()).toEqual([["POST", notes, { body: REPORT }]]);
    expect(requests[0]?.headers["private-token"]).toBe("t0ken");

    requests = [];
    comments.push({ id: 2, body: REPORT, author: { id: 42 } });
    await comment(gitLab());
    expect(writes()).toEqual([["PUT", `${notes}/2`, { body: REPORT }]]);
  });

  test("sends nothing that isn't a report", async () => {
    writeFileSync(join(directory, "report.md"), "s3cret=1\n");
    await expect(comment(gitHub())).rejects.toThrow("no marker");
    expect(requests).toEqual([]);
  });
});

describe("The scripts in a folder of several projects", () => {
  beforeEach(() => {
    mkdirSync(join(directory, "linux"));
    mkdirSync(join(directory, "policies"));
    // Each says where it runs and with which arguments, and the CLI prints what its readers expect.
    command("pulumi", `echo "$PWD pulumi $*" >> '${directory}/log'; echo '{}'`);
    // npm puts the command into the folder of all projects.
    const commands = join(directory, "node_modules", ".bin");
    writeCommand(
      commands,
      "buildpipeline",
      `touch drift.md; echo "$PWD buildpipeline $*" >> '${directory}/log'`,
    );
  });

  const run = (script: string, env: Record<string, string> = { PROJECT: "linux" }) => {
    const ended = spawnSync(join(directory, "ci", script), {
      env: environment(env),
      encoding: "utf8",
      cwd: "/",
    });
    const log = readFileSync(join(directory, "log"), "utf8").replaceAll(realpathSync(directory), "~");
    return { ...ended, log: log.trim().split("\n") };
  };

  test.each([
    ["preview.sh", "preview --non-interactive --refresh"],
    ["nightly.sh", "refresh --preview-only"],
    ["deploy.sh", "up --yes"],
  ])("%s runs in the project that PROJECT names, with the rules of the folder", (script, first) => {
    const { log, status, stderr } = run(script);
    expect(status, stderr).toBe(0);
    expect(log.find((line) => line.includes(first))).toMatch(/^~\/linux pulumi /);
    const outside = log.filter((line) => !line.startsWith("~/linux "));
    // Stacks of all projects own objects.
    expect(outside).toEqual(script === "nightly.sh" ? ["~ buildpipeline unmanaged --all-stacks"] : []);
    expect(log.some((line) => line.includes("--policy-pack ~/policies"))).toBe(true);
  });

  test("without PROJECT they run in the folder itself", () => {
    expect(run("preview.sh", {}).log.every((line) => line.startsWith("~ "))).toBe(true);
  });
});

describe("ci/install.sh", () => {
  const install = () =>
    spawnSync(join(directory, "ci", "install.sh"), { env: environment({}), encoding: "utf8" });
  beforeEach(() => command("npm", `echo "$@" > '${directory}/npm'`));

  test("has the checksums of the official archives", () => {
    const script = readFileSync(join(EXAMPLE, "ci", "install.sh"), "utf8");
    expect(script).toContain(`version=${PROVIDED_VERSION}\n`);
    for (const platform of ["linux-x64", "linux-arm64"])
      expect(script).toContain(`platform=${platform} sha256=${OFFICIAL_SHA256[platform]} `);
  });

  test("refuses an archive that isn't the pinned one, and runs nothing after it", () => {
    command("pulumi", "echo v3.1.0");
    command("curl", 'while [ "$1" != --output ]; do shift; done; echo another archive > "$2"');
    const { status, stderr } = install();
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/checksum did NOT match/i);
    expect(existsSync(join(directory, ".pulumi-cli"))).toBe(false);
    expect(existsSync(join(directory, "npm"))).toBe(false);
  });

  test("downloads nothing if the CLI is there, and installs what the lock file says, without scripts", () => {
    command("pulumi", `echo v${PROVIDED_VERSION}`);
    command("curl", "exit 9");
    const { status, stderr } = install();
    expect(status, stderr).toBe(0);
    expect(readFileSync(join(directory, "npm"), "utf8")).toBe("ci --ignore-scripts\n");
  });
});

describe("ci/deploy.sh", () => {
  test.each([1, 2])("resumes the queues if `drain` ends with %i, and deploys nothing", (code) => {
    const calls = join(directory, "calls");
    for (const name of ["buildpipeline", "pulumi"])
      command(name, `echo "${name} $*" >>"${calls}"\ncase "$*" in *--resume) ;; drain*) exit ${code};; esac`);
    const ended = spawnSync("bash", [join(directory, "ci", "deploy.sh")], { env: environment({}) });
    expect(ended.status).toBe(code);
    expect(readFileSync(calls, "utf8").trim().split("\n")).toEqual([
      "buildpipeline drain --preview preview.json --timeout 1800",
      "buildpipeline drain --preview preview.json --resume",
    ]);
  });
});
