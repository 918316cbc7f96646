import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

/** Holder of a lock: enough to check if that process still lives, from the same machine and container. */
interface Holder {
  readonly pid: number;
  /** Start of that process, in the system's own count. It distinguishes a later process with the same pid. */
  readonly started: string | null;
  readonly host: string;
  /** The start of the machine, and the set of process ids the pid is one of; null where the system has neither. */
  readonly boot: string | null;
  readonly namespace: string | null;
}

/**
 * Keeps a file to one process: two emulators on one file would damage it. The lock is the file's name plus `.lock`. A
 * lock that a killed process left behind is taken over. A lock with a holder that can't be checked from here isn't,
 * because its process may live.
 *
 * Lock libraries check the last renewal of a lock. A killed process would keep the file for seconds, and a suspended
 * one would lose it.
 */
export class FileLock {
  readonly #path: string;
  readonly #identity: string | undefined;

  private constructor(path: string) {
    this.#path = path;
    this.#identity = identityOf(path);
  }

  /** Takes the lock of a file, which is given by its real path. @throws when another process has it, or may have it. */
  static take(file: string): FileLock {
    const path = `${file}.lock`;
    const self = holderOf(process.pid);
    const mine = `${path}.${randomBytes(8).toString("hex")}`;
    writeFileSync(mine, JSON.stringify(self), { mode: 0o600, flag: "wx" });
    try {
      for (let attempt = 0; attempt < 5; attempt++) {
        if (tryLink(mine, path)) return new FileLock(path);
        const text = readIfThere(path);
        if (text === undefined) continue;
        requireDead(parseHolder(text), self, file, path);
        setAside(path, text);
      }
      throw new Error(`${file} could not be locked: ${path} keeps changing. Try again.`);
    } finally {
      rmSync(mine, { force: true });
    }
  }

  /** Checks whether the lock is still there, and this one. */
  get isHeld(): boolean {
    return this.#identity !== undefined && identityOf(this.#path) === this.#identity;
  }

  /** Gives the file free. */
  release(): void {
    if (this.isHeld) rmSync(this.#path, { force: true });
  }
}

/** Inodes are used again, so the time of writing belongs to it. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino} ${found.mtimeNs}`;
}

/** @throws unless the holder of a lock is surely gone. */
function requireDead(holder: Holder | undefined, self: Holder, file: string, lock: string): void {
  const remove = `If no emulator uses the file any more, remove ${lock} and start again.`;
  if (holder === undefined) throw new Error(`${file} is locked, but ${lock} does not say by whom. ${remove}`);
  const { boot, namespace, host, pid } = holder;
  const isNear = boot === null ? host === self.host : boot === self.boot && namespace === self.namespace;
  if (!isNear) {
    throw new Error(
      `${file} is locked by process ${pid} on ${host}, which cannot be seen from here: it is in another container, ` +
        `on another machine, or from before a restart. ${remove}`,
    );
  }
  if (!isAlive(holder)) return;
  throw new Error(
    `${file} is in use by another emulator (process ${pid}). ` +
      "Stop that one first, or give this one a data file of its own.",
  );
}

/** A hard link appears at once with all its content, so no process reads a half-written lock. */
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
  const aside = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  if (readIfThere(aside) !== staleText) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function holderOf(pid: number): Holder {
  return {
    pid,
    started: startOf(pid),
    host: hostname(),
    boot: readIfThere("/proc/sys/kernel/random/boot_id")?.trim() ?? null,
    namespace: namespaceOf(pid),
  };
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
  }
  const now = startOf(pid);
  return started === null || now === null || now === started;
}

/**
 * Returns the 22nd field of `/proc/<pid>/stat`, where there is one. The command before it may hold blanks.
 */
function startOf(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function namespaceOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}

function parseHolder(text: string): Holder | undefined {
  const isTextOrNull = (value: unknown) => value === null || typeof value === "string";
  try {
    const holder: unknown = JSON.parse(text);
    if (typeof holder !== "object" || holder === null) return undefined;
    const { pid, started, host, boot, namespace } = holder as Partial<Record<keyof Holder, unknown>>;
    const isHolder =
      Number.isInteger(pid) && typeof host === "string" && [started, boot, namespace].every(isTextOrNull);
    // Each field was just looked at.
    return isHolder ? (holder as Holder) : undefined;
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
