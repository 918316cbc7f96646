import { COLOR_MARK, oneLine } from "../../../shared/messages/foreign-text.js";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { withCode } from "../../../shared/protocol/message-codes.js";
import { namesAmong } from "../../../shared/protocol/properties.js";
import { currentSubject } from "./subject.js";

export interface Outlets {
  /** Warns the user. Default: a line on standard error, which the engine shows. */
  warn?(message: string): void;
  /** Informs the user, without a reason to worry. Default: the same. */
  inform?(message: string): void;
  /** Reports a wait. Default: as a warning. */
  progress?(message: string): void;
  /** Returns the engine's name of the resource of the current call, where the engine takes it with each line. */
  urn?(): string | undefined;
}

/** Says what the user should know. A line about a resource names it, or the engine does, and shows none of its secrets. */
export class Reporter {
  readonly #reported = new Set<string>();

  constructor(private readonly outlets: Outlets) {}

  warn(message: string): void {
    this.#warn(this.#named(message));
  }

  /** Warns of what several calls may find about one resource. */
  warnOnce(message: string): void {
    this.#once(this.#named(message), this.outlets.urn?.());
  }

  /** Warns of what is the same for each resource of a kind, by the first one. */
  warnOfFirst(message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.warn(message);
  }

  /** Warns of what concerns all resources, and would be reported for each. */
  warnOfAll(message: string): void {
    this.#once(message);
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
        // Warning color-mark: A value contains `<{%`, with which the Pulumi CLI writes its own colors. With `--diff`,
        // in the details of a preview and in stack outputs, the CLI stops with a panic if the color doesn't exist.
        // Without colors, it leaves the mark out.
        // Fix: Rename the object, or add `--color never`. Messages of this package show the mark as `\u{3c}{%`.
        withCode(
          `${called(name)} contains ${COLOR_MARK}, which begins a color in the output of the Pulumi CLI. A command that ` +
            "shows the value in color can end with a panic, and loses secrets that it just created. Add --color never, or " +
            "change the value.",
          "color-mark",
        ),
      );
    }
  }

  inform(message: string): void {
    const inform = this.outlets.inform ?? ((line) => process.stderr.write(`${line}\n`));
    inform(oneLine(this.#named(message)));
  }

  /** Reports a wait of all requests. */
  progress(message: string): void {
    if (this.outlets.progress === undefined) this.#warn(message);
    else this.outlets.progress(oneLine(message));
  }

  #warn(line: string): void {
    const warn = this.outlets.warn ?? ((text) => process.stderr.write(`warning: ${text}\n`));
    warn(oneLine(line));
  }

  #once(line: string, urn = ""): void {
    const key = `${urn} ${line}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#warn(line);
  }

  #named(message: string): string {
    const subject = currentSubject();
    if (subject === undefined) return message;
    const shown = subject.hide(message);
    return this.outlets.urn === undefined ? `${subject.name}: ${shown}` : shown;
  }
}
