import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

/** Runs statements in a process of their own. `requireEngine` may end it. */
function run(statements: string): { status: number | null; stdout: string; stderr: string } {
  const source = `
    const { requireEngine } = require(${JSON.stringify(resolve("dist/provider/run/engine-alive.js"))});
    const { openSync } = require("node:fs");
    const { createServer } = require("node:net");
    /** Calls back with the address of an engine that listens, and what ends it. */
    const engine = (use) => {
      const server = createServer((socket) => socket.destroy());
      server.listen(0, "127.0.0.1", () => use("127.0.0.1:" + server.address().port, () => server.close()));
    };
    ${statements}
  `;
  return spawnSync(process.execPath, ["-e", source], { encoding: "utf8", timeout: 30_000 });
}

test("the process goes on while its engine listens", () => {
  const { status, stdout } = run(`
    engine(async (address, end) => {
      await requireEngine(address);
      console.log("alive");
      end();
    });
  `);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "alive\n" });
});

test("the process ends when its engine refuses connections", () => {
  const { status, stdout } = run(`
    engine(async (address, end) => {
      end();
      await requireEngine(address);
      console.log("alive");
    });
  `);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
});

test("one refused connection doesn't end the process", () => {
  const { status, stdout } = run(`
    engine((address, end) => {
      end();
      requireEngine(address).then(() => {
        console.log("alive");
        process.exit(0);
      });
      // The first connection is refused by now; the second finds a listener.
      setImmediate(() => createServer(() => {}).listen(Number(address.split(":")[1]), "127.0.0.1"));
    });
  `);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "alive\n" });
});

test("a process that has no file descriptor left goes on", () => {
  const { status, stdout } = run(`
    engine(async (address, end) => {
      try {
        for (;;) openSync(process.execPath);
      } catch (error) {
        if (error.code !== "EMFILE") throw error;
      }
      await requireEngine(address);
      process.stdout.write("alive\\n");
      end();
    });
  `);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "alive\n" });
});
