// What a program pays for declaring resources, without an engine: processor time, which other work disturbs least.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { checkout } from "../dev/checkout.mjs";

const ROUNDS = 5;
const RESOURCES = 1_000;

/** The same program: each ten resources are a cluster, eight queues and a token. */
const SCRIPT = `
  const load = require("node:module").createRequire(process.argv[1]);
  const pulumi = load("@pulumi/pulumi");
  const { AgentToken, Cluster, Queue } = load("pulumi-buildpipeline");
  pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: () => ({}) });
  class Floor extends pulumi.CustomResource {}
  const makers = {
    package: (kind, name, args) => new kind(name, args),
    floor: (kind, name, args) => new Floor("pulumi-nodejs:dynamic/floor:" + kind.name, name, { ...args, __provider: "" }),
  };
  const make = makers[process.argv[2]];
  const before = process.cpuUsage();
  process.on("exit", () => {
    const { user, system } = process.cpuUsage(before);
    process.stdout.write(String((user + system) / 1000));
  });
  for (let group = 0; group < ${RESOURCES / 10}; group++) {
    const { id } = make(Cluster, "cluster-" + group, { name: "Linux " + group, description: "Builds" });
    for (let queue = 0; queue < 8; queue++)
      make(Queue, "queue-" + group + "-" + queue, { clusterId: id, key: "q-" + queue, description: "Machines" });
    make(AgentToken, "token-" + group, { clusterId: id, description: "Agents of the build farm" });
  }`;

/** @typedef {{ resources: number, package: number, floor: number }} RegistrationFigures Milliseconds of processor time. */

/**
 * Measures the package and a bare resource class in turns; the least of all rounds counts.
 *
 * @returns {RegistrationFigures}
 */
export function measureRegistration() {
  const figures = {
    resources: RESOURCES,
    package: Number.POSITIVE_INFINITY,
    floor: Number.POSITIVE_INFINITY,
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const which of /** @type {const} */ (["package", "floor"])) {
      const observed = execFileSync(process.execPath, ["-e", SCRIPT, join(checkout, "index.js"), which], {
        encoding: "utf8",
      });
      figures[which] = Math.min(figures[which], Number(observed));
    }
  }
  return figures;
}
