import "../../shared/process/node-version.js";
import { keepCompiledCode } from "../../shared/process/compile-cache.js";

import { requireEngine } from "../lifecycle/run/engine-alive.js";
import { EngineLog } from "./engine-log.js";
import { Plugin } from "./plugin.js";
import { wordingFor } from "./program-language.js";
import { serve } from "./server.js";

/** The time between two looks at the engine: the plugin ends with it. */
const WATCH_MS = 1_000;

/** Runs the plugin. The engine starts it with its own address as argument. The first line of standard output is the port. */
async function main(): Promise<void> {
  const wording = wordingFor(process.cwd());
  const log = new EngineLog(wording);
  const plugin = new Plugin(log);
  const [, , address = ""] = process.argv;
  plugin.connect(address);
  // A killed engine leaves its plugins behind, and no process would end them.
  if (address !== "") setInterval(() => endWith(address), WATCH_MS).unref();
  process.stdout.write(`${await serve(plugin, wording)}\n`);
}

const PARENT = process.ppid;

/** Ends the process when its engine is gone. Another process may have got the engine's port, but not its place as parent. */
function endWith(engine: string): void {
  if (process.ppid !== PARENT) process.exit(1);
  void requireEngine(engine);
}

// Once the engine is gone, no process reads the output.
process.stdout.on("error", () => process.exit(1));
process.stderr.on("error", () => process.exit(1));

void main();
keepCompiledCode();
