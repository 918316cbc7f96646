import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const EXAMPLE = join(__dirname, "..", "..", "examples", "gitops");
const read = (...path: readonly string[]) => readFileSync(join(EXAMPLE, ...path), "utf8");

interface Step {
  run?: string;
  uses?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}
interface Job {
  if?: string;
  needs?: string;
  environment?: string;
  permissions?: Record<string, string>;
  steps: Step[];
}
const FILES = [".github/workflows/buildpipeline.yml", ".gitlab-ci.yml", ".buildkite/pipeline.yml"] as const;
const [GITHUB, GITLAB, BUILDKITE] = FILES;
const workflow: { on: Record<string, unknown>; permissions: object; jobs: Record<string, Job> } = parse(
  read(GITHUB),
);

interface GitLabJob {
  before_script?: string[];
  script: string[];
  rules: { if: string; when?: string }[];
  environment: { name: string };
  resource_group?: string;
  artifacts?: { paths: string[] };
}
const {
  stages,
  default: everywhere,
  variables,
  ...gitLabJobs
}: {
  stages: string[];
  default: { before_script: string[]; interruptible: boolean };
  variables: Record<string, unknown>;
} & Record<string, GitLabJob> = parse(read(GITLAB));

interface PipelineStep {
  label?: string;
  block?: string;
  if: string;
  agents?: { queue: string };
  command?: string[];
  concurrency_group?: string;
}
const { steps }: { steps: PipelineStep[] } = parse(read(BUILDKITE));
const commandSteps = steps.filter(({ block }) => block === undefined);
const stepOf = (label: RegExp) => commandSteps.find((step) => label.test(step.label ?? ""));

/** The commands of a job, without what differs between hosts. */
const commands = (lines: readonly (string | undefined)[]) =>
  lines.flatMap((line) => {
    const [, command] = /\/buildpipeline"? (.*)$/.exec(line ?? "") ?? [];
    return (
      command?.replace(
        / --(?:affected-by|only|out) (?:"[^"]*"|\S+)| \$\{\{.*\}\}| \$WHICH| \$\$\{WHICH.*\}/g,
        "",
      ) ?? []
    );
  });
const expression = (text: string) => `$\{{ ${text} }}`;
const runs = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

describe("The host files", () => {
  test.each([
    ["preview", "preview", /Preview/, "ci preview --stack production"],
    ["comment", "comment", /Report/, "ci comment"],
    ["plan", "plan", /Plan$/, "ci preview --stack production"],
    ["deploy", "deploy", /Deploy/, "ci deploy --stack production --waves"],
    ["recover", "recover", /Recover/, "recover --stack production --yes"],
    ["drift", "drift", /Drift/, "ci drift"],
    ["rotate", "rotate", /Rotate/, "ci rotate --stack production"],
  ])("run the same command in %s on every host", (gitHub, gitLab, buildkite, command) => {
    expect(commands(runs(workflow.jobs[gitHub] ?? { steps: [] }))).toEqual([command]);
    expect(commands(gitLabJobs[gitLab]?.script ?? [])).toEqual([command]);
    expect(commands(stepOf(buildkite)?.command ?? [])).toEqual([command]);
  });

  test("have no logic of their own: installations, artifacts, and one command that gets the host's signals", () => {
    const lines = [
      ...Object.values(workflow.jobs).flatMap(runs),
      ...everywhere.before_script,
      ...Object.values(gitLabJobs).flatMap(({ before_script = [], script }) => [...before_script, ...script]),
      ...commandSteps.flatMap(({ command = [] }) => command),
    ];
    const others = lines.filter((line) => !/^exec \S*node_modules\/\.bin\/buildpipeline"? /.test(line));
    expect([...new Set(others)].sort()).toEqual([
      'buildkite-agent artifact download "review/**/*" .',
      'cd "$$RECOVER"',
      'cd "$FOLDER"',
      'git clone --quiet --depth 1 --branch "$CI_DEFAULT_BRANCH" "$CI_REPOSITORY_URL" "$CI_BUILDS_DIR/$CI_JOB_ID"',
      "npm ci --ignore-scripts",
      'npm ci --ignore-scripts --prefix "$CI_BUILDS_DIR/$CI_JOB_ID"',
    ]);
  });

  test.each(FILES)("%s has at most 230 lines for a team to copy", (file) => {
    expect(read(file).trimEnd().split("\n").length).toBeLessThanOrEqual(230);
  });

  test("publish neither a state nor a plan of a pull request", () => {
    const paths = [
      "review/projects.json",
      "review/*/report.*",
      "review/*/outcome.json",
      "review/*/summary.json",
    ];
    const uploads =
      workflow.jobs.preview?.steps.filter(({ uses }) => uses?.startsWith("actions/upload-artifact")) ?? [];
    expect(uploads.map(({ with: given }) => String(given?.path).trim().split("\n"))).toEqual([paths]);
    expect(gitLabJobs.preview?.artifacts?.paths).toEqual(paths);
    expect(stepOf(/Preview/)).toMatchObject({ artifact_paths: paths });
  });

  test("have every secret and variable explained in the reference", () => {
    const page = readFileSync(join(__dirname, "..", "..", "docs", "reference", "commands.md"), "utf8");
    const used = [...read(GITHUB).matchAll(/\b(?:secrets|vars)\.(\w+)/g)].map(([, name = ""]) => name);
    expect(used).toContain("OTHER_STACKS");
    expect(
      [...used, "COMMENT_TOKEN", "ROTATION_TOKEN"].filter((name) => !page.includes(`\`${name}\``)),
    ).toEqual([]);
  });
});

describe("The workflow of GitHub", () => {
  test("pins every action by its commit, and says which version that is", () => {
    const uses = read(GITHUB).match(/uses: (?!\*).*/g) ?? [];
    expect(uses.length).toBeGreaterThan(5);
    for (const line of uses)
      expect(line).toMatch(/^uses: (?:&\w+ )?[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("asks for no more permissions than each job needs, and leaves no credentials of Git behind", () => {
    expect(workflow.permissions).toEqual({});
    const tokens = { contents: "read", "id-token": "write" };
    expect(
      Object.fromEntries(Object.entries(workflow.jobs).map(([name, { permissions }]) => [name, permissions])),
    ).toEqual({
      preview: tokens,
      comment: { contents: "read", "pull-requests": "write" },
      plan: tokens,
      deploy: tokens,
      recover: tokens,
      drift: tokens,
      rotate: { contents: "write", "pull-requests": "write" },
    });
    for (const { steps } of Object.values(workflow.jobs))
      expect(steps[0]).toMatchObject({
        uses: expect.stringContaining("actions/checkout@"),
        with: { "persist-credentials": false },
      });
  });

  test("hands secrets to the step that needs them, never to a fork, and the one that can write to deployments only", () => {
    for (const [name, { steps, environment }] of Object.entries(workflow.jobs)) {
      const withSecrets = steps.filter((step) => /secrets\.|github\.token/.test(JSON.stringify(step)));
      expect(withSecrets, name).toEqual([
        expect.objectContaining({ run: expect.stringContaining("/buildpipeline") }),
      ]);
      const token = withSecrets[0]?.env?.BUILDPIPELINE_ACCESS_TOKEN;
      const writes = name === "deploy" || name === "recover";
      const kind = writes ? "WRITE" : "READ";
      const hasState = name !== "comment" && name !== "rotate";
      expect(token, name).toBe(hasState ? expression(`secrets.BUILDPIPELINE_${kind}_TOKEN`) : undefined);
      expect(environment === "production", name).toBe(writes);
      expect(environment === undefined, name).toBe(!hasState);
      expect(
        steps.some(({ uses }) => uses?.startsWith("aws-actions/")),
        name,
      ).toBe(hasState);
    }
    expect(workflow.jobs.preview?.if).toContain(
      "github.event.pull_request.head.repo.full_name == github.repository",
    );
    expect(workflow.on).toMatchObject({ pull_request: { branches: ["main"] } });
    expect(workflow.on).not.toHaveProperty("pull_request_target");
    expect(JSON.stringify(workflow.jobs.preview)).not.toContain("github.token }}");
  });

  test("comments with the command of the main branch, on data of the change that lies apart", () => {
    const { needs, if: condition, steps = [] } = workflow.jobs.comment ?? {};
    expect({ needs, condition }).toEqual({
      needs: "preview",
      condition: expect.stringContaining("!cancelled()"),
    });
    expect(steps[0]?.with?.ref).toBe(expression("github.event.repository.default_branch"));
    expect(steps[3]?.with).toMatchObject({ path: "change" });
    expect(steps[4]?.run).toMatch(/--out change$/);
  });

  test("runs one deployment at a time, cancels none, and recovers by hand only", () => {
    const { deploy, recover } = workflow.jobs;
    expect(deploy).toMatchObject({
      needs: "plan",
      concurrency: { group: "production", "cancel-in-progress": false },
    });
    expect(recover?.if).toBe("inputs.job == 'recover'");
  });
});

describe("The file of GitLab", () => {
  test("keeps what deploys from overlapping, and the environment that can write from everything else", () => {
    expect({ stages, variables, interruptible: everywhere.interruptible }).toEqual({
      stages: ["review", "comment", "plan", "deploy"],
      variables: { GIT_DEPTH: 0 },
      interruptible: false,
    });
    const places = Object.entries(gitLabJobs).map(([name, { environment, resource_group }]) => [
      name,
      [environment.name, resource_group],
    ]);
    expect(Object.fromEntries(places)).toEqual({
      preview: ["review/$PROJECT", undefined],
      comment: ["comment", "comment-$CI_MERGE_REQUEST_IID"],
      plan: ["plan", "plan"],
      deploy: ["production", "production"],
      recover: ["production", "production"],
      drift: ["nightly", "nightly"],
      rotate: ["rotation", "rotation"],
    });
    for (const name of ["deploy", "recover"])
      expect(gitLabJobs[name]?.rules).toEqual([expect.objectContaining({ when: "manual" })]);
  });

  test("comments without a merge request's code", () => {
    expect(gitLabJobs.comment).toMatchObject({ needs: ["preview"], variables: { GIT_STRATEGY: "none" } });
    expect(gitLabJobs.comment?.script).toEqual([
      'exec "$CI_BUILDS_DIR/$CI_JOB_ID/node_modules/.bin/buildpipeline" ci comment',
    ]);
  });
});

test("The file of Buildkite keeps what deploys from overlapping, the agents that can write from everything else, and forks out", () => {
  for (const { label = "", agents, concurrency_group } of commandSteps) {
    const writes = /Deploy|Recover/.test(label);
    expect(agents?.queue, label).toBe(writes ? "deploy" : "review");
    if (writes) expect(concurrency_group, label).toBe("gitops/production");
  }
  expect(commandSteps[0]?.if).toContain("!build.pull_request.repository.fork");
  const block = steps.findIndex((step) => step.block !== undefined);
  expect(steps[block + 1]?.label).toContain("Deploy");
  expect(steps[block + 1]?.if).toContain(steps[block]?.if);
});

describe("The recipe for the Pulumi Kubernetes Operator", () => {
  const schema = JSON.parse(readFileSync(join(__dirname, "operator", "stack.schema.json"), "utf8"));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const validate = ajv.compile(schema);
  const stack = parse(read("operator", "stack.yaml"));

  test("is a Stack as the operator defines it", () => {
    expect(validate(stack), ajv.errorsText(validate.errors)).toBe(true);
    expect(validate({ ...stack, spec: { ...stack.spec, mistyped: true } })).toBe(false);
    expect(validate({ ...stack, spec: { ...stack.spec, refresh: "true" } })).toBe(false);
  });

  test("has no secret in it, and deletes nothing when it is removed", () => {
    expect(stack.spec.envRefs.BUILDPIPELINE_ACCESS_TOKEN.type).toBe("Secret");
    expect(stack.spec.gitAuth.accessToken.type).toBe("Secret");
    expect(stack.spec.destroyOnFinalize).toBe(false);
  });
});
