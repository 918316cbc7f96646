import { placeOfPage } from "../../shared/process/package-files.js";

const DAY_MS = 24 * 60 * 60 * 1000;
const WARNING_DAYS = 14;
const ACCESS_WARNING_DAYS = 30;

export const ROTATE_FIRST = "Rotate it first: agents can't start or reconnect with an expired token.";

/** Says that an agent token expires within 14 days, or has expired; undefined of any other, and without a date. */
export function expiryOf(label: string, expiresAt: unknown, now: number): string | undefined {
  return within(WARNING_DAYS, `Agent token ${JSON.stringify(label)}`, expiresAt, now);
}

/** Says that the API access token expires within 30 days, and where the docs say how to replace it. */
export function accessExpiryOf(expiresAt: unknown, now: number) {
  const message = within(ACCESS_WARNING_DAYS, "The API access token", expiresAt, now);
  const place = placeOfPage("guides/secrets#rotate-the-api-access-token");
  const shown = "url" in place ? place.url : `\`${place.command}\``;
  return message === undefined ? undefined : { message, action: `Replace it before that day: ${shown}` };
}

function within(days: number, what: string, expiresAt: unknown, now: number): string | undefined {
  const at = typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(at) || at - now > days * DAY_MS) return undefined;
  const day = new Date(at).toISOString().slice(0, 10);
  return `${what} ${at > now ? "expires" : "expired"} on ${day}.`;
}
