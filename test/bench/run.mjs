// What the package costs: the emulator's speed, and the real engine's requests and state.
//
//   npm run bench                      tables, for people
//   npm run -s bench -- --json         one JSON object, for programs
//   npm run bench -- --only emulator   one part: emulator, engine, startup or refusals
//   npm run bench -- --against ../other/dist   start-up and refusals beside those of another checkout
//   npm run bench -- --seconds 1       length of each round of reads; default 3
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measureEmulator } from "./emulator.mjs";
import { measureEngine } from "./engine.mjs";
import { measureRefusals } from "./refusals.mjs";
import { measureStartup } from "./startup.mjs";
import { emulatorTables, engineTables, refusalTable, startupTable } from "./tables.mjs";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    only: { type: "string" },
    against: { type: "string" },
    seconds: { type: "string", default: "3" },
  },
});
const seconds = Number(values.seconds);
if (!(seconds > 0 && seconds <= 60)) throw new Error("--seconds must be a number above 0 and up to 60.");
if (values.only !== undefined && !["emulator", "engine", "startup", "refusals"].includes(values.only))
  throw new Error("--only must be emulator, engine, startup or refusals.");

const wants = (/** @type {"emulator" | "engine" | "startup" | "refusals"} */ part) =>
  values.only === undefined || values.only === part;
const machine = { cores: cpus().length, node: process.version, load: loadavg()[0]?.toFixed(1) };
const emulator = wants("emulator") ? await measureEmulator(seconds) : undefined;
const engine = wants("engine") ? await measureEngine([10, 50]) : undefined;
const startup = wants("startup") ? measureStartup(values.against) : undefined;
const refusals = wants("refusals")
  ? [await measureRefusals(), ...(values.against ? [await measureRefusals(values.against)] : [])]
  : undefined;

if (values.json) console.log(JSON.stringify({ machine, emulator, engine, startup, refusals }, null, 2));
else {
  console.log(`${machine.cores} cores, Node ${machine.node}, load ${machine.load} at the start.`);
  if (emulator) console.log(emulatorTables(emulator));
  if (engine) console.log(engineTables(engine));
  if (startup) console.log(startupTable(startup));
  if (refusals) console.log(refusalTable(refusals));
}
