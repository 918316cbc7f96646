import { vi } from "vitest";
import type { Backend } from "./backends.js";
import { descendants, isAlive, type Process } from "./processes.js";
import { type Engine, Project } from "./project.js";

/** What a program requires, and what the command line of its provider process contains. */
const SERVED = {
  dynamic: { entry: "pulumi-buildpipeline", process: "dynamic-provider" },
  plugin: { entry: "pulumi-buildpipeline/native", process: "pulumi-resource-buildpipeline" },
} as const;

/** Waits until something holds, for a minute at most. */
export const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 120_000, interval: 20 });

export class KillableProject {
  private constructor(
    readonly project: Project,
    readonly backend: Backend,
  ) {}

  static async start(backend: Backend): Promise<KillableProject> {
    const killable = new KillableProject(await Project.start(), backend);
    killable.program();
    await killable.project.newStack();
    return killable;
  }

  program(...statements: readonly string[]): void {
    const names =
      "AgentToken, Cluster, ClusterSecret, Pipeline, PipelineTemplate, Queue, RotatingAgentToken, Suite, Team";
    const { entry } = SERVED[this.backend];
    this.project.declare([`const { ${names} } = require("${entry}");`, ...statements].join("\n"), "killed");
  }

  hits(operation: string): number {
    return this.project.emulator.requests.filter((request) => request.operation === operation).length;
  }

  /** Starts `pulumi up` and waits until the service has a request of each operation. */
  async upUntil(...operations: readonly string[]): Promise<Engine> {
    const before = operations.map((operation) => this.hits(operation));
    const engine = this.project.engine("up", "--yes", "--skip-preview");
    await until(() => operations.every((operation, index) => this.hits(operation) > (before[index] ?? 0)));
    return engine;
  }

  /** Deploys, kills everything when the service has done operations and has not answered yet, and cancels. */
  async killedAt(...operations: readonly string[]): Promise<void> {
    for (const operation of operations)
      this.project.emulator.fault({ operation, when: "after", action: "hang" });
    await killAll(await this.upUntil(...operations));
    await this.project.pulumi("cancel", "--yes");
  }

  /** Those of an engine's processes that serve the resources. */
  providers({ pid }: Engine): readonly Process[] {
    return descendants(pid).filter(({ command }) => command.includes(SERVED[this.backend].process));
  }
}

/** Kills processes, some of which may have ended already, and waits until all are gone. */
export async function kill(...pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself, as a provider does without its engine.
    }
  }
  await until(() => !pids.some(isAlive));
}

export async function killAll({ pid, ended }: Engine): Promise<void> {
  await kill(pid, ...descendants(pid).map((started) => started.pid));
  await ended;
}
