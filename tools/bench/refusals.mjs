// How long the client is busy with a refusal that is made to keep it busy: all of it on the event loop of its process.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { checkout } from "../dev/checkout.mjs";

/** @param {number} count */
const secretFields = (count) =>
  JSON.stringify({ errors: Array.from({ length: count }, (_, index) => ({ token: `s3cret-${index}` })) });

/** Bodies of refusals, by what is odd about them. */
const bodies = {
  "a message": JSON.stringify({ message: "No cluster found" }),
  "50 secret fields, 60 kB of text": JSON.stringify({
    message: "s3cret-7 ".repeat(6_500),
    ...JSON.parse(secretFields(50)),
  }),
  "4,000 secret fields": secretFields(4_000),
  "20,000 secret fields": secretFields(20_000),
  "36 MB of text": JSON.stringify({ message: "x".repeat(36_000_000) }),
  "5 million nested lists": "[".repeat(5_000_000) + "]".repeat(5_000_000),
};

/**
 * @typedef {Record<string, { error: string, ms: number }>} RefusalFigures By what is odd about the body: the error's
 *   name, and how long the call took, the fastest of three.
 */

/**
 * @param {string} [folder] The `dist` folder to measure.
 * @returns {Promise<RefusalFigures>}
 */
export async function measureRefusals(folder = join(checkout, "dist")) {
  /** @type {typeof import("../../src/client/index.js")} */
  const { BuildPipelineClient } = createRequire(import.meta.url)(resolve(folder, "client", "index.js"));
  /** @type {RefusalFigures} */
  const figures = {};
  for (const [name, text] of Object.entries(bodies)) {
    const body = Buffer.from(text);
    const server = createServer((_, response) =>
      response.writeHead(404, { "content-type": "application/json" }).end(body),
    );
    await new Promise((started) => server.listen(0, "127.0.0.1", () => started(undefined)));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const client = new BuildPipelineClient({
      accessToken: "bench",
      organization: "acme",
      baseUrl: `http://127.0.0.1:${port}`,
      timeoutMs: 600_000,
    });
    for (let round = 0; round < 3; round += 1) {
      const start = performance.now();
      const error = await client.clusters.get("c-1").catch((reason) => String(reason?.name));
      const ms = performance.now() - start;
      figures[name] = { error: String(error), ms: Math.min(ms, figures[name]?.ms ?? ms) };
      if (ms > 5_000) break;
    }
    await client.close();
    server.close();
    server.closeAllConnections();
  }
  return figures;
}
