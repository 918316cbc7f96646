import { chmodSync, closeSync, existsSync, lstatSync, openSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { makeFolders } from "../../shared/process/folders.js";
import type { StoreChange } from "./collection.js";

/** Marks a database as the emulator's, in SQLite's header. */
const APPLICATION = 0x62706d65;
const VERSION = 3;

/** SQLite's result codes (https://www.sqlite.org/rescode.html). */
const BUSY = 5;
const DAMAGED = 11;
const NOT_A_DATABASE = 26;

/**
 * Keeps the records in a file: a SQLite database with a row for each record, in the order they were made. A change is in
 * the file before its response is sent, all of it or nothing. SQLite also keeps other emulators out, until this process
 * has ended in whatever way.
 */
export class DataFile {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #identity: string | undefined;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;

  private constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
    this.#identity = identityOf(path);
    this.#put = database.prepare(
      "INSERT INTO records (collection, id, record) VALUES (?, ?, ?) " +
        "ON CONFLICT (collection, id) DO UPDATE SET record = excluded.record",
    );
    this.#remove = database.prepare("DELETE FROM records WHERE collection = ? AND id = ?");
  }

  /** Opens the file, or creates it. @throws if another process uses it, or it isn't the emulator's. */
  static open(file: string): DataFile {
    const path = realPathOf(file);
    // Exclusively: an existing file or link is never written to.
    if (!existsSync(path)) closeSync(openSync(path, "wx", 0o600));
    try {
      return new DataFile(path, openDatabase(path, file));
    } catch (cause) {
      const messages: Readonly<Record<number, string>> = {
        [BUSY]: `${file} is in use by another emulator. Stop that one first, or give this one a data file of its own.`,
        [DAMAGED]: damagedFile(file),
        [NOT_A_DATABASE]: foreignFile(file),
      };
      const message = messages[codeOf(cause) ?? 0];
      throw message === undefined ? withFile(cause, file) : new Error(message, { cause });
    }
  }

  /** Returns the records, as the changes that make them. Without any, the file is new. */
  read(): StoreChange[] {
    const rows = this.#database.prepare("SELECT collection, record FROM records ORDER BY place").all();
    // Only this class writes the table.
    return rows.map((row) => ({ put: String(row.collection), record: JSON.parse(String(row.record)) }));
  }

  /**
   * Writes changes, all or none; `anew` replaces everything by the state that they make. When this returns, they outlive
   * the process. @throws if the file was taken away
   */
  write(changes: readonly StoreChange[], anew = false): void {
    this.#requireOwn();
    try {
      this.#database.exec("BEGIN");
      if (anew) this.#database.exec("DELETE FROM records");
      for (const change of changes) {
        if ("put" in change) this.#put.run(change.put, change.record.id, JSON.stringify(change.record));
        else this.#remove.run(change.remove, change.id);
      }
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw withFile(error, this.#path);
    }
  }

  close(): void {
    this.#database.close();
  }

  /** Checks that the file still has its name. Otherwise a write would be lost. */
  #requireOwn(): void {
    const identity = identityOf(this.#path);
    if (identity === this.#identity) return;
    throw new Error(
      `The data file ${this.#path} was ${identity === undefined ? "removed" : "replaced"} while the emulator used ` +
        "it, so nothing can be kept any more. Stop the emulator, put the file back, and start it again.",
    );
  }
}

function foreignFile(file: string): string {
  return (
    `${file} is not a data file of this emulator, so it is left alone. ` +
    "Give --data (or the option data) the name of a new file."
  );
}

function damagedFile(file: string): string {
  return `${file} is damaged. Restore it from a copy, or use a new file.`;
}

/** Opens a database for this process alone. Another program's database stays as it is. */
function openDatabase(path: string, file: string): DatabaseSync {
  // Node 22 warns that SQLite is experimental, so it is loaded for a data file only.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(path);
  try {
    // A power cut while a new file is made leaves a file without records at worst.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; BEGIN EXCLUSIVE");
    const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name];
    const header = (name: string) => Number(pragma(name));
    const isEmpty = header("schema_version") === 0;
    if (!isEmpty && header("application_id") !== APPLICATION) throw new Error(foreignFile(file));
    if (!isEmpty && header("user_version") > VERSION) {
      throw new Error(
        `${file} was written by a later version of this emulator. Use that version, or a new file.`,
      );
    }
    // SQLite reads the missing end of a page as zeros, and a file of one byte as empty.
    if (statSync(path).size % header("page_size") !== 0 || pragma("quick_check") !== "ok")
      throw new Error(damagedFile(file));
    if (isEmpty) {
      database.exec(`
        PRAGMA application_id = ${APPLICATION};
        CREATE TABLE records (
          place INTEGER PRIMARY KEY,
          collection TEXT NOT NULL,
          id TEXT NOT NULL,
          record TEXT NOT NULL,
          UNIQUE (collection, id)
        ) STRICT`);
    }
    database.exec(`PRAGMA user_version = ${VERSION}`);
    chmodSync(path, 0o600);
    // With a log of changes, a power cut costs the latest ones at most, and none waits for the disk.
    database.exec("COMMIT; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Returns the real path of a file, so that all its names have one log of changes beside it.
 * @throws if it isn't a file, or has several hard links.
 */
function realPathOf(file: string): string {
  const given = resolve(file);
  makeFolders(dirname(given));
  const found = statSync(given, { throwIfNoEntry: false });
  if (found === undefined) {
    if (lstatSync(given, { throwIfNoEntry: false }) !== undefined)
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

function identityOf(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** Adds the file's name to an error of SQLite, which names none. */
function withFile(error: unknown, file: string): unknown {
  if (codeOf(error) === undefined || !(error instanceof Error)) return error;
  return new Error(`The data file ${file} can't be used: ${error.message}.`, { cause: error });
}

/** Returns SQLite's code of an error, without the details in its upper bits. */
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : undefined;
}
