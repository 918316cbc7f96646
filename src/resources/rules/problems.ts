import { oneLine } from "../../messages/one-line.js";
import { quoted } from "../../messages/quoted.js";
import type { AnyKind } from "../kind.js";
import { nearestName } from "./nearest-name.js";
import { mismatchesOf, type TextProblem } from "./shape.js";
import { toolkit } from "./toolkit.js";

/**
 * What is wrong with arguments, by the description of their kind. The one place of these rules: constructors judge by
 * them what the program knows, and the provider what reaches it. Nothing here depends on how Pulumi calls either.
 */
export interface Problem {
  /** Name of the argument. */
  readonly argument: string;
  /** Names the kind and the property, the value unless it is secret, what is wrong and what to do. */
  readonly text: string;
}

/** What a rule may know of a kind. */
export type ValidatedKind = Pick<AnyKind, "name" | "arguments" | "outputs">;

/**
 * What is wrong with the value of an argument; undefined and null are an argument that is left out.
 *
 * @param secret whether the value must not be told, or may be one that must not
 */
export function problemsOf(
  kind: ValidatedKind,
  argument: string,
  value: unknown,
  secret: boolean,
): Problem[] {
  const field = kind.arguments[argument];
  if (field === undefined) return [nameProblem(kind, argument)];
  const about = (place: string, words: string) => ({
    argument,
    text: `${kind.name}.${argument}${place}: ${words}`,
  });
  if (value === undefined || value === null) {
    return field.whenOmitted === "required" ? [about("", `is required. Give ${field.expected}.`)] : [];
  }
  return mismatchesOf(field.shape, value, toolkit).map((mismatch) =>
    about(mismatch.place, withExpected(wordsOf(mismatch.problem, mismatch.value, secret), field.expected)),
  );
}

/** Names the expected value once: "is not a hex color code such as …" needs no "expected a hex color code". */
function withExpected(words: string, expected: string): string {
  const denied = / is not (an? .+)$/.exec(` ${words}`)?.[1];
  if (denied !== undefined && expected.startsWith(denied)) return `${words}${expected.slice(denied.length)}.`;
  return `${words}; expected ${expected}.`;
}

function wordsOf(problem: TextProblem, value: unknown, secret: boolean): string {
  const words = typeof problem === "string" ? problem : problem.words;
  if (secret) return words;
  return typeof problem === "string" ? `${quoted(value)} ${words}` : `${words}: ${quoted(problem.excerpt)}`;
}

/** Why there is no such argument. Its value is not looked at. */
function nameProblem(kind: ValidatedKind, argument: string): Problem {
  const about = (words: string) => ({ argument, text: `${kind.name}.${oneLine(argument)}: ${words}` });
  if (argument in kind.outputs) {
    return about("is an output, set by the API. Remove it from the arguments.");
  }
  const known = Object.keys(kind.arguments);
  const nearest = nearestName(argument, known);
  const hint = nearest ? `Did you mean ${nearest}?` : `The arguments are ${known.join(", ")}.`;
  return about(`there is no such argument. ${hint}`);
}
