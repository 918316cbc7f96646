import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Works in a directory that only this user reads, as values of the program may be secret. The directory is removed
 * afterwards, also where a signal ends the process.
 */
export async function inPrivateDirectory<Result>(
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), "buildpipeline-import-"));
  const clear = () => {
    for (const signal of SIGNALS) process.off(signal, end);
    rmSync(directory, { recursive: true, force: true });
  };
  const end = (signal: NodeJS.Signals) => {
    clear();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await work(directory);
  } finally {
    clear();
  }
}
