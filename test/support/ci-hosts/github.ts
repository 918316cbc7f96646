import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { checkout, copy, type Ends, evaluate, type Happening, type Machine, shell } from "./run.js";

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
type Context = Readonly<Record<string, unknown>>;

const EXPRESSION = /\$\{\{((?:'[^']*'|(?!\}\}).)*)\}\}/gs;
/** A text, or a name with its properties. */
const TOKEN = /'(?:[^']|'')*'|[a-z][\w-]*(?:\.[\w-]+)*/gi;
const CALLED = ["cancelled", "success", "format"];

function resultOf(expression: string, context: Context, isSuccess = true): unknown {
  const get = (path: string) =>
    // What nobody has set equals an empty text.
    path.split(".").reduce<unknown>((value, name) => Object(value)[name], context) ?? "";
  const format = (text: string, ...values: unknown[]) =>
    text.replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)]));
  const rewritten = (token: string) => {
    if (token.startsWith("'")) return JSON.stringify(token.slice(1, -1).replaceAll("''", "'"));
    return CALLED.includes(token) ? token : `get(${JSON.stringify(token)})`;
  };
  const called = { cancelled: () => false, success: () => isSuccess, format };
  return evaluate(expression, TOKEN, rewritten, { get, ...called });
}

/** GitHub replaces expressions once, in values of the matrix as well. */
function filled(text: unknown, context: Context): string {
  return String(text).replace(EXPRESSION, (_, expression: string) =>
    String(resultOf(expression, context) ?? ""),
  );
}

function holds(condition: string | undefined, context: Context, isSuccess: boolean): boolean {
  const expression = (condition ?? "true").replace(/^\$\{\{(.*)\}\}$/s, "$1");
  const isOfAllEnds = /\b(?:cancelled|always|failure)\(\)/.test(expression);
  const value = expression === "true" || resultOf(expression, context, isSuccess);
  return Boolean(value) && (isOfAllEnds || isSuccess);
}

/** Runs a workflow of GitHub as it is written, its jobs one after another. */
export async function runGitHub(
  text: string,
  { branch, variables: vars = {}, secrets = {} }: Happening,
  machine: Machine,
): Promise<Ends> {
  const { jobs }: { jobs: Readonly<Record<string, Job>> } = parse(text);
  const isRequest = branch === "change";
  const github = {
    event_name: isRequest ? "pull_request" : "push",
    repository: "acme/ci",
    token: "t0ken",
    event: {
      number: 12,
      repository: { default_branch: "main" },
      ...(isRequest && { pull_request: { head: { repo: { full_name: "acme/ci" } } } }),
    },
  };
  const base = { github, inputs: {}, vars, secrets };
  const artifacts = join(machine.folder, "artifacts");
  mkdirSync(artifacts);
  const ends: Record<string, "success" | "failure"> = {};
  const results: Record<string, { result: string }> = {};
  for (const [name, job] of Object.entries(jobs)) {
    const needs = job.needs === undefined ? {} : { [job.needs]: results[job.needs] };
    const isNeeded = Object.values(needs).every((needed) => needed?.result === "success");
    results[name] = { result: "skipped" };
    if (!holds(job.if, { ...base, needs }, isNeeded)) continue;
    const [[dimension, values]] = Object.entries(job.strategy?.matrix ?? { none: [""] }) as [
      [string, unknown[]],
    ];
    for (const [index, value] of values.entries()) {
      const matrix = { [dimension]: typeof value === "string" ? filled(value, base) : value };
      const context = { ...base, needs, matrix, strategy: { "job-index": index } };
      const key = job.strategy === undefined ? name : `${name} ${matrix[dimension]}`;
      ends[key] = (await runJob(key, job, context)) ? "success" : "failure";
    }
    const isDone = Object.entries(ends).every(
      ([key, end]) => key.split(" ")[0] !== name || end === "success",
    );
    results[name] = { result: isDone ? "success" : "failure" };
  }
  return ends;

  async function runJob(name: string, job: Job, known: Context): Promise<boolean> {
    const steps: Record<string, object> = {};
    const context = { ...known, steps };
    let place = "";
    let isDone = true;
    const variables = (given: Step["env"] = {}) =>
      Object.fromEntries(Object.entries(given).map(([key, value]) => [key, filled(value, context)]));
    for (const step of job.steps) {
      if (!holds(step.if, context, isDone)) continue;
      const given = Object.fromEntries(
        Object.entries(step.with ?? {}).map(([key, value]) => [key, filled(value, context)]),
      );
      const action = step.uses?.split("@")[0];
      if (action === "actions/checkout") place = checkout(machine, name, given.ref ?? branch);
      else if (action === "actions/upload-artifact") {
        // The root of an artifact is the last folder that all paths have in common.
        const paths = (given.path ?? "").trim().split("\n");
        const root = join(
          place,
          paths.length > 1 ? (paths[0] ?? "").split("/").slice(0, -1).join("/") : (given.path ?? ""),
        );
        copy(
          paths.map((path) => (paths.length > 1 ? path : `${path}/**`)),
          place,
          join(artifacts, given.name ?? ""),
          root,
        );
      } else if (action === "actions/download-artifact") {
        const wanted = given.name ?? given.pattern?.replace("*", "") ?? "";
        for (const one of readdirSync(artifacts).filter((one) => one.startsWith(wanted)))
          copy(["**"], join(artifacts, one), join(place, given.path ?? ""));
      } else if (action === "pulumi/auth-actions") {
        // GitHub names the job's identity to Pulumi Cloud, whose token this is.
        const outputs = {
          "pulumi-access-token": `${given["requested-token-type"]} of ${given.organization}`,
        };
        if (job.permissions?.["id-token"] === "write") steps[step.id ?? ""] = { outputs };
        else isDone = false;
      } else if (step.run !== undefined) {
        const own = {
          CI: "true",
          GITHUB_ACTIONS: "true",
          GITHUB_REPOSITORY: "acme/ci",
          GITHUB_REF: isRequest ? "refs/pull/12/merge" : "refs/heads/main",
          GITHUB_STEP_SUMMARY: join(machine.folder, "summary.md"),
        };
        const env: Record<string, string> = {
          ...machine.env,
          ...own,
          ...variables(job.env),
          ...variables(step.env),
        };
        // A secret that nobody has set is an empty text, and the settings of these tests are in the environment.
        for (const [key, value] of Object.entries(machine.env)) if (!env[key]) env[key] = value;
        isDone = (await shell([filled(step.run, context)], place, env)) && isDone;
      }
    }
    return isDone;
  }
}
