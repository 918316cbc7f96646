import { oneLine } from "../../shared/messages/foreign-text.js";
import { nearestName } from "../../shared/messages/nearest-name.js";
import { quoted } from "../../shared/messages/quoted.js";
import type { AnyKind } from "./kind.js";
import type { TextProblem } from "./shape.js";
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
  const about = (place: string, words: string) => ({
    argument,
    text: `${kind.name}.${argument}${place}: ${words}`,
  });
  if (value === undefined || value === null) {
    return field.whenOmitted === "required" ? [about("", `is required. Give ${field.expected}.`)] : [];
  }
  const isSecret = secret || field.secret === true;
  return field
    .shape(value)
    .map((mismatch) =>
      about(
        mismatch.place,
        withExpected(wordsOf(mismatch.problem, mismatch.value, isSecret), field.expected),
      ),
    );
}

/** Returns the broken rules among arguments. One with an argument that isn't known yet waits for the deployment. */
export function brokenRules(
  kind: AnyKind,
  args: Arguments,
  isKnown: (name: string) => boolean = () => true,
): Problem[] {
  return (kind.rules ?? []).flatMap(({ arguments: names, broken, isDoubt }) => {
    if (isDoubt !== undefined) return [];
    const words = names.every(isKnown) ? broken(args) : undefined;
    const [argument = ""] = names;
    return words === undefined ? [] : [{ argument, text: `${kind.name}.${argument}: ${words}` }];
  });
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

function nameProblem(kind: AnyKind, argument: string): Problem {
  const about = (words: string) => ({ argument, text: `${kind.name}.${oneLine(argument)}: ${words}` });
  if (Object.hasOwn(kind.outputs, argument)) {
    return about("is an output, set by the API. Remove it from the arguments.");
  }
  const known = Object.keys(kind.arguments);
  const ours = Object.hasOwn(kind.otherNames ?? {}, argument) ? kind.otherNames?.[argument] : undefined;
  if (ours !== undefined) return about(`there is no such argument. Here it is ${ours}.`);
  const nearest = nearestName(argument, known);
  const hint = nearest ? `Did you mean ${nearest}?` : `The arguments are ${known.join(", ")}.`;
  return about(`there is no such argument. ${hint}`);
}
