import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const ADDRESS = /^(127\.0\.0\.1|\[::1\]|localhost):(\d+)$/;
const SECOND_TRY_AFTER_MS = 100;
/** Milliseconds after which a connection that is neither accepted nor refused counts as an engine that is busy. */
const PATIENCE = 2_000;

/** Pulumi starts a provider's process with the address of its engine. */
const STARTED_BY = process.argv.find((argument) => ADDRESS.test(argument));

/**
 * Ends the process when the engine is gone. A killed engine leaves its provider behind: no state would record what that
 * creates, and the next run would create it again.
 *
 * Only a refused connection, twice in a row, means that. Any other failure, for example too many open files, is this
 * process's own, and ending it would lose creations under way.
 */
export async function requireEngine(address: string | undefined = STARTED_BY): Promise<void> {
  if (address !== undefined && (await isEngineGone(address))) process.exit(1);
}

/** Returns whether nothing listens at the address of an engine. False for other addresses. */
export async function isEngineGone(address: string): Promise<boolean> {
  const [, host, port] = ADDRESS.exec(address) ?? [];
  if (host === undefined) return false;
  const refuses = () => isRefused(host.replace(/[[\]]/g, ""), Number(port));
  if (!(await refuses())) return false;
  await sleep(SECOND_TRY_AFTER_MS);
  return refuses();
}

function isRefused(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE });
    const settle = (refused: boolean) => {
      socket.destroy();
      resolve(refused);
    };
    socket.once("connect", () => settle(false));
    socket.once("timeout", () => settle(false));
    socket.once("error", (error) => settle(hasCode(error, "ECONNREFUSED")));
  });
}

/** `localhost` can mean several addresses: all of them have to refuse. */
function hasCode(error: Error, code: string): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => hasCode(each, code));
  return "code" in error && error.code === code;
}
