import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

interface LockOwner {
  readonly pid: number;
  /** When that process started, in the system's own count: tells it from a later one with the same pid. */
  readonly started: string | null;
}

/**
 * Keeps a file to one process: a second emulator on the same file would tear it apart. The lock is the file's
 * name plus `.lock` and holds the owner's pid; one left behind by a killed process is taken over.
 */
export class FileLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Takes the lock. @throws when a living process holds it. */
  static take(file: string): FileLock {
    const path = `${file}.lock`;
    const mine = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    writeFileSync(mine, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }), { mode: 0o600 });
    try {
      for (let attempt = 0; attempt < 5; attempt++) {
        if (tryLink(mine, path)) return new FileLock(path);
        const text = readIfThere(path);
        if (text === undefined) continue;
        const owner = parseOwner(text);
        if (owner !== undefined && isAlive(owner)) {
          throw new Error(
            `${file} is in use by another emulator (process ${owner.pid}). ` +
              "Stop that one first, or give this one a data file of its own.",
          );
        }
        setAside(path, text);
      }
      throw new Error(`${file} could not be locked: ${path} keeps changing. Try again.`);
    } finally {
      rmSync(mine, { force: true });
    }
  }

  /** Gives the file free. */
  release(): void {
    rmSync(this.#path, { force: true });
  }
}

/** A hard link either appears whole or not at all, so nobody reads a half-written lock. */
function tryLink(mine: string, path: string): boolean {
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Moves a stale lock away; a lock that a third process took meanwhile is put back. */
function setAside(path: string, staleText: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  if (readIfThere(aside) !== staleText) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function isAlive(owner: LockOwner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
  }
  const started = startOf(owner.pid);
  return owner.started === null || started === null || started === owner.started;
}

/** The 22nd field of `/proc/<pid>/stat`, where there is one. The command before it may hold blanks. */
function startOf(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const owner: unknown = JSON.parse(text);
    if (typeof owner !== "object" || owner === null || !("pid" in owner)) return undefined;
    if (typeof owner.pid !== "number") return undefined;
    const started = "started" in owner && typeof owner.started === "string" ? owner.started : null;
    return { pid: owner.pid, started };
  } catch {
    return undefined;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
