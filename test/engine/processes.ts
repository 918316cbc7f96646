import { execFileSync } from "node:child_process";

export interface Process {
  readonly pid: number;
  readonly command: string;
}

/** The processes that a process started, and those that these started, as of now. */
export function descendants(root: number): Process[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const all = table.split("\n").flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
  const below = (parent: number): Process[] =>
    all
      .filter((candidate) => candidate.parent === parent)
      .flatMap((child) => [{ pid: child.pid, command: child.command }, ...below(child.pid)]);
  return below(root);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
