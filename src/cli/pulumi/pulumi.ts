import * as z from "zod";
import { messageOf } from "../../shared/messages/of-error.js";
import { withoutCredentials } from "../../shared/messages/secrets.js";
import { readCode } from "../../shared/protocol/message-codes.js";
import { type ChildOptions, runChild } from "../process/child.js";
import type { PrivateFile } from "../process/private-file.js";
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

/** The Pulumi CLI is missing, or refused; the message is its own, without credentials. */
export class PulumiError extends Error {
  override readonly name = "PulumiError";

  constructor(
    message: string,
    /** Its output before the failure. */
    readonly printed: string = "",
  ) {
    super(withoutCredentials(message));
  }
}

/** Runs the Pulumi CLI on the PATH without questions, and returns what it prints. @throws PulumiError */
export async function pulumi(
  directory: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  file?: PrivateFile,
): Promise<string> {
  const printed: string[] = [];
  const errors: string[] = [];
  const code = await runPulumi(directory, args, {
    env: environment,
    file,
    onOutput: (line) => printed.push(line),
    onLine: (line) => errors.push(line),
  });
  if (code === 0) return printed.join("\n");
  throw new PulumiError(`\`pulumi ${args[0]}\` failed: ${reasonIn(errors)}`, printed.join("\n"));
}

/** Runs the Pulumi CLI on the PATH as {@link runChild} does. @returns its exit code. @throws PulumiError */
export async function runPulumi(
  directory: string,
  args: readonly string[],
  { env: own, ...options }: Omit<ChildOptions, "cwd">,
): Promise<number> {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", ...own };
  const found = findPulumi(env);
  if ("missing" in found) throw new PulumiError(found.missing);
  try {
    return await runChild(found.file, args, {
      ...options,
      onLine: options.onLine && ((line) => options.onLine?.(withoutCredentials(line))),
      cwd: directory,
      env: { ...env, PATH: found.path },
    });
  } catch (error) {
    throw new PulumiError(`\`pulumi ${args[0]}\` failed: ${messageOf(error)}`);
  }
}

export function onStack(
  { directory, stack, environment: own }: Project,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
  file?: PrivateFile,
): Promise<string> {
  const stackOption = stack === undefined ? [] : ["--stack", stack];
  return pulumi(directory, [...args, ...stackOption, "--non-interactive"], { ...own, ...environment }, file);
}

/** Returns the names of a project's stacks. @throws PulumiError */
export async function stackNames(directory: string): Promise<string[]> {
  const listed = await pulumi(directory, ["stack", "ls", "--json", "--non-interactive"]);
  const stacks = z.array(z.object({ name: z.string() })).parse(JSON.parse(listed));
  return stacks.map(({ name }) => name);
}

/** Sets a secret of a stack's configuration, which the CLI reads from its standard input. @throws PulumiError */
export async function setSecret({ directory, stack }: Project, key: string, value: string): Promise<void> {
  const errors: string[] = [];
  const onStack = stack === undefined ? [] : ["--stack", stack];
  const args = ["config", "set", "--secret", key, ...onStack, "--non-interactive"];
  const onOutput = (line: string) => errors.push(line);
  const code = await runPulumi(directory, args, { env: {}, input: value, onOutput });
  if (code !== 0) throw new PulumiError(`\`pulumi config set --secret ${key}\` failed: ${reasonIn(errors)}`);
}

/** Imports the file that `adopt` writes, as a user types it. */
export const IMPORT_COMMAND = "pulumi import --file import.json --generate-code=false --protect=false";

/** The engine writes the state once at the end. What a killed import has not recorded is imported by the next one. */
const WRITING_ONCE = { PULUMI_SKIP_CHECKPOINTS: "true" };

/**
 * Imports the resources of a file, before the user's eyes.
 *
 * @param file its path, or the file itself
 * @throws PulumiError
 */
export async function importResources(
  { directory, stack, environment: env = {} }: Project,
  file: string | PrivateFile,
  onOutput: (line: string) => void,
): Promise<void> {
  const [path, inherited] = typeof file === "string" ? [file] : [file.pathIn(3), file];
  const args = ["import", "--file", path, "--generate-code=false", "--protect=false", "--yes"];
  const onStack = stack === undefined ? [] : ["--stack", stack];
  const code = await runPulumi(directory, [...args, ...onStack, "--non-interactive"], {
    env: { ...WRITING_ONCE, ...env },
    onOutput: (line) => onOutput(withoutCredentials(line)),
    file: inherited,
  });
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

function reasonIn(errors: readonly string[]): string {
  const lines = errors.flatMap((line) => (line.trim() === "" ? [] : readCode(line).message));
  const reason = lines.flatMap((line) => errorIn(line) ?? [])[0] ?? lines.at(-1) ?? "no reason given";
  if (!isLock(reason)) return reason;
  const holders = lines.filter((line) => line.includes(": created by ")).map((line) => line.trim());
  return `${[reason, ...holders].join(" ").replace(/\.*$/, ".")} ${LOCK_ADVICE}`;
}
