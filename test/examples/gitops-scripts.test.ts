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
import { OFFICIAL_SHA256, PROVIDED_VERSION } from "../../tools/dev/pulumi-cli/release.mjs";
import { writeCommand } from "../support/commands-on-path.js";

const EXAMPLE = join(__dirname, "..", "..", "examples", "gitops");
const REPORT = "<!-- buildpipeline report projects/production -->\n## Preview\n";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "gitops-"));
  cpSync(join(EXAMPLE, "ci"), join(directory, "ci"), { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Puts a command on the PATH of the scripts. */
const command = (name: string, script: string) => writeCommand(join(directory, "bin"), name, script);

/** The package's command, where npm puts it: in the folder of all projects. */
const buildpipeline = (script: string) =>
  writeCommand(join(directory, "node_modules", ".bin"), "buildpipeline", script);

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
    buildpipeline(`[ "$*" = "report review" ] && cat '${directory}/report.md'`);
    writeFileSync(join(directory, "report.md"), REPORT);
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

  test("writes the report of the folder that REVIEW names", async () => {
    buildpipeline(`[ "$*" = "report change" ] && cat '${directory}/report.md'`);
    expect((await comment({ REVIEW: "change" })).stdout).toBe(REPORT);
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

describe("ci/projects.sh and ci/nightly.sh", () => {
  beforeEach(() => {
    mkdirSync(join(directory, "review"));
    // Says where it runs and with which arguments.
    buildpipeline(`echo "$PWD $*" >> '${directory}/log'
      case $1 in projects) exit "$PROJECTS_END" ;; unmanaged) exit "$UNMANAGED_END" ;; esac
      echo '## Report' > review/report.md`);
  });

  const run = (script: string, args: readonly string[] = [], env: Record<string, string> = {}) => {
    const ends = { PROJECTS_END: "0", UNMANAGED_END: "0", ...env };
    const ended = spawnSync(join(directory, "ci", script), args, {
      env: environment(ends),
      encoding: "utf8",
      cwd: "/",
    });
    const log = readFileSync(join(directory, "log"), "utf8").replaceAll(realpathSync(directory), "~");
    return { ...ended, log: log.trim().split("\n") };
  };

  test("runs a script for the projects, and writes one report whether that succeeds or not", () => {
    for (const code of ["0", "1", "5"]) {
      const { log, status } = run("projects.sh", ["preview", "--since-deployment"], { PROJECTS_END: code });
      expect(status).toBe(Number(code));
      expect(log.slice(-2)).toEqual([
        "~ projects --since-deployment -- ~/ci/each/preview.sh",
        "~ report review --out review/report.md",
      ]);
    }
  });

  test("keeps to one project, and plans every project where a person asks for it", () => {
    expect(run("projects.sh", ["preview"], { PROJECT: "teams/mobile" }).log[0]).toBe(
      "~ projects --only teams/mobile -- ~/ci/each/preview.sh",
    );
    expect(run("projects.sh", ["preview"], { ALL: "true" }).log.at(-2)).toBe(
      "~ projects --all -- ~/ci/each/preview.sh",
    );
  });

  test("shows the report on the page of a workflow's run", () => {
    const summary = join(directory, "summary.md");
    run("projects.sh", ["preview"], { GITHUB_STEP_SUMMARY: summary });
    expect(readFileSync(summary, "utf8")).toBe("## Report\n");
  });

  test.each([
    ["0", "0", 0],
    ["1", "0", 1],
    ["0", "1", 1],
    ["2", "1", 2],
    ["1", "2", 2],
  ])(
    "at night, drift %s and unmanaged %s end with %i, after both were looked for",
    (drift, unmanaged, code) => {
      const env = {
        PROJECTS_END: drift,
        UNMANAGED_END: unmanaged,
        OTHER_STACKS: "acme/one/production acme/two/production",
      };
      const { log, status } = run("nightly.sh", [], env);
      expect(status).toBe(code);
      expect(log).toEqual([
        "~ projects --all-stacks -- ~/ci/each/drift.sh",
        "~ report review --out review/report.md",
        "~ unmanaged --all-stacks acme/one/production acme/two/production",
      ]);
    },
  );
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

describe("The scripts for each project", () => {
  const calls = () => {
    const file = join(directory, "calls");
    return existsSync(file) ? readFileSync(file, "utf8").replaceAll(directory, "~").trim().split("\n") : [];
  };
  const each = (script: string, env: Record<string, string> = {}) =>
    spawnSync(join(directory, "ci", "each", script), {
      env: environment({ OUT: join(directory, "out"), ...env }),
      encoding: "utf8",
      cwd: directory,
    });
  /** A command that notes its calls. */
  const noting = (name: string, script = "") =>
    command(name, `echo "${name} $*" >>'${join(directory, "calls")}'\n${script}`);
  const plan = () => writeFileSync(join(directory, "out", "plan.json"), "{}");
  beforeEach(() => {
    mkdirSync(join(directory, "out"));
    noting("buildpipeline");
    noting("pulumi", "echo {}");
  });

  test.each([1, 2])("deploy.sh resumes the queues if `drain` ends with %i, and deploys nothing", (code) => {
    noting(
      "buildpipeline",
      `case "$*" in *--resume*) ;; drain*) echo >"$OUT/drained.jsonl"; exit ${code};; esac`,
    );
    plan();
    expect(each("deploy.sh").status).toBe(code);
    expect(calls()).toEqual([
      "buildpipeline drain --preview ~/out/preview.json --record ~/out/drained.jsonl --timeout 1800",
      "buildpipeline drain --resume --record ~/out/drained.jsonl",
    ]);
  });

  test("deploy.sh waits for approval where there is no plan, and calls nothing", () => {
    const { status, stdout } = each("deploy.sh");
    expect(status).toBe(5);
    expect(stdout).toContain("There is no plan");
    expect(calls()).toEqual([]);
  });

  test("preview.sh keeps no plan of a preview that failed", () => {
    noting("pulumi", `case "$*" in preview*) echo {} > "$OUT/plan.json"; exit 255 ;; esac`);
    expect(each("preview.sh").status).toBe(255);
    expect(existsSync(join(directory, "out", "plan.json"))).toBe(false);
    expect(calls().filter((line) => line.startsWith("buildpipeline report"))).toHaveLength(1);
  });

  test.each([
    ["preview.sh", /^pulumi preview .*--policy-pack /],
    ["deploy.sh", /^pulumi up .*--policy-pack /],
    ["drift.sh", /^pulumi policy analyze .*--policy-pack /],
  ])("%s checks the rules of the folder `policies`", (script, wanted) => {
    plan();
    each(script);
    expect(calls().some((line) => wanted.test(line))).toBe(false);
    mkdirSync(join(directory, "policies"));
    each(script);
    expect(calls().filter((line) => wanted.test(line))).toHaveLength(1);
  });

  test.each([
    [0, 0, 0],
    [7, 0, 1],
    [0, 1, 1],
    [255, 0, 2],
  ])("drift.sh: a refresh that ends with %i and rules that end with %i are %i", (drift, rules, code) => {
    mkdirSync(join(directory, "policies"));
    noting("pulumi", `case "$*" in refresh*) exit ${drift} ;; policy*) exit ${rules} ;; esac`);
    expect(each("drift.sh").status).toBe(code);
  });
});
