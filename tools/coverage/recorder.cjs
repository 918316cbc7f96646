// Preloaded into the processes that tests start. It writes which functions and branches of the built package ran, several
// times a second, because the engine kills its hosts.
"use strict";
const { appendFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const BUILT = pathToFileURL(join(__dirname, "..", "..", "dist")).href;
const file = join(process.env.COVERAGE_OF_PROCESSES ?? "", `${process.pid}-${Date.now()}.jsonl`);

// In a process of Vitest's own, Vitest counts. Its environment is that of the processes it starts.
if (!/[\\/]vitest[\\/]/.test(process.argv[1] ?? "")) start();

function start() {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  // Taking the coverage sets the counts to zero.
  const record = () =>
    session.post("Profiler.takePreciseCoverage", (_error, taken) => {
      const ran = taken.result.filter(
        ({ url, functions }) =>
          url.startsWith(BUILT) && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
      );
      if (ran.length > 0) appendFileSync(file, `${JSON.stringify(ran)}\n`);
    });
  setInterval(record, 300).unref();
  process.on("exit", record);
}
