import type { Program } from "../program.js";
import type { Properties } from "./backend.js";

export interface Entry {
  /** Distinguishes it from others of its name that wait for their deletion. */
  readonly serial: number;
  readonly name: string;
  readonly kind: string;
  readonly id: string;
  readonly inputs: Properties;
  /** Secrets in plain text. */
  readonly outs: Properties;
  /** Names of the resources whose ids stand in each argument. */
  readonly references: Readonly<Record<string, string>>;
  /** It exists, but was not finished. */
  readonly unfinished: boolean;
  /** It was replaced, and waits for its deletion. */
  readonly replaced: boolean;
  /** It was deleted to be replaced, and its replacement does not exist yet. */
  readonly pendingReplacement?: boolean;
  /** How the program named it when the engine imported it. */
  readonly importId?: string;
  readonly external?: boolean;
}

export type Step = "create" | "update" | "replace" | "same" | "delete";

export interface Result {
  readonly succeeded: boolean;
  readonly steps: Readonly<Record<string, Step>>;
  readonly errors: readonly string[];
}

export interface Flags {
  readonly target?: readonly string[];
  readonly replace?: readonly string[];
  /** `up --refresh`, without or with `--run-program`. */
  readonly refresh?: "first" | "with the program";
  /** `--parallel 1`: a step begins when the one before it has ended. */
  readonly isSerial?: boolean;
}

/** An engine with one stack: the model, or the real one. */
export interface Engine {
  readonly entries: readonly Entry[];
  /** Every error and warning that the user has seen. */
  readonly observed: readonly string[];
  up(program: Program, flags?: Flags): Promise<Result>;
  preview(program: Program, flags?: Flags): Promise<Result>;
  refresh(flags?: Flags): Promise<Result>;
  destroy?(flags?: Flags): Promise<Result>;
}

/** The resource of a name, where it does not wait for its deletion. */
export function entryOf({ entries }: Pick<Engine, "entries">, name: string): Entry | undefined {
  return entries.find((entry) => entry.name === name && !entry.replaced);
}
