import { expect, test } from "vitest";
import type { Act } from "./acts.js";
import {
  act,
  before,
  changed,
  chapter,
  cluster,
  defaultQueue,
  hiddenTemplate,
  history,
  inOther,
  otherCluster,
  pipeline,
  queue,
  secretTeam,
  service,
  suite,
  team,
  token,
  trouble,
} from "./chapters.js";
import { type Chapter, type History, usual } from "./history.js";
import { play } from "./play.js";
import type { Declared, Program } from "./program.js";

const refresh = (program: Program, more?: Partial<Chapter>) =>
  chapter(program, { command: { what: "refresh" }, ...more });
const destroy = (more?: Partial<Chapter>) => chapter([], { command: { what: "destroy" }, ...more });

const equalToken = (who: Act["who"]) =>
  history([
    chapter([cluster]),
    chapter([cluster, token], {
      meanwhile: [before("agentTokens.create", act("create an equal one", "AgentToken", 0, who), 0, 3)],
      troubles: [trouble("agentTokens.create", "dropped before")],
    }),
  ]);

/** An update that sends nothing more, and a colleague who creates an equal cluster meanwhile. */
const endedEarly = (more: Partial<Chapter>, backend: History["backend"]) =>
  history(
    [
      chapter([cluster], {
        meanwhile: [before("clusters.list", act("create an equal one", "Cluster"), 1)],
        ...more,
      }),
    ],
    { backend },
  );

/** Objects that need no other, with the group of their operations. */
const groups: readonly (readonly [group: string, declared: Declared])[] = [
  ["clusters", cluster],
  ["pipelineTemplates", hiddenTemplate],
  ["teams", team],
  ["teams", secretTeam],
  ["suites", suite],
  ["notificationServices", service],
];

const ofEach = (what: (name: string) => string, play: (group: string, made: Declared) => History) =>
  Object.fromEntries(groups.map(([group, made]) => [what(made.name), play(group, made)]));

/** Another queue in the other cluster, and the ClusterDefaultQueue that moves to both. */
const otherQueue: Declared = { ...changed(queue, { ...inOther, key: "queue-2-key" }), name: "queue-2" };
const movedDefault = changed(defaultQueue, { ...inOther, queueId: { idOf: "queue-2" } });

/** Histories that violated an invariant once, each in plain words. */
const regressions: Readonly<Record<string, History>> = {
  "a colleague creates an equal agent token just before the connection of ours is reset":
    equalToken("colleague"),
  "a second stack creates an equal agent token just before the connection of ours is reset":
    equalToken("second stack"),
  "a second stack creates an equal cluster a minute before the connection of our creation is reset": history([
    chapter([otherCluster, cluster], {
      meanwhile: [before("clusters.create", act("create an equal one", "Cluster", 1, "second stack"), 0, 90)],
      troubles: [{ ...trouble("clusters.create", "dropped before"), after: 1 }],
    }),
  ]),
  ...ofEach(
    (name) => `a gateway answers 504, and the service creates ${name} five seconds later`,
    (group, made) =>
      history([chapter([made], { troubles: [trouble(`${group}.create`, "504, done 5000 ms later")] })]),
  ),
  "the connection of a creation is reset, and the service creates the agent token a minute later": history([
    chapter([cluster]),
    chapter([cluster, token], { troubles: [trouble("agentTokens.create", "dropped, done 60000 ms later")] }),
  ]),
  "a read-only update meets a colleague's new cluster": endedEarly(
    { settings: { ...usual, readOnly: true } },
    "dynamic",
  ),
  "an update that is canceled during a rate-limit wait meets a colleague's new cluster": endedEarly(
    { settings: { ...usual, canceled: true }, troubles: [trouble("clusters.create", "429")] },
    "plugin",
  ),
  "the response to a suite's deletion is lost, and a colleague takes its slug": history([
    chapter([suite]),
    chapter([], {
      meanwhile: [before("suites.delete", act("create an equal one", "Suite"), 1)],
      troubles: [trouble("suites.delete", "dropped after")],
    }),
  ]),
  "the response to a suite's update is lost, and its slug becomes a colleague's": history([
    chapter([suite]),
    chapter([changed(suite, { defaultBranch: "trunk" })], {
      meanwhile: [before("suites.update", act("delete and create an equal one", "Suite"), 1)],
      troubles: [trouble("suites.update", "dropped before")],
    }),
  ]),
  "the response to the deletion of a secret team is lost": history([
    chapter([secretTeam]),
    chapter([], { troubles: [trouble("teams.delete", "dropped after")] }),
    chapter([]),
  ]),
  "a list shifts between its pages while a renamed suite is looked for": history(
    [
      chapter([suite], { command: { what: "preview" } }),
      chapter([suite], {
        between: [act("create a similar one", "Suite"), act("create a similar one", "Suite")],
      }),
      refresh([suite], {
        between: [act("rename", "Suite", 2)],
        meanwhile: [before("suites.list", act("delete", "Suite"), 1)],
      }),
    ],
    { page: 2, suiteSlug: "changed" },
  ),
  "a colleague replaces our team by an equal one before the list that a terse response needs": history(
    [
      chapter([team], {
        meanwhile: [
          before("teams.list", act("delete", "Team"), 1),
          before("teams.list", act("create an equal one", "Team"), 1, 90),
        ],
      }),
      chapter([]),
    ],
    { teamResponse: "submitted" },
  ),
  "a team becomes secret by a terse update after the token's user lost the role, and is destroyed": history(
    [
      chapter([changed(secretTeam, { privacy: "visible" })]),
      chapter([secretTeam], {
        meanwhile: [{ act: act("take a role away", "Cluster"), before: undefined, skip: 0, seconds: 0 }],
      }),
      destroy(),
      chapter([], { settings: { ...usual, token: "rotated" } }),
    ],
    { teamResponse: "submitted" },
  ),
  "a replaced default queue whose deletion is pending is renamed, and its ClusterDefaultQueue is deleted meanwhile":
    history(
      [
        chapter([cluster, otherCluster, queue, defaultQueue]),
        chapter(
          [
            cluster,
            otherCluster,
            changed(queue, { key: "queue-1-other-key" }),
            otherQueue,
            movedDefault,
            team,
          ],
          { troubles: [trouble("teams.create", "refused")] },
        ),
        chapter([cluster, otherCluster, queue], { renamed: ["queue-1"], bridge: "aliases" }),
      ],
      { order: 3 },
    ),
  ...Object.fromEntries(
    (["dynamic", "plugin"] as const).flatMap((backend) =>
      [{}, { replaceOnChanges: ["description"] }].map((options) => [
        `what an alias renames is replaced in the same deployment (${backend}${options.replaceOnChanges ? ", for an option" : ""})`,
        history(
          [
            chapter([cluster, otherCluster, token, queue]),
            chapter(
              [
                cluster,
                otherCluster,
                {
                  ...changed(
                    token,
                    options.replaceOnChanges ? { description: "beta-unit" } : { triggers: { a: "1" } },
                  ),
                  ...options,
                },
                changed(queue, { key: "queue-1-other-key" }),
              ],
              { renamed: ["token-1", "queue-1"], bridge: "aliases" },
            ),
          ],
          { backend },
        ),
      ]),
    ),
  ),
  "a pipeline that others rename and archive is in no list, and the program changes it": history([
    chapter([pipeline]),
    refresh([], { between: [act("rename", "Pipeline"), act("archive", "Pipeline")] }),
    chapter([changed(pipeline, { description: "first words" })], {
      command: { what: "up", refresh: "first" },
    }),
  ]),
  "a colleague changes a pipeline before the program archives it": history([
    chapter([pipeline]),
    chapter([changed(pipeline, { archived: true })], { between: [act("change", "Pipeline")] }),
  ]),
  "a colleague unarchives a pipeline after the look that its deletion takes": history([
    chapter([changed(pipeline, { onDelete: "archive" }), team]),
    chapter([], {
      between: [act("archive", "Pipeline")],
      meanwhile: [before("teams.delete", act("unarchive", "Pipeline"))],
    }),
  ]),
  ...Object.fromEntries(
    ["archive", "delete"].map((onDelete) => [
      `a pipeline is renamed, and a colleague takes its slug, while our ${onDelete} reads its builds`,
      history([
        chapter([changed(pipeline, { onDelete })]),
        chapter([], {
          meanwhile: [
            before("builds.listForPipeline", act("rename", "Pipeline"), 0, 90),
            before("builds.listForPipeline", act("create an equal one", "Pipeline")),
          ],
        }),
      ]),
    ]),
  ),
};

test.each(Object.entries(regressions))("a history that once went wrong: %s", async (_, history) => {
  expect(await play(history)).toMatchObject({ wrong: [] });
});
