import type { Act } from "./acts.js";
import {
  act,
  before,
  chapter,
  cluster,
  defaultQueue,
  hiddenTemplate,
  history,
  inOther,
  otherCluster,
  queue,
  secretTeam,
  suite,
  team,
  token,
  trouble,
} from "./chapters.js";
import { type History, usual } from "./history.js";
import type { Declared } from "./program.js";

/** A history that violated an invariant once. */
export interface Regression {
  readonly title: string;
  readonly history: History;
}

const equalToken = (who: Act["who"]) =>
  history([
    chapter([cluster]),
    chapter([cluster, token], {
      meanwhile: [before("agentTokens.create", act("create an equal one", "AgentToken", 0, who), 0, 3)],
      troubles: [trouble("agentTokens.create", "dropped before")],
    }),
  ]);

/** Objects that need no other, with the group of their operations. */
const groups: readonly (readonly [group: string, declared: Declared])[] = [
  ["clusters", cluster],
  ["pipelineTemplates", hiddenTemplate],
  ["teams", team],
  ["teams", secretTeam],
  ["suites", suite],
];

/** A default queue gets another key, and its ClusterDefaultQueue another cluster. */
const movedDefault: readonly Declared[] = [
  { ...queue, args: { ...queue.args, key: "queue-1-other-key" } },
  { ...queue, name: "queue-2", args: { ...inOther, key: "queue-2-key" } },
  { ...defaultQueue, args: { ...inOther, queueId: { idOf: "queue-2" } } },
];

/** Each in plain words, and the history that shows it. */
export const regressions: readonly Regression[] = [
  {
    title: "a colleague creates an equal agent token just before the connection of ours is reset",
    history: equalToken("colleague"),
  },
  {
    title: "a second stack creates an equal agent token just before the connection of ours is reset",
    history: equalToken("second stack"),
  },
  {
    title: "a second stack creates an equal cluster a minute before the connection of our creation is reset",
    history: history([
      chapter([otherCluster, cluster], {
        meanwhile: [
          before("clusters.create", act("create an equal one", "Cluster", 1, "second stack"), 0, 90),
        ],
        troubles: [{ ...trouble("clusters.create", "dropped before"), after: 1 }],
      }),
    ]),
  },
  ...groups.map(
    ([group, declared]): Regression => ({
      title: `a gateway answers 504, and the service creates ${declared.name} five seconds later`,
      history: history([
        chapter([declared], { troubles: [trouble(`${group}.create`, "504, done 5000 ms later")] }),
      ]),
    }),
  ),
  {
    title: "the connection of a creation is reset, and the service creates the agent token a minute later",
    history: history([
      chapter([cluster]),
      chapter([cluster, token], {
        troubles: [trouble("agentTokens.create", "dropped, done 60000 ms later")],
      }),
    ]),
  },
  {
    title: "a read-only update meets a colleague's new cluster",
    history: history([
      chapter([cluster], {
        meanwhile: [before("clusters.list", act("create an equal one", "Cluster"), 1)],
        settings: { ...usual, readOnly: true },
      }),
    ]),
  },
  {
    title: "an update that is canceled during a rate-limit wait meets a colleague's new cluster",
    history: history(
      [
        chapter([cluster], {
          meanwhile: [before("clusters.list", act("create an equal one", "Cluster"), 1)],
          settings: { ...usual, canceled: true },
          troubles: [trouble("clusters.create", "429")],
        }),
      ],
      { backend: "plugin" },
    ),
  },
  ...(["dynamic", "plugin"] as const).map(
    (backend): Regression => ({
      title: `a rename with the option import deletes the old entry only (${backend})`,
      history: history(
        [
          chapter([cluster, team]),
          chapter([cluster, team], { renamed: ["cluster-1", "team-1"], bridge: "import" }),
        ],
        { backend },
      ),
    }),
  ),
  {
    title: "a destroy after an interrupted rename with the option import deletes what the old entry owns",
    history: history([
      chapter([cluster, queue]),
      chapter([cluster, { ...queue, args: { ...queue.args, description: "first words" } }], {
        renamed: ["cluster-1"],
        bridge: "import",
        troubles: [trouble("queues.update", "refused")],
      }),
      chapter([], { command: { what: "destroy" } }),
    ]),
  },
  {
    title: "a colleague puts an agent token into a cluster that is then deleted",
    history: history([
      chapter([cluster, token]),
      chapter([], { between: [act("create an equal one", "AgentToken")] }),
    ]),
  },
  {
    title: "the response to a suite's deletion is lost, and a colleague takes its slug",
    history: history([
      chapter([suite]),
      chapter([], {
        meanwhile: [before("suites.delete", act("create an equal one", "Suite"), 1)],
        troubles: [trouble("suites.delete", "dropped after")],
      }),
    ]),
  },
  ...groups.map(
    ([group, declared]): Regression => ({
      title: `a login page answers the deletion of ${declared.name}, which stays on the service`,
      history: history([
        chapter([declared]),
        chapter([], { troubles: [{ ...trouble(`${group}.delete`, "HTML page before"), times: 20 }] }),
      ]),
    }),
  ),
  {
    title: "the response to a suite's update is lost, and its slug becomes a colleague's",
    history: history([
      chapter([suite]),
      chapter([{ ...suite, args: { ...suite.args, defaultBranch: "trunk" } }], {
        meanwhile: [before("suites.update", act("delete and create an equal one", "Suite"), 1)],
        troubles: [trouble("suites.update", "dropped before")],
      }),
    ]),
  },
  ...[0, 1, 2, 5].map(
    (index): Regression => ({
      title: `the service refuses with awkward text ${index}`,
      history: history([
        chapter([cluster], { troubles: [trouble("clusters.create", `422 with awkward text ${index}`)] }),
      ]),
    }),
  ),
  {
    title: "a colleague renames a cluster to half a surrogate pair",
    history: history([
      chapter([cluster]),
      chapter([cluster], {
        between: [act("rename awkwardly", "Cluster", 2)],
        command: { what: "refresh" },
      }),
    ]),
  },
  {
    title: "a colleague deletes a secret team",
    history: history([
      chapter([secretTeam]),
      chapter([secretTeam], { between: [act("delete", "Team")], command: { what: "refresh" } }),
    ]),
  },
  {
    title: "a colleague deletes an unavailable template before a destroy",
    history: history([
      chapter([hiddenTemplate]),
      chapter([], { between: [act("delete", "PipelineTemplate")], command: { what: "destroy" } }),
    ]),
  },
  {
    title: "the response to the deletion of a secret team is lost",
    history: history([
      chapter([secretTeam]),
      chapter([], { troubles: [trouble("teams.delete", "dropped after")] }),
      chapter([]),
    ]),
  },
  {
    title: "a token that loses its roles between two commands forgets nothing",
    history: history([
      chapter([secretTeam, hiddenTemplate]),
      chapter([secretTeam, hiddenTemplate], {
        between: [act("take a role away", "Team")],
        command: { what: "refresh" },
      }),
    ]),
  },
  {
    title: "a refresh with a wrong base address forgets no team",
    history: history([
      chapter([team]),
      chapter([team], { command: { what: "refresh" }, settings: { ...usual, service: "wrong" } }),
    ]),
  },
  {
    title: "a destroy with a wrong base address forgets no default queue",
    history: history([
      chapter([cluster, queue, defaultQueue]),
      chapter([], { command: { what: "destroy" }, settings: { ...usual, service: "wrong" } }),
    ]),
  },
  {
    title: "a list shifts between its pages while a renamed suite is looked for",
    history: history(
      [
        chapter([suite], { command: { what: "preview" } }),
        chapter([suite], {
          between: [act("create a similar one", "Suite"), act("create a similar one", "Suite")],
        }),
        chapter([suite], {
          between: [act("rename", "Suite", 2)],
          meanwhile: [before("suites.list", act("delete", "Suite"), 1)],
          command: { what: "refresh" },
        }),
      ],
      { page: 2, suiteSlug: "changed" },
    ),
  },
  {
    title: "a colleague replaces our team by an equal one before the list that a terse response needs",
    history: history(
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
  },
  {
    title: "a team becomes secret by a terse update after the token's user lost the role, and is destroyed",
    history: history(
      [
        chapter([{ name: "team-2", kind: "Team", args: { name: "team-2-alpha", privacy: "visible" } }]),
        chapter([secretTeam], {
          meanwhile: [{ act: act("take a role away", "Cluster"), before: undefined, skip: 0, seconds: 0 }],
        }),
        chapter([], { command: { what: "destroy" } }),
        chapter([], { settings: { ...usual, token: "rotated" } }),
      ],
      { teamResponse: "submitted" },
    ),
  },
  {
    title:
      "a replaced default queue whose deletion is pending is renamed, and its ClusterDefaultQueue is deleted meanwhile",
    history: history(
      [
        chapter([cluster, otherCluster, queue, defaultQueue]),
        chapter([cluster, otherCluster, ...movedDefault, team], {
          troubles: [trouble("teams.create", "refused")],
        }),
        chapter([cluster, otherCluster, queue], { renamed: ["queue-1"], bridge: "aliases" }),
      ],
      { order: 3 },
    ),
  },
];
