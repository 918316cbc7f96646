// Records what the real engine writes after changes outside of the program: `npm run generate -- situations`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startEngine } from "../../support/recorded/engine.mjs";

const here = import.meta.dirname;
const preview = ["preview", "--json", "--refresh", "--show-replacement-steps", "--show-sames"];
const up = ["up", "--yes", "--skip-preview", "--refresh"];

for (const backend of ["dynamic", "plugin"]) {
  const folder = join(here, "recorded", backend);
  mkdirSync(folder, { recursive: true });
  const engine = await startEngine(join(here, "incidents"), folder);
  const { client, pulumi, failing, write } = engine;
  /** What the service has: ids by type and name. */
  const inventory = async () => {
    /** @type {Record<string, string | null>} */
    const all = {};
    for (const { id, name, default_queue_id } of await client.clusters.list().all()) {
      all[`Cluster ${name}`] = id;
      all[`ClusterDefaultQueue ${name}`] = default_queue_id ?? null;
      for (const queue of await client.queues.list(id).all()) all[`Queue ${queue.key}`] = queue.id;
      for (const token of await client.agentTokens.list(id).all())
        all[`AgentToken ${token.description}`] = token.id;
    }
    for (const one of await client.pipelineTemplates.list().all())
      all[`PipelineTemplate ${one.name}`] = one.uuid;
    for (const one of await client.teams.list().all()) all[`Team ${one.name}`] = one.id;
    for (const one of await client.suites.list().all()) all[`Suite ${one.name}`] = one.id;
    return all;
  };
  try {
    await pulumi(backend, "stack", "init", "production");
    await pulumi(backend, "up", "--yes", "--skip-preview");
    write("base-export", await pulumi(backend, "stack", "export"));
    write("component", await failing(`${backend}+component`, {}, ...preview));
    write("elsewhere", await pulumi(`${backend}+elsewhere`, ...preview));
    const unreachable = { BUILDPIPELINE_BASE_URL: "http://127.0.0.1:9" };
    write("unreachable", await failing(backend, unreachable, ...preview));

    const before = await inventory();
    /** @param {string} name */
    const id = (name) => before[name] ?? "";
    const linux = id("Cluster Linux");
    const slugs = new Map((await client.suites.list().all()).map(({ name, slug }) => [name, slug]));
    const team = async (/** @type {string} */ name, /** @type {object} */ changes) => {
      const all = await client.teams.list().all();
      const { description, privacy, is_default_team } = all.find((one) => one.name === name) ?? {};
      await client.teams.update(id(`Team ${name}`), {
        name,
        description: description ?? "",
        privacy: privacy === "secret" ? privacy : "visible",
        is_default_team: is_default_team ?? false,
        default_member_role: "member",
        members_can_create_pipelines: false,
        ...changes,
      });
    };
    // A night in which somebody deletes, renames, pauses and opens.
    await client.clusters.delete(id("Cluster GPU"));
    await client.clusters.update(linux, { default_queue_id: null });
    await client.queues.delete(linux, id("Queue arm"));
    await client.queues.pauseDispatch(linux, id("Queue paused"), { note: "Incident" });
    await client.agentTokens.delete(linux, id("AgentToken Agents"));
    await client.clusters.update(id("Cluster Mac"), { name: "Macs" });
    await client.pipelineTemplates.delete(id("PipelineTemplate Release"));
    await client.teams.delete(id("Team Platform"));
    await team("Mobile", { name: "Phones" });
    await team("Guests", { privacy: "secret" });
    await team("Vault", { name: "Vault of keys", privacy: "secret" });
    await client.suites.delete(slugs.get("Unit") ?? "");
    await client.suites.update(slugs.get("Browser") ?? "", { name: "Browsers" });
    const lost = await inventory();
    write("lost", await pulumi(backend, "refresh", "--preview-only", "--json"));
    write("undone", await pulumi(backend, ...preview));
    await pulumi(backend, ...up);
    write("service", JSON.stringify({ before, lost, after: await inventory() }));
  } finally {
    await engine.close();
  }
}
