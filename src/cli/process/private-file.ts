import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";

const hasNames = process.platform === "win32";

/**
 * A file without a name, for what must not stay on the disk, whatever ends this process or a child that has the file. On
 * Windows it has a name until it is closed.
 */
export class PrivateFile {
  readonly descriptor: number;
  readonly #folder = mkdtempSync(join(tmpdir(), "buildpipeline-"));
  readonly #decoder = new StringDecoder();
  #read = 0;

  constructor() {
    this.descriptor = openSync(join(this.#folder, "file"), "a+", 0o600);
    if (!hasNames) this.#remove();
  }

  /** Its path for a child that has it under a number. */
  pathIn(descriptor: number): string {
    return hasNames ? join(this.#folder, "file") : `/dev/fd/${descriptor}`;
  }

  write(text: string): void {
    ftruncateSync(this.descriptor);
    writeSync(this.descriptor, text);
  }

  /** Returns what was written since the last call. */
  read(): string {
    const chunk = Buffer.allocUnsafe(65_536);
    let text = "";
    for (;;) {
      const length = readSync(this.descriptor, chunk, 0, chunk.length, this.#read);
      if (length === 0) return text;
      this.#read += length;
      text += this.#decoder.write(chunk.subarray(0, length));
    }
  }

  /** @throws if the disk is full, so that the end of what was written may be missing */
  close(): void {
    try {
      writeSync(this.descriptor, "\n");
    } finally {
      closeSync(this.descriptor);
      if (hasNames) this.#remove();
    }
  }

  #remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
