/** What an error says, whatever was thrown. */
export function messageOf(cause: unknown): string {
  if (cause instanceof Error && cause.message !== "") return cause.message;
  return cause === undefined || cause === null ? "Failed without telling why." : String(cause);
}

/** A message of one or several lines, without what would move a terminal's cursor or hide a part of it. */
export function printable(message: string): string {
  return message.replace(/[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, " ");
}
