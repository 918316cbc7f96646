import { describeType } from "../../shared/messages/quoted.js";
import { halfIn, lostValues } from "./lost-values.js";
import type { Mismatch, TextProblem } from "./mismatch.js";

/**
 * Finds everything in which an argument's value doesn't fit. A shape for another type of argument doesn't compile. A
 * library of schemas would take longer to load than the whole package.
 */
export interface Shape<Value = unknown> {
  (value: unknown): Mismatch[];
  readonly fits?: Value;
}

/** @param problem returns the problem with a text, in words that follow it: "is not a UUID" */
export function text(problem: (text: string) => TextProblem | undefined = () => undefined): Shape<string> {
  return (value) =>
    wrong(value, typeof value === "string" ? (halfIn(value) ?? problem(value)) : otherType(value));
}

export function choice<Choice extends string>(choices: readonly Choice[]): Shape<Choice> {
  const isOne = (value: unknown) => choices.some((one) => one === value);
  return (value) => wrong(value, isOne(value) ? undefined : "is not one of the allowed values");
}

export const boolean: Shape<boolean> = (value) =>
  wrong(value, typeof value === "boolean" ? undefined : otherType(value));

/** A map with values of any type, which is why this type has none. */
type AnyMap = { [key: string]: never };

export const map: Shape<AnyMap> = (value) =>
  isMap(value) ? lostValues(value) : wrong(value, otherType(value));

export function list<Entry>(of: Shape<Entry>, most = Number.POSITIVE_INFINITY): Shape<Entry[]> {
  return (value) => {
    if (!Array.isArray(value)) return wrong(value, otherType(value));
    if (value.length > most) return wrong(value, `has more than the ${most} entries that the service takes`);
    return value.flatMap((entry, index) =>
      of(entry).map((mismatch) => ({ ...mismatch, place: `[${index}]${mismatch.place}` })),
    );
  };
}

export function mapOr(of: Shape<string>): Shape<string | AnyMap> {
  return (value) => (isMap(value) ? lostValues(value) : of(value));
}

function wrong(value: unknown, problem: TextProblem | undefined): Mismatch[] {
  return problem === undefined ? [] : [{ place: "", value, problem }];
}

function otherType(value: unknown): string {
  return `is ${describeType(value)}`;
}

function isMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
