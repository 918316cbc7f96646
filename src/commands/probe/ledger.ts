import { randomBytes } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";
import { jsonAs, writing } from "../../cli/terminal/files.js";
import type { Connection } from "../../shared/configuration/settings.js";

export const MARK = "buildpipeline-probe-";
const FILE = new RegExp(`^${MARK}[0-9a-f]{16}\\.jsonl$`);

/** The first line of the file: the service of the probe. */
const service = z.object({ baseUrl: z.string(), organization: z.string() });

/** An object that the probe made or was about to make, in each further line. The last line of a name counts. */
const ownObject = z.object({
  kind: z.enum(["cluster", "queue", "token", "template", "team", "suite"]),
  /** Name, key or description. It contains the random nonce, so nobody else's object has it. */
  name: z.string(),
  cluster: z.string().optional(),
  id: z.string().optional(),
  /** True if it was refused, or if its deletion is confirmed. */
  isGone: z.boolean().optional(),
});

export type OwnObject = z.output<typeof ownObject>;
export type ObjectKind = OwnObject["kind"];

/**
 * The local file of a probe: what it is about to make, before the request, and each id, so that a killed probe can be
 * cleaned up. It never contains a secret. It proves nothing by itself, because anyone can write such a file: the live
 * name of an object must have the nonce of the file's name.
 */
export class Ledger {
  readonly #objects = new Map<string, OwnObject>();

  private constructor(private readonly file: string) {}

  static start(directory: string, { baseUrl, organization }: Connection): Ledger {
    const ledger = new Ledger(join(directory, `${MARK}${randomBytes(8).toString("hex")}.jsonl`));
    // Settings have the access token as well, which must not be in a file.
    ledger.#append({ baseUrl, organization }, "wx");
    return ledger;
  }

  /** Opens the files that earlier probes of this organization left in a directory. */
  static leftIn(directory: string, { baseUrl, organization }: Connection): Ledger[] {
    const files = readdirSync(directory).filter((name) => FILE.test(name));
    return files.flatMap((name) => {
      const ledger = new Ledger(join(directory, name));
      const [first = "", ...lines] = readFileSync(ledger.file, "utf8").split("\n");
      const about = jsonAs(service, first);
      if (about?.baseUrl !== baseUrl || about.organization !== organization) return [];
      for (const line of lines) {
        // A kill may have cut off the last one, whose request was not sent then.
        const object = jsonAs(ownObject, line);
        if (object !== undefined) ledger.#objects.set(object.name, object);
      }
      return [ledger];
    });
  }

  name(label: string): string {
    return `${basename(this.file, ".jsonl")}-${label}`;
  }

  get objects(): readonly OwnObject[] {
    return [...this.#objects.values()].filter(({ isGone }) => isGone !== true);
  }

  /** Notes what is known of an object. Before a request that makes or renames it, that is its new name. */
  note(object: OwnObject): void {
    this.#append(object, "a");
    this.#objects.set(object.name, object);
  }

  end(): void {
    rmSync(this.file, { force: true });
  }

  #append(line: object, flag: "wx" | "a"): void {
    const options = { flag, mode: 0o600, flush: true };
    writing(this.file, () => appendFileSync(this.file, `${JSON.stringify(line)}\n`, options));
  }
}
