import { join } from "node:path";
import { parse } from "yaml";
import { checkout, copy, type Ends, evaluate, type Happening, type Machine, shell } from "./run.js";

interface Rule {
  readonly if: string;
  readonly when?: string;
  readonly variables?: Readonly<Record<string, string>>;
}
interface Job {
  readonly stage: string;
  readonly rules: readonly Rule[];
  readonly needs?: readonly string[];
  readonly parallel?: { readonly matrix: readonly Readonly<Record<string, readonly unknown[]>>[] };
  readonly environment: { readonly name: string };
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script: readonly string[];
  readonly artifacts?: { readonly paths: readonly string[] };
}

/** GitLab expands variables in the values of variables. */
function expanded(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:\$|(\w+)|\{(\w+)\})/g, (all, name, braced) =>
    all === "$$" ? "$" : (env[name ?? braced] ?? ""),
  );
}

function holds(condition: string, env: Readonly<Record<string, string>>): boolean {
  const token = /"[^"]*"|\$\w+|=~ *\/(?:[^/\\]|\\.)*\//g;
  const rewritten = (one: string) => {
    if (one.startsWith("$")) return JSON.stringify(env[one.slice(1)] ?? null);
    return one.startsWith("=~") ? `.match(${one.slice(2).trim()})` : one;
  };
  return Boolean(evaluate(condition, token, rewritten, {}));
}

/** Runs a pipeline of GitLab as it is written, stage by stage. Somebody starts its manual job `deploy`. */
export async function runGitLab(text: string, { branch }: Happening, machine: Machine): Promise<Ends> {
  const {
    stages,
    default: everywhere,
    variables = {},
    ...jobs
  } = parse(text) as {
    stages: string[];
    default: Pick<Job, "before_script">;
    variables?: Record<string, string>;
  } & Record<string, Job>;
  const isRequest = branch === "change";
  const common: Record<string, string> = {
    ...machine.env,
    ...variables,
    CI: "true",
    GITLAB_CI: "true",
    CI_DEFAULT_BRANCH: "main",
    CI_REPOSITORY_URL: machine.repository,
    CI_BUILDS_DIR: join(machine.folder, "jobs"),
    CI_PIPELINE_SOURCE: isRequest ? "merge_request_event" : "push",
    ...(isRequest
      ? { CI_MERGE_REQUEST_IID: "3", CI_MERGE_REQUEST_DIFF_BASE_SHA: "origin/main" }
      : { CI_COMMIT_BRANCH: "main" }),
  };
  const ends: Record<string, "success" | "failure"> = {};
  const uploaded: { of: string; stage: string; folder: string }[] = [];
  for (const [name, job] of Object.entries(jobs).sort(
    ([, one], [, other]) => stages.indexOf(one.stage) - stages.indexOf(other.stage),
  )) {
    const rule = job.rules.find((each) => holds(each.if, common));
    if (rule === undefined || (rule.when === "manual" && name !== "deploy")) continue;
    const hasFailed = Object.values(ends).includes("failure");
    if (hasFailed && rule.when !== "always" && name !== "deploy") continue;
    const [[variable, values]] = Object.entries(job.parallel?.matrix[0] ?? { NONE: [""] }) as [
      [string, unknown[]],
    ];
    for (const value of values) {
      const given = { ...job.variables, ...rule.variables, [variable]: String(value) };
      const key = job.parallel === undefined ? name : `${name} ${expanded(String(value), common)}`;
      const id = String(100 + Object.keys(ends).length);
      const env: Record<string, string> = { ...common, CI_JOB_ID: id };
      for (const [own, text] of Object.entries(given)) env[own] = expanded(text, env);
      const environment = expanded(job.environment.name, env);
      if (!/^[\w/${}. -]+$/.test(environment) || /^\/|\/$/.test(environment))
        throw new Error(`GitLab has no environment ${environment}.`);
      const place = checkout(machine, key, env.GIT_STRATEGY === "none" ? undefined : branch);
      env.CI_PROJECT_DIR = place;
      // Without `needs`, a job gets the artifacts of all earlier stages.
      for (const one of uploaded.filter(({ of, stage }) => job.needs?.includes(of) ?? stage !== job.stage))
        copy(["**"], one.folder, place);
      const isDone = await shell(
        [...(job.before_script ?? everywhere.before_script ?? []), ...job.script],
        place,
        env,
      );
      ends[key] = isDone ? "success" : "failure";
      if (job.artifacts === undefined) continue;
      const folder = join(machine.folder, "artifacts", `${name} ${id}`);
      uploaded.push({ of: name, stage: job.stage, folder });
      const paths = job.artifacts.paths.flatMap((path) => [path, `${path}/**`]);
      copy(paths, place, folder);
    }
  }
  return ends;
}
