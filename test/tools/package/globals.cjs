// Loads each entry of the package, uses it, and prints what that changed in the process. Whatever a program or another
// package has set for the whole process must stay. `npm test -- places` runs this file on each Node.
//
//   node globals.cjs <folder with the package installed> [--unused]
//
// With `--unused`, nothing has used Node's own fetch yet, which Node makes when it is used: less is read, and another server
// is in the emulator's place.
"use strict";

const { once } = require("node:events");
const { createServer } = require("node:http");
const { createRequire } = require("node:module");
const { resolve } = require("node:path");

const BUILTIN =
  "async_hooks child_process console crypto dgram diagnostics_channel dns dns/promises events fs fs/promises";
const MORE =
  "http https module net os path process stream timers timers/promises tls url util worker_threads zlib";
const builtins = `${BUILTIN} ${MORE}`.split(" ");
const load = createRequire(resolve(process.argv[2] ?? ".", "index.js"));

// In the process of Pulumi's host of dynamic providers: its output of errors that the engine shows, and an end for a host
// whose engine is gone.
const DELIBERATE = [
  "provider: console.error",
  "provider: node:console.error",
  "provider: listeners of stderr: error",
];

const unused = process.argv.includes("--unused");

/** What belongs to the process, by its name in the output. */
function owners() {
  /** @type {Map<string, object>} */
  const found = new Map(Object.entries({ globalThis, process, console }));
  found.set("process.env", process.env).set("require.extensions", load.extensions);
  const add = (/** @type {string} */ name, /** @type {any} */ value) => {
    if ((typeof value === "function" || (typeof value === "object" && value !== null)) && !found.has(name)) {
      found.set(name, value);
      if (typeof value === "function" && value.prototype) found.set(`${name}.prototype`, value.prototype);
    }
  };
  for (const key of Object.getOwnPropertyNames(globalThis)) {
    // Of the program's own, and of Pulumi's.
    if (!/^(?:global|globalThis|process|console|require|module|exports|proto|asyncLocalStorage)$/.test(key)) {
      add(key, Reflect.get(globalThis, key));
    }
  }
  for (const name of builtins) {
    add(`node:${name}`, load(`node:${name}`));
    // Node's own classes: an agent for all connections, the way in which modules are found.
    for (const [key, value] of Object.entries(load(`node:${name}`))) {
      if (typeof value === "function" && value.prototype) add(`node:${name}.${key}`, value);
    }
  }
  return found;
}

/**
 * What each owner has: the values themselves, which are compared by identity.
 *
 * @param {Map<string, object>} all
 * @param {any} zod
 */
function stateOf(all, zod) {
  /** @type {Map<string, readonly unknown[]>} */
  const state = new Map();
  for (const [owner, object] of all) {
    for (const key of Reflect.ownKeys(object)) {
      const { value, get, set, ...flags } = Object.getOwnPropertyDescriptor(object, key) ?? {};
      state.set(`${owner}.${String(key)}`, [value, get, set, JSON.stringify(flags)]);
    }
  }
  for (const [name, emitter] of Object.entries({ process, stdout: process.stdout, stderr: process.stderr })) {
    for (const event of emitter.eventNames())
      state.set(`listeners of ${name}: ${String(event)}`, emitter.rawListeners(event));
  }
  state.set("symbols of globalThis", Object.getOwnPropertySymbols(globalThis));
  state.set("working directory", [process.cwd()]);
  state.set("mask of new files", [process.umask()]);
  state.set("order of addresses", [load("node:dns").getDefaultResultOrder()]);
  state.set("language of zod", [zod.config().localeError]);
  state.set("schemas of zod", [JSON.stringify(zod.toJSONSchema(zod.globalRegistry))]);
  return state;
}

/** @param {Map<string, readonly unknown[]>} before @param {Map<string, readonly unknown[]>} after */
function differences(before, after) {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    return !old || !now || old.length !== now.length || old.some((value, at) => !Object.is(value, now[at]));
  });
}

async function main() {
  // What a program, its mocks or another provider have set before.
  if (!unused) {
    for (const key of Reflect.ownKeys(globalThis)) void Reflect.get(globalThis, key);
    await fetch("data:,");
  }
  const pulumi = load("@pulumi/pulumi");
  const mocks = {
    newResource: (/** @type {any} */ { name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: () => ({}),
  };
  pulumi.runtime.setMocks(mocks, "project", "stack");
  new pulumi.CustomResource("test:index:Other", "other", {});
  load("@grpc/grpc-js");
  // zod keeps two objects of its own there, which all its copies share: what a program put into them has to stay.
  const zod = createRequire(load.resolve("pulumi-buildpipeline"))("zod");
  zod.config(zod.locales.de());
  zod.object({}).meta({ id: "Cluster" }).parse({});

  const all = unused ? new Map() : owners();
  let state = stateOf(all, zod);
  /** @type {string[]} */
  const changed = [];
  const use = async (/** @type {string} */ entry, /** @type {(exports: any) => Promise<unknown>} */ work) => {
    await work(load(entry === "." ? "pulumi-buildpipeline" : `pulumi-buildpipeline/${entry}`));
    const now = stateOf(all, zod);
    changed.push(...differences(state, now).map((name) => `${entry}: ${name}`));
    state = now;
  };

  /** @type {any} */
  let service;
  if (unused) service = await serve();
  else {
    await use("emulator", async ({ startEmulator }) => {
      service = await startEmulator();
      await (await fetch(`${service.url}/openapi.json`)).text();
    });
  }
  const { url: baseUrl, organization, accessToken } = service;
  await use("client", async ({ BuildPipelineClient }) => {
    const client = new BuildPipelineClient({ baseUrl, organization, accessToken });
    await client.clusters.get("missing").catch(() => undefined);
    await client.clusters
      .list()
      .all()
      .catch(() => undefined);
    await client.close();
  });
  const settings = {
    BUILDPIPELINE_BASE_URL: baseUrl,
    BUILDPIPELINE_ORGANIZATION: organization,
    BUILDPIPELINE_ACCESS_TOKEN: accessToken,
  };
  Object.assign(process.env, settings);
  state = stateOf(all, zod);
  const declare = async (/** @type {any} */ { Cluster, Queue }) => {
    const { id } = new Cluster("linux", { name: "Linux" });
    const { urn } = new Queue("small", { clusterId: id, key: "small" }, { dependsOn: [] });
    await new Promise((settle) => urn.apply(settle));
  };
  await use(".", async (program) => {
    await declare(program);
    await program.getOrganization().catch(() => undefined);
  });
  await use("native", declare);
  await use("provider", async ({ provider }) => {
    const args = { name: "Linux", __secrets: [] };
    const clusters = provider("Cluster");
    await clusters.configure({ config: { get: () => undefined } });
    await clusters.check({}, args);
    const created = await clusters.create(args).catch(() => undefined);
    if (created !== undefined) await clusters.read(created.id, created.outs);
  });
  await service.close();
  return changed.filter((name) => !DELIBERATE.includes(name));
}

/** A service that refuses every request. */
async function serve() {
  const server = createServer((_, response) => response.writeHead(404).end("{}")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return { url, organization: "acme", accessToken: "acme-acme-acme", close: () => server.close() };
}

main().then(
  (changed) => {
    for (const name of changed) console.log(name);
    process.exit(changed.length === 0 ? 0 : 1);
  },
  (error) => {
    console.log(error.stack || error.message);
    process.exit(1);
  },
);
