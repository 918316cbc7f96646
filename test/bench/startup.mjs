// What a process pays before it does anything: loading the package in a program, in the provider host, in a script that
// uses the client. A program and the host have the SDK loaded already, so here too it is loaded before the clock starts.
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { checkout } from "../../tools/checkout.mjs";

const ROUNDS = 21;
const COLUMNS = /** @type {const} */ (["program", "resources", "host", "client"]);

/** What is measured, as the body of a script. `load` requires an entry of the package. */
const scripts = {
  program: 'load("./index.js");',
  // All of it in one preview, registered with mocks: what the engine costs is left out. In processor time, which other
  // work disturbs least.
  resources: `
    await runtime.runInPulumiStack(async () => {
      const { AgentToken, Cluster, PipelineTemplate, Queue, Team } = load("./index.js");
      for (let n = 0; n < 20; n += 1) {
        const cluster = new Cluster("cluster" + n, { name: "Cluster " + n, color: "#14cc80", emoji: ":linux:" });
        for (let q = 0; q < 6; q += 1) {
          const clusterId = q % 2 === 0 ? cluster : cluster.id;
          new Queue("queue" + n + "-" + q, { clusterId, key: "queue-" + q, description: "Queue " + q });
        }
        const allowedIpAddresses = ["10.20.0.0/16", "192.0.2." + n];
        new AgentToken("token" + n, { clusterId: cluster, description: "Agents " + n, allowedIpAddresses });
        new Team("team" + n, { name: "Team " + n, privacy: "secret" });
        const configuration = "steps:\\n  - label: test\\n    command: make test-" + n + "\\n";
        new PipelineTemplate("template" + n, { name: "Template " + n, configuration });
      }
    });
    await runtime.disconnect();`,
  host: 'load("pulumi-buildpipeline/provider").provider("Queue");',
  client: 'load("./client/index.js");',
};

/** As the ids are made up, they are such as the service has. */
const MOCKS = `
  let id = 0;
  const uuid = () => "00000000-0000-4000-8000-" + String(++id).padStart(12, "0");
  await runtime.setMocks({ newResource: ({ inputs }) => ({ id: uuid(), state: inputs }), call: () => ({}) }, "project", "stack", true);`;

/**
 * @typedef {Record<(typeof COLUMNS)[number] | "median", number>} StartupTimes
 *   Milliseconds, the fastest of all rounds: what else the machine does only adds. `median` is that of `resources`.
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
  const samples = folders.map(() => ({ program: [], resources: [], host: [], client: [] }));
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
  const [own, other] = samples.map((taken) =>
    times((what) => (what === "median" ? medianOf(taken.resources) : Math.min(...taken[what]))),
  );
  if (own === undefined) throw new Error("Nothing was measured.");
  if (other === undefined) return { own };
  return { own, against: other, ratio: times((what) => own[what] / other[what]) };
}

/** @param {string} folder @param {(typeof COLUMNS)[number]} what @returns {number} Milliseconds. */
function loadIn(folder, what) {
  const script = `
    const load = require("node:module").createRequire(${JSON.stringify(join(folder, "index.js"))});
    ${what === "client" ? "" : 'const { runtime } = load("@pulumi/pulumi");'}
    void (async () => {
      ${what === "resources" ? MOCKS : ""}
      const [start, used] = [performance.now(), process.cpuUsage()];
      ${scripts[what]}
      const { user, system } = process.cpuUsage(used);
      process.stdout.write(String(${what === "resources" ? "(user + system) / 1000" : "performance.now() - start"}));
    })();`;
  return Number(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
}

/** @param {readonly number[]} values @returns {number} */
function medianOf(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

/** @param {(what: (typeof COLUMNS)[number] | "median") => number} value @returns {StartupTimes} */
function times(value) {
  return {
    program: value("program"),
    resources: value("resources"),
    median: value("median"),
    host: value("host"),
    client: value("client"),
  };
}
