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
      documentation: "The name jobs and agents use; never changes after creation.",
    },
    { type: "(property) created_by?: User | null | undefined", documentation: "User who created it." },
    {
      type: "(property) dispatch_paused_note?: string | null | undefined",
      documentation: "Why it is paused; null when not paused, and seen as null on paused queues too.",
    },
    {
      type: "(property) token: string",
      documentation: "The secret value agents connect with. The service never shows it again: store it now.",
    },
    {
      type: "(property) cluster_url?: string | null | undefined",
      documentation: "Address of the owning cluster in the REST interface.",
    },
    { type: "(property) id?: string | undefined", documentation: "UUID." },
    {
      type: "(property) default?: boolean | null | undefined",
      documentation: "True if new members of the organization join by default.",
    },
    { type: "(property) jobs?: Job[] | null | undefined", documentation: "Its jobs." },
    {
      type: "(property) runnable_at?: string | null | undefined",
      documentation: "Time the job was ready to be accepted by an agent.",
    },
    {
      type: "(property) webhook_url?: string | null | undefined",
      documentation: `The address only for users who may edit the pipeline; otherwise "".`,
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
      documentation: "The queue (UUID) to become the default. The service may refuse null.",
    },
    {
      type: "(property) available?: boolean | undefined",
      documentation:
        "True if people who aren't administrators may assign it to pipelines. The service's default is false.",
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
