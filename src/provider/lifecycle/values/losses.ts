import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Known } from "../../kind/value-roles.js";

/** Returns a sentence for each property of an object that its replacement would lose, as the program doesn't give it. */
export function lossesOf(
  kind: AnyKind,
  id: string,
  known: Known,
  args: Arguments,
): { text: string; refused: boolean }[] {
  return [...Object.entries(kind.arguments), ...Object.entries(kind.outputs)].flatMap(
    ([name, { lostWhenReplaced: lost }]) => {
      const is = known[name] == null ? undefined : lost?.is(known[name]);
      if (lost === undefined || is === undefined) return [];
      if (lost.unless.some((argument) => args[argument] !== undefined)) return [];
      const text =
        `the ${kind.words.noun} ${id} ${is}. A replacement ${lost.becomes}, ` +
        `because the program gives no ${lost.unless.join(" or ")}.`;
      return [{ text, refused: Object.hasOwn(kind.outputs, name) }];
    },
  );
}

export function refusedLoss({ name }: AnyKind, text: string): string {
  return (
    `${name}: nothing was replaced: ${text} Give it, or undo what replaces it. To give it up all the same, remove the ` +
    "resource from the program and deploy, then declare another one."
  );
}
