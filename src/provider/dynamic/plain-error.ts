import { sendableMessage } from "../lifecycle/run/errors.js";

/** Texts that the host is going to print of errors that it responds with as well. */
const answered = new Set<string>();

/**
 * Returns an error as the dynamic-provider host should see it. The host prints `${error}: ${error.stack}` and the
 * engine shows all of it: without name and stack, that is one clean line.
 */
export function plainError(cause: unknown, extra: object = {}): Error {
  const error = new Error(sendableMessage(cause));
  error.name = "";
  error.stack = "";
  answered.add(`${error}: ${error.stack}`);
  return Object.assign(error, extra);
}

/**
 * Printing without what the host prints of our errors: it answers with them as well, and then the engine shows them
 * with their resource. So each stands once in what the user sees.
 */
export function withoutAnswered(print: (...values: unknown[]) => void): (...values: unknown[]) => void {
  return (...values) => {
    const [text] = values;
    if (values.length > 1 || typeof text !== "string" || !answered.has(text)) print(...values);
  };
}
