// What a process pays before it does anything: loading the package in a program, in the provider host, in a script that
// uses the client. A program and the host have the SDK loaded already, so here too it is loaded before the clock starts.
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { checkout } from "../dev/checkout.mjs";

const ROUNDS = 21;
const COLUMNS = /** @type {const} */ (["program", "host", "client"]);

/** What is measured, as the body of a script. `load` requires an entry of the package. */
const scripts = {
  program: 'load("./index.js");',
  host: 'load("pulumi-buildpipeline/provider").provider("Queue");',
  client: 'load("./client/index.js");',
};

/**
 * @typedef {Record<(typeof COLUMNS)[number], number>} StartupTimes Milliseconds, the fastest of all rounds: what else the
 *   machine does only adds.
 * @typedef {{ own: StartupTimes, against?: StartupTimes, ratio?: StartupTimes }} StartupFigures
 *   `ratio` is own divided by the other.
 */

/**
 * Measures this checkout's dist, and in turns with it another one.
 *
 * @param {string} [against] The `dist` folder of another checkout, which has its dependencies installed.
 * @returns {StartupFigures}
 */
export function measureStartup(against) {
  const folders = [join(checkout, "dist"), ...(against === undefined ? [] : [resolve(against)])];
  /** @type {Record<(typeof COLUMNS)[number], number[]>[]} */
  const samples = folders.map(() => ({ program: [], host: [], client: [] }));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const what of COLUMNS) {
      // In turns, so that what else the machine does falls on both; the first round only warms the file cache.
      const order = folders.map((_, index) => (round % 2 === 0 ? index : folders.length - 1 - index));
      for (const index of order) {
        const took = loadIn(folders[index] ?? "", what);
        if (round > 0) samples[index]?.[what].push(took);
      }
    }
  }
  const [own, other] = samples.map((taken) => times((what) => Math.min(...taken[what])));
  if (own === undefined) throw new Error("Nothing was measured.");
  if (other === undefined) return { own };
  return { own, against: other, ratio: times((what) => own[what] / other[what]) };
}

/** @param {string} folder @param {(typeof COLUMNS)[number]} what @returns {number} Milliseconds. */
function loadIn(folder, what) {
  const script = `
    const load = require("node:module").createRequire(${JSON.stringify(join(folder, "index.js"))});
    ${what === "client" ? "" : 'load("@pulumi/pulumi");'}
    const start = performance.now();
    ${scripts[what]}
    process.stdout.write(String(performance.now() - start));`;
  return Number(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
}

/** @param {(what: (typeof COLUMNS)[number]) => number} value @returns {StartupTimes} */
function times(value) {
  return { program: value("program"), host: value("host"), client: value("client") };
}
