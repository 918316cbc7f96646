import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export const CHECKOUT = join(__dirname, "..", "..");

/** The text of a file in the checkout. */
export function read(...path: readonly string[]): string {
  return readFileSync(join(CHECKOUT, ...path), "utf8");
}

export function readJson(...path: readonly string[]) {
  return JSON.parse(read(...path));
}

/** Makes a folder in the checkout, where Node finds what is installed. Whoever asks removes it. */
export function folderWithin(name: string): string {
  const parent = join(CHECKOUT, ".buildpipeline", "test");
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, name));
}

/** Makes a folder outside of the checkout, which goes with the test. */
export function testFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), "buildpipeline-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Serves on loopback until the test ends. @returns the address */
export async function testServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}`;
}
