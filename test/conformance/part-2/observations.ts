import { expect } from "vitest";
import type { Variations } from "../../../src/emulator/index.js";
import { asObject, type Json } from "../description.js";
import { builds, NIGHT_SHIFT, type World } from "../world.js";

/** What plain requests show under each value of a variation; the compiler demands every value of a union. */
interface Observation<Value extends Variations[keyof Variations]> {
  readonly see: (world: World) => Promise<unknown>;
  readonly under: { readonly [Each in `${Value}`]: unknown };
}

type Part2 =
  | "newerApi"
  | "largestSecret"
  | "deletePipelineWithBuilds"
  | "deleteClusterWithPipelines"
  | "archivedPipelinesInList"
  | "oldPipelineSlug"
  | "clusterOfNewPipeline"
  | "pipelineTeamsOnUpdate"
  | "suiteEditAlone"
  | "teamFlagsLeftOut"
  | "scheduleEnvUnset";

const YAML = "steps:\n  - command: make\n";

export const newPipeline = {
  name: "Web Shop",
  repository: "https://github.com/acme/web.git",
  configuration: YAML,
};

const sent = async (world: World, method: string, path: string, body?: unknown): Promise<Json> =>
  asObject((await world.send(method, path, body)).body);

const status = async (world: World, method: string, path: string, body?: unknown): Promise<number> =>
  (await world.send(method, path, body)).status;

export const observationsOfPart2: { readonly [Name in Part2]: Observation<Variations[Name]> } = {
  newerApi: {
    see: async (world) => {
      const { cluster, queue } = world.places;
      const queues = `/clusters/${cluster}/queues`;
      const shown = [
        await sent(world, "GET", `/clusters/${cluster}`),
        await sent(world, "GET", `${queues}/${queue}`),
      ];
      const created = await sent(world, "POST", queues, { key: "x", retry_agent_affinity: "no such word" });
      const fields = shown.flatMap((entity) => Object.keys(entity));
      return [
        await status(world, "GET", "/pipelines"),
        await status(world, "GET", `/clusters/${cluster}/secrets`),
        ["maintainers", "retry_agent_affinity"].filter((name) => fields.includes(name)),
        typeof created.id,
      ];
    },
    under: {
      true: [200, 200, ["maintainers", "retry_agent_affinity"], "undefined"],
      false: [404, 404, [], "string"],
    },
  },
  largestSecret: {
    see: (world) => {
      const body = { key: "LONG", value: "x".repeat(8193) };
      return status(world, "POST", `/clusters/${world.places.cluster}/secrets`, body);
    },
    under: { "8192": 422, "32768": 201 },
  },
  deletePipelineWithBuilds: {
    see: async (world) => {
      const deleted = await status(world, "DELETE", "/pipelines/storefront");
      return [deleted, world.emulator.organizationData.builds.size];
    },
    under: { refused: [422, 6], allowed: [204, 0] },
  },
  deleteClusterWithPipelines: {
    see: async (world) => {
      const { cluster } = world.places;
      const { id } = world.emulator.createPipeline({ slug: "api", clusterId: cluster });
      const deleted = await status(world, "DELETE", `/clusters/${cluster}`);
      return [deleted, world.emulator.organizationData.pipelines.get(id)?.cluster_id];
    },
    under: { refused: [422, "11111111-1111-4111-8111-111111111111"], allowed: [204, null] },
  },
  archivedPipelinesInList: {
    see: async (world) => {
      await world.send("POST", "/pipelines/storefront/archive");
      return [(await world.send("GET", "/pipelines")).body].flat().length;
    },
    under: { false: 0, true: 1 },
  },
  oldPipelineSlug: {
    see: async (world) => {
      await world.send("PATCH", "/pipelines/storefront", { name: "Shop" });
      const { status, body } = await world.send("GET", `/pipelines/storefront/builds/${builds.passed}`);
      return [status, Object(body).url ?? null];
    },
    under: {
      missing: [404, null],
      redirected: [301, expect.stringMatching(/pipelines\/shop\/builds\/1$/)],
      resolved: [200, expect.stringMatching(/pipelines\/shop\/builds\/1$/)],
    },
  },
  clusterOfNewPipeline: {
    see: async (world) => {
      const { status, body } = await world.send("POST", "/pipelines", newPipeline);
      return [status, Object(body).cluster_id];
    },
    under: {
      null: [201, null],
      default: [201, "11111111-1111-4111-8111-111111111111"],
      refused: [422, undefined],
    },
  },
  pipelineTeamsOnUpdate: {
    see: async (world) => {
      const { team } = world.places;
      const body = { teams: { [team]: "read_only" } };
      const updated = await status(world, "PATCH", "/pipelines/storefront", body);
      return [updated, [(await world.send("GET", `/teams/${team}/pipelines`)).body].flat().length];
    },
    under: { ignored: [200, 0], applied: [200, 1] },
  },
  suiteEditAlone: {
    see: (world) => {
      const [suite] = world.emulator.organizationData.suites.list();
      const body = { suite_id: suite?.id, access_level: ["edit"] };
      return status(world, "POST", `/teams/${world.places.team}/suites`, body);
    },
    under: { refused: 422, allowed: 201 },
  },
  teamFlagsLeftOut: {
    see: async (world) => {
      const flags = { members_can_create_suites: true, members_can_destroy_packages: true };
      const { id } = await sent(world, "POST", "/teams", { ...NIGHT_SHIFT, ...flags });
      await world.send("PATCH", `/teams/${id}`, { ...NIGHT_SHIFT, members_can_create_suites: true });
      const team = world.emulator.organizationData.teams.get(String(id));
      return [team?.members_can_create_suites, team?.members_can_destroy_packages];
    },
    under: { reset: [true, false], kept: [true, true] },
  },
  scheduleEnvUnset: {
    see: async (world) =>
      (await sent(world, "POST", "/pipelines/storefront/schedules", { cronline: "@daily" })).env,
    under: { null: null, empty: {} },
  },
};
