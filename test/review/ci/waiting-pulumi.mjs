// A Pulumi CLI that waits for a signal, or for the file `go`: started by the stand-in of repository.ts. One that records
// late waits for the file after a signal as well.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";

const folder = process.env.STAND_IN ?? "";
const calls = join(folder, "calls");
const [, , project, printed = "", code, records] = process.argv;
const note = (/** @type {string} */ line) => appendFileSync(calls, `${project}: ${line}\n`);

// A provider in the same process group, which must not get the signal: it would forget a creation.
const script = `for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => require("fs").appendFileSync(process.argv[1], "provider got " + signal + "\\n"));
  console.log("ready"); setTimeout(() => {}, 20_000);`;
const provider = spawn(process.execPath, ["-e", script, calls], { stdio: ["ignore", "pipe", "ignore"] });
let isInterrupted = false;
const alive = setInterval(() => {
  if (existsSync(join(folder, "go"))) end(isInterrupted ? 1 : Number(code));
}, 20);
const end = (/** @type {number} */ code) => {
  clearInterval(alive);
  provider.kill("SIGKILL");
  if (records) note("recorded");
  process.stdout.write(printed);
  process.exitCode = code;
};
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    note(`got ${signal}`);
    isInterrupted = true;
    if (records !== "late") setTimeout(() => end(1), 100);
  });
provider.stdout.once("data", () => note(`waits as ${process.pid}`));
