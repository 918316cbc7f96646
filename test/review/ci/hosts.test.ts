import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HOST_FILES } from "../../../src/review/ci/init.js";
import { isWhole, someOf } from "../../support/cases.js";
import { runBuildkite } from "../../support/ci-hosts/buildkite.js";
import { runGitHub } from "../../support/ci-hosts/github.js";
import { runGitLab } from "../../support/ci-hosts/gitlab.js";
import { type Machine, machineIn, printedOn } from "../../support/ci-hosts/run.js";
import { writeCommand } from "../../support/commands-on-path.js";
import { repository, repositoryForEach } from "./repository.js";
import { StandInHost } from "./stand-in-host.js";

repositoryForEach(["clusters", "queues"]);

let host: StandInHost;
beforeEach(async () => {
  host = new StandInHost();
  await host.start();
  host.answer = ({ method, path, body }) => {
    if (path.endsWith("/user")) return { id: 42, login: "github-actions[bot]" };
    return method === "GET" ? [] : { id: 1, ...Object(body) };
  };
  repository.write({ ".gitignore": "review/\nnode_modules/\n" });
});
afterEach(() => host.close());

const HOSTS = [
  { name: "github", runs: runGitHub },
  { name: "gitlab", runs: runGitLab },
  { name: "buildkite", runs: runBuildkite },
] as const;

/** Commits the file that `ci init` writes for a host, and a change of every project on a branch. */
async function written(name: keyof typeof HOST_FILES): Promise<string> {
  expect(await repository.ci(`init --host ${name}`)).toMatchObject({ code: 0 });
  repository.commit();
  repository.git("checkout", "--quiet", "-b", "change");
  repository.commit({ "package.json": "{}" });
  return readFileSync(join(repository.root, HOST_FILES[name]), "utf8");
}

function machine(command?: string): Machine {
  const { url } = host;
  const settings = { GITHUB_API_URL: url, CI_API_V4_URL: url, CI_PROJECT_ID: "7", COMMENT_TOKEN: "t0ken" };
  const folder = repository.scratch.path(`machine-${Date.now()}`);
  return machineIn(folder, repository.root, repository.env(settings), command);
}

/** What the comment, or the annotation, says. */
function published({ folder }: Machine): string {
  const file = join(folder, "annotation.md");
  return existsSync(file) ? readFileSync(file, "utf8") : String(Object(host.sent.at(-1)?.body).body);
}

describe.each(someOf(HOSTS))("The file of $name, run as it is written", ({ name, runs }) => {
  test("hands the reports of a pull request over to the job with the comment", async () => {
    const file = await written(name);
    repository.plays({
      "queues preview": {
        code: 255,
        stdout: '{"steps":[],"diagnostics":[{"severity":"error","message":"no such program"}]}',
      },
    });
    const runner = machine();
    const ends = Object.values(await runs(file, { branch: "change" }, runner));
    expect(ends, printedOn(runner)).toEqual(["success", "failure", "success"]);
    const comment = published(runner);
    expect(comment).toMatch(
      /^<!-- buildpipeline report projects\/production -->\n## 🔴 .*\n\nPreview of 2 stacks/,
    );
    expect(comment, printedOn(runner)).toContain("no such program");
    expect(comment).toMatch(/### <code>acme-clusters\/production<\/code>: no changes/i);
    expect(comment).not.toContain("has no report");
  });

  test("hands the plans of the main branch over to the job that deploys them", async () => {
    const file = await written(name);
    repository.git("checkout", "--quiet", "main");
    repository.git("merge", "--quiet", "change");
    const runner = machine();
    const ends = await runs(file, { branch: "main" }, runner);
    expect(Object.values(ends), printedOn(runner)).not.toContain("failure");
    const ups = repository.calls().filter((call) => call.includes(": up "));
    expect(ups.sort()).toEqual([
      expect.stringMatching(/^clusters: up --refresh --plan/),
      expect.stringMatching(/^queues: up --refresh --plan/),
    ]);
  });
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are names that a host or a shell could obey.
const NAMES = [
  "$(touch pwned)",
  "`touch pwned`",
  '"; touch pwned; "',
  "'; touch pwned; '",
  "a$&b",
  "cost$$center",
  "$HOME",
  "${HOME}",
  "\\$HOME",
  "${{ github.token }}",
  "a${{b",
  "{{matrix}}",
  "-rf",
  "--json",
  "true",
  "On",
  "null",
  "~",
  "1.10",
  "010",
  "1e3",
  "12:30:45",
  "* # {x: y}",
  "a, b]",
  "&x !y %z @q",
  'it\'s "quoted"',
  "ünï cödé",
  "a b",
  "line\nbreak",
  "\u202egnp",
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above

describe.runIf(isWhole).each(HOSTS)("A folder's name in the file of $name", ({ name, runs }) => {
  test("reaches the command unchanged, or `ci init` refuses it with the reason", async () => {
    const settings = (index: number) => `name: odd-${index}\nruntime: yaml\n`;
    const accepted: string[] = [];
    for (const [index, folder] of NAMES.entries()) {
      const file = `${folder}/Pulumi.yaml`;
      repository.write({ [file]: settings(index) });
      const { code, stderr } = await repository.ci(`init --host ${name}`);
      repository.remove(folder);
      if (code === 0) accepted.push(folder);
      else
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: expect.stringMatching(
            /can't name the folder .* because .*Rename it\. Nothing was written\./s,
          ),
        });
      expect(existsSync(join(repository.root, HOST_FILES[name])), folder).toBe(code === 0);
      repository.remove(HOST_FILES[name]);
    }
    const refused = { github: 4, gitlab: 21, buildkite: 11 };
    expect(NAMES.length - accepted.length).toBe(refused[name]);
    for (const [index, folder] of accepted.entries())
      repository.write({ [`${folder}/Pulumi.yaml`]: settings(index) });
    const file = await written(name);
    const folder = repository.scratch.path("recorder");
    writeCommand(folder, "buildpipeline", `printf '%s\\0' "$@" >> '${folder}/calls'`);
    await runs(file, { branch: "change" }, machine(join(folder, "buildpipeline")));
    const calls = readFileSync(join(folder, "calls"), "utf8").split("\0");
    const named = calls.flatMap((argument, index) => (calls[index - 1] === "--only" ? [argument] : []));
    expect(named.sort()).toEqual(["clusters", "queues", ...accepted].sort());
    expect(globSync("**/pwned", { cwd: repository.scratch.directory })).toEqual([]);
  });
});

describe("On GitHub, a job gets its token for Pulumi Cloud", () => {
  const stored = { PULUMI_ACCESS_TOKEN: "stored" };
  const acme = { PULUMI_ORGANIZATION: "acme" };
  const type = "urn:pulumi:token-type:access_token";
  test.each(
    someOf([
      ["by its identity", acme, {}, `${type}:organization of acme`],
      ["by its identity, although one is stored", acme, stored, `${type}:organization of acme`],
      ["of a type that is named", { ...acme, PULUMI_TOKEN_TYPE: "team" }, {}, `${type}:team of acme`],
      ["from the secret, where no organization is named", {}, stored, "stored"],
    ]),
  )("%s", async (_, variables, secrets, token) => {
    const file = await written("github");
    repository.git("checkout", "--quiet", "main");
    repository.git("merge", "--quiet", "change");
    const folder = repository.scratch.path("recorder");
    writeCommand(folder, "buildpipeline", `echo "$2: $PULUMI_ACCESS_TOKEN" >> '${folder}/tokens'`);
    for (const branch of ["change", "main"] as const)
      await runGitHub(file, { branch, variables, secrets }, machine(join(folder, "buildpipeline")));
    const tokens = readFileSync(join(folder, "tokens"), "utf8").trim().split("\n");
    // The job with the comment reads no state.
    expect(new Set(tokens)).toEqual(new Set([`preview: ${token}`, "comment: ", `deploy: ${token}`]));
  });
});
