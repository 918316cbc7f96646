import { type ArgumentReview, directionOf, kinds, type Meaning } from "../../provider/for-commands/kinds.js";
import { UNNAMED } from "../../shared/protocol/properties.js";
import type { PlannedChange } from "../plan/change.js";

/** What the values of arguments open together, and what each one means beside the others. */

/** Returns the arguments, and the entries of maps, by which something is open afterwards, unless another value rules it out. */
export function openIn(one: WithValues) {
  const fields = Object.entries(kinds.get(one.kind)?.arguments ?? {});
  const values = valuesAfter(one);
  return fields
    .flatMap(([argument, { review }]) =>
      Object.entries({ [argument]: review, ...review.entries }).map(
        ([name, own]) => [argument, name, own] as const,
      ),
    )
    .flatMap(([argument, name, review]) => {
      const meaning = meaningOf(review, undefined, values.get(name));
      return meaning?.effect !== "opened" || ruledOut(review, values)
        ? []
        : [{ argument, name, review, meaning }];
    });
}

/** Returns the values of arguments, and of the entries of maps, after a change. */
export function valuesAfter(one: WithValues): ReadonlyMap<string, unknown> {
  const fields = Object.entries(kinds.get(one.kind)?.arguments ?? {});
  return new Map(
    fields.flatMap(([name, { review, default: usual }]) => [
      [name, one.after[name] ?? one.before[name] ?? usual] as const,
      ...(review.entries ? Object.entries(entriesAfter(one, name)) : []),
    ]),
  );
}

type Values = ReadonlyMap<string, unknown>;

export function ruledOut({ unless, isLeftOut }: ArgumentReview, values: Values): boolean {
  return isAmong(values, unless) || isLeftOut?.((name) => values.get(name)) === true;
}

function isAmong(values: Values, some: ArgumentReview["unless"] = {}): boolean {
  return Object.entries(some).some(([other, those]) => those.includes(values.get(other)));
}

/** What opens nothing beside other values isn't said, unless outsiders could use it as soon as these change. */
export function effective(
  review: ArgumentReview,
  change: WithValues,
  meaning?: Meaning,
): Meaning | undefined {
  if (meaning?.effect !== "opened" || meaning.level === "danger") return meaning;
  const isVoid =
    ruledOut(review, valuesAfter(change)) ||
    isAmong(valuesAfter({ ...change, after: change.before }), review.unlessWas);
  return isVoid ? undefined : meaning;
}

/** What has arguments before and after. */
type WithValues = Pick<PlannedChange, "kind" | "before" | "after">;

/** Returns a map as it is after a change: keys that the program doesn't name stay. */
function entriesAfter({ before, after }: WithValues, name: string): object {
  const unnamed = [before, after].map((all) => Object(Object(all[UNNAMED])[name]));
  return Object.assign({}, ...unnamed, before[name], after[name]);
}

/** Returns what it means that a value takes the place of another. */
export function meaningOf(review: ArgumentReview, before: unknown, after: unknown): Meaning | undefined {
  const direction = directionOf(review, before, after);
  return direction === undefined ? undefined : review.means[direction];
}
