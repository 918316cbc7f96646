import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";

/**
 * Checks whether a request comes from a foreign page in a browser. Such a page may let its own name lead to this
 * machine, or send requests across origins.
 */
export function isForeign({ headers }: IncomingMessage): boolean {
  const { host, origin } = headers;
  if (host !== undefined && !isThisMachine(host)) return true;
  return origin !== undefined && origin.toLowerCase() !== `http://${host?.toLowerCase()}`;
}

/** The emulator listens on loopback addresses only, so these are all the names it can have. */
function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host);
}

/**
 * Returns the secret in the address of the page. Every user of the machine can connect to the emulator, over IPv4 or IPv6,
 * and only the user who started it knows the address. An emulator that starts again with the same data keeps its page's
 * address, because its access token stays.
 */
export function pageKeyOf(accessToken: string): string {
  return createHmac("sha256", accessToken).update("page").digest("base64url");
}

/**
 * Checks whether a browser may see the page. The first time the key is in the address. A cookie repeats it, so that
 * web addresses of objects, which have no key, lead to the page as well.
 */
export function maySeePage(c: Context, key: string, port: number | undefined): boolean {
  const matches = (text = "") => {
    const [expected, given] = [Buffer.from(key), Buffer.from(text)];
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  // Browsers send a cookie to every port of a host.
  const cookie = `page-${port}`;
  if (!matches(c.req.query("key"))) return matches(getCookie(c, cookie));
  setCookie(c, cookie, key, { httpOnly: true, sameSite: "Strict" });
  return true;
}
