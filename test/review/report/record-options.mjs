// Records previews of what Pulumi's options change, and what the next deployment does: `npm run generate -- situations`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEngine } from "../../support/recorded/engine.mjs";

const here = import.meta.dirname;
const engine = await startEngine(join(here, "options"), join(here, "recorded"));
const { client, pulumi, failing, write, writeEvents } = engine;
const urn = (/** @type {string} */ name) =>
  `urn:pulumi:production::ci::pulumi-nodejs:dynamic/buildpipeline:Queue::${name}`;

/** @type {Record<string, { before: Record<string, string>, after: Record<string, string> }>} */
const service = {};

try {
  const { id } = await client.clusters.create({ name: "Shared" });
  for (const key of ["lent", "adopted"]) await client.queues.create(id, { key });
  await pulumi("before", "stack", "init", "production");
  await pulumi("before", "up", "--yes", "--skip-preview");
  write("options-protected", await failing("unprotected", {}, "preview", "--json"));
  const target = ["--target", urn("targeted")];
  write("options-target", await pulumi("after", "preview", "--json", ...target));
  service.target = await engine.deploy(...target);

  const exclude = ["--exclude", urn("excluded")];
  const complete = ["--refresh", "--show-replacement-steps", "--show-sames", ...exclude];
  write("options-exclude", await pulumi("after", "preview", "--json", ...exclude));
  write("options-exclude-complete", await pulumi("after", "preview", "--json", ...complete));
  write("options-exclude-export", await pulumi("after", "stack", "export"));
  await pulumi("after", "preview", "--event-log", "options-exclude.jsonl", ...exclude);
  writeEvents("options-exclude");
  service.exclude = await engine.deploy(...exclude);
  writeFileSync(join(here, "recorded", "options-service.json"), `${JSON.stringify(service)}\n`);
} finally {
  await engine.close();
}
