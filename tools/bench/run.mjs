// What the package costs: the emulator's speed, and the real engine's requests and state.
//
//   npm run bench                      tables, for people
//   npm run -s bench -- --json         one JSON object, for programs
//   npm run bench -- --only emulator   one part: emulator, engine, slopes, backends, startup, registration, refusals or templates
//   npm run bench -- --against ../other/dist   start-up, refusals and templates beside those of another checkout
//   npm run bench -- --large           the engine and the backends with stacks of 1,000 resources, too
//   npm run bench -- --only large --size 5000      the engine on a large organization, only when it is named
//   npm run bench -- --only commands --size 5000   the package's commands on one, without an engine
//   npm run bench -- --only slopes --size 1000     what one further resource costs, with up to so many
//   npm run bench -- --only refreshes              previews with and without a refresh, only when it is named
//   npm run bench -- --only adopted --size 1000    a stack of so many pipelines with schedules and teams, only when it is named
//   npm run bench -- --only pipelines              pipelines with schedules, only when it is named
//   npm run bench -- --only state                  state in a directory and in a bucket, only when it is named
//   npm run bench -- --seconds 1       length of each round of reads; default 3
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measureAdopted } from "./adopted.mjs";
import { measureBackends } from "./backends.mjs";
import { measureBeside } from "./beside.mjs";
import { measureCommands } from "./commands.mjs";
import { measureEmulator } from "./emulator.mjs";
import { measureEngine } from "./engine.mjs";
import { measureImpact } from "./impact.mjs";
import { measureLarge } from "./large.mjs";
import { measurePipelines } from "./pipelines.mjs";
import { measureRefreshes } from "./refreshes.mjs";
import { measureRefusals } from "./refusals.mjs";
import { measureRegistration } from "./registration.mjs";
import { measureSlopes } from "./slopes.mjs";
import { measureStartup } from "./startup.mjs";
import { measureState } from "./state.mjs";
import {
  adoptedTable,
  backendTables,
  besideTables,
  commandsTable,
  emulatorTables,
  engineTables,
  impactTable,
  largeTables,
  pipelineTables,
  refreshTable,
  refusalTable,
  registrationTable,
  slopeTable,
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
    size: { type: "string" },
    seconds: { type: "string", default: "3" },
  },
});
const seconds = Number(values.seconds);
if (!(seconds > 0 && seconds <= 60)) throw new Error("--seconds must be a number above 0 and up to 60.");
const size = Number(values.size ?? 1_000);

/**
 * @typedef {object} Figures What a part measures.
 * @property {string} [part] The part's name where it isn't that of the figures.
 * @property {boolean} [named] Only when `--only` names it.
 * @property {() => unknown} measure
 * @property {(figures: any) => string} write The figures for people.
 */

/** @type {Readonly<Record<string, Figures>>} */
const all = {
  emulator: { measure: () => measureEmulator(seconds), write: emulatorTables },
  engine: { measure: () => measureEngine([10, 50]), write: engineTables },
  beside: { part: "engine", measure: besideAll, write: besideTables },
  slopes: { measure: () => measureSlopes(Number(values.size ?? 500)), write: slopeTable },
  backends: { measure: () => measureBackends(values.large ? [200, 1_000] : [200]), write: backendTables },
  startup: { measure: () => measureStartup(values.against), write: startupTable },
  registration: { measure: measureRegistration, write: registrationTable },
  refusals: { measure: () => ofEach(measureRefusals), write: refusalTable },
  templates: { measure: () => ofEach(measureTemplates), write: templateTable },
  large: { named: true, measure: () => measureLarge(size), write: largeTables },
  refreshes: { named: true, measure: () => measureRefreshes([200, 1_000]), write: refreshTable },
  state: { named: true, measure: () => measureState([50, 200]), write: stateTables },
  commands: { named: true, measure: () => measureCommands(size), write: commandsTable },
  adopted: { named: true, measure: () => measureAdopted(size), write: adoptedTable },
  pipelines: { named: true, measure: () => measurePipelines(200, 50), write: pipelineTables },
  impact: { measure: measureImpact, write: impactTable },
};
const { only } = values;
const parts = Object.keys(all).filter((name) => all[name]?.part === undefined);
if (only !== undefined && !parts.includes(only))
  throw new Error(`--only must be one of ${parts.join(", ")}.`);

const machine = {
  date: new Date().toISOString().slice(0, 10),
  processor: cpus()[0]?.model,
  cores: cpus().length,
  node: process.version,
  load: loadavg()[0]?.toFixed(1),
};
/** @type {Record<string, unknown>} */
const figures = { machine };
const chosen = Object.entries(all).filter(([name, { part = name, named = false }]) =>
  only === undefined ? !named : part === only,
);
for (const [name, { measure }] of chosen) figures[name] = await measure();
if (values.json) console.log(JSON.stringify(figures, null, 2));
else {
  const { date, processor, cores, node, load } = machine;
  console.log(`${date}, ${processor}, ${cores} cores, Node ${node}, load ${load} at the start.`);
  for (const [name, { write }] of chosen) console.log(write(figures[name]));
}

/** This checkout's figures, and those of the other one. @param {(folder?: string) => unknown} measure */
async function ofEach(measure) {
  return [await measure(), ...(values.against ? [await measure(values.against)] : [])];
}

async function besideAll() {
  const figures = [];
  for (const latencyMs of [0, 50]) {
    for (const resources of [50, 200]) figures.push(await measureBeside(resources, latencyMs));
  }
  if (values.large) figures.push(await measureBeside(1_000, 50));
  return figures;
}
