// What a web page that floods the emulator from another origin costs: its memory before and after.
//
//   node test/bench/flood.mjs       40 requests of 4 MB each; needs /proc
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { checkout } from "../../tools/checkout.mjs";

const REQUESTS = 40;
const BYTES = 4_000_000;

const main = join(checkout, "dist", "cli", "main.js");
const child = spawn(process.execPath, [main, "emulator", "--json", "--empty"], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const line = await once(createInterface({ input: child.stdout }), "line");
  const { baseUrl, accessToken, organization } = JSON.parse(String(line[0]));
  const path = `/v2/organizations/${organization}/clusters`;
  console.log("requests\tstatuses\tMB before\tMB after");
  for (const [name, headers] of /** @type {[string, Record<string, string>][]} */ ([
    ["foreign origin, no access token", { origin: "https://page.example" }],
    ["no access token", {}],
    ["with an access token", { authorization: `Bearer ${accessToken}` }],
  ])) {
    const before = await memory();
    const statuses = new Set();
    const pool = new Pool(baseUrl, { connections: 4 });
    for (let index = 0; index < REQUESTS; index++) {
      const body = JSON.stringify({ name: index, list: Array(BYTES / 8).fill("abcde") });
      statuses.add(await post(pool, path, headers, body));
    }
    await pool.close();
    console.log(`${name}\t${[...statuses]}\t${before}\t${await memory()}`);
  }
} finally {
  child.kill("SIGTERM");
}

/** @param {Pool} pool @param {string} path @param {Record<string, string>} headers @param {string} body */
async function post(pool, path, headers, body) {
  try {
    const answer = await pool.request({ method: "POST", path, headers, body });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    // An answer may come, and the connection end, while the body is still on its way.
    return "closed";
  }
}

/** The resident memory of the emulator in MB, once it had time to give some back. */
async function memory() {
  await delay(1000);
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1000);
}
