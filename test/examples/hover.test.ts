import { expect, test } from "vitest";
import { editor } from "./editor.js";

const { hover } = editor();

test("The client's results and bodies show the type and the documentation of their fields", () => {
  const shown = hover(`
    import type {
      Build, ClusterUpdate, CreatedAgentToken, PipelineTemplateUpdate, Queue, SuiteUpdate, TeamWriteResult,
    } from "./dist/client/index.js";
    declare const queue: /*?*/Queue, token: CreatedAgentToken, team: TeamWriteResult, build: Build;
    queue./*?*/key; queue./*?*/created_by; queue./*?*/dispatch_paused_note;
    token./*?*/token; token./*?*/cluster_url;
    team./*?*/id; team./*?*/default;
    build./*?*/jobs; build.jobs?.[0]?./*?*/runnable_at; build.pipeline?.provider?./*?*/webhook_url;
    declare const cluster: ClusterUpdate, template: PipelineTemplateUpdate, suite: SuiteUpdate;
    cluster./*?*/color; cluster./*?*/default_queue_id; template./*?*/available; suite./*?*/emoji;
  `);

  expect(shown.map(({ type }) => type)).toEqual([
    "(alias) interface Queue\nimport Queue",
    "(property) key: string",
    "(property) created_by?: User | null | undefined",
    "(property) dispatch_paused_note?: string | null | undefined",
    "(property) token: string",
    "(property) cluster_url?: string | null | undefined",
    "(property) id?: string | undefined",
    "(property) default?: boolean | null | undefined",
    "(property) jobs?: Job[] | null | undefined",
    "(property) runnable_at?: string | null | undefined",
    "(property) webhook_url?: string | null | undefined",
    "(property) color?: string | null | undefined",
    "(property) ClusterUpdate.default_queue_id?: string | null | undefined",
    "(property) available?: boolean | undefined",
    "(property) emoji?: string | null | undefined",
  ]);
  expect(shown.filter(({ documentation }) => documentation === "")).toEqual([]);
  expect(shown[4]?.documentation).toContain("so store it immediately");
});
