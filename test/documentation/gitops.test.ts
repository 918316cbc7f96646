import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
  jobs: Record<string, { if?: string; needs?: string; environment: string; steps: Step[] }>;
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
  script: string[];
  after_script?: string[];
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
  lines.filter((line): line is string => line?.startsWith("ci/") === true);
const scripts = readdirSync(join(EXAMPLE, "ci"));

describe("The recipes", () => {
  test("run the very same script lines on every host", () => {
    const gitHub = (workflow: string, job: string) =>
      shared((workflows.get(workflow)?.jobs[job]?.steps ?? []).map(({ run }) => run));
    const gitLabLines = (job: string) =>
      shared([...(gitLabJobs[job]?.script ?? []), ...(gitLabJobs[job]?.after_script ?? [])]);
    const service = (label: RegExp) =>
      shared(commandSteps.find((step) => label.test(step.label ?? ""))?.command ?? []);

    const preview = ["ci/preview.sh", "ci/comment.sh"];
    expect([gitHub("preview", "preview"), gitLabLines("preview"), service(/Preview/)]).toEqual([
      preview,
      preview,
      preview,
    ]);
    const plan = "ci/preview.sh --save-plan plan.json";
    // The service shows a plan's report beside the build, where the deployment is let go on.
    expect([gitHub("deploy", "plan"), gitLabLines("plan"), service(/Plan/)]).toEqual([
      [plan],
      [plan],
      [plan, "ci/comment.sh"],
    ]);
    expect([gitHub("deploy", "deploy"), gitLabLines("deploy"), service(/Deploy/)]).toEqual(
      Array(3).fill(["ci/deploy.sh"]),
    );
    expect([gitHub("nightly", "drift"), gitLabLines("drift"), service(/Drift/)]).toEqual(
      Array(3).fill(["ci/nightly.sh"]),
    );
  });

  test("run nothing of their own beside them but installations and artifacts", () => {
    const lines = [
      ...jobs.flatMap(({ job }) => job.steps.flatMap(({ run }) => run ?? [])),
      ...Object.values(gitLabJobs).flatMap(({ script, after_script = [] }) => [...script, ...after_script]),
      ...commandSteps.flatMap(({ command = [] }) => command),
    ];
    const others = new Set(lines.filter((line) => !line.startsWith("ci/")));
    expect([...others].sort()).toEqual([
      "buildkite-agent artifact download plan.json .",
      "npm ci --ignore-scripts",
    ]);
    const called = new Set(shared(lines).map((line) => line.split(" ")[0]?.replace("ci/", "")));
    expect([...called].sort()).toEqual(scripts);
  });

  test.each(scripts)("%s is a script that a shell understands, and can be executed", (script) => {
    execFileSync("bash", ["-n", join(EXAMPLE, "ci", script)]);
    expect(read("ci", script)).toMatch(/^#!\/usr\/bin\/env bash\n[\s\S]*\nset -euo pipefail\n/);
    // npm keeps the bits of Git.
    const mode = execFileSync("git", ["ls-files", "--stage", join("ci", script)], { cwd: EXAMPLE });
    expect(String(mode)).toMatch(/^100755 /);
  });
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
      preview: { contents: "read", "pull-requests": "write" },
      deploy: { contents: "read" },
      nightly: { contents: "read" },
    });
    const checkouts = jobs.map(({ job }) =>
      job.steps.find(({ uses }) => uses?.startsWith("actions/checkout")),
    );
    for (const checkout of checkouts) expect(checkout?.with).toEqual({ "persist-credentials": false });
  });

  test("hands secrets to the step that needs them, never to a fork, and the one that can write to deployments only", () => {
    for (const { name, job } of jobs) {
      const withSecrets = job.steps.filter((step) => JSON.stringify(step).includes("secrets."));
      expect(
        withSecrets.map(({ run }) => run?.split(" ")[0]),
        name,
      ).toEqual([expect.stringMatching(/^ci\/(?:preview|deploy|nightly)\.sh$/)]);
      const deploys = name === "deploy/deploy";
      const of = (expression: string) => `$\{{ ${expression} }}`;
      expect(withSecrets[0]?.env, name).toEqual({
        PULUMI_STACK: "production",
        PULUMI_BACKEND_URL: of("vars.PULUMI_BACKEND_URL"),
        PULUMI_CONFIG_PASSPHRASE: of("secrets.PULUMI_CONFIG_PASSPHRASE"),
        BUILDPIPELINE_ACCESS_TOKEN: of(`secrets.BUILDPIPELINE_${deploys ? "WRITE" : "READ"}_TOKEN`),
      });
      expect(job.environment, name).toBe(deploys ? "production" : "review");
    }
    const preview = workflows.get("preview");
    expect(preview?.on).toEqual({ pull_request: null });
    expect(preview?.jobs.preview?.if).toBe(
      "github.event.pull_request.head.repo.full_name == github.repository",
    );
  });

  test("never deploys twice at once, and cancels no deployment", () => {
    for (const name of ["deploy", "nightly"]) {
      expect(workflows.get(name)?.concurrency).toEqual({ group: "production", "cancel-in-progress": false });
    }
    expect(workflows.get("deploy")?.jobs.deploy?.needs).toBe("plan");
  });
});

describe("The recipe for GitLab CI", () => {
  test("keeps what deploys from overlapping, and the environment that can write from everything else", () => {
    expect(stages).toEqual(["review", "plan", "deploy"]);
    expect(variables).toEqual({ PULUMI_STACK: "production" });
    expect(everywhere.interruptible).toBe(false);
    for (const [name, { environment, resource_group }] of Object.entries(gitLabJobs)) {
      expect(environment.name, name).toBe(name === "deploy" ? "production" : "review");
      expect(resource_group, name).toBe(name === "preview" ? undefined : "production");
    }
    expect(gitLabJobs.deploy?.rules).toEqual([expect.objectContaining({ when: "manual" })]);
  });
});

describe("The recipe for the service's own pipelines", () => {
  test("keeps what deploys from overlapping, the agents that can write from everything else, and forks out", () => {
    for (const { label, agents, concurrency_group } of commandSteps) {
      expect(agents?.queue, label).toBe(label?.includes("Deploy") ? "deploy" : "review");
      expect(concurrency_group, label).toBe(label?.includes("Preview") ? undefined : "gitops/production");
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

describe("ci/comment.sh", () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "gitops-"));
    execFileSync("cp", ["-r", join(EXAMPLE, "ci"), directory]);
    writeFileSync(join(directory, "report.md"), "# The report\n");
    // Hosts' commands, which tell how they were called.
    for (const command of ["gh", "curl", "buildkite-agent"]) {
      const file = join(directory, command);
      writeFileSync(file, `#!/bin/sh\necho "${command} $@"\n[ "${command}" = gh ] || cat\n`);
      chmodSync(file, 0o755);
    }
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const told = (env: Record<string, string>) =>
    execFileSync(join(directory, "ci", "comment.sh"), {
      env: { PATH: `${directory}:${process.env.PATH}`, ...env },
      encoding: "utf8",
    });

  test("comments the report where the job runs", () => {
    expect(told({})).toBe("# The report\n");
    expect(told({ GITHUB_ACTIONS: "true", PULL_REQUEST: "12" })).toBe(
      "gh pr comment 12 --edit-last --create-if-none --body-file report.md\n",
    );
    expect(told({ BUILDKITE: "true" })).toBe(
      "buildkite-agent annotate --context preview --style info\n# The report\n",
    );
  });

  test("keeps GitLab's token out of the list of processes", () => {
    const [call, ...input] = told({
      GITLAB_CI: "true",
      COMMENT_TOKEN: "glpat-1",
      CI_API_V4_URL: "https://gitlab.example/api/v4",
      CI_PROJECT_ID: "7",
      CI_MERGE_REQUEST_IID: "3",
    }).split("\n");
    expect(call).toContain("https://gitlab.example/api/v4/projects/7/merge_requests/3/notes");
    expect(call).not.toContain("glpat-1");
    expect(input.join("\n")).toContain('header = "PRIVATE-TOKEN: glpat-1"');
  });
});
