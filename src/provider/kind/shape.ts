import { nearestName } from "../../shared/messages/nearest-name.js";
import { describeType } from "../../shared/messages/quoted.js";
import { brokenIn, lostValues } from "./lost-values.js";
import type { TextProblem, ValueMismatch } from "./mismatch.js";

/**
 * Finds everything in which an argument's value doesn't fit. A shape for another type of argument doesn't compile. A
 * library of schemas would take longer to load than the whole package.
 */
export interface Shape<Value = unknown> {
  (value: unknown): ValueMismatch[];
  readonly fits?: Value;
}

/** @param problem returns the problem with a text, in words that follow it: "is not a UUID" */
export function text(problem: (text: string) => TextProblem | undefined = () => undefined): Shape<string> {
  return (value) =>
    wrong(value, typeof value === "string" ? (brokenIn(value) ?? problem(value)) : otherType(value));
}

export function choice<Choice extends string>(choices: readonly Choice[]): Shape<Choice> {
  const isOne = (value: unknown) => choices.some((one) => one === value);
  const broken = (value: unknown) => (typeof value === "string" ? brokenIn(value) : undefined);
  return (value) =>
    wrong(value, isOne(value) ? undefined : (broken(value) ?? "is not one of the allowed values"));
}

export const boolean: Shape<boolean> = (value) =>
  wrong(value, typeof value === "boolean" ? undefined : otherType(value));

/** True: leaving it out says the other. */
export const onlyTrue: Shape<boolean> = (value) =>
  value === false ? wrong(value, "is not true") : boolean(value);

/** A map with values of any type, which is why this type has none. */
type AnyMap = { [key: string]: never };

export const map: Shape<AnyMap> = (value) =>
  isMap(value) ? lostValues(value) : wrong(value, otherType(value));

export function list<Entry>(of: Shape<Entry>, most = Number.POSITIVE_INFINITY): Shape<Entry[]> {
  return (value) => {
    if (!Array.isArray(value)) return wrong(value, otherType(value));
    if (value.length > most) return wrong(value, `has more than the ${most} entries that the service takes`);
    return value.flatMap((entry, index) => placed(of(entry), `[${index}]`));
  };
}

export function mapOr(of: Shape<string>): Shape<string | AnyMap> {
  return (value) => (isMap(value) ? lostValues(value) : of(value));
}

export function listOr(of: Shape<string>): Shape<string | AnyMap[]> {
  const entries = list(map);
  return (value) => (Array.isArray(value) ? entries(value) : of(value));
}

/** A whole number within bounds. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER): Shape<number> {
  return (value) => {
    if (typeof value !== "number") return wrong(value, otherType(value));
    if (!Number.isSafeInteger(value)) return wrong(value, "is not a whole number");
    return wrong(value, value < least || value > most ? "is out of range" : undefined);
  };
}

export function among(numbers: readonly number[]): Shape<number> {
  const whole = integer(Math.min(...numbers), Math.max(...numbers));
  return (value) => {
    const mismatches = whole(value);
    const isOther = mismatches.length === 0 && !numbers.some((one) => one === value);
    return isOther ? wrong(value, "is not one of the allowed values") : mismatches;
  };
}

export function mapOf<Entry>(of: Shape<Entry>): Shape<{ [key: string]: Entry }> {
  return (value) =>
    isMap(value)
      ? Object.entries(Object(value)).flatMap(([key, entry]) =>
          placed([...wrong(key, brokenIn(key)), ...of(entry)], `[${JSON.stringify(key)}]`),
        )
      : wrong(value, otherType(value));
}

/** An object with the given properties and no others. */
export function object<Value extends object>(
  properties: {
    readonly [Name in keyof Value]-?: Partial<Pick<Value, Name>> extends Pick<Value, Name>
      ? { readonly optional: Shape<Exclude<Value[Name], undefined>> }
      : Shape<Value[Name]>;
  },
): Shape<Value> {
  const known = new Map(Object.entries<Shape | { readonly optional: Shape }>(properties));
  return (value) => {
    if (!isMap(value)) return wrong(value, otherType(value));
    const given = new Map(Object.entries(Object(value)));
    const strangers = [...given.keys()].filter((name) => !known.has(name));
    return [
      ...strangers.flatMap((name) =>
        placed(wrong(given.get(name), stranger(name, [...known.keys()])), `.${name}`),
      ),
      ...[...known].flatMap(([name, shape]) => {
        const entry = given.get(name) ?? undefined;
        if (typeof shape !== "function" && entry === undefined) return [];
        return placed((typeof shape === "function" ? shape : shape.optional)(entry), `.${name}`);
      }),
    ];
  };
}

function stranger(name: string, known: readonly string[]): TextProblem {
  const near = nearestName(name, known);
  return { words: "is no property of it", fix: near ? `Write ${near}` : `It has ${known.join(" and ")}` };
}

function placed(mismatches: readonly ValueMismatch[], at: string): ValueMismatch[] {
  return mismatches.map((mismatch) => ({ ...mismatch, place: `${at}${mismatch.place}` }));
}

function wrong(value: unknown, problem: TextProblem | undefined): ValueMismatch[] {
  return problem === undefined ? [] : [{ place: "", value, problem }];
}

function otherType(value: unknown): string {
  return `is ${describeType(value)}`;
}

function isMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
