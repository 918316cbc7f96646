const WARNING_MS = 14 * 24 * 60 * 60 * 1000;

export const ROTATE_FIRST = "Rotate it first: agents can't start or reconnect with an expired token.";

/** Says that an agent token expires within 14 days, or has expired; undefined of any other, and without a date. */
export function expiryOf(label: string, expiresAt: unknown, now: number): string | undefined {
  const at = typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(at) || at - now > WARNING_MS) return undefined;
  const day = new Date(at).toISOString().slice(0, 10);
  return `Agent token ${JSON.stringify(label)} ${at > now ? "expires" : "expired"} on ${day}.`;
}
