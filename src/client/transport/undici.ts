import type * as undici from "undici";

// The parts that the client needs. Loading all of undici would replace the dispatcher of Node's own `fetch`, and with it
// the mocks or the proxy of the program and of other providers in its process.
export const Agent: typeof undici.Agent = require("undici/lib/dispatcher/agent.js");
export const EnvHttpProxyAgent: typeof undici.EnvHttpProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent.js");
