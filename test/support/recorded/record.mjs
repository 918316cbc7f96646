// Records what the real engine writes about the program beside this file, for the tests of `unmanaged`, `graph` and
// `report`: `npm run generate -- previews`. What differs from run to run only (stack traces, times, ids) is made constant.
import { join } from "node:path";
import { startEngine } from "./engine.mjs";

const here = import.meta.dirname;
const engine = await startEngine(join(here, "program"), here);
const { client, pulumi, write, writeEvents } = engine;
try {
  await pulumi("before", "stack", "init", "production");
  await pulumi("before", "up", "--yes", "--skip-preview");
  for await (const cluster of client.clusters.list()) {
    if (cluster.name === "Linux") await client.queues.create(cluster.id, { key: "by-hand" });
  }
  write("stack-export", await pulumi("before", "stack", "export"));
  write("preview", await pulumi("changed", "preview", "--json"));
  write(
    "preview-replacement-steps",
    await pulumi("changed", "preview", "--json", "--show-replacement-steps"),
  );
  write("preview-sames", await pulumi("changed", "preview", "--json", "--show-sames"));
  write("preview-unchanged", await pulumi("before", "preview", "--json"));
  write("refresh-unchanged", await pulumi("before", "refresh", "--preview-only", "--json"));
  await pulumi("changed", "preview", "--event-log", "preview-events.jsonl");
  for await (const cluster of client.clusters.list()) {
    if (cluster.name === "Old machines") await client.clusters.delete(cluster.id);
    if (cluster.name === "Linux") await client.clusters.update(cluster.id, { description: "By hand" });
  }
  write("refresh-drift", await pulumi("before", "refresh", "--preview-only", "--json"));
  await pulumi("before", "refresh", "--preview-only", "--event-log", "drift-events.jsonl");
  writeEvents("preview-events");
  writeEvents("drift-events");
} finally {
  await engine.close();
}
