export function messageOf(cause: unknown): string {
  try {
    if (cause instanceof Error && cause.message !== "") return cause.message;
    if (cause !== undefined && cause !== null) return String(cause);
  } catch {
    // An object that has no text.
  }
  return "Failed without a message.";
}
