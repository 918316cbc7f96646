// The same program through both backends: the dynamic provider and the plugin.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { checkout } from "../dev/checkout.mjs";
import { program, sizesOf } from "./engine.mjs";
import { startEmulator } from "./stack.mjs";
import { inTurns, openStack } from "./turns.mjs";

const load = createRequire(import.meta.url);
/** @type {typeof import("@grpc/grpc-js")} */
const { credentials } = load("@grpc/grpc-js");
/** @type {typeof import("@pulumi/pulumi/proto/provider_grpc_pb.js")} */
const { ResourceProviderClient } = load("@pulumi/pulumi/proto/provider_grpc_pb");
/** @type {typeof import("@pulumi/pulumi/proto/provider_pb.js")} */
const { CheckRequest, ConfigureRequest } = load("@pulumi/pulumi/proto/provider_pb");
/** @type {typeof import("google-protobuf/google/protobuf/struct_pb.js")} */
const { Struct } = createRequire(load.resolve("@pulumi/pulumi"))("google-protobuf/google/protobuf/struct_pb");

/**
 * @typedef {"dynamic" | "native"} Backend
 * @typedef {Record<Backend, number>} OfBackends
 * @typedef {{ startMs: OfBackends, sizes: { resources: number, commands: import("./turns.mjs").Figures<Backend>,
 *   stateBytes: OfBackends, bytesByKind: Record<string, OfBackends> }[] }} BackendFigures
 */

/** @type {readonly Backend[]} */
const BACKENDS = ["dynamic", "native"];
const ROUNDS = 3;
const STARTS = 11;

/** @param {readonly number[]} sizes @returns {Promise<BackendFigures>} */
export async function measureBackends(sizes) {
  const figures = [];
  for (const size of sizes) figures.push(await measureSize(size));
  return { startMs: await measureStarts(), sizes: figures };
}

/** @type {Parameters<typeof inTurns>[1]} */
const COMMANDS = {
  "unchanged preview": (stack) => stack.preview({ expectNoChanges: true }),
  refresh: (stack) => stack.refresh({ expectNoChanges: true }),
};

/** @param {number} resources @returns {Promise<BackendFigures["sizes"][number]>} */
async function measureSize(resources) {
  const stacks = [];
  const stateBytes = { ...NEVER };
  /** @type {Record<string, OfBackends>} */
  const bytesByKind = {};
  for (const backend of BACKENDS) {
    const classes = load(backend === "native" ? "pulumi-buildpipeline/native" : "pulumi-buildpipeline");
    const opened = await openStack(backend, () => program(resources, classes));
    stacks.push(opened);
    await opened.stack.up();
    const state = sizesOf(await opened.stack.exportStack());
    stateBytes[backend] = state.stateBytes;
    for (const [kind, bytes] of Object.entries(state.bytesByKind))
      bytesByKind[kind] = { ...NEVER, ...bytesByKind[kind], [backend]: bytes };
  }
  return { resources, commands: await inTurns(stacks, COMMANDS, ROUNDS), stateBytes, bytesByKind };
}

const NEVER = { dynamic: Number.POSITIVE_INFINITY, native: Number.POSITIVE_INFINITY };

/** What the engine starts for each backend. */
const hosts = {
  dynamic: load.resolve("@pulumi/pulumi/cmd/dynamic-provider"),
  native: join(checkout, "plugin", "pulumi-resource-buildpipeline"),
};

/** Milliseconds from the start of a provider's process to its answer to the check of a cluster. */
async function measureStarts() {
  const emulator = await startEmulator({ seed: false });
  // The plugin ends when nothing listens where its engine was.
  const engine = createServer().listen(0, "127.0.0.1");
  await once(engine, "listening");
  const address = engine.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const fastest = { ...NEVER };
  try {
    for (let round = 0; round < STARTS; round++) {
      for (const backend of round % 2 === 0 ? BACKENDS : BACKENDS.toReversed())
        fastest[backend] = Math.min(fastest[backend], await measureStart(backend, emulator, port));
    }
  } finally {
    await emulator.close();
    engine.close();
  }
  return fastest;
}

/** @param {Backend} backend @param {import("../../src/emulator/index.js").Emulator} emulator @param {number} enginePort */
async function measureStart(backend, { url, accessToken, organization }, enginePort) {
  const start = performance.now();
  const host = spawn(process.execPath, [hosts[backend], `127.0.0.1:${enginePort}`], {
    cwd: checkout,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      BUILDPIPELINE_BASE_URL: url,
      BUILDPIPELINE_ACCESS_TOKEN: accessToken,
      BUILDPIPELINE_ORGANIZATION: organization,
    },
  });
  const port = await new Promise((resolve, reject) => {
    createInterface(host.stdout).once("line", resolve);
    host.once("exit", () => reject(new Error(`The host of the ${backend} backend ended.`)));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const configuring = new ConfigureRequest();
  configuring.setArgs(new Struct());
  await called((done) => client.configure(configuring, done));
  const checking = new CheckRequest();
  checking.setUrn("urn:pulumi:bench::bench::buildpipeline:index:Cluster::linux");
  checking.setOlds(new Struct());
  const reference = `exports.handler=()=>require(${JSON.stringify(load.resolve("pulumi-buildpipeline/provider"))}).provider("Cluster")`;
  const args = { name: "Linux", ...(backend === "dynamic" ? { __provider: reference } : {}) };
  checking.setNews(Struct.fromJavaScript(args));
  await called((done) => client.check(checking, done));
  const milliseconds = performance.now() - start;
  client.close();
  host.removeAllListeners("exit");
  host.kill();
  return milliseconds;
}

/** @param {(done: (error: Error | null) => void) => unknown} call @returns {Promise<void>} */
function called(call) {
  return new Promise((resolve, reject) => {
    call((error) => (error === null ? resolve() : reject(error)));
  });
}
