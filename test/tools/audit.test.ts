import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { someOf } from "../support/cases.js";
import { CHECKOUT, testFolder, testServer } from "../support/checkout.js";

const script = join(CHECKOUT, "tools/dev/audit.mjs");

/** @param answer what the registry answers when it is asked for advisories */
async function audit(answer: (response: ServerResponse) => void): Promise<{ code: number; said: string }> {
  const registry = await testServer((request, response) => {
    if (request.url?.endsWith("/advisories/bulk")) answer(response);
    else response.writeHead(404).end();
  });
  // npm remembers advisories in its cache.
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: testFolder() };
  const child = spawn(process.execPath, [script], { env, stdio: ["ignore", "ignore", "pipe"] });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code, said };
}

const advisory = (severity: string) => (response: ServerResponse) => {
  const url = "https://advisories.example/1";
  const hono = [{ id: 1, url, title: "A hole", severity, vulnerable_versions: ">=4" }];
  response.end(JSON.stringify({ hono }));
};

it.each(
  someOf<[string, (response: ServerResponse) => void, number, RegExp]>([
    ["no vulnerability", (response) => response.end("{}"), 0, /^found 0 vulnerabilities\n$/],
    ["one of high severity", advisory("high"), 1, /^Severity: high\n.*https:\/\/advisories\.example\/1/m],
    ["one below high severity", advisory("moderate"), 0, /Severity: moderate/],
    ["a registry without audits", (response) => response.writeHead(405).end(), 0, /Not audited/],
    ["no registry", (response) => response.destroy(), 0, /Not audited/],
  ]),
)("says what it found, and fails from high severity on: %s", async (_, answer, code, said) => {
  expect(await audit(answer)).toEqual({ code, said: expect.stringMatching(said) });
});
