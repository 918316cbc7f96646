import type { Variations } from "../emulator/index.js";
import { Stopped } from "./wire.js";

/** Names of the questions: the variations of the emulator. */
export type QuestionName = keyof Variations;

/** What is known of each question, and why something isn't. */
export class Answers {
  readonly values: { [Name in QuestionName]?: Variations[Name] } = {};
  readonly reasons: { [Name in QuestionName]?: string } = {};

  /**
   * Asks the service one question. The work returns the answer, or the reason why there is none. A failure is a reason as
   * well: a probe never guesses.
   */
  async ask<Name extends QuestionName>(
    name: Name,
    work: () => Promise<Answer<Variations[Name]>> | Answer<Variations[Name]>,
  ): Promise<void> {
    try {
      const answer = await work();
      if ("value" in answer) {
        this.values[name] = answer.value;
        delete this.reasons[name];
      } else if (!(name in this.values)) {
        this.reasons[name] = answer.unknown;
      }
    } catch (error) {
      if (error instanceof Stopped) throw error;
      this.fail([name], error);
    }
  }

  /** Notes for questions without an answer that their objects could not be made. */
  fail(names: readonly QuestionName[], error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    for (const name of names)
      if (!(name in this.values)) this.reasons[name] = `Could not be answered: ${why}`;
  }
}

/** The answer to a question, or the reason why it has none. */
export type Answer<Value> = { readonly value: Value } | { readonly unknown: string };

export const known = <Value>(value: Value): { readonly value: Value } => ({ value });
export const unknown = (reason: string): { readonly unknown: string } => ({ unknown: reason });

/** Picks the one value whose case holds. */
export function first<Value>(
  reason: string,
  ...cases: readonly (readonly [boolean, Value])[]
): Answer<Value> {
  const match = cases.find(([holds]) => holds);
  return match === undefined ? unknown(reason) : known(match[1]);
}

/** How a field without a value comes back. */
export function unset(entity: Record<string, unknown>, name: string): Answer<null | "" | "absent"> {
  const value = entity[name];
  return first<null | "" | "absent">(
    `${name} has a value that no option of the emulator has.`,
    [!Object.hasOwn(entity, name), "absent"],
    [value === null, null],
    [value === "", ""],
  );
}
