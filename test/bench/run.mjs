// What the package costs: the emulator's speed, and the real engine's requests and state.
//
//   npm run bench                      tables, for people
//   npm run -s bench -- --json         one JSON object, for programs
//   npm run bench -- --only emulator   one part: emulator, engine, backends, startup, registration, refusals or templates
//   npm run bench -- --against ../other/dist   start-up, refusals and templates beside those of another checkout
//   npm run bench -- --large           the engine and the backends with stacks of 1,000 resources, too
//   npm run bench -- --only large --size 5000      the engine on a large organization, only when it is named
//   npm run bench -- --only commands --size 5000   the package's commands on one, without an engine
//   npm run bench -- --only refreshes              previews with and without a refresh, only when it is named
//   npm run bench -- --only state                  state in a directory and in a bucket, only when it is named
//   npm run bench -- --seconds 1       length of each round of reads; default 3
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measureBackends } from "./backends.mjs";
import { measureBeside } from "./beside.mjs";
import { measureCommands } from "./commands.mjs";
import { measureEmulator } from "./emulator.mjs";
import { measureEngine } from "./engine.mjs";
import { measureImpact } from "./impact.mjs";
import { measureLarge } from "./large.mjs";
import { measureRefreshes } from "./refreshes.mjs";
import { measureRefusals } from "./refusals.mjs";
import { measureRegistration } from "./registration.mjs";
import { measureStartup } from "./startup.mjs";
import { measureState } from "./state.mjs";
import {
  backendTables,
  besideTables,
  commandsTable,
  emulatorTables,
  engineTables,
  largeTables,
  refreshTable,
  refusalTable,
  registrationTable,
  startupTable,
  stateTables,
  templateTable,
} from "./tables.mjs";
import { measureTemplates } from "./templates.mjs";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    only: { type: "string" },
    against: { type: "string" },
    large: { type: "boolean", default: false },
    size: { type: "string", default: "1000" },
    seconds: { type: "string", default: "3" },
  },
});
const seconds = Number(values.seconds);
if (!(seconds > 0 && seconds <= 60)) throw new Error("--seconds must be a number above 0 and up to 60.");
const parts = [
  "emulator",
  "engine",
  "backends",
  "startup",
  "registration",
  "refusals",
  "templates",
  "impact",
  "large",
  "refreshes",
  "state",
  "commands",
];
if (values.only !== undefined && !parts.includes(values.only))
  throw new Error(`--only must be one of ${parts.join(", ")}.`);

const wants = (/** @type {string} */ part) => values.only === undefined || values.only === part;
const machine = {
  date: new Date().toISOString().slice(0, 10),
  processor: cpus()[0]?.model,
  cores: cpus().length,
  node: process.version,
  load: loadavg()[0]?.toFixed(1),
};
const emulator = wants("emulator") ? await measureEmulator(seconds) : undefined;
const engine = wants("engine") ? await measureEngine([10, 50]) : undefined;
const beside = wants("engine") ? await besideAll(values.large) : undefined;
const backends = wants("backends") ? await measureBackends(values.large ? [200, 1_000] : [200]) : undefined;
const startup = wants("startup") ? measureStartup(values.against) : undefined;
const registration = wants("registration") ? measureRegistration() : undefined;
const refusals = wants("refusals")
  ? [await measureRefusals(), ...(values.against ? [await measureRefusals(values.against)] : [])]
  : undefined;

const templates = wants("templates")
  ? [await measureTemplates(), ...(values.against ? [await measureTemplates(values.against)] : [])]
  : undefined;

const large = values.only === "large" ? await measureLarge(Number(values.size)) : undefined;
const commands = values.only === "commands" ? await measureCommands(Number(values.size)) : undefined;
const refreshes = values.only === "refreshes" ? await measureRefreshes([200, 1_000]) : undefined;
const state = values.only === "state" ? await measureState([50, 200]) : undefined;
const impact = wants("impact") ? await measureImpact() : undefined;
const figures = {
  machine,
  emulator,
  engine,
  beside,
  backends,
  startup,
  registration,
  refusals,
  templates,
  impact,
  large,
  commands,
  refreshes,
  state,
};
if (values.json) console.log(JSON.stringify(figures, null, 2));
else {
  const { date, processor, cores, node, load } = machine;
  console.log(`${date}, ${processor}, ${cores} cores, Node ${node}, load ${load} at the start.`);
  if (emulator) console.log(emulatorTables(emulator));
  if (engine) console.log(engineTables(engine));
  if (beside) console.log(besideTables(beside));
  if (backends) console.log(backendTables(backends));
  if (startup) console.log(startupTable(startup));
  if (registration) console.log(registrationTable(registration));
  if (refusals) console.log(refusalTable(refusals));
  if (templates) console.log(templateTable(templates));
  if (large) console.log(largeTables(large));
  if (refreshes) console.log(refreshTable(refreshes));
  if (state) console.log(stateTables(state));
  if (commands) console.log(commandsTable(commands));
  if (impact) console.log(JSON.stringify(impact, null, 2));
}

/** @param {boolean} large */
async function besideAll(large) {
  const figures = [];
  for (const latencyMs of [0, 50]) {
    for (const size of [50, 200]) figures.push(await measureBeside(size, latencyMs));
  }
  if (large) figures.push(await measureBeside(1_000, 50));
  return figures;
}
