import { connect } from "node:net";

/** Pulumi starts a provider's process with the address of its engine. */
const ENGINE = process.argv
  .map((argument) => /^(127\.0\.0\.1|\[::1\]|localhost):(\d+)$/.exec(argument))
  .find(Boolean);

/**
 * Ends the process when the engine is gone. A killed engine leaves its provider behind, and what that creates nobody
 * records, while the next run creates it again.
 */
export async function requireEngine(): Promise<void> {
  if (ENGINE == null || (await answers(String(ENGINE[1]).replace(/[[\]]/g, ""), Number(ENGINE[2])))) return;
  process.exit(1);
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const settle = (alive: boolean) => {
      socket.destroy();
      resolve(alive);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
