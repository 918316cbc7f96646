import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  cpSync,
  globSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { DIST } from "../command.js";
import { writeCommand } from "../commands-on-path.js";

/** What happened in the repository that a host runs its file for. */
export interface Happening {
  /** `change`: a pull request with that branch. `main`: a push, or for GitLab the start of manual jobs. */
  readonly branch: "change" | "main";
  /** What its owner set on GitHub. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** How each job ended, by its name and its value of the matrix. */
export type Ends = Readonly<Record<string, "success" | "failure">>;

/** Where a host's jobs run: a folder of its own, a repository to clone, and an environment that is built from nothing. */
export interface Machine {
  readonly folder: string;
  readonly repository: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Makes the commands that all jobs have. `npm ci` installs this package, or the command that a test has in its place. */
export function machineIn(
  folder: string,
  repository: string,
  env: Readonly<Record<string, string>>,
  command = join(DIST, "commands", "main.js"),
): Machine {
  const bin = join(folder, "bin");
  writeCommand(
    bin,
    "npm",
    `[ "$1 $2" = "ci --ignore-scripts" ] || exit 9
[ "$3" = --prefix ] && cd "$4"
mkdir -p node_modules/.bin && ln -s '${command}' node_modules/.bin/buildpipeline`,
  );
  const PATH = [bin, env.PATH, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  return { folder, repository, env: { ...env, PATH, HOME: folder } };
}

/** Clones the repository for a job, as a host does. @returns the folder, which is empty without a branch */
export function checkout({ folder, repository }: Machine, name: string, branch: string | undefined): string {
  const jobs = join(folder, "jobs");
  mkdirSync(jobs, { recursive: true });
  const place = join(jobs, `${readdirSync(jobs).length}-${name.replaceAll(/\W+/g, "-")}`);
  if (branch === undefined) mkdirSync(place, { recursive: true });
  else execFileSync("git", ["clone", "--quiet", "--branch", branch, repository, place]);
  return place;
}

/** Returns what all jobs printed. */
export function printedOn({ folder }: Machine): string {
  return globSync("jobs/*.log", { cwd: folder })
    .map((log) => `${log}:\n${readFileSync(join(folder, log), "utf8")}`)
    .join("\n");
}

/** Runs lines of a job as the host's shell does. @returns whether they succeeded */
export async function shell(
  lines: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const log = openSync(`${cwd}.log`, "a");
  const stdio = ["ignore", log, log] as const;
  const child = spawn("bash", ["-eo", "pipefail", "-c", lines.join("\n")], { cwd, env, stdio: [...stdio] });
  const [code] = await once(child, "close");
  closeSync(log);
  return code === 0;
}

/** Copies the files that patterns name from a folder to another one. No host uploads hidden files unasked. */
export function copy(patterns: readonly string[], from: string, to: string, base = from): void {
  for (const path of globSync([...patterns], { cwd: from })) {
    const source = join(from, path);
    if (statSync(source).isDirectory() || basename(path).startsWith(".")) continue;
    const target = join(to, source.slice(base.length));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(source, target);
  }
}

/**
 * Evaluates an expression of a host, whose names, texts and signs are rewritten as JavaScript.
 *
 * @param token matches a name, a text or a pattern, and the rest stays as it is
 */
export function evaluate(
  expression: string,
  token: RegExp,
  rewritten: (token: string) => string,
  scope: Readonly<Record<string, unknown>>,
): unknown {
  const source = expression.replace(token, (one) => rewritten(one));
  return new Function(...Object.keys(scope), `return (${source});`)(...Object.values(scope));
}
