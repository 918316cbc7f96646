import { oneLine } from "../../../shared/messages/foreign-text.js";

export interface Outlets {
  /** Warns the user. Default: a line on standard error, which the engine shows. */
  warn?(message: string): void;
  /** Informs the user, without a reason to worry. Default: the same. */
  inform?(message: string): void;
  /** Reports a wait. Default: as a warning. */
  progress?(message: string): void;
}

export class Reporter {
  readonly #reported = new Set<string>();

  constructor(private readonly outlets: Outlets) {}

  warn(message: string): void {
    const warn = this.outlets.warn ?? ((line) => process.stderr.write(`warning: ${line}\n`));
    warn(oneLine(message));
  }

  /** Warns of what concerns all resources, and would be reported for each. */
  warnOnce(message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.warn(message);
  }

  inform(message: string): void {
    const inform = this.outlets.inform ?? ((line) => process.stderr.write(`${line}\n`));
    inform(oneLine(message));
  }

  progress(message: string): void {
    if (this.outlets.progress === undefined) this.warn(message);
    else this.outlets.progress(message);
  }
}
