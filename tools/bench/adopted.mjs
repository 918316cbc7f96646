// A stack that owns all pipelines of an organization, each with a schedule and a team: requests and memory on the engine.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { checkout, projectNode } from "../dev/checkout.mjs";
import { pulumiEnvironment } from "../dev/pulumi-cli/locate.mjs";
import { measuring } from "./measured-command.mjs";
import { openScene } from "./stack.mjs";

/** @typedef {{ pipelines: number, commands: Record<string, import("./measured-command.mjs").CommandFigures> }} AdoptedFigures */

const CLI = join(checkout, "dist", "commands", "main.js");
const IMPORTING = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview"];
/** How many pipelines a team has. */
const OF_TEAM = 20;

/** @param {number} pipelines @returns {Promise<AdoptedFigures>} */
export async function measureAdopted(pipelines) {
  const { emulator, directory, close } = await openScene();
  try {
    await fill(emulator, pipelines);
    const run = measuring(emulator, {
      ...pulumiEnvironment(),
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_HOME: join(directory, "home"),
      PULUMI_BACKEND_URL: `file://${join(directory, "state")}`,
      // The engine's rewriting of the state at every step takes hours.
      PULUMI_EXPERIMENTAL: "true",
      PULUMI_SKIP_CHECKPOINTS: "true",
    });
    const folder = join(directory, "adopted");
    /** @type {AdoptedFigures["commands"]} */
    const commands = {};
    /** @param {string} name @param {readonly string[]} args */
    const engine = async (name, args) => {
      commands[name] = await run(folder, "pulumi", [...args, "--non-interactive"]);
      process.stderr.write(`${name}: ${JSON.stringify(commands[name])}\n`);
    };
    mkdirSync(join(directory, "state"));
    const kinds = ["Pipeline", "PipelineSchedule", "Team", "TeamPipeline"];
    commands.adopt = await run(directory, projectNode(), [CLI, "adopt", "adopted", "--only", ...kinds]);
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(checkout, join(folder, "node_modules", "pulumi-buildpipeline"));
    await run(folder, "pulumi", ["stack", "init", "bench"]);
    await engine("pulumi import", ["import", "--file", "import.json", ...IMPORTING]);
    await engine("refresh", ["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await engine("unchanged preview", ["preview", "--refresh=false", "--expect-no-changes"]);
    return { pipelines, commands };
  } finally {
    await close();
  }
}

/** Creates one pipeline, and copies it. @param {import("../../src/emulator/index.js").Emulator} emulator @param {number} count */
async function fill(emulator, count) {
  const { organizationData: data, url, organization, accessToken } = emulator;
  /** @param {string} path @param {object} body @returns {Promise<any>} */
  const post = async (path, body) => {
    const response = await fetch(`${url}/v2/organizations/${organization}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const repository = "git@github.com:acme/service.git";
  const configuration = "steps:\n  - command: make test\n  - wait\n  - command: make package\n";
  const { id } = await post("/pipelines", { name: "Service", repository, configuration });
  await post("/pipelines/service/schedules", { label: "Nightly", cronline: "@daily" });
  const owners = await post("/teams", {
    name: "Team",
    description: "",
    privacy: "visible",
    is_default_team: false,
    default_member_role: "member",
    members_can_create_pipelines: false,
  });
  await post(`/teams/${owners.id}/pipelines`, { pipeline_id: id, access_level: "manage_build_and_read" });
  const [pipeline] = data.pipelines.list();
  const [schedule] = data.pipelineSchedules.list();
  const [team] = data.teams.list();
  const [pair] = data.teamPipelines.list();
  if (!pipeline || !schedule || !team || !pair) throw new Error("The service lacks what was created.");
  let team_id = owners.id;
  for (let index = 1; index < count; index++) {
    const own = { id: crypto.randomUUID(), slug: `service-${index}`, name: `Service ${index}` };
    data.pipelines.insert({ ...pipeline, ...own });
    data.pipelineSchedules.insert({ ...schedule, id: crypto.randomUUID(), pipeline_id: own.id });
    const next = { id: crypto.randomUUID(), slug: `team-${index}`, name: `Team ${index}` };
    if (index % OF_TEAM === 0) team_id = data.teams.insert({ ...team, ...next }).id;
    data.teamPipelines.insert({ ...pair, id: crypto.randomUUID(), team_id, pipeline_id: own.id });
  }
}
