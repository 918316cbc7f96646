import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import * as z from "zod";
import { errorIn, isLock } from "./engine-messages.js";
import { findPulumi } from "./executable.js";

/** The versions of Pulumi's CLI that a project may use. The first one writes imports with outputs into the state. */
export const CLI_RANGE = ">=3.254.0";

/** Where a Pulumi project is, and which of its stacks is meant. */
export interface Project {
  readonly directory: string;
  /** Default: the selected stack. */
  readonly stack: string | undefined;
  /** Variables that its commands get, such as the passphrase of this project alone. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The Pulumi CLI is missing, or refused; the message is its own. */
export class PulumiError extends Error {
  override readonly name = "PulumiError";

  constructor(
    message: string,
    /** Its output before the failure. */
    readonly printed: string = "",
  ) {
    super(message);
  }
}

/** Runs the Pulumi CLI on the PATH without questions, and returns what it prints. @throws PulumiError */
export async function pulumi(
  directory: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { file, env } = executable(environment);
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd: directory, env, maxBuffer: 2 ** 30 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new PulumiError(`\`pulumi ${args[0]}\` failed: ${reasonIn(stderr)}`, stdout));
    });
  });
}

function executable(own: Readonly<Record<string, string>> = {}) {
  const environment = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", ...own };
  const found = findPulumi(environment);
  if ("missing" in found) throw new PulumiError(found.missing);
  return { file: found.file, env: { ...environment, PATH: found.path } };
}

export function onStack(
  { directory, stack, environment: own }: Project,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<string> {
  const stackOption = stack === undefined ? [] : ["--stack", stack];
  return pulumi(directory, [...args, ...stackOption, "--non-interactive"], { ...own, ...environment });
}

/** Returns the names of a project's stacks. @throws PulumiError */
export async function stackNames(directory: string): Promise<string[]> {
  const listed = await pulumi(directory, ["stack", "ls", "--json", "--non-interactive"]);
  const stacks = z.array(z.object({ name: z.string() })).parse(JSON.parse(listed));
  return stacks.map(({ name }) => name);
}

/** Imports the file that `adopt` writes, as a user types it. */
export const IMPORT_COMMAND = "pulumi import --file import.json --generate-code=false --protect=false";

/** The number under which an open file reaches the Pulumi CLI: the first that is free. */
const INHERITED = 3;

/**
 * Imports the resources of a file, before the user's eyes. The engine shows what it is about to do, and asks where a
 * terminal listens.
 *
 * @param file its path, or the number of an open file
 * @throws PulumiError
 */
export async function importResources(
  { directory, stack }: Project,
  file: string | number,
  yes: boolean,
): Promise<void> {
  const asks = process.stdin.isTTY && !yes;
  const path = typeof file === "string" ? file : `/dev/fd/${INHERITED}`;
  const args = ["import", "--file", path, "--generate-code=false", "--protect=false"];
  if (stack !== undefined) args.push("--stack", stack);
  const { file: command, env } = executable();
  const child = spawn(command, [...args, ...(asks ? [] : ["--yes", "--non-interactive"])], {
    cwd: directory,
    env,
    // Standard output is for what the command itself prints.
    stdio: ["inherit", 2, 2, ...(typeof file === "number" ? [file] : [])],
  });
  const [code]: unknown[] = await once(child, "close");
  if (code === 0) return;
  throw new PulumiError(
    `\`pulumi import\` failed. Its output above has the reason. If that is a lock: ${LOCK_ADVICE}`,
  );
}

/** What to do about a lock. Pulumi's own message leaves the danger out. */
export const LOCK_ADVICE =
  "`pulumi cancel` releases the lock. If state is in a bucket or a directory, it ends no deployment: one that still runs " +
  "goes on, another one can start, and both write one state. So make sure that the process that has the lock has ended, and its " +
  "job on the CI host too, then run `pulumi cancel`.";

function reasonIn(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const reason = lines.flatMap((line) => errorIn(line) ?? [])[0] ?? lines.at(-1) ?? "no reason given";
  if (!isLock(reason)) return reason;
  const holders = lines.filter((line) => line.includes(": created by ")).map((line) => line.trim());
  return `${[reason, ...holders].join(" ").replace(/\.*$/, ".")} ${LOCK_ADVICE}`;
}
