import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import * as z from "zod";
import { startOf } from "../../cli/process/running.js";
import { jsonAs, writing } from "../../cli/terminal/files.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { shellWord } from "../../shared/messages/quoted.js";
import { inside } from "../../shared/process/folders.js";

/** The file in a folder of results with the processes that deploy from it. */
export const LOCK_FILE = "deploying.jsonl";

const processSchema = z.object({
  what: z.string(),
  host: z.string(),
  pid: z.number(),
  /** As `startOf` says it. */
  start: z.string(),
  /** For people. */
  since: z.string(),
});

/**
 * Keeps others from a folder of results while a deployment runs, which is as long as this process or a Pulumi of its
 * does. Processes are only ever added to the file: of two that start at the same time, the first line decides.
 */
export class DeploymentLock {
  private constructor(private readonly file: string) {}

  /** @throws if another deployment has it */
  static take(out: string): DeploymentLock {
    requireNoDeployment(out);
    const lock = new DeploymentLock(inside(out, LOCK_FILE));
    lock.add(process.pid, "`buildpipeline ci deploy`");
    requireNoDeployment(out, process.pid);
    return lock;
  }

  add(pid: number, what: string): void {
    const since = new Date().toISOString();
    const line = { what, host: hostname(), pid, start: startOf(pid) ?? "", since };
    writing(this.file, () => appendFileSync(this.file, `${JSON.stringify(line)}\n`, { flush: true }));
  }

  release(): void {
    rmSync(this.file, { force: true });
  }
}

/** @param own a process that may have the lock. @throws if another one deploys from the folder, or may do so */
export function requireNoDeployment(out: string, own?: number): void {
  const file = inside(out, LOCK_FILE);
  if (!existsSync(file)) return;
  const lines = readFileSync(file, "utf8").split("\n");
  const processes = lines.flatMap((line) => jsonAs(processSchema, line) ?? []);
  const holder = processes.find(({ host, pid, start }) => host !== hostname() || startOf(pid) === start);
  if (holder === undefined) return;
  const { what, host, pid, since } = holder;
  if (host === hostname() && pid === own) return;
  const who = `${visible(`${what} (process ${pid} on ${host})`)} deploys from ${out} since ${since}, so nothing was done here.`;
  throw new Error(
    host === hostname()
      ? `${who} Run this again when that process has ended.`
      : `${who} Whether it still runs can't be seen from ${hostname()}. If it has ended, remove its lock: \`rm ${shellWord(file)}\``,
  );
}
