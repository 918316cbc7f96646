import { cut } from "../messages/cut.js";
import { withoutLogCommands } from "../messages/log-commands.js";

/** An error's message travels in an HTTP/2 header, where a character takes up to 12 bytes of at most 64 KB. */
const LONGEST = 2_000;

/** Returns the message of an error, whatever was thrown. */
export function messageOf(cause: unknown): string {
  try {
    if (cause instanceof Error && cause.message !== "") return cause.message;
    if (cause !== undefined && cause !== null) return String(cause);
  } catch {
    // An object that has no text.
  }
  return "Failed without a message.";
}

/** Returns the message of an error as it is sent to the engine: printable, and no longer than a header may be. */
export function sendableMessage(cause: unknown): string {
  return cut(textForEngine(messageOf(cause)), LONGEST);
}

/** Returns well-formed text of one or several lines that neither a terminal nor a CI system obeys. */
export function textForEngine(message: string): string {
  return withoutLogCommands(
    message.replace(/[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, " "),
  ).toWellFormed();
}
