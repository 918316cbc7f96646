export function messageOf(cause: unknown): string {
  try {
    if (cause instanceof Error && cause.message !== "") return cause.message;
    if (cause !== undefined && cause !== null) return String(cause);
  } catch {
    // An object that has no text.
  }
  // Error error-without-text: An error had no text.
  // Fix: Run the command again with `--logtostderr -v=9`, and report the output without its secrets.
  return "Failed without a message.";
}
