import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { isWhole, someOf } from "../support/cases.js";
import {
  access,
  apiSettings,
  changed,
  chapter,
  cluster,
  defaultQueue,
  history,
  pipeline,
  pipelineSettings,
  queue,
  schedule,
  suite,
  team,
  template,
  token,
} from "./histories/chapters.js";
import { type Mishap, mishaps } from "./histories/faults.js";
import { play } from "./histories/play.js";
import type { Declared, Program } from "./histories/program.js";

/** The table, which docs/internals/tests.md explains. */
const TABLE = join(__dirname, "..", "..", "docs", "internals", "faults.csv");

/** A change of a program that makes one operation, which may go wrong; several can share it for other purposes. */
type Scenario = readonly [operation: string, purpose: string, before: Program, after: Program];

/** Creation, change and deletion of one resource of each kind. */
const lives: readonly [group: string, made: Declared, change: Declared["args"], around: Program][] = [
  ["clusters", cluster, { description: "Changed" }, []],
  ["queues", queue, { description: "Changed" }, [cluster]],
  ["agentTokens", token, { description: "changed" }, [cluster]],
  ["pipelineTemplates", template, { description: "Changed" }, []],
  ["teams", team, { description: "Changed" }, []],
  ["suites", suite, { defaultBranch: "trunk" }, []],
  ["pipelines", pipeline, { description: "Changed" }, []],
  ["pipelineSchedules", schedule, { message: "changed" }, [pipeline]],
  ["teamPipelines", access, { accessLevel: "read_only" }, [team, pipeline]],
];

const rotated = changed(token, { triggers: { rotated: "now" } });
const paused = (dispatchPaused: boolean) => changed(queue, { dispatchPaused, dispatchPausedNote: "Freeze" });
const other: Declared = { ...changed(queue, { key: "queue-2-key" }), name: "queue-2" };
const kept = changed(pipeline, { onDelete: "archive" });
const archived = changed(pipeline, { archived: true });
const otherDefault = changed(defaultQueue, { queueId: { idOf: "queue-2" } });

/** Every operation by which a deployment changes something. */
const scenarios: readonly Scenario[] = [
  ...lives.flatMap(([group, made, change, around]): Scenario[] => [
    [`${group}.create`, "create", around, [...around, made]],
    [`${group}.update`, "update", [...around, made], [...around, changed(made, change)]],
    [`${group}.delete`, "delete", [...around, made], around],
  ]),
  ["agentTokens.create", "rotate", [cluster, token], [cluster, rotated]],
  ["agentTokens.delete", "rotate", [cluster, token], [cluster, rotated]],
  ["queues.pauseDispatch", "create paused", [cluster], [cluster, paused(true)]],
  ["queues.pauseDispatch", "pause", [cluster, paused(false)], [cluster, paused(true)]],
  ["queues.resumeDispatch", "resume", [cluster, paused(true)], [cluster, paused(false)]],
  ["clusters.update", "set the default queue", [cluster, queue], [cluster, queue, defaultQueue]],
  [
    "clusters.update",
    "change the default queue",
    [cluster, queue, other, defaultQueue],
    [cluster, queue, other, otherDefault],
  ],
  ["pipelines.update", "rename", [pipeline], [changed(pipeline, { name: "pipeline-1-beta" })]],
  ["pipelines.update", "move", [pipeline], [changed(pipeline, { slug: "elsewhere" })]],
  ["pipelines.archive", "create archived", [], [archived]],
  ["pipelines.archive", "archive", [pipeline], [archived]],
  ["pipelines.unarchive", "unarchive", [archived], [pipeline]],
  ["pipelines.archive", "delete", [kept], []],
  ["pipelines.createWebhook", "create", [], [changed(pipeline, { createWebhook: true })]],
  ["pipelines.createWebhook", "ask", [pipeline], [changed(pipeline, { createWebhook: true })]],
  ["pipelines.githubWebhooks.disable", "stop", [pipeline], [changed(pipeline, { githubWebhooks: false })]],
  [
    "pipelines.githubWebhooks.enable",
    "resume",
    [changed(pipeline, { githubWebhooks: false })],
    [changed(pipeline, { githubWebhooks: true })],
  ],
  // Settings of the organization: a creation changes them, and a deletion sends nothing.
  ["pipelineSettings.update", "create", [], [pipelineSettings]],
  [
    "pipelineSettings.update",
    "update",
    [pipelineSettings],
    [changed(pipelineSettings, { defaultBranch: "dev" })],
  ],
  [
    "pipelineSettings.enableHostedAgentsSsh",
    "turn on",
    [pipelineSettings],
    [changed(pipelineSettings, { hostedAgentsTerminalAccess: true })],
  ],
  ["apiSettings.update", "create", [], [apiSettings]],
  [
    "apiSettings.update",
    "update",
    [apiSettings],
    [changed(apiSettings, { restrictUserApiTokenCreation: false })],
  ],
  ["clusters.update", "clear the default queue", [cluster, queue, defaultQueue], [cluster, queue]],
];

/** What the command with the fault came to, by scenario and mishap. `+ 1`: one more object exists, and a message names it. */
const outcomes = new Map<string, string>();
const keyOf = ([operation, purpose]: Scenario, { name }: Mishap) => `${operation} ${purpose} | ${name}`;

/** The first requests of a process wait for code that is loaded then. */
beforeAll(async () => {
  const all = [...lives.map(([, made]) => made), defaultQueue];
  expect(await play(history([chapter(all)]))).toMatchObject({ wrong: [] });
});

describe.concurrent.each(scenarios)("%s (%s)", (...scenario) => {
  const [operation, purpose, before, after] = scenario;
  const row = scenarios.findIndex((one) => one[0] === operation && one[1] === purpose);

  test.for(someOf(mishaps, row))("$name", async (mishap, { expect }) => {
    const faulty = chapter(after, { troubles: [{ operation, mishap: mishap.name }] });
    const { wrong, count, outcomes: found } = await play(history([chapter(before), faulty, chapter(after)]));
    expect(wrong).toEqual([]);
    expect(count.faults, "the fault struck").toBe(1);
    const [first, second, third] = found;
    expect(first).toMatchObject({ succeeded: true, left: [] });
    // Nothing goes wrong any more: one update converges, and what is left is named by its id.
    expect(third).toMatchObject({ succeeded: true, isLeftNamed: true });
    const outcome = second?.succeeded ? "done" : "error";
    outcomes.set(keyOf(scenario, mishap), [outcome, ...(third?.left ?? []).map(() => "1")].join(" + "));
  });
});

test.for(lives)(
  "A deletion in %s that is accepted with 202 and done later is done",
  async (life, { expect }) => {
    const [group, made, , around] = life;
    const troubles = [{ operation: `${group}.delete`, mishap: "202, done 5000 ms later" }];
    const {
      wrong,
      count,
      outcomes: found,
    } = await play(history([chapter([...around, made]), chapter(around, { troubles })]));
    expect(wrong).toEqual([]);
    expect(count.faults).toBe(1);
    expect(found[1]).toMatchObject({ succeeded: true, left: [] });
  },
);

function table(): string {
  const cell = (text: string) => (text.includes(",") ? `"${text}"` : text);
  const heads = ["operation", "for", ...mishaps.map(({ name }) => name.replaceAll("`", ""))];
  const rows = scenarios.map((scenario) => [
    ...scenario.slice(0, 2).map(String),
    ...mishaps.map((mishap) => outcomes.get(keyOf(scenario, mishap)) ?? "violated"),
  ]);
  return [heads, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

test.runIf(isWhole)("The table in the documentation says what was found", async () => {
  await expect(table(), "run `npm run generate -- faults`").toMatchFileSnapshot(TABLE);
  expect(outcomes.size).toBe(scenarios.length * mishaps.length);
});
