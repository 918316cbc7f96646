import type { Diagnostic } from "./events.js";

/**
 * Messages of Pulumi itself that have no code, recognized by how they begin. What follows may quote names of the service,
 * and so may any other message: no text is searched for these words.
 */

/** Another deployment of the stack runs: a backend of files says the first, Pulumi Cloud the second. */
const LOCK =
  /^(?:the stack is currently locked by \d+ lock|\[409\] Conflict: Another update is currently in progress)/;

/** The last deployment was interrupted, which the state describes better. */
const INTERRUPTION =
  /^Attempting to deploy or update resources\s+with \d+ pending operations? from (?:the )?previous deployment/;

export function isLock(error: string): boolean {
  return LOCK.test(error);
}

export function isInterruption({ severity, message }: Diagnostic): boolean {
  return severity === "warning" && INTERRUPTION.test(message);
}

/** Its last words repeat that there were errors. */
export const ENDING = /^(?:error: )?(?:preview|refresh|update) failed$/i;

const ERROR = "error: ";

/** Returns the message of a line that Pulumi begins as an error of its own. */
export function errorIn(line: string): string | undefined {
  return line.startsWith(ERROR) ? line.slice(ERROR.length) : undefined;
}
