// Records what the real engine writes in the situations that a reviewer may misread: `npm run generate -- situations`.
import { join } from "node:path";
import { startEngine } from "../../support/recorded/engine.mjs";

const here = import.meta.dirname;
const engine = await startEngine(join(here, "program"), join(here, "recorded"));
const { client, emulator, pulumi, failing, write } = engine;
const preview = ["preview", "--json"];
const complete = [...preview, "--refresh", "--show-replacement-steps", "--show-sames"];
const up = ["up", "--yes", "--skip-preview"];
try {
  await pulumi("base", "stack", "init", "production");
  await pulumi("base", ...up);
  write("base-export", await pulumi("base", "stack", "export"));
  write("unchanged", await pulumi("base", ...preview));
  write("unchanged-complete", await pulumi("base", ...complete));
  write("refresh", await pulumi("base", "refresh", "--preview-only", "--json"));
  for (const version of [
    "moved",
    "component",
    "renamed",
    "without-large",
    "without-token",
    "team",
    "without-gpu",
  ]) {
    write(version, await pulumi(version, ...preview));
    write(`${version}-complete`, await pulumi(version, ...complete));
  }

  write("component-aliased", await pulumi("component+aliased", ...complete));
  write("renamed-queue", await failing("renamed-queue", {}, ...complete));

  const revoked = emulator.createAccessToken({ scopes: [] });
  emulator.revokeAccessToken(revoked);
  const refused = { BUILDPIPELINE_ACCESS_TOKEN: revoked };
  write("failed", await failing("tiny", refused, ...preview));
  write("failed-complete", await failing("tiny", refused, ...complete));
  write("failed-refresh", await failing("base", refused, "refresh", "--preview-only", "--json"));

  // A replacement whose old queue the service refuses to delete, because an agent is connected to it.
  const linux = (await client.clusters.list().all()).find(({ name }) => name === "Linux");
  if (linux === undefined) throw new Error("There is no cluster Linux.");
  const queues = await client.queues.list(linux.id).all();
  const queue = (/** @type {string} */ key) => queues.find((one) => one.key === key)?.id ?? "";
  emulator.connectAgent({ queueId: queue("small") });
  await failing("tiny", {}, ...up);
  write("pending-export", await pulumi("tiny", "stack", "export"));
  write("pending", await pulumi("tiny", ...preview));
  write("pending-refresh", await pulumi("tiny", ...preview, "--refresh"));
  write("pending-steps", await pulumi("tiny", ...preview, "--show-replacement-steps"));
  write("pending-complete", await pulumi("tiny", ...complete));
  write("pending-without-large", await pulumi("tiny+without-large", ...complete));

  // A colleague's night: changes that the deployment undoes, and one that it leaves alone.
  await client.clusters.update(linux.id, { description: "Changed by a colleague" });
  await client.queues.pauseDispatch(linux.id, queue("large"), { note: "Incident" });
  await client.queues.delete(linux.id, queue("arm"));
  write("drift", await pulumi("tiny", "refresh", "--preview-only", "--json"));
  write("drift-complete", await pulumi("tiny", ...complete));

  await engine.killed("tiny+extra", "queues.create");
  write("interrupted-export", await pulumi("tiny", "stack", "export"));
  write("interrupted", await failing("tiny", refused, ...complete));
  write("interrupted-complete", await pulumi("tiny", ...complete));
} finally {
  await engine.close();
}
await import("./record-options.mjs");
await import("./record-deletions.mjs");
