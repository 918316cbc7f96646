import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The checkout. The provider's host finds the package in it by walking up from a program's folder. */
export const CHECKOUT = join(__dirname, "..", "..");
/** Folders in it, for tests. */
export const WITHIN_CHECKOUT = join(CHECKOUT, ".buildpipeline", "test");

/** What a test file has started: one runs at a time in a process. */
const started: (() => unknown)[] = [];

/** Ends what a test file has started, the newest first. */
export async function endAll(): Promise<void> {
  for (const end of started.splice(0).reverse()) await end();
}

/** Closes something when the test file has ended. */
export function closedAtEnd<One extends { close(): unknown }>(one: One): One {
  started.push(() => one.close());
  return one;
}

/** Makes a folder for a test file. Default: outside the checkout, where Node would find the package under test. */
export function temporaryFolder(name: string, parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, `buildpipeline-${name}-`));
  started.push(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts a server on loopback. @returns its address */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  started.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}`;
}
