import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const LISTENS = `
  await requireEngine(address);
  console.log("alive");
  end();`;
const REFUSES = `
  end();
  await requireEngine(address);
  console.log("alive");`;
const WITHOUT_DESCRIPTORS = `
  try {
    for (;;) openSync(process.execPath);
  } catch (error) {
    if (error.code !== "EMFILE") throw error;
  }
  ${LISTENS}`;

test.each([
  ["goes on while its engine listens", LISTENS, { status: 0, stdout: "alive\n" }],
  ["ends when its engine refuses connections", REFUSES, { status: 1, stdout: "" }],
  ["that has no file descriptor left goes on", WITHOUT_DESCRIPTORS, { status: 0, stdout: "alive\n" }],
])("a process %s", (_, statements, expected) => {
  const source = `
    const { requireEngine } = require(${JSON.stringify(resolve("dist/provider/lifecycle/run/engine-alive.js"))});
    const { openSync } = require("node:fs");
    const server = require("node:net").createServer((socket) => socket.destroy());
    server.listen(0, "127.0.0.1", async () => {
      const address = "127.0.0.1:" + server.address().port;
      const end = () => server.close();
      ${statements}
    });
  `;
  const { status, stdout } = spawnSync(process.execPath, ["-e", source], {
    encoding: "utf8",
    timeout: 30_000,
  });
  expect({ status, stdout }).toEqual(expected);
});
