import { connect } from "node:net";

const ADDRESS = /^(127\.0\.0\.1|\[::1\]|localhost):(\d+)$/;

/** Pulumi starts a provider's process with the address of its engine. */
const STARTED_BY = process.argv.find((argument) => ADDRESS.test(argument));

/**
 * Ends the process when the engine is gone. A killed engine leaves its provider behind, and what that creates nobody
 * records, while the next run creates it again.
 */
export async function requireEngine(address: string | undefined = STARTED_BY): Promise<void> {
  const [, host = "", port] = ADDRESS.exec(address ?? "") ?? [];
  if (port === undefined || (await answers(host.replace(/[[\]]/g, ""), Number(port)))) return;
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
