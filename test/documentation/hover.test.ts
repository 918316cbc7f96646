import { expect, test } from "vitest";
import { editor } from "./editor.js";

const { hover } = editor();

test("the client's results show type and documentation of their fields", () => {
  const shown = hover(`
    import type { Build, CreatedAgentToken, Queue, TeamWriteResult } from "./dist/client/index.js";
    declare const queue: /*?*/Queue, token: CreatedAgentToken, team: TeamWriteResult, build: Build;
    queue./*?*/key; queue./*?*/created_by; queue./*?*/dispatch_paused_note;
    token./*?*/token; token./*?*/cluster_url;
    team./*?*/id; team./*?*/default;
    build./*?*/jobs; build.jobs?.[0]?./*?*/runnable_at; build.pipeline?.provider?./*?*/webhook_url;
  `);

  expect(shown).toEqual([
    {
      type: "(alias) interface Queue\nimport Queue",
      documentation: "A group of agents within a cluster, which can be paused and resumed.",
    },
    {
      type: "(property) key: string",
      documentation:
        "Name by which jobs and agents refer to the queue. The key never changes after creation.",
    },
    { type: "(property) created_by?: User | null | undefined", documentation: "User who created it." },
    {
      type: "(property) dispatch_paused_note?: string | null | undefined",
      documentation:
        "Reason for the pause; null if the queue is not paused. The API was observed to return null for paused queues\nalso.",
    },
    {
      type: "(property) token: string",
      documentation:
        "Secret value that agents connect with. The API returns it only once, so store it immediately.",
    },
    {
      type: "(property) cluster_url?: string | null | undefined",
      documentation: "Address of the owning cluster in the REST API.",
    },
    { type: "(property) id?: string | undefined", documentation: "UUID." },
    {
      type: "(property) default?: boolean | null | undefined",
      documentation: "True if new members of the organization join the team by default.",
    },
    { type: "(property) jobs?: Job[] | null | undefined", documentation: "Jobs of the build." },
    {
      type: "(property) runnable_at?: string | null | undefined",
      documentation: "Time the job was ready to be accepted by an agent.",
    },
    {
      type: "(property) webhook_url?: string | null | undefined",
      documentation: `Webhook address for users who may edit the pipeline; "" for others.`,
    },
  ]);
});

test("the bodies of changes show the documentation of what they change", () => {
  const shown = hover(`
    import type { ClusterUpdate, PipelineTemplateUpdate, QueueUpdate, SuiteUpdate } from "./dist/client/index.js";
    declare const cluster: ClusterUpdate, template: PipelineTemplateUpdate, queue: QueueUpdate, suite: SuiteUpdate;
    cluster./*?*/color; cluster./*?*/default_queue_id; template./*?*/available; queue./*?*/description;
    suite./*?*/emoji;
  `);

  expect(shown).toEqual([
    {
      type: "(property) color?: string | null | undefined",
      documentation: "Hex color code such as `#A9CCE3`.",
    },
    {
      type: "(property) ClusterUpdate.default_queue_id?: string | null | undefined",
      documentation: "UUID of the new default queue. The API may refuse null.",
    },
    {
      type: "(property) available?: boolean | undefined",
      documentation:
        "True if people who aren't administrators may assign the template to pipelines. The API's default is false.",
    },
    {
      type: "(property) description?: string | null | undefined",
      documentation: "Purpose of the queue.",
    },
    {
      type: "(property) emoji?: string | null | undefined",
      documentation: "Emoji syntax, `:name:`, or a literal emoji.",
    },
  ]);
});
