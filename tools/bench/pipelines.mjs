// Pipelines, each with a schedule, beside the engine's floors.
import { createRequire } from "node:module";
import { bytesOf, COMMANDS, keep } from "./beside.mjs";
import { dynamic } from "./stack.mjs";
import { delayResponses, inTurns, openStack } from "./turns.mjs";

/** @type {typeof import("./resources.cjs")} */
const { floors } = createRequire(import.meta.url)("./resources.cjs");
const { Pipeline, PipelineSchedule } = dynamic;
const ROUNDS = 3;

/**
 * @typedef {"package" | "floor" | "floor that keeps and waits"} Provider
 * @typedef {{ pipelines: number, latencyMs: number, commands: import("./turns.mjs").Figures<Provider>,
 *   stateBytes: Record<Provider, number> }} PipelineFigures
 */

/** @param {number} pipelines @param {number} latencyMs Of each answer of the service. @returns {Promise<PipelineFigures>} */
export async function measurePipelines(pipelines, latencyMs) {
  /** @type {Map<import("./beside.mjs").Name, import("./beside.mjs").Kept>} */
  const kept = new Map();
  /** @type {Record<Provider, import("./beside.mjs").Make>} */
  const makers = {
    // The arguments are those of the kind that `program` names with them.
    package: (name, kind, args) => {
      const given = /** @type {any} */ (args);
      return kind === "pipelines" ? new Pipeline(name, given) : new PipelineSchedule(name, given);
    },
    ...floors(kept, latencyMs),
  };
  const stacks = [];
  for (const provider of /** @type {const} */ (["package", "floor", "floor that keeps and waits"]))
    stacks.push(await openStack(provider, () => program(pipelines, makers[provider])));
  delayResponses(stacks, latencyMs);
  const stateBytes = { package: 0, floor: 0, "floor that keeps and waits": 0 };
  const commands = await inTurns(stacks, COMMANDS, ROUNDS, async (command, { name, scene, stack }) => {
    if (command !== "create") return;
    const exported = await stack.exportStack();
    stateBytes[name] = bytesOf(exported);
    if (name === "package") keep(kept, exported, scene.directory);
  });
  return { pipelines, latencyMs, commands, stateBytes };
}

/** @param {number} pipelines @param {import("./beside.mjs").Make} make */
function program(pipelines, make) {
  for (let number = 0; number < pipelines; number++) {
    const { id } = make(`pipeline-${number}`, "pipelines", {
      name: `Service ${number}`,
      repository: `git@github.com:acme/service-${number}.git`,
      clusterId: "",
      configuration: "steps:\n  - command: make test\n  - wait\n  - command: make package\n",
      onDelete: "delete",
    });
    make(`nightly-${number}`, "schedules", { pipelineId: id, cronline: "@daily", label: "Nightly" });
  }
}
