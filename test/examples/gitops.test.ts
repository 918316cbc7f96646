import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const EXAMPLE = join(__dirname, "..", "..", "examples", "gitops");
const read = (...path: readonly string[]) => readFileSync(join(EXAMPLE, ...path), "utf8");

interface Step {
  run?: string;
  uses?: string;
  if?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  concurrency: { group: string; "cancel-in-progress": boolean };
  jobs: Record<string, Job>;
}
interface Job {
  if?: string;
  needs?: string | string[];
  environment?: string;
  permissions?: Record<string, string>;
  steps: Step[];
}
const workflows = new Map<string, Workflow>(
  readdirSync(join(EXAMPLE, ".github", "workflows")).map((file) => [
    file.replace(".yml", ""),
    parse(read(".github", "workflows", file)),
  ]),
);
const jobs = [...workflows].flatMap(([workflow, { jobs: own }]) =>
  Object.entries(own).map(([name, job]) => ({ name: `${workflow}/${name}`, job })),
);

interface GitLabJob {
  before_script?: string[];
  script: string[];
  needs?: string[];
  variables?: Record<string, string>;
  artifacts?: { paths: string[] };
  environment: { name: string };
  resource_group?: string;
  rules: { if: string; when?: string }[];
}
const { stages, default: everywhere, variables, ...gitLab } = parse(read(".gitlab-ci.yml"));
const gitLabJobs: Record<string, GitLabJob> = gitLab;

interface PipelineStep {
  label?: string;
  block?: string;
  if: string;
  agents?: { queue: string };
  command?: string[];
  concurrency_group?: string;
}
const pipeline: { steps: PipelineStep[] } = parse(read("pipeline.yml"));
const commandSteps = pipeline.steps.filter(({ block }) => block === undefined);

/** The lines that call the shared scripts, in order. */
const shared = (lines: readonly (string | undefined)[]) =>
  lines
    .filter((line): line is string => /^(?:\$main\/)?ci\//.test(line ?? ""))
    .map((line) => line.replace("$main/", ""));
/** Jobs that reach neither the state nor the service. */
const WITHOUT_STATE = ["preview/projects", "preview/comment", "rotate/propose"];
/** An expression in a workflow. */
const expression = (text: string) => `$\{{ ${text} }}`;
const scripts = readdirSync(join(EXAMPLE, "ci"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(?:sh|mjs)$/.test(name))
  .sort();

describe("The recipes", () => {
  test("run the very same script lines on every host", () => {
    const gitHub = (workflow: string, ...names: string[]) =>
      names.flatMap((name) =>
        shared((workflows.get(workflow)?.jobs[name]?.steps ?? []).map(({ run }) => run)),
      );
    const gitLabLines = (...names: string[]) =>
      names.flatMap((name) =>
        shared([
          ...(gitLabJobs[name]?.before_script ?? everywhere.before_script),
          ...(gitLabJobs[name]?.script ?? []),
        ]),
      );
    const service = (label: RegExp) =>
      shared(commandSteps.find((step) => label.test(step.label ?? ""))?.command ?? []);

    const preview = "ci/projects.sh preview --affected-by <base>";
    expect(
      [
        gitHub("preview", "preview", "comment"),
        gitLabLines("preview", "comment"),
        [...service(/Preview/), ...service(/Report/)],
      ].map((lines) => lines.map((line) => line.replace(/(?<=--affected-by ).*/, "<base>"))),
    ).toEqual(Array(3).fill(["ci/install.sh", preview, "ci/install.sh", "ci/comment.mjs"]));
    const plan = ["ci/install.sh", "ci/projects.sh preview --since-deployment"];
    // On the service, the build itself shows the plan's report next to the block step.
    expect([gitHub("deploy", "plan"), gitLabLines("plan"), service(/Plan/)]).toEqual([
      plan,
      plan,
      [...plan, "ci/comment.mjs"],
    ]);
    expect([gitHub("deploy", "deploy"), gitLabLines("deploy"), service(/Deploy/)]).toEqual(
      Array(3).fill(["ci/install.sh", "ci/projects.sh deploy --listing review/projects.json --waves"]),
    );
    expect([gitHub("nightly", "drift"), gitLabLines("drift"), service(/Drift/)]).toEqual(
      Array(3).fill(["ci/install.sh", "ci/nightly.sh"]),
    );
    expect([gitHub("rotate", "propose"), gitLabLines("rotate"), service(/Rotate/)]).toEqual(
      Array(3).fill(["ci/rotate.mjs"]),
    );
  });

  test("run nothing of their own beside them but installations and artifacts", () => {
    const lines = [
      ...jobs.flatMap(({ job }) => job.steps.flatMap(({ run }) => run ?? [])),
      ...everywhere.before_script,
      ...Object.values(gitLabJobs).flatMap(({ before_script = [], script }) => [...before_script, ...script]),
      ...commandSteps.flatMap(({ command = [] }) => command),
    ];
    const others = new Set(lines.filter((line) => shared([line]).length === 0));
    expect([...others].sort()).toEqual([
      'buildkite-agent artifact download "review/**/*" .',
      'git clone --quiet --depth 1 --branch "$CI_DEFAULT_BRANCH" "$CI_REPOSITORY_URL" "$main"',
      "main=$(mktemp -d)",
      expect.stringMatching(
        /^node_modules\/\.bin\/buildpipeline projects --affected-by [^\n]*\necho "affected=[^\n]*\n$/,
      ),
    ]);
    const called = shared(lines).flatMap((line) => {
      const [script = "", argument] = line.replace("ci/", "").split(" ");
      return argument === undefined ? [script] : [script, `each/${argument}.sh`];
    });
    // The nightly script calls the one for all stacks.
    expect([...new Set([...called, "each/drift.sh"])].sort()).toEqual(scripts);
  });

  test.each(scripts)("%s is a script without mistakes of syntax, and can be executed", (script) => {
    if (script.endsWith(".mjs")) {
      execFileSync(process.execPath, ["--check", join(EXAMPLE, "ci", script)]);
      expect(read("ci", script)).toMatch(/^#!\/usr\/bin\/env node\n/);
    } else {
      execFileSync("bash", ["-n", join(EXAMPLE, "ci", script)]);
      expect(read("ci", script)).toMatch(/^#!\/usr\/bin\/env bash\n[\s\S]*\nset -euo pipefail\n/);
    }
    // npm keeps the bits of Git.
    const mode = execFileSync("git", ["ls-files", "--stage", join("ci", script)], { cwd: EXAMPLE });
    expect(String(mode)).toMatch(/^100755 /);
  });
});

test("docs/guides/gitops.md has every secret and variable of the hosts", () => {
  const text = readFileSync(join(__dirname, "..", "..", "docs", "guides", "gitops.md"), "utf8");
  const workflowTexts = [...workflows.keys()].map((name) => read(".github", "workflows", `${name}.yml`));
  const used = [...workflowTexts.join("").matchAll(/\b(?:secrets|vars)\.(\w+)/g)].map(
    ([, name = ""]) => name,
  );
  expect(used).toContain("OTHER_STACKS");
  expect([...used, "COMMENT_TOKEN"].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

describe("The recipe for GitHub Actions", () => {
  test("pins every action by its commit, and says which version that is", () => {
    const text = [...workflows.keys()].map((name) => read(".github", "workflows", `${name}.yml`)).join("");
    const uses = text.match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(10);
    for (const line of uses) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("asks for no more permissions than it needs", () => {
    const asked = Object.fromEntries([...workflows].map(([name, { permissions }]) => [name, permissions]));
    expect(asked).toEqual({
      preview: {},
      deploy: { contents: "read", "id-token": "write" },
      nightly: { contents: "read", "id-token": "write" },
      rotate: { contents: "write", "pull-requests": "write" },
    });
    const checkouts = jobs.map(({ job }) =>
      job.steps.find(({ uses }) => uses?.startsWith("actions/checkout")),
    );
    for (const checkout of checkouts) expect(checkout?.with).toMatchObject({ "persist-credentials": false });
  });

  test("runs a pull request's code without permission to write, and comments without its code", () => {
    const { projects, preview, comment } = workflows.get("preview")?.jobs ?? {};
    expect(projects?.permissions).toEqual({ contents: "read" });
    expect(preview?.permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(comment?.permissions).toEqual({ contents: "read", "pull-requests": "write" });
    expect(comment?.needs).toEqual(["projects", "preview"]);
    expect(comment?.if).toContain("needs.projects.result == 'success'");
    const [checkout, , install, download, ...rest] = comment?.steps ?? [];
    expect(install).toEqual({ run: "ci/install.sh" });
    expect(checkout?.with?.ref).toBe(expression("github.event.repository.default_branch"));
    expect(workflows.get("preview")?.on).toEqual({ pull_request: { branches: ["main"] } });
    // Not over the script of the main branch.
    expect(download?.with).toEqual({ pattern: "report*", "merge-multiple": true, path: "change" });
    expect(rest).toEqual([
      {
        run: "ci/comment.mjs",
        env: {
          REVIEW: "change",
          GITHUB_TOKEN: expression("github.token"),
          PULL_REQUEST: expression("github.event.pull_request.number"),
        },
      },
    ]);
    const uploads = preview?.steps.filter(({ uses }) => uses?.startsWith("actions/upload-artifact")) ?? [];
    // Neither the state nor the plan.
    expect(uploads.map(({ with: given }) => given?.path)).toEqual(["review/*/report.*"]);
    expect(JSON.stringify([projects, preview])).not.toContain("github.token");
    expect(JSON.stringify(projects)).not.toMatch(/secrets\.|environment/);
  });

  test("can reach the state in Pulumi Cloud and in a bucket", () => {
    for (const { name, job } of jobs) {
      if (WITHOUT_STATE.includes(name)) continue;
      const role = job.steps.find(({ uses }) => uses?.startsWith("aws-actions/"));
      expect(role, name).toMatchObject({ if: "vars.AWS_ROLE != ''" });
    }
  });

  test("hands secrets to the step that needs them, never to a fork, and the one that can write to deployments only", () => {
    const environments: Record<string, string | undefined> = {};
    for (const { name, job } of jobs) {
      environments[name] = job.environment;
      if (WITHOUT_STATE.includes(name)) continue;
      const withSecrets = job.steps.filter((step) => JSON.stringify(step).includes("secrets."));
      expect(
        withSecrets.map(({ run }) => run?.split(" ")[0]),
        name,
      ).toEqual([expect.stringMatching(/^ci\/(?:projects|nightly)\.sh$/)]);
      const deploys = name === "deploy/deploy";
      expect(withSecrets[0]?.env, name).toEqual({
        PULUMI_STACK: "production",
        ...(name === "preview/preview" && { PROJECT: expression("matrix.project") }),
        ...(name === "deploy/plan" && {
          ALL: expression("github.event_name == 'workflow_dispatch' && 'true' || ''"),
        }),
        ...(name === "nightly/drift" && { OTHER_STACKS: expression("vars.OTHER_STACKS") }),
        PULUMI_BACKEND_URL: expression("vars.PULUMI_BACKEND_URL"),
        PULUMI_ACCESS_TOKEN: expression("secrets.PULUMI_ACCESS_TOKEN"),
        PULUMI_CONFIG_PASSPHRASE: expression("secrets.PULUMI_CONFIG_PASSPHRASE"),
        BUILDPIPELINE_ACCESS_TOKEN: expression(`secrets.BUILDPIPELINE_${deploys ? "WRITE" : "READ"}_TOKEN`),
      });
    }
    expect(environments).toEqual({
      "preview/projects": undefined,
      // Each project has the environment with its own state and key.
      "preview/preview": expression(
        "matrix.project == '.' && 'review' || format('review/{0}', matrix.project)",
      ),
      "preview/comment": undefined,
      "deploy/plan": "plan",
      "deploy/deploy": "production",
      "nightly/drift": "nightly",
      "rotate/propose": undefined,
    });
    const preview = workflows.get("preview");
    expect(preview?.jobs.projects?.if).toBe(
      "github.event.pull_request.head.repo.full_name == github.repository",
    );
    expect(preview?.jobs.preview?.needs).toBe("projects");
  });

  test("never deploys twice at once, and cancels no deployment", () => {
    expect(workflows.get("deploy")?.concurrency).toEqual({
      group: "production",
      "cancel-in-progress": false,
    });
    // A deployment that waits for its reviewers holds up no night.
    expect(workflows.get("nightly")?.concurrency).toEqual({ group: "nightly", "cancel-in-progress": false });
    expect(workflows.get("deploy")?.jobs.deploy?.needs).toBe("plan");
  });
});

test("A rotation is proposed on its own schedule, with nothing that reaches the state or the service", () => {
  const text = read(".github", "workflows", "rotate.yml");
  expect(text).not.toMatch(/secrets\.|PULUMI_BACKEND_URL|BUILDPIPELINE/);
  expect(workflows.get("rotate")?.on).toHaveProperty("schedule");
  expect(gitLabJobs.rotate?.rules).toEqual([
    { if: '$CI_PIPELINE_SOURCE == "schedule" && $ROTATE == "true"' },
  ]);
  expect(gitLabJobs.drift?.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "schedule" && $ROTATE != "true"' }]);
  expect(commandSteps.filter((step) => step.if.includes('schedule" &&')).map((step) => step.if)).toEqual([
    'build.source == "schedule" && build.env("ROTATE") != "true"',
    'build.source == "schedule" && build.env("ROTATE") == "true"',
  ]);
});

describe("The recipe for GitLab CI", () => {
  test("keeps what deploys from overlapping, and the environment that can write from everything else", () => {
    expect(stages).toEqual(["review", "comment", "plan", "deploy"]);
    expect(variables).toEqual({ PULUMI_STACK: "production", GIT_DEPTH: 0 });
    expect(everywhere.interruptible).toBe(false);
    const places = Object.entries(gitLabJobs).map(([name, { environment, resource_group }]) => [
      name,
      [environment.name, resource_group],
    ]);
    expect(Object.fromEntries(places)).toEqual({
      preview: ["review/$PROJECT", undefined],
      comment: ["comment", undefined],
      plan: ["plan", "production"],
      deploy: ["production", "production"],
      drift: ["nightly", "nightly"],
      rotate: ["rotation", "rotation"],
    });
    expect(gitLabJobs.deploy?.rules).toEqual([expect.objectContaining({ when: "manual" })]);
  });

  test("comments without a merge request's code, and pipes nothing from the network into a shell", () => {
    expect(gitLabJobs.comment).toMatchObject({ needs: ["preview"], variables: { GIT_STRATEGY: "none" } });
    expect(gitLabJobs.comment?.before_script?.join("\n")).toContain('--branch "$CI_DEFAULT_BRANCH"');
    expect(gitLabJobs.comment?.script).toEqual(["$main/ci/comment.mjs"]);
    expect(gitLabJobs.preview?.artifacts?.paths).toEqual(["review/projects.json", "review/*/report.*"]);
    const used = [...scripts.map((script) => read("ci", script)), read(".gitlab-ci.yml")];
    for (const text of used) expect(text).not.toMatch(/curl[^\n]*\|/);
  });
});

describe("The recipe for the service's own pipelines", () => {
  test("keeps what deploys from overlapping, the agents that can write from everything else, and forks out", () => {
    for (const { label, agents, concurrency_group } of commandSteps) {
      expect(agents?.queue, label).toBe(label?.includes("Deploy") ? "deploy" : "review");
      const ownGroup = label?.includes("Rotate") ? "gitops/rotation" : "gitops/production";
      const group = label?.includes("Drift") ? "gitops/nightly" : ownGroup;
      expect(concurrency_group, label).toBe(/Preview|Report/.test(label ?? "") ? undefined : group);
    }
    expect(commandSteps[0]?.if).toContain("!build.pull_request.repository.fork");
    const block = pipeline.steps.findIndex((step) => step.block !== undefined);
    expect(pipeline.steps[block + 1]?.label).toContain("Deploy");
    expect(pipeline.steps[block]?.if).toBe(pipeline.steps[block + 1]?.if);
  });
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
