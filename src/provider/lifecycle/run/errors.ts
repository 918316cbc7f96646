import { ConnectionError, NotFoundError, ServerError, TimeoutError } from "../../../client/index.js";
import { cut, shownByEngine } from "../../../shared/messages/foreign-text.js";
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
  return cut(shownByEngine(messageOf(cause)), LONGEST);
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

/** Hides secret arguments in what fails: the API may repeat what it was sent, in any spelling. */
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

/** Returns the secret arguments, and names that the service derives from them. */
function secretsIn({ kind, secretNames, args, outputs = {} }: SecretHolder): string[] {
  const names = secretNamesOf(kind, secretNames);
  const spelled = Object.entries(kind.outputs).filter(([, { spells }]) => names.has(spells));
  const values = [
    ...[...names].map((name) => args[String(name)]),
    ...spelled.map(([name]) => reveal(outputs[name])),
  ];
  return values.flatMap(textsIn).flatMap((text) => [text, slugOf(text)]);
}

export function hide(holders: readonly SecretHolder[], text: string): string {
  return hiding(holders.flatMap(secretsIn), HIDDEN)(text);
}
