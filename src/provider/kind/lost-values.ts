import { isAsset } from "../../shared/protocol/encoded-values.js";
import type { TextProblem, ValueMismatch } from "./mismatch.js";

/**
 * Values of a program that state has no form for. The engine would get them as an empty map, as another value or not at
 * all. So a program would deploy something else, and nobody would see a change of them.
 */

/** How a program writes instead what `Object.prototype.toString` and `typeof` call so. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  Date: "it as text: date.toISOString()",
  Map: "a plain map: Object.fromEntries(map)",
  Set: "a list: [...set]",
  URL: "it as text: url.href",
  RegExp: "it as text: pattern.source",
  Uint8Array: 'it as text: buffer.toString("utf8")',
  bigint: "it as text: String(value)",
  symbol: "it as text: symbol.description",
  function: "the value that it returns",
};

/**
 * Finds lost values in a value that may be of any type.
 *
 * @param isPassed returns true for what Pulumi carries in another way, and which is not looked into
 */
export function lostValues(
  value: unknown,
  isPassed: (value: unknown) => boolean = () => false,
  place = "",
  within: readonly unknown[] = [],
): ValueMismatch[] {
  if (isPassed(value)) return [];
  const problem = within.includes(value) ? CIRCLE : typeof value === "string" ? brokenIn(value) : lost(value);
  if (problem !== undefined) return [{ place, value, problem }];
  if (typeof value !== "object" || value === null) return [];
  const around = [...within, value];
  return Object.entries(value).flatMap(([name, entry]) => {
    const at = `${place}${Array.isArray(value) ? `[${name}]` : memberNamed(name)}`;
    const broken = brokenIn(name);
    return broken === undefined
      ? lostValues(entry, isPassed, at, around)
      : [{ place: at, value: name, problem: broken }];
  });
}

const CIRCLE: TextProblem = { words: "contains itself", fix: "Write a copy of the part that is needed" };

/** Returns a member as it follows a value in a program. */
export function memberNamed(name: string): string {
  return /^[\w$]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** Returns the problem with a text that no program means: it was cut within a character, or made of an Output. */
export function brokenIn(text: string): TextProblem | undefined {
  return halfIn(text) ?? outputIn(text);
}

/** What Pulumi's SDKs for each language make of an Output in a text, and what the language has instead. */
const OF_OUTPUTS: readonly (readonly [text: RegExp, made: string, fix: string])[] = [
  [/Calling \[toString\] on an \[Output/, "a template string", "pulumi.interpolate`…`"],
  [/Calling \[toJSON\] on an \[Output/, "JSON.stringify", "pulumi.jsonStringify(…)"],
  [/Calling __str__ on an Output/, "a text", 'pulumi.Output.format("…", …) or pulumi.Output.json_dumps(…)'],
  [/\*internal\.OutputState|\{(?:OutputState:)?0x[\da-f]{8,16}\}/, "fmt.Sprintf", 'pulumi.Sprintf("…", …)'],
  [/Calling \[ToString\] on an \[Output/, "an interpolated text", 'Output.Format($"…")'],
];

/** Returns the problem with a text in which Pulumi's SDK has written a sentence of its own in place of an Output's value. */
export function outputIn(text: string): { readonly words: string; readonly fix: string } | undefined {
  const [found] = OF_OUTPUTS.filter(([pattern]) => pattern.test(text));
  if (found === undefined) return undefined;
  const [, made, fix] = found;
  return { words: `has what ${made} makes of an Output, and not its value`, fix: `Write ${fix}` };
}

/** Returns the problem with a text that has a half of a surrogate pair, as one has that was cut by its length. */
function halfIn(text: string): TextProblem | undefined {
  if (text.isWellFormed()) return undefined;
  const whole = [...text].findIndex((character) => !character.isWellFormed());
  return {
    // Error half-character: A text was cut by its length, which may leave half of an emoji or of a rare character.
    // Fix: Cut it between characters.
    words: `has half a character after ${whole} whole ones`,
    fix: 'Cut a text between characters: [...text].slice(0, length).join("")',
    code: "half-character",
  };
}

function lost(value: unknown): TextProblem | undefined {
  const type = typeof value;
  if (type === "bigint" || type === "symbol" || type === "function") return withoutForm(`a ${type}`, type);
  if (type === "number" && !Number.isFinite(value)) return withoutForm(String(value), "bigint");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  if (isAsset(value))
    return {
      words: "is an asset or archive, which only Pulumi's own types take",
      fix: 'Write the text itself: readFileSync(path, "utf8")',
    };
  if (isPlainMap(value)) return undefined;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (Object.hasOwn(WRITTEN_AS, tag)) return withoutForm(`a ${tag}`, tag);
  return {
    words: `is an object of the class ${String(value.constructor?.name)}, and state has plain maps only`,
    fix: "Write a plain map: { ...object }",
  };
}

function withoutForm(what: string, type: string): TextProblem {
  // Error value-without-form: A value within an argument that takes any value would become an empty map or another
  // value on its way to Pulumi's engine, so that its changes go unseen.
  // Fix: Write the value as the message says.
  const words = `is ${what}, which has no form in Pulumi's state`;
  return { words, fix: `Write ${WRITTEN_AS[type]}`, code: "value-without-form" };
}

/** Checks whether a value is a plain map. One of another realm, as test runners make them, has another `Object`. */
function isPlainMap(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
