import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";

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
 * Checks whether a connection certainly comes from another user of this machine. Only Linux reports the user: elsewhere
 * every user of the machine passes.
 */
export function isOtherUser({ socket }: IncomingMessage): boolean {
  const own = process.getuid?.();
  const table = tableOf(socket.remoteFamily === "IPv6" ? "/proc/net/tcp6" : "/proc/net/tcp");
  const { remotePort, localPort } = socket;
  if (table === undefined || remotePort === undefined || localPort === undefined) return false;
  const users = userOfConnection(table, { from: remotePort, to: localPort });
  return users.some((user) => user !== own && user !== 0);
}

/** Returns the users with sockets at the other end of a connection, by the system's table (proc(5)). */
export function userOfConnection(table: string, ports: { from: number; to: number }): number[] {
  const timeWait = "06";
  return table.split("\n").flatMap((line) => {
    const [, local = "", remote = "", state, , , , user] = line.trim().split(/\s+/);
    const matches = portOf(local) === ports.from && portOf(remote) === ports.to && state !== timeWait;
    return matches ? [Number(user)] : [];
  });
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.indexOf(":") + 1), 16);
}

function tableOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
