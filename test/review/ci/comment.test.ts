import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { someOf } from "../../support/cases.js";
import { writeCommand } from "../../support/commands-on-path.js";
import { foreignText } from "../../support/foreign-text.js";
import { contents } from "../../support/git-repository.js";
import { repository, repositoryForEach } from "./repository.js";
import { PASSING, Redirect, StandInHost } from "./stand-in-host.js";

interface Comment {
  readonly id: number;
  body: string;
  readonly user?: { readonly login: string };
  readonly author?: { readonly id: number };
}

let host: StandInHost;
let comments: Comment[];
/** The last commit of the pull request. */
let head: string | undefined;
/** The results of the preview, which are the same for each test. */
let previewed: ReadonlyMap<string, Buffer> | undefined;
repositoryForEach();
beforeEach(async () => {
  host = new StandInHost();
  await host.start();
  comments = [];
  head = undefined;
  host.answer = ({ method, path, body }, query) => {
    if (path.endsWith("/user")) return path.includes("/api/v4") ? { id: 42 } : 403;
    if (/\/(?:pulls|merge_requests)\/\d+$/.test(path)) return { sha: head, head: { sha: head } };
    if (method === "GET") {
      const page = Number(query.get("page") ?? 1);
      return comments.slice((page - 1) * 100, page * 100);
    }
    // Both hosts respond with the comment as it is then.
    const { body: text }: { body: string } = Object(body);
    const updated = comments.find(({ id }) => path.endsWith(`/${id}`));
    if (updated === undefined)
      comments.push({ id: 1_000 + comments.length, body: text, user: BOT, author: { id: 42 } });
    else updated.body = text;
    return updated ?? comments.at(-1);
  };
  if (previewed === undefined) {
    await repository.ci("preview --stack production");
    previewed = contents(repository.result());
  } else for (const [path, content] of previewed) repository.write({ [`review/${path}`]: content });
});
afterEach(() => host.close());

const comment = (env: Record<string, string> = {}, args = "") => repository.ci(`comment ${args}`.trim(), env);
const printed = async (env: Record<string, string> = {}) => (await comment(env, "--print")).stdout;
const gitHub = () => ({
  GITHUB_ACTIONS: "true",
  GITHUB_API_URL: host.url,
  GITHUB_REPOSITORY: "acme/ci",
  GITHUB_REF: "refs/pull/12/merge",
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_RUN_ID: "77",
  GITHUB_TOKEN: "t0ken",
});
const gitLab = () => ({
  GITLAB_CI: "true",
  CI_API_V4_URL: `${host.url}/api/v4`,
  CI_PROJECT_ID: "7",
  CI_MERGE_REQUEST_IID: "3",
  COMMENT_TOKEN: "t0ken",
});

const BOT = { login: "github-actions[bot]" };
const OUTSIDE = { folder: ".", project: "../..", stack: "x", wave: 1, reads: [], affected: "", after: [] };
const RESULTS = "review/acme-queues.production";
const issues = "/repos/acme/ci/issues";

describe("buildpipeline ci comment", () => {
  test("prints what would be posted, and says which variables name a pull request", async () => {
    expect(await printed()).toMatch(
      /^<!-- buildpipeline report acme-queues\/production -->\n## 🟢 No changes/,
    );
    const { code, stderr } = await comment();
    expect(code).toBe(2);
    expect(stderr).toMatch(/GITHUB_REF.*CI_MERGE_REQUEST_IID.*BUILDKITE.*--print/);
  });

  test("adds a comment on GitHub, and updates its own on any page: no other's, and no other report's", async () => {
    const body = await printed(gitHub());
    expect(body).toContain("(https://github.example/acme/ci/actions/runs/77)");
    comments = [
      { id: 1, body: `${body}quoted by a person`, user: { login: "ada" } },
      { id: 2, body: "Another comment of the same bot", user: BOT },
      { id: 3, body: "<!-- buildpipeline report staging -->\n", user: BOT },
    ];
    expect((await comment(gitHub())).code).toBe(0);
    expect(host.sent).toEqual([{ method: "POST", path: `${issues}/12/comments`, body: { body } }]);
    expect(host.headers[0]?.authorization).toBe("Bearer t0ken");

    host.sent.length = 0;
    comments.pop();
    const talk = { body: "talk", user: BOT };
    comments.push(...Array.from({ length: 150 }, (_, index) => ({ id: 100 + index, ...talk })));
    comments.push({ id: 999, body: body.replace("Preview", "An earlier preview"), user: BOT });
    await comment(gitHub());
    expect(host.sent).toEqual([{ method: "PATCH", path: `${issues}/comments/999`, body: { body } }]);
  });

  test("ends where the host returns full pages for ever", async () => {
    const talk = Array.from({ length: 100 }, (_, index) => ({ id: 100 + index, body: "talk", user: BOT }));
    const { answer } = host;
    host.answer = (request, query) =>
      request.path.endsWith("/comments") && request.method === "GET" ? talk : answer(request, query);
    const { code, stderr } = await comment(gitHub());
    expect(code).toBe(2);
    expect(stderr).toContain("doesn't end");
    expect(host.sent).toEqual([]);
  });

  test("adds another one where somebody deletes its own just before the update", async () => {
    await comment(gitHub());
    const { answer } = host;
    host.answer = (request, query) => {
      if (request.method !== "PATCH") return answer(request, query);
      comments = [];
      return 404;
    };
    expect(await comment(gitHub())).toMatchObject({ code: 0 });
    expect(comments).toHaveLength(1);
    comments = [{ id: 7, body: comments[0]?.body ?? "", user: BOT }];
    host.answer = (request, query) => (request.method === "PATCH" ? 404 : answer(request, query));
    expect(await comment(gitHub())).toMatchObject({ code: 2, stderr: expect.stringContaining("404") });
    expect(comments).toHaveLength(1);
  });

  test("adds a note on GitLab, and updates its own", async () => {
    const notes = "/api/v4/projects/7/merge_requests/3/notes";
    const body = await printed(gitLab());
    comments = [{ id: 1, body, author: { id: 41 } }];
    await comment(gitLab());
    expect(host.sent).toEqual([{ method: "POST", path: notes, body: { body } }]);
    expect(host.headers[0]?.["private-token"]).toBe("t0ken");
    host.sent.length = 0;
    await comment(gitLab());
    expect(host.sent).toEqual([{ method: "PUT", path: `${notes}/1001`, body: { body } }]);
  });

  const hosts = { GitHub: gitHub, GitLab: gitLab };
  const failing = (["GitHub", "GitLab"] as const).flatMap((name) =>
    PASSING.flatMap((fault) => ["a new comment", "updated"].map((does) => ({ name, fault, does }))),
  );
  test.each(someOf(failing))(
    "$does, once, on $name, though each request first ends with $fault.name",
    async ({ name, fault, does }) => {
      const body = await printed(hosts[name]());
      if (does === "updated")
        comments = [{ id: 7, body: body.replace("Preview", "Old"), user: BOT, author: { id: 42 } }];
      const requests = host.failsOnce(fault);
      expect(await comment(hosts[name]())).toMatchObject({ code: 0, stderr: expect.stringContaining(does) });
      expect(comments.map((one) => one.body)).toEqual([body]);
      expect(requests()).toBeGreaterThan(2);
    },
  );

  test.each([
    [401, "Check GITHUB_TOKEN, which may have expired."],
    [403, "Check that the job has `permissions: pull-requests: write`."],
  ])("says what a job lacks whose comment is refused with %i", async (status, advice) => {
    const { answer } = host;
    host.answer = (sent, query) => (sent.method === "POST" ? status : answer(sent, query));
    const stderr = expect.stringContaining(`comments: ${status} refused. ${advice}`);
    expect(await comment(gitHub())).toMatchObject({ code: 2, stderr });
  });

  describe.each(["GitHub", "GitLab"] as const)("on %s, of two reports the comment keeps", (name) => {
    const [OLD, NEW] = ["a".repeat(40), "b".repeat(40)];
    const runs = (number: number, commit: string) => {
      const event = repository.scratch.path("event.json");
      writeFileSync(event, JSON.stringify({ pull_request: { head: { sha: commit } } }));
      return name === "GitHub"
        ? { ...gitHub(), GITHUB_RUN_NUMBER: `${number}`, GITHUB_EVENT_PATH: event }
        : { ...gitLab(), CI_PIPELINE_IID: `${number}`, CI_COMMIT_SHA: commit };
    };
    test.each<[string, [number, string], [number, string], string | undefined, "first" | "second"]>([
      ["the later run's", [7, NEW], [8, NEW], NEW, "second"],
      ["the later run's, also if it is published first", [8, NEW], [7, NEW], NEW, "first"],
      ["a repeated run's", [7, NEW], [7, NEW], NEW, "second"],
      ["that of the request's last commit, whatever its number", [9, OLD], [7, NEW], NEW, "second"],
      ["that of the request's last commit", [7, NEW], [9, OLD], NEW, "first"],
      ["the later run's, if neither is of the last commit", [8, OLD], [9, OLD], NEW, "second"],
      ["the later run's, if neither is of the last commit any more", [9, OLD], [8, OLD], NEW, "first"],
      ["the later run's, if the host shows no last commit", [9, OLD], [8, NEW], undefined, "first"],
    ])("%s", async (_, first, second, last, kept) => {
      head = last;
      await comment(runs(...first));
      const before = comments[0]?.body;
      const { code, stderr } = await comment(runs(...second));
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringMatching(kept === "first" ? /has the report of .*, so it stays/ : /is updated/),
      });
      const [number, commit] = kept === "first" ? first : second;
      expect(comments[0]?.body).toContain(`<!-- run ${number} of ${commit} -->`);
      if (kept === "first") expect(comments[0]?.body).toBe(before);
      expect(comments).toHaveLength(1);
    });
  });

  describe("of two pushes", () => {
    const [OLD, NEW] = ["a".repeat(40), "b".repeat(40)];
    const push = (number: number, commit: string, args?: string) => {
      head = commit;
      return comment({ ...gitLab(), CI_PIPELINE_IID: `${number}`, CI_COMMIT_SHA: commit }, args);
    };
    const names = (...projects: readonly string[]) => {
      const stacks = projects.map((folder) => ({ ...OUTSIDE, folder, project: folder, stack: "production" }));
      repository.write({ "review/projects.json": JSON.stringify({ format: 1, affected: [], stacks }) });
    };
    const markers = () => comments.map(({ body }) => body.split("\n", 1)[0]);

    test("the one that adds or removes a project has the comment of the one before", async () => {
      const reports = [["acme-queues"], ["acme-queues", "beta"], ["beta"], ["acme-queues", "beta", "gamma"]];
      for (const [index, projects] of reports.entries()) {
        names(...projects);
        expect((await push(index, `${index}`.repeat(40))).code).toBe(0);
        const marker = projects.length === 1 ? `${projects[0]}/production` : "projects/production";
        expect(markers()).toEqual([`<!-- buildpipeline report ${marker} -->`]);
      }
    });

    test("reports of two jobs keep their comments, whether they share a stack or not", async () => {
      for (const [number, commit] of [OLD, NEW].entries())
        for (const projects of [["acme-queues"], ["acme-queues", "beta"], ["gamma"]]) {
          names(...projects);
          await push(number, commit);
        }
      expect(markers().sort()).toEqual([
        "<!-- buildpipeline report acme-queues/production -->",
        "<!-- buildpipeline report gamma/production -->",
        "<!-- buildpipeline report projects/production -->",
      ]);
    });

    test("one without any report says so in the only comment, until a report replaces that", async () => {
      await push(1, OLD);
      const first = comments[0]?.body;
      expect((await push(1, OLD, "--out none")).code).toBe(2);
      expect(comments[0]?.body).toBe(first);
      const { code, stderr } = await push(2, NEW, "--out none");
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining("no stack was previewed"),
      });
      expect(comments).toHaveLength(1);
      expect(comments[0]?.body).toContain(`## 🔴 No report of <code>${NEW}</code>: its preview didn't end`);
      expect(comments[0]?.body).not.toContain("🟢");
      await push(2, NEW);
      expect(comments.map(({ body }) => body.split("\n")[1])).toEqual([expect.stringContaining("🟢")]);
      names("gamma");
      await push(2, NEW);
      expect(comments).toHaveLength(2);
      const both = JSON.stringify(comments);
      expect((await push(3, "c".repeat(40), "--out none")).code).toBe(2);
      expect(JSON.stringify(comments)).toBe(both);
    });
  });

  test.each([
    ["GitHub", gitHub],
    ["GitLab", gitLab],
  ])("follows no redirect of %s, which would take the token to another origin", async (_, env) => {
    const elsewhere = new StandInHost();
    await elsewhere.start();
    onTestFinished(() => void elsewhere.close());
    elsewhere.answer = () => ({ id: 1, body: "Published" });
    const { answer } = host;
    for (const [method, status] of [
      ["GET", 301],
      ["GET", 307],
      ["POST", 302],
      ["POST", 303],
      ["POST", 308],
    ] as const) {
      host.answer = (sent, query) =>
        sent.method === method ? new Redirect(status, elsewhere.url) : answer(sent, query);
      const { code, stderr } = await comment(env());
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(`: ${status}, a redirect`) });
      expect(stderr).not.toContain("t0ken");
    }
    expect(elsewhere.headers).toEqual([]);
  });

  test.each([
    ["nothing", undefined],
    ["an empty object", {}],
    ["a list", []],
    ["another comment", { id: 9, body: "Another one" }],
    ["a comment without a number", { body: "<!-- buildpipeline report acme-queues/production -->" }],
  ])("doesn't take %s for the comment", async (_, response) => {
    const { answer } = host;
    host.answer = (sent, query) => (sent.method === "GET" ? answer(sent, query) : response);
    for (const env of [gitHub(), gitLab()])
      expect(await comment(env)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/POST \S+: 200, but the response doesn't show that this was done\.\n$/),
      });
  });

  test("sends no token unencrypted to another machine", async () => {
    const { code, stderr } = await comment({ ...gitLab(), CI_API_V4_URL: "http://gitlab.example/api/v4" });
    const words = "CI_API_V4_URL would carry the access token unencrypted to gitlab.example. Use https;";
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
  });

  test("annotates the build of Buildkite", async () => {
    const call = repository.scratch.path("call");
    writeCommand(
      repository.scratch.path("bin"),
      "buildkite-agent",
      `echo "$@" > '${call}'; cat >> '${call}'`,
    );
    const summary = JSON.parse(repository.read("acme-queues.production", "summary.json"));
    for (const [level, style] of [
      ["danger", "error"],
      ["caution", "warning"],
      ["open", "warning"],
      ["clear", "success"],
    ]) {
      const verdict = { ...summary.verdict, level };
      repository.write({ [`${RESULTS}/summary.json`]: JSON.stringify({ ...summary, verdict }) });
      expect((await comment({ BUILDKITE: "true" })).code).toBe(0);
      const given = readFileSync(call, "utf8");
      expect(given).toContain(
        `annotate --context buildpipeline --style ${style}\n<!-- buildpipeline report `,
      );
      // Buildkite renders neither alerts nor drawings.
      expect(given).not.toMatch(/\[!|mermaid/);
    }
  });

  test.each([
    [
      "how `buildkite-agent` ended that reads no report",
      {},
      /^buildpipeline: buildkite-agent annotate ended with 1\.\n$/,
    ],
    [
      "what to do where it is missing",
      { PATH: "/nowhere" },
      /^buildpipeline: buildkite-agent, which .* is not on the PATH\. In a container, add it; .*\.\n$/,
    ],
  ])("fails with %s", async (_, env, stderr) => {
    writeCommand(repository.scratch.path("bin"), "buildkite-agent", "exit 1");
    const summary = JSON.parse(repository.read("acme-queues.production", "summary.json"));
    // More than a pipe takes before anybody reads it.
    summary.notes.push(["x".repeat(300_000)]);
    repository.write({ [`${RESULTS}/summary.json`]: JSON.stringify(summary) });
    const failed = { code: 2, stderr: expect.stringMatching(stderr) };
    expect(await comment({ BUILDKITE: "true", ...env })).toMatchObject(failed);
  });

  test("is never longer than a comment may be, its link included", async () => {
    const report = JSON.parse(repository.read("acme-queues.production", "summary.json"));
    report.notes.push(["x".repeat(100_000)]);
    repository.write({ [`${RESULTS}/summary.json`]: JSON.stringify(report) });
    await comment(gitHub());
    const body = String(Reflect.get(Object(host.sent[0]?.body), "body"));
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toMatch(/actions\/runs\/77\)\.\n$/);
  });

  test.each([
    ["a report that isn't one", { [`${RESULTS}/summary.json`]: '{ "s3cret": 1 }' }, "is not a report"],
    [
      "a listing with a path for a name",
      { "review/projects.json": JSON.stringify({ format: 1, affected: [], stacks: [OUTSIDE] }) },
      "..",
    ],
  ])("sends nothing of %s", async (_, files, reason) => {
    repository.write(files);
    const { code, stderr } = await comment(gitHub());
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) });
    expect(host.sent).toEqual([]);
    expect(stderr).not.toContain("s3cret");
  });
});

describe("On GitHub, `ci comment` annotates the line that declares each changed resource", () => {
  /** The program's last call, which Pulumi records without a position, as it does for each callback. */
  const NODE = [{}, { sourcePosition: "project:///../../node_modules/@pulumi/cmd/run/run.ts#541,33" }];
  const at = (...positions: readonly string[]) =>
    positions.map((one) => ({ sourcePosition: `project:///${one}` }));
  const step = (op: string, name: string, positions: readonly object[]) => {
    const urn = `urn:pulumi:production::acme-queues::buildpipeline:index:Cluster::${name}`;
    const inputs = { organization: "acme", name };
    const [first, ...calls] = positions;
    const id = op === "create" ? "" : name;
    const state = { urn, custom: true, id, type: "buildpipeline:index:Cluster", inputs };
    const recorded = { ...state, ...first, stackTrace: [first ?? {}, ...calls, ...NODE] };
    return { op, urn, ...(op === "delete" ? { oldState: recorded } : { newState: recorded }) };
  };

  /** What GitHub takes a line of a log for. */
  const annotation = (line: string) => {
    const [, level, given = "", text = ""] = /^::(error|warning|notice) (.*?)::(.*)$/.exec(line) ?? [];
    const decoded = (value: string) =>
      value.replace(/%(25|0D|0A|3A|2C)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
    const properties = given.split(",").map((one) => one.split(/=(.*)/s));
    return {
      level,
      ...Object.fromEntries(properties.map(([key, value = ""]) => [key, decoded(value)])),
      text: decoded(text),
    };
  };

  test("also in a loop, a callback or a component, and none where Pulumi recorded none", async () => {
    const steps = [
      step("create", "plain", at("index.ts#3,15")),
      step("create", "in-loop-a", at("index.ts#5,3")),
      step("create", "in-loop-b", at("index.ts#5,3")),
      step("create", "in-callback", [{}, {}, ...at("index.ts#7,12")]),
      step("create", "in-component", at("lib/my%20team.ts#6,15", "index.ts#8,1")),
      step("create", "in-package", at("node_modules/@acme/team/index.js#1,1", "index.ts#9,1")),
      step("create", "in-python", at("__main__.py#4")),
      step("create", "beside", at("../lib/team.ts#2,5")),
      // What V8 calls the place of code that the program evaluates, as Pulumi records it.
      step("create", "evaluated", at("index.ts:2:92%29,%20%3Canonymous%3E#3,11", "index.ts#10,1")),
      step("create", "in-no-file", at("evalmachine.%3Canonymous%3E#1,1")),
      step("create", "elsewhere", at("../../home/ada/team.ts#2,5")),
      step("create", "in-yaml", []),
      step("create", "odd", [{ sourcePosition: "project:///%E0%A4%A#1,1" }]),
      step("delete", "gone", at("index.ts#12,1")),
    ];
    repository.plays({ preview: { stdout: { steps, changeSummary: { create: 13, delete: 1 } } } });
    await repository.ci("preview --stack production");
    const { code, stdout } = await comment(gitHub());
    expect(code).toBe(0);
    const [first, ...others] = stdout.trimEnd().split("\n").map(annotation);
    expect(first).toMatchObject({ level: "error", file: "queues/index.ts", line: "12" });
    expect(Reflect.get(Object(first), "text")).toMatch(
      /^Cluster gone is deleted .*\nThe last deployment had it in this line\.$/,
    );
    const created = (name: string, file: string, line: string) => ({
      level: "notice",
      file,
      line,
      text: `Create cluster ${name}.`,
    });
    expect(others.map((one) => JSON.stringify(one)).sort()).toEqual(
      [
        created("beside", "lib/team.ts", "2"),
        created("evaluated", "queues/index.ts", "10"),
        created("in-callback", "queues/index.ts", "7"),
        created("in-component", "queues/lib/my team.ts", "6"),
        created("in-loop-a", "queues/index.ts", "5"),
        created("in-loop-b", "queues/index.ts", "5"),
        created("in-package", "queues/index.ts", "9"),
        created("in-python", "queues/__main__.py", "4"),
        created("plain", "queues/index.ts", "3"),
      ]
        .map((one) => JSON.stringify(one))
        .sort(),
    );
    expect(await comment({ ...gitHub(), GITHUB_ACTIONS: "" })).toMatchObject({ code: 2 });
  });

  test("with names that no sign in them ends", async () => {
    const summary = JSON.parse(repository.read("acme-queues.production", "summary.json"));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(foreignText, foreignText), { minLength: 20, maxLength: 20 }),
        async (all) => {
          const annotations = all.map(([file, message], index) => ({
            file: `${index}/${file}`,
            line: index,
            message,
          }));
          repository.write({ [`${RESULTS}/summary.json`]: JSON.stringify({ ...summary, annotations }) });
          const { stdout } = await comment(gitHub());
          let shown = 0;
          for (const line of stdout.split("\n").filter((line) => line !== "")) {
            shown++;
            const { file, line: number, ...more } = annotation(line) as Record<string, string>;
            expect(file).toBe(join("queues", annotations[Number(number)]?.file ?? ""));
            expect(Object.keys(more)).toEqual(["level", "text"]);
            expect(line).not.toMatch(/\p{Cc}/u);
          }
          expect(shown).toBeGreaterThan(0);
        },
      ),
      { numRuns: 5 },
    );
  });
});
