// Preloaded into the processes that the CLI starts. The SDK loads TypeScript and npm's arborist as soon as it is loaded
// itself, to write closures into states, which this provider has none of: a third of what a provider's host costs. Here
// they are loaded when they are asked for something.
"use strict";

/** @type {{ _load(request: string, parent: unknown, isMain: boolean): object }} */
const loader = Object(require("node:module"));

// A program is TypeScript itself.
const isHost = (process.argv[1] ?? "").includes("dynamic-provider");
const LATER = new Set(isHost ? ["typescript", "@npmcli/arborist"] : ["@npmcli/arborist"]);
const load = loader._load;

loader._load = (request, parent, isMain) =>
  LATER.has(request) ? later(() => load(request, parent, isMain)) : load(request, parent, isMain);

/** @param {() => object} loaded */
function later(loaded) {
  return new Proxy({}, { get: (_, name) => (name === "__esModule" ? true : Reflect.get(loaded(), name)) });
}
