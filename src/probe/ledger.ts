import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";
import type { Connection } from "../configuration/settings.js";

/** The beginning of each name that a probe gives. */
export const MARK = "buildpipeline-probe-";
const FILE = new RegExp(`^${MARK}[0-9a-f]{16}\\.jsonl$`);

export type ObjectKind = "cluster" | "queue" | "token" | "template" | "team" | "suite";

/** An object that the probe made or was about to make. */
export interface OwnObject {
  readonly kind: ObjectKind;
  /** Name, key or description. It contains the random nonce, so nobody else's object has it. */
  readonly name: string;
  /** Id of the cluster of a queue or token. */
  readonly cluster?: string | undefined;
  /** Undefined as long as no response has returned it. */
  id?: string | undefined;
}

const line = z.discriminatedUnion("event", [
  z.object({ event: z.literal("probe"), baseUrl: z.string(), organization: z.string() }),
  z.object({
    event: z.literal("intent"),
    kind: z.enum(["cluster", "queue", "token", "template", "team", "suite"]),
    name: z.string(),
    cluster: z.string().optional(),
  }),
  z.object({ event: z.literal("made"), name: z.string(), id: z.string() }),
  z.object({ event: z.literal("gone"), name: z.string() }),
]);

type Event = z.output<typeof line>;

/** The service of a probe. */
type About = Pick<Connection, "baseUrl" | "organization">;

/**
 * The local file of a probe: what it is about to make, before the request, and each id, so that a killed probe can be
 * cleaned up. It never contains a secret. An id in it proves that the probe made the object.
 */
export class Ledger {
  readonly file: string;
  readonly #objects = new Map<string, OwnObject>();

  private constructor(file: string) {
    this.file = file;
  }

  /** Starts the file of a new probe. */
  static start(directory: string, { baseUrl, organization }: About): Ledger {
    const ledger = new Ledger(join(directory, `${MARK}${randomBytes(8).toString("hex")}.jsonl`));
    // Settings have the access token as well, which must not be in a file.
    ledger.#record({ event: "probe", baseUrl, organization }, "wx");
    return ledger;
  }

  /** Opens the files that earlier probes of this organization left in a directory. */
  static leftIn(directory: string, { baseUrl, organization }: About): Ledger[] {
    const files = readdirSync(directory).filter((name) => FILE.test(name));
    return files.flatMap((name) => {
      const ledger = new Ledger(join(directory, name));
      const events = readFileSync(ledger.file, "utf8").split("\n").flatMap(parsedLine);
      for (const event of events) ledger.#apply(event);
      const isOfSame = (one: Event) =>
        one.event === "probe" && one.baseUrl === baseUrl && one.organization === organization;
      return events.some(isOfSame) ? [ledger] : [];
    });
  }

  /** Returns a name for an object, with the nonce of this probe. */
  name(label: string): string {
    return `${basename(this.file, ".jsonl")}-${label}`;
  }

  /** Objects that may exist. */
  get objects(): readonly OwnObject[] {
    return [...this.#objects.values()];
  }

  /** Notes, before the request, that an object is about to be made or to get this name. */
  intend({ kind, name, cluster }: OwnObject): void {
    this.#record({ event: "intent", kind, name, cluster });
  }

  made(name: string, id: string): void {
    this.#record({ event: "made", name, id });
  }

  /** Notes that an object was refused, or that its deletion is confirmed. */
  gone(name: string): void {
    this.#record({ event: "gone", name });
  }

  /** Removes the file, once nothing is left. */
  end(): void {
    rmSync(this.file, { force: true });
  }

  #record(event: Event, flags = "a"): void {
    const file = openSync(this.file, flags, 0o600);
    try {
      writeSync(file, `${JSON.stringify(event)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#apply(event);
  }

  #apply(event: Event): void {
    if (event.event === "intent") {
      const { kind, name, cluster } = event;
      this.#objects.set(name, { kind, name, cluster });
    } else if (event.event === "made") {
      Object.assign(this.#objects.get(event.name) ?? {}, { id: event.id });
    } else if (event.event === "gone") this.#objects.delete(event.name);
  }
}

/** Parses a line. A kill may have cut off the last one, whose request was not sent then. */
function parsedLine(text: string): Event[] {
  try {
    return [line.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}
