import { valueOfYaml } from "../../provider/for-commands/kinds.js";
import type { Arguments } from "../../provider/for-commands/objects.js";
import { credentialIn } from "../../shared/messages/secrets.js";

/** A value that may let somebody in, and that a program would have as plain text. */
export interface Credential {
  readonly argument: string;
  /** Where the value is in the argument. Empty if the argument as a whole would be a secret. */
  readonly path: readonly string[];
  /** What it is, after the name of its object. */
  readonly words: string;
}

const NAME = /pass(?:word|wd|phrase)|secret|token|credential|private|auth|(?:api|access|signing)_?key/i;
/** A variable that an agent replaces. */
const REFERENCE = /^\$+[A-Za-z_{(]/;

/** Returns credentials in arguments: what looks like one anywhere, and variables whose names say that they are. */
export function credentialsIn(args: Arguments): Credential[] {
  return Object.entries(args).flatMap(([argument, value]) => {
    if (typeof value !== "string")
      return suspects(value, argument === "env").map((path) => {
        return { argument, path, words: `${path.join(".")} in \`${argument}\`` };
      });
    const form = credentialIn(value);
    const names = form === "address" || !value.includes("env") ? [] : variablesIn(valueOfYaml(value));
    const what = names.join(", ") || (form === "address" ? "an address" : form && "a token");
    return what === undefined ? [] : [{ argument, path: [], words: `${what} in \`${argument}\`` }];
  });
}

/** Returns the names of the variables of steps, at any depth. */
function variablesIn(steps: unknown): string[] {
  if (typeof steps !== "object" || steps === null) return [];
  const names = Object.entries(steps).flatMap(([key, value]) =>
    key === "env" ? suspects(value, true).map((path) => path.join(".")) : variablesIn(value),
  );
  return [...new Set(names)];
}

/** Returns the places of credentials in a value. @param isNamed true if names of its values say what they are */
function suspects(value: unknown, isNamed: boolean): string[][] {
  return Object.entries(Object(value)).flatMap(([name, one]) => {
    if (typeof one !== "string") return suspects(one, isNamed).map((path) => [name, ...path]);
    const isSuspect = isNamed && NAME.test(name) && one !== "" && !REFERENCE.test(one);
    return isSuspect || credentialIn(one) !== undefined ? [[name]] : [];
  });
}
