import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";

const script = join(__dirname, "../../tools/dev/audit.mjs");

/** What the registry answers when it is asked for advisories. */
let answer: (response: ServerResponse) => void;
let server: Server;
/** npm remembers advisories in its cache. */
let cache: string;

beforeEach(async () => {
  cache = mkdtempSync(join(tmpdir(), "npm-cache-"));
  server = createServer((request, response) => {
    if (request.url?.endsWith("/advisories/bulk")) answer(response);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
  rmSync(cache, { recursive: true });
});

async function audit(): Promise<{ code: number; said: string }> {
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // A TCP server's address is no text.
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: cache };
  const child = spawn(process.execPath, [script], { env, stdio: ["ignore", "ignore", "pipe"] });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code, said };
}

function advisory(severity: string): Record<string, unknown> {
  const url = "https://advisories.example/1";
  return { hono: [{ id: 1, url, title: "A hole", severity, vulnerable_versions: ">=4" }] };
}

it.each<[string, (response: ServerResponse) => void, number, RegExp]>([
  ["no package has a vulnerability", (response) => response.end("{}"), 0, /^found 0 vulnerabilities\n$/],
  [
    "one has a vulnerability of high severity",
    (response) => response.end(JSON.stringify(advisory("high"))),
    1,
    /^Severity: high\n.*https:\/\/advisories\.example\/1/m,
  ],
  [
    "one has a vulnerability below high severity",
    (response) => response.end(JSON.stringify(advisory("moderate"))),
    0,
    /Severity: moderate/,
  ],
  [
    "the registry does not answer the question",
    (response) => response.writeHead(405).end(),
    0,
    /Not audited/,
  ],
  ["there is no registry", (response) => response.destroy(), 0, /Not audited/],
])("says what it found, and fails from high severity on: %s", async (_, answering, code, said) => {
  answer = answering;
  expect(await audit()).toEqual({ code, said: expect.stringMatching(said) });
});
