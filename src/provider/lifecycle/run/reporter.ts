import { COLOR_MARK, oneLine } from "../../../shared/messages/foreign-text.js";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { namesAmong } from "../../../shared/protocol/properties.js";

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

  /**
   * Warns of values that Pulumi's CLI takes for colors. The engine gets every value as it is, so only the user can keep
   * the CLI from showing one.
   *
   * @param secretNames names of the values that the CLI masks
   * @param called returns how a message refers to a value
   */
  warnOfColors(values: Properties, secretNames: unknown, called: (name: string) => string): void {
    const masked = namesAmong(secretNames);
    for (const [name, value] of Object.entries(values)) {
      if (masked.has(name) || JSON.stringify(value)?.includes(COLOR_MARK) !== true) continue;
      this.warnOnce(
        `${called(name)} contains ${COLOR_MARK}, which begins a color in the output of the Pulumi CLI. A command that shows ` +
          "the value in color can end with a panic, and loses secrets that it just created. Add --color never, or change " +
          "the value.",
      );
    }
  }

  inform(message: string): void {
    const inform = this.outlets.inform ?? ((line) => process.stderr.write(`${line}\n`));
    inform(oneLine(message));
  }

  progress(message: string): void {
    if (this.outlets.progress === undefined) this.warn(message);
    else this.outlets.progress(oneLine(message));
  }
}
