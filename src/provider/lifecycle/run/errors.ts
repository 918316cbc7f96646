import { ConnectionError, NotFoundError, ServerError, TimeoutError } from "../../../client/index.js";
import { blanked, cut, oneLine, withoutLogCommands } from "../../../shared/messages/foreign-text.js";
import { messageOf } from "../../../shared/messages/of-error.js";
import { hiding, textsIn } from "../../../shared/messages/secrets.js";
import { reveal } from "../../../shared/protocol/encoded-values.js";
import { slugOf } from "../../kind/canonical.js";
import type { Outputs } from "../../kind/value-roles.js";
import { type Inputs, secretNamesOf } from "../values/state.js";

export { messageOf };

/** An error's message travels in an HTTP/2 header, where a character takes up to 12 bytes of at most 64 KB. */
const LONGEST = 2_000;

export function sendableMessage(cause: unknown): string {
  return cut(textForEngine(messageOf(cause)), LONGEST);
}

/** Returns well-formed text of one or several lines that neither a terminal nor a CI system obeys. */
export function textForEngine(message: string): string {
  return withoutLogCommands(message.split("\n").map(blanked).join("\n"));
}

/** Returns whether a request got no response, or none of the service itself. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServerError;
}

/** Returns whether the API reports something as missing. It does the same where a permission is missing. */
export function isMissing(error: unknown): boolean {
  return error instanceof NotFoundError;
}

type SecretHolder = Pick<Inputs, "kind" | "secretNames" | "args"> & { readonly outputs?: Outputs };

const HIDDEN = "[redacted]";
/** A shorter part of a secret before the end of a cut text says nothing. */
const SHORTEST_PART = 4;

/** Hides secret arguments in what fails: the API may repeat what it was sent, whole, by line, or in an address. */
export async function withoutSecrets<Result>(
  holders: readonly SecretHolder[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    if (typeof result !== "object" || result === null) return result;
    if (!("initializationError" in result) || typeof result.initializationError !== "string") return result;
    return { ...result, initializationError: hide(holders, result.initializationError) };
  } catch (error) {
    const message = messageOf(error);
    const hidden = hide(holders, message);
    throw hidden === message ? error : new Error(hidden);
  }
}

function secretsIn({ kind, secretNames, args, outputs = {} }: SecretHolder): string[] {
  const names = secretNamesOf(kind, secretNames);
  const spelled = Object.entries(kind.outputs).filter(([, { spells }]) => names.has(spells));
  const values = [
    ...[...names].map((name) => args[String(name)]),
    ...spelled.map(([name]) => reveal(outputs[name])),
  ];
  return values.flatMap(textsIn).flatMap((text) => [text, ...text.split(/\r?\n/)].flatMap(spellingsOf));
}

function spellingsOf(text: string): string[] {
  const line = oneLine(text);
  return [text, line, slugOf(text), oneLine(JSON.stringify(line).slice(1, -1))].filter(
    (spelling) => spelling.length >= SHORTEST_PART,
  );
}

export function hide(holders: readonly SecretHolder[], text: string): string {
  const secrets = holders.flatMap(secretsIn);
  if (secrets.length === 0) return text;
  const hidden = hiding(secrets, HIDDEN)(text);
  // Text of the API is cut at its end, in the middle of a secret maybe.
  return hidden.replace(/(\S.*?)…/gu, (whole, before: string) => {
    const part = longestPart(secrets, before);
    return part === 0 ? whole : `${before.slice(0, -part)}${HIDDEN}…`;
  });
}

/** Returns how many characters at the end of a text are the beginning of a secret. */
function longestPart(secrets: readonly string[], text: string): number {
  for (let length = text.length; length >= SHORTEST_PART; length--)
    if (secrets.some((secret) => secret.startsWith(text.slice(-length)))) return length;
  return 0;
}
