import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";

const script = join(__dirname, "../../tools/audit.mjs");

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

it("passes when no locked package has a known vulnerability", async () => {
  answer = (response) => response.end("{}");
  expect(await audit()).toEqual({ code: 0, said: "found 0 vulnerabilities\n" });
});

it("names what is vulnerable, and fails from high severity on", async () => {
  answer = (response) => response.end(JSON.stringify(advisory("high")));
  const { code, said } = await audit();
  expect(code).toBe(1);
  expect(said).toMatch(/^Severity: high\n.*https:\/\/advisories\.example\/1/m);
});

it("names what is vulnerable, and passes below high severity", async () => {
  answer = (response) => response.end(JSON.stringify(advisory("moderate")));
  const { code, said } = await audit();
  expect(code).toBe(0);
  expect(said).toContain("Severity: moderate");
});

it("passes, and says so, where the registry does not answer the question", async () => {
  answer = (response) => response.writeHead(405).end();
  const { code, said } = await audit();
  expect(code).toBe(0);
  expect(said).toContain("Not audited");
});

it("passes, and says so, where there is no registry", async () => {
  answer = (response) => response.destroy();
  const { code, said } = await audit();
  expect(code).toBe(0);
  expect(said).toContain("Not audited");
});
