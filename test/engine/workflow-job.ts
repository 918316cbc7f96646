import { join } from "node:path";
import { parse } from "yaml";
import type { Project } from "./project.js";

interface Workflow {
  jobs: Record<string, { steps: { run?: string }[] }>;
}

/** How a job ended, and the requests that it sent. */
export interface JobResult {
  readonly output: string;
  readonly code: string;
  readonly writes: readonly string[];
}

/**
 * Runs the commands of a workflow's job in the clone `../runner`, on what a branch has. What they install is there
 * already.
 *
 * @param folder the folder with the workflows, in the project's directory
 * @param environment assignments, as a shell has them
 */
export async function runJob(
  project: Project,
  folder: string,
  {
    name,
    branch = "main",
    all = false,
    only = ".",
  }: {
    readonly name: string;
    readonly branch?: string;
    /** A run that a person starts, of every project. */
    readonly all?: boolean;
    /** The folder of a preview's project. */
    readonly only?: string;
  },
  environment: string,
): Promise<JobResult> {
  const { jobs }: Workflow = parse(project.read(join(folder, ".github", "workflows", "buildpipeline.yml")));
  const commands = jobs[name]?.steps.flatMap(({ run }) => run ?? []) ?? [];
  // Its own test installs.
  const script = commands
    .filter((line) => !line.startsWith("npm "))
    .join("\n")
    .replace(/\$\{\{ matrix\.project \}\}/g, only)
    .replace(/\$\{\{ inputs\..*\}\}/g, all ? "--all" : "--since-deployment");
  project.emulator.clearRequests();
  const output = await project.shell(`
    cd ${folder}/../runner
    git fetch --quiet && git checkout --quiet --detach origin/${branch}
    export ${environment}
    rm -rf change && [ ! -d review ] || cp -R review change
    ( set -e
      ${script} ) 2>&1 && echo "exit code 0" || echo "exit code $?"`);
  return {
    output,
    code: /exit code (\d+)/.exec(output.slice(output.lastIndexOf("exit code")))?.[1] ?? "",
    writes: project.writes(),
  };
}
