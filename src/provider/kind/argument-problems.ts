import { oneLine } from "../../shared/messages/foreign-text.js";
import { nearestName } from "../../shared/messages/nearest-name.js";
import { quoted } from "../../shared/messages/quoted.js";
import { withCode } from "../../shared/protocol/message-codes.js";
import type { AnyKind } from "./kind.js";
import { lostValues, outputIn } from "./lost-values.js";
import type { TextProblem, ValueMismatch } from "./mismatch.js";
import type { Arguments } from "./value-roles.js";

/** Problem with an argument, by rules that constructors and the provider share. */
export interface Problem {
  readonly argument: string;
  /** Names the kind, the property, the value unless it is secret, the problem and its fix. */
  readonly text: string;
}

/** @param secret true if messages must not quote the value, because it is or may be secret */
export function problemsOf(kind: AnyKind, argument: string, value: unknown, secret: boolean): Problem[] {
  const field = Object.hasOwn(kind.arguments, argument) ? kind.arguments[argument] : undefined;
  if (field === undefined) return [nameProblem(kind, argument)];
  if (value === undefined || value === null) {
    if (field.whenOmitted !== "required") return [];
    return [{ argument, text: `${kind.name}.${argument}: is required. Give ${field.expected}.` }];
  }
  const isSecret = secret || field.secret === true;
  return field.shape(value).map((mismatch) => described(kind, argument, mismatch, field.expected, isSecret));
}

/** Returns the problem with the name of a resource that was made of an Output; none of any other name. */
export function problemsOfName({ name: kind }: AnyKind, name: string): Problem[] {
  const problem = outputIn(name);
  if (problem === undefined) return [];
  const text = `${kind}: the resource's name ${problem.words}. A name is plain text, which no Output can be part of.`;
  return [{ argument: "", text }];
}

/** Returns problems with what Pulumi would lose of a value that may have other values within, such as outputs. */
export function lossesOf(
  kind: AnyKind,
  argument: string,
  value: unknown,
  isOther: (value: unknown) => boolean,
): Problem[] {
  const expected = Object.hasOwn(kind.arguments, argument) ? kind.arguments[argument]?.expected : undefined;
  if (expected === undefined) return [];
  return lostValues(value, isOther).map((mismatch) => described(kind, argument, mismatch, expected, true));
}

function described(
  { name }: AnyKind,
  argument: string,
  { place, value, problem }: ValueMismatch,
  expected: string,
  secret: boolean,
): Problem {
  const words =
    typeof problem === "object" && "fix" in problem
      ? withFix(problem)
      : withExpected(wordsOf(problem, value, secret), expected);
  return { argument, text: `${name}.${argument}${place}: ${words}` };
}

/** Returns the broken rules among arguments. One with an argument that isn't known yet waits for the deployment. */
export function brokenRules(
  kind: AnyKind,
  args: Arguments,
  isKnown: (name: string) => boolean,
  planned?: { readonly now: number; readonly isNew: boolean; readonly isCreation: boolean },
  doubts = false,
): Problem[] {
  return rulesOf(kind).flatMap(({ arguments: names, broken, isDoubt = false }) => {
    const words = isDoubt === doubts && names.every(isKnown) ? broken(args, planned) : undefined;
    const [argument = ""] = names;
    return words === undefined ? [] : [{ argument, text: `${kind.name}.${argument}: ${words}` }];
  });
}

/** Returns the rules that a kind states, and that no argument is given with the one that takes its place. */
function rulesOf({ arguments: fields, rules = [] }: AnyKind): NonNullable<AnyKind["rules"]> {
  const alternatives = Object.entries(fields).flatMap(([name, { unless: other }]) =>
    other === undefined
      ? []
      : {
          arguments: [name, other.argument],
          broken: (args: Arguments) =>
            args[name] == null || args[other.argument] == null ? undefined : other.words,
        },
  );
  return [...alternatives, ...rules];
}

function withFix({ words, fix, code }: Extract<TextProblem, { readonly fix: string }>): string {
  return code === undefined ? `${words}. ${fix}.` : withCode(`${words}. ${fix}.`, code);
}

/** Names the expected value once: "is not a hex color code such as …" needs no "expected a hex color code". */
function withExpected(words: string, expected: string): string {
  const denied = / is not (an? .+)$/.exec(` ${words}`)?.[1];
  if (denied !== undefined && expected.startsWith(denied)) return `${words}${expected.slice(denied.length)}.`;
  return `${words}; expected ${expected}.`;
}

function wordsOf(
  problem: Exclude<TextProblem, { readonly fix: string }>,
  value: unknown,
  secret: boolean,
): string {
  const words = typeof problem === "string" ? problem : problem.words;
  // "null is null" says nothing.
  if (secret || value == null) return words;
  return typeof problem === "string" ? `${quoted(value)} ${words}` : `${words}: ${quoted(problem.excerpt)}`;
}

function nameProblem(kind: AnyKind, argument: string): Problem {
  const about = (words: string) => ({ argument, text: `${kind.name}.${oneLine(argument)}: ${words}` });
  if (Object.hasOwn(kind.outputs, argument)) {
    return about("is an output, set by the API. Remove it from the arguments.");
  }
  const known = Object.keys(kind.arguments);
  const named = argument.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const ours = Object.hasOwn(kind.otherNames ?? {}, named) ? kind.otherNames?.[named] : undefined;
  if (ours !== undefined) return about(`there is no such argument. Here it is ${ours}.`);
  const nearest = nearestName(argument, known);
  const hint = nearest ? `Did you mean ${nearest}?` : `The arguments are ${known.join(", ")}.`;
  return about(`there is no such argument. ${hint}`);
}
