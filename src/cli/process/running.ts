import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Returns when a process started, in the system's own words, so that another process that got its number is told apart.
 * Undefined if no process has the number, or only one that has ended and that nobody waited for.
 */
export function startOf(pid: number): string | undefined {
  try {
    if (process.platform === "win32") return String(process.kill(pid, 0));
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "lstart=", "-p", `${pid}`], { encoding: "utf8" }).trim();
    // The command's name, which comes before, may have any character.
    const [, state, start] =
      /.*\) (\S)(?: \S+){18} (\S+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return state === "Z" ? undefined : start;
  } catch {
    return undefined;
  }
}
