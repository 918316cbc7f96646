import { documentOf, valueIn } from "../../provider/for-commands/kinds.js";
import type { Arguments } from "../../provider/for-commands/objects.js";

/** A value that may let somebody in, and that a program would have as plain text. */
export interface Credential {
  readonly argument: string;
  /** The variable with the value. Undefined if the argument as a whole would be a secret. */
  readonly variable?: string;
  /** What it is, after the name of its object. */
  readonly words: string;
}

/** An address with a password, or one of the web with the token of a user. */
const ADDRESS = /\bhttps?:\/\/[^/@\s"']+@|\b[a-z][a-z+.-]*:\/\/[^/@\s:"']+:[^/@\s"']+@/i;
const NAME = /pass(?:word|wd|phrase)|secret|token|credential|private|auth|(?:api|access|signing)_?key/i;
/** A variable that an agent replaces. */
const REFERENCE = /^\$+[A-Za-z_{(]/;

/** Returns credentials in arguments: in addresses first, then in variables, as their names say. */
export function credentialsIn(args: Arguments): Credential[] {
  const texts = Object.entries(args).filter(([, value]) => typeof value === "string");
  const inAddresses = texts.filter(([, value]) => ADDRESS.test(String(value)));
  const inSteps = texts.filter((entry) => !inAddresses.includes(entry));
  return [
    ...inAddresses.map(([argument]) => ({ argument, words: `an address in \`${argument}\`` })),
    ...inSteps.flatMap(([argument, value]) => {
      const names = String(value).includes("env")
        ? variablesIn(valueIn(documentOf(String(value), { merge: true })))
        : [];
      return names.length === 0 ? [] : [{ argument, words: `${names.join(", ")} in \`${argument}\`` }];
    }),
    ...suspects(args.env).map((variable) => ({ argument: "env", variable, words: `${variable} in \`env\`` })),
  ];
}

/** Returns the names of the variables of steps, at any depth. */
function variablesIn(steps: unknown): string[] {
  if (typeof steps !== "object" || steps === null) return [];
  const names = Object.entries(steps).flatMap(([key, value]) =>
    key === "env" ? suspects(value) : variablesIn(value),
  );
  return [...new Set(names)];
}

function suspects(env: unknown): string[] {
  const isText = (value: unknown) => typeof value === "string" && value !== "" && !REFERENCE.test(value);
  return Object.entries(Object(env)).flatMap(([name, value]) =>
    NAME.test(name) && isText(value) ? [name] : [],
  );
}
