import type * as undici from "undici";

// The parts that the client needs. Loading all of undici would replace the dispatcher of Node's own `fetch`, and with it
// the mocks or the proxy of the program and of other providers in its process.
export const Agent: typeof undici.Agent = require("undici/lib/dispatcher/agent.js");
export const Pool: typeof undici.Pool = require("undici/lib/dispatcher/pool.js");
export const ProxyAgent: typeof undici.ProxyAgent = require("undici/lib/dispatcher/proxy-agent.js");

// A proxy agent calls this method, which undici adds where it loads all of its parts.
const { prototype }: typeof undici.Dispatcher = require("undici/lib/dispatcher/dispatcher.js");
Object.assign(prototype, { connect: require("undici/lib/api/api-connect.js") });
