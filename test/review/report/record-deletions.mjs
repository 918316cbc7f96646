// Records previews of deletions with other deletions, and what the next deployment deletes: `npm run generate -- situations`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEngine } from "../../support/recorded/engine.mjs";
import { recordedSituation } from "./deletions/situations.mjs";

const here = import.meta.dirname;
const engine = await startEngine(join(here, "deletions"), join(here, "recorded"));
const { pulumi, write, writeEvents } = engine;

try {
  writeFileSync(join(engine.directory, "situation.json"), JSON.stringify(recordedSituation()));
  await pulumi("before", "stack", "init", "production");
  await pulumi("before", "up", "--yes", "--skip-preview");
  write("deletions", await pulumi("after", "preview", "--json"));
  write("deletions-complete", await pulumi("after", "preview", "--json", "--show-replacement-steps"));
  write("deletions-export", await pulumi("after", "stack", "export"));
  await pulumi("after", "preview", "--event-log", "deletions.jsonl");
  // The end of a step says no more than its beginning.
  writeEvents("deletions", (event) => event.resOutputsEvent === undefined);
  const service = await engine.deploy();
  writeFileSync(join(here, "recorded", "deletions-service.json"), `${JSON.stringify(service)}\n`);
} finally {
  await engine.close();
}
