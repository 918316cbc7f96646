import { describeType } from "../../messages/quoted.js";
import type { Toolkit } from "./toolkit.js";

/**
 * Form of an argument's value, as data and plain functions. The program and the provider validate by it, and other
 * descriptions derive from it. A library of schemas would take longer to load than the whole package.
 */
export type Shape = TextShape | ChoiceShape | BooleanShape | NumberShape | ListShape | MapShape | EitherShape;

/** The shape that fits a type. A type that none fits doesn't compile. */
export type ShapeOf<Value> = [Value] extends [boolean]
  ? BooleanShape
  : [Value] extends [readonly string[]]
    ? ListShape
    : [Value] extends [string]
      ? string extends Value
        ? TextShape
        : ChoiceShape<Value>
      : [Value] extends [number]
        ? NumberShape
        : [Exclude<Value, string>] extends [AnyMap]
          ? string extends Value
            ? EitherShape
            : MapShape
          : never;

interface AnyMap {
  readonly [name: string]: unknown;
}

export interface TextShape {
  readonly type: "text";
  /** Returns the problem with a text, in words that follow it: "is not a UUID". */
  problem?(text: string, toolkit: Toolkit): TextProblem | undefined;
}

/** Words about a text, or about a place in a long one, which then has the part that is to be quoted. */
export type TextProblem = string | { readonly words: string; readonly excerpt: string };

export interface ChoiceShape<Choice extends string = string> {
  readonly type: "choice";
  readonly choices: readonly Choice[];
}

export interface BooleanShape {
  readonly type: "boolean";
}

/** A whole number: the API document has no others. */
export interface NumberShape {
  readonly type: "number";
  /** Returns the problem with a number, in words that follow it: "is less than 1". */
  problem?(value: number): string | undefined;
}

export interface ListShape {
  readonly type: "list";
  readonly of: TextShape;
  /** Entries that the service takes at most. Default: any number. */
  readonly most?: number;
}

export interface MapShape {
  readonly type: "map";
}

export interface EitherShape {
  readonly type: "either";
  readonly text: TextShape;
}

/** Problem with a value, or with an entry of it. */
export interface Mismatch {
  /** Where in the value, as a program would write it: "" or "[1]". */
  readonly place: string;
  readonly value: unknown;
  readonly problem: TextProblem;
}

/** Everything in which a value does not fit its shape. */
export function mismatchesOf(shape: Shape, value: unknown, toolkit: Toolkit): Mismatch[] {
  const wrong = (problem: TextProblem): Mismatch[] => [{ place: "", value, problem }];
  switch (shape.type) {
    case "text": {
      if (typeof value !== "string") return wrong(`is ${describeType(value)}`);
      const problem = shape.problem?.(value, toolkit);
      return problem === undefined ? [] : wrong(problem);
    }
    case "choice":
      return shape.choices.some((choice) => choice === value)
        ? []
        : wrong("is not one of the allowed values");
    case "boolean":
      return typeof value === "boolean" ? [] : wrong(`is ${describeType(value)}`);
    case "number": {
      if (typeof value !== "number" || !Number.isSafeInteger(value)) return wrong("is not a whole number");
      const problem = shape.problem?.(value);
      return problem === undefined ? [] : wrong(problem);
    }
    case "map":
      return isMap(value) ? [] : wrong(`is ${describeType(value)}`);
    case "list": {
      if (!Array.isArray(value)) return wrong(`is ${describeType(value)}`);
      const { most = Number.POSITIVE_INFINITY } = shape;
      if (value.length > most) return wrong(`has more than the ${most} entries that the service takes`);
      return value.flatMap((entry, index) =>
        mismatchesOf(shape.of, entry, toolkit).map((mismatch) => ({ ...mismatch, place: `[${index}]` })),
      );
    }
    case "either":
      return isMap(value) ? [] : mismatchesOf(shape.text, value, toolkit);
  }
}

function isMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
