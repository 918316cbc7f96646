import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Change } from "./collection.js";
import { FileLock } from "./file-lock.js";

const format = "buildpipeline-emulator";
const version = 1;
const newline = 0x0a;
/** Below this size a file is never rewritten: it is read in a blink anyway. */
const smallestCompaction = 1_000_000;

/**
 * Keeps the state in a file: a header line, then one line of JSON for each transaction, written before its response. A
 * killed process leaves complete lines and at most one torn line at the end. That line is dropped, because its response
 * was never sent. Now and then the file is rewritten as a single transaction, through a second file that takes its name
 * at once.
 */
export class Journal {
  readonly #path: string;
  readonly #lock: FileLock;
  #fd: number;
  #size: number;
  #sizeWhenCompact: number;
  readonly #isNew: boolean;

  private constructor(path: string, lock: FileLock, fd: number, size: number, isNew: boolean) {
    this.#isNew = isNew;
    this.#path = path;
    this.#lock = lock;
    this.#fd = fd;
    this.#size = size;
    this.#sizeWhenCompact = size;
  }

  /**
   * Opens the file, or undefined contents when it does not exist yet.
   * @throws when another process uses it, when it is not such a file, or when a line inside it is damaged.
   */
  static open(file: string): { journal: Journal; transactions: Change[][] | undefined } {
    const path = realPathOf(file);
    const lock = FileLock.take(path);
    try {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined || found.size === 0) {
        const { fd, size } = writeAfresh(path, []);
        return { journal: new Journal(path, lock, fd, size, found === undefined), transactions: undefined };
      }
      const content = readFileSync(path);
      const complete = content.subarray(0, content.lastIndexOf(newline) + 1);
      const transactions = parse(complete.toString("utf8"), file);
      const fd = openSync(path, "r+");
      fchmodSync(fd, 0o600);
      if (complete.length < content.length) ftruncateSync(fd, complete.length);
      removeLeftovers(path);
      const journal = new Journal(path, lock, fd, complete.length, false);
      // A file that was killed between its header and its first transaction starts afresh.
      return { journal, transactions: transactions.length === 0 ? undefined : transactions };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /**
   * Writes one transaction. When this returns, the changes outlive the process.
   * @throws when the file, or its lock, is no longer this one's.
   */
  append(changes: readonly Change[]): void {
    this.#requireOwn();
    const line = Buffer.from(`${JSON.stringify(changes)}\n`);
    try {
      let written = 0;
      while (written < line.length) {
        written += writeSync(this.#fd, line, written, line.length - written, this.#size + written);
      }
    } catch (error) {
      // Half a line followed by a later complete one could not be read again.
      ftruncateSync(this.#fd, this.#size);
      throw error;
    }
    this.#size += line.length;
  }

  /** Rewrites the file as one transaction that makes the present state. When it throws, the file is as before. */
  compact(changes: readonly Change[]): void {
    this.#requireOwn();
    const { fd, size } = writeAfresh(this.#path, changes);
    closeSync(this.#fd);
    this.#fd = fd;
    this.#size = size;
    this.#sizeWhenCompact = size;
  }

  /** Rewrites the file when it has grown; when there is no room for that now, it is tried again much later. */
  compactIfGrown(present: () => readonly Change[]): void {
    if (this.#size <= Math.max(smallestCompaction, 4 * this.#sizeWhenCompact)) return;
    try {
      this.compact(present());
    } catch {
      this.#sizeWhenCompact = this.#size;
    }
  }

  /** Closes the file and lets others have it. */
  close(): void {
    closeSync(this.#fd);
    this.#lock.release();
  }

  /** Closes the file, and removes it if it is new: the emulator didn't start. */
  discard(): void {
    closeSync(this.#fd);
    if (this.#isNew) rmSync(this.#path, { force: true });
    this.#lock.release();
  }

  /** Checks that the file still has its name and its lock. Otherwise a write would be lost. */
  #requireOwn(): void {
    const open = fstatSync(this.#fd, { bigint: true });
    const named = lstatSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const lost =
      named === undefined
        ? "removed"
        : named.ino !== open.ino || named.dev !== open.dev
          ? "replaced"
          : undefined;
    if (lost !== undefined) {
      throw new Error(
        `The data file ${this.#path} was ${lost} while the emulator used it, so nothing can be kept any more. ` +
          "Stop the emulator, put the file back, and start it again.",
      );
    }
    if (this.#lock.isHeld) return;
    throw new Error(
      `The lock of the data file ${this.#path} was removed while the emulator used it, so another emulator may ` +
        "write there. Stop the emulator and start it again.",
    );
  }
}

/**
 * Returns the real path of a file, so that all its names have one lock.
 * @throws if it isn't a file, or has several hard links, which can't share a lock.
 */
function realPathOf(file: string): string {
  const given = resolve(file);
  mkdirSync(dirname(given), { recursive: true });
  const isLink = lstatSync(given, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const found = statSync(given, { throwIfNoEntry: false });
  if (found === undefined) {
    if (isLink)
      throw new Error(`${file} is a symbolic link to a file that does not exist. Give that file itself.`);
    return join(realpathSync(dirname(given)), basename(given));
  }
  if (!found.isFile()) throw new Error(`${file} is not a file.`);
  if (found.nlink > 1) {
    throw new Error(
      `${file} has ${found.nlink} names (hard links), so that two emulators could write it unnoticed. ` +
        "Use a copy, or remove the other names.",
    );
  }
  return realpathSync(given);
}

/** Writes a file under an unpredictable name, then renames it. Returns it open. */
function writeAfresh(path: string, changes: readonly Change[]): { fd: number; size: number } {
  const temporary = `${path}.${randomBytes(8).toString("hex")}.new`;
  // Exclusively: an existing file or link is never written to.
  const fd = openSync(temporary, "wx+", 0o600);
  try {
    const header = JSON.stringify({ format, version });
    const body = changes.length === 0 ? "" : `${JSON.stringify(changes)}\n`;
    const bytes = Buffer.from(`${header}\n${body}`);
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
    renameSync(temporary, path);
    return { fd, size: bytes.length };
  } catch (error) {
    closeSync(fd);
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes what a process left that was killed while it rewrote the file. The lock is held. */
function removeLeftovers(path: string): void {
  const prefix = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix) || !/^[0-9a-f]{16}\.new$/.test(name.slice(prefix.length))) continue;
    rmSync(join(dirname(path), name), { force: true });
  }
}

function parse(text: string, file: string): Change[][] {
  const lines = text.split("\n");
  lines.pop();
  const header = lines.shift();
  const foreign =
    `${file} is not a data file of this emulator, so it is left alone. ` +
    "Give --data (or the option data) the name of a new file.";
  if (header === undefined) throw new Error(foreign);
  const head = parseLine(header);
  if (typeof head !== "object" || head === null || !("format" in head) || head.format !== format) {
    throw new Error(foreign);
  }
  if (!("version" in head) || head.version !== version) {
    throw new Error(
      `${file} was written by a later version of this emulator. Use that version, or a new file.`,
    );
  }
  return lines.map((line, index) => {
    const changes = parseLine(line);
    if (!Array.isArray(changes) || !changes.every(isChange)) {
      throw new Error(`${file} is damaged at line ${index + 2}. Restore it from a copy, or use a new file.`);
    }
    return changes;
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isChange(value: unknown): value is Change {
  if (typeof value !== "object" || value === null) return false;
  if ("remove" in value) return typeof value.remove === "string" && "id" in value;
  if (!("put" in value) || typeof value.put !== "string" || !("record" in value)) return false;
  const { record } = value;
  return typeof record === "object" && record !== null && "id" in record && typeof record.id === "string";
}
