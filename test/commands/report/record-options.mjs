// Records previews of what Pulumi's options change, and what the next deployment does: `npm run generate -- situations`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEngine } from "../../support/recorded/engine.mjs";

const here = import.meta.dirname;
const engine = await startEngine(join(here, "options"), join(here, "recorded"));
const { client, pulumi, failing, write, writeEvents } = engine;
const urn = (/** @type {string} */ name) =>
  `urn:pulumi:production::ci::pulumi-nodejs:dynamic/buildpipeline:Queue::${name}`;

/** Returns what the service has: the name of each object, by its id. */
async function objects() {
  /** @type {Record<string, string>} */
  const all = {};
  for await (const { id, name } of client.clusters.list()) {
    all[id] = name;
    for await (const queue of client.queues.list(id)) all[queue.id] = queue.key;
    for await (const token of client.agentTokens.list(id)) all[token.id] = token.description ?? "";
  }
  return all;
}

/** @type {Record<string, { before: Record<string, string>, after: Record<string, string> }>} */
const service = {};

/** Deploys what was previewed. @param {string} name @param {string[]} options */
async function deploy(name, ...options) {
  const before = await objects();
  await pulumi("after", "up", "--yes", "--skip-preview", ...options);
  service[name] = { before, after: await objects() };
}

try {
  const { id } = await client.clusters.create({ name: "Shared" });
  for (const key of ["lent", "adopted"]) await client.queues.create(id, { key });
  await pulumi("before", "stack", "init", "production");
  await pulumi("before", "up", "--yes", "--skip-preview");
  write("options-protected", await failing("unprotected", {}, "preview", "--json"));
  const target = ["--target", urn("targeted")];
  write("options-target", await pulumi("after", "preview", "--json", ...target));
  await deploy("target", ...target);

  const exclude = ["--exclude", urn("excluded")];
  const complete = ["--refresh", "--show-replacement-steps", "--show-sames", ...exclude];
  write("options-exclude", await pulumi("after", "preview", "--json", ...exclude));
  write("options-exclude-complete", await pulumi("after", "preview", "--json", ...complete));
  write("options-exclude-export", await pulumi("after", "stack", "export"));
  await pulumi("after", "preview", "--event-log", "options-exclude.jsonl", ...exclude);
  writeEvents("options-exclude");
  await deploy("exclude", ...exclude);
  writeFileSync(join(here, "recorded", "options-service.json"), `${JSON.stringify(service)}\n`);
} finally {
  await engine.close();
}
