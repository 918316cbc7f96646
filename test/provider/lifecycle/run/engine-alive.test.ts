import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { isEngineGone } from "../../../../src/provider/lifecycle/run/engine-alive.js";

/** Containers often have no IPv6. */
const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === "::1"),
);

const servers = new Set<Server>();
afterEach(() => {
  for (const server of servers) server.close();
  servers.clear();
});

async function listen(host: string, port = 0): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It does not listen.");
  return address.port;
}

/** A port at which nothing listens any more. */
async function free(): Promise<number> {
  const port = await listen("127.0.0.1");
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  servers.clear();
  return port;
}

describe("An engine", () => {
  test.each(["127.0.0.1", "localhost"])("is there if it listens at %s, and else gone", async (host) => {
    expect(await isEngineGone(`${host}:${await listen("127.0.0.1")}`)).toBe(false);
    expect(await isEngineGone(`${host}:${await free()}`)).toBe(true);
  });

  test.runIf(hasIpv6)("is found at the IPv6 loopback", async () => {
    expect(await isEngineGone(`[::1]:${await listen("::1")}`)).toBe(false);
    expect(await isEngineGone(`[::1]:${await free()}`)).toBe(true);
  });

  test("is there if it accepts the second connection", async () => {
    const port = await free();
    const gone = isEngineGone(`127.0.0.1:${port}`);
    // The first connection is refused before the server listens.
    setImmediate(() => void listen("127.0.0.1", port));
    expect(await gone).toBe(false);
  });

  test.each(["", "x127.0.0.1:1", "127.0.0.1:1x", "127.0.0.1:", "example.com:1", "127x0.0.1:1"])(
    "is unknown at %o",
    async (address) => {
      expect(await isEngineGone(address)).toBe(false);
    },
  );
});

test("the dynamic provider ends with its engine, also if it has nothing to write", async () => {
  const port = await listen("127.0.0.1");
  const source = `
    require(${JSON.stringify(resolve("dist/provider/dynamic/index.js"))});
    require("node:net").createServer().listen(0, "127.0.0.1", () => console.log("serving"));
  `;
  const provider = spawn(process.execPath, ["-e", source, `127.0.0.1:${port}`]);
  await once(provider.stdout, "data");
  for (const server of servers) server.close();
  expect(await once(provider, "exit")).toEqual([1, null]);
});

test("A process that has no file descriptor left goes on while its engine listens", () => {
  const source = `
    const { requireEngine } = require(${JSON.stringify(resolve("dist/provider/lifecycle/run/engine-alive.js"))});
    const { openSync } = require("node:fs");
    const server = require("node:net").createServer((socket) => socket.destroy());
    server.listen(0, "127.0.0.1", async () => {
      try {
        for (;;) openSync(process.execPath);
      } catch (error) {
        if (error.code !== "EMFILE") throw error;
      }
      await requireEngine("127.0.0.1:" + server.address().port);
      console.log("alive");
      server.close();
    });
  `;
  const options = { encoding: "utf8", timeout: 120_000 } as const;
  const { status, stdout } = spawnSync(process.execPath, ["-e", source], options);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "alive\n" });
});
