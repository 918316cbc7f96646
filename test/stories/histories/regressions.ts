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
  importedTeam,
  inOther,
  otherCluster,
  queue,
  secretTeam,
  suite,
  team,
  token,
  trouble,
} from "./chapters.js";
import { type Chapter, type History, usual } from "./history.js";
import type { Declared, Program } from "./program.js";

type Histories = Readonly<Record<string, History>>;

const refresh = (program: Program, more?: Partial<Chapter>) =>
  chapter(program, { command: { what: "refresh" }, ...more });
const destroy = (more?: Partial<Chapter>) => chapter([], { command: { what: "destroy" }, ...more });
const wrongService = { ...usual, service: "wrong" } as const;

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

const renamedWithImport = (backend: History["backend"]) =>
  history(
    [
      chapter([cluster, team]),
      chapter([cluster, team], { renamed: ["cluster-1", "team-1"], bridge: "import" }),
    ],
    { backend },
  );

/** A creation that is carried out in spite of a 503, and what a colleague does before the list is read. */
const madeInSpite = (what: "change" | "rename") =>
  history([
    chapter([cluster], {
      meanwhile: [{ act: act(what, "Cluster"), before: undefined, skip: 3, seconds: 0 }],
      troubles: [trouble("clusters.create", "503 after")],
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

const ofEach = (what: (name: string) => string, play: (group: string, made: Declared) => History) =>
  Object.fromEntries(groups.map(([group, made]) => [what(made.name), play(group, made)]));

/** Another queue in the other cluster, and the ClusterDefaultQueue that moves to both. */
const otherQueue: Declared = { ...changed(queue, { ...inOther, key: "queue-2-key" }), name: "queue-2" };
const movedDefault = changed(defaultQueue, { ...inOther, queueId: { idOf: "queue-2" } });

/** Histories that violated an invariant once, each in plain words. */
export const regressions: Histories = {
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
  "a rename with the option import deletes the old entry only (dynamic)": renamedWithImport("dynamic"),
  "a rename with the option import deletes the old entry only (plugin)": renamedWithImport("plugin"),
  "a destroy after an interrupted rename with the option import deletes what the old entry owns": history([
    chapter([cluster, queue]),
    chapter([cluster, changed(queue, { description: "first words" })], {
      renamed: ["cluster-1"],
      bridge: "import",
      troubles: [trouble("queues.update", "refused")],
    }),
    destroy(),
  ]),
  "a colleague puts an agent token into a cluster that is then deleted": history([
    chapter([cluster, token]),
    chapter([], { between: [act("create an equal one", "AgentToken")] }),
  ]),
  "the response to a suite's deletion is lost, and a colleague takes its slug": history([
    chapter([suite]),
    chapter([], {
      meanwhile: [before("suites.delete", act("create an equal one", "Suite"), 1)],
      troubles: [trouble("suites.delete", "dropped after")],
    }),
  ]),
  ...ofEach(
    (name) => `a login page answers the deletion of ${name}, which stays on the service`,
    (group, made) =>
      history([
        chapter([made]),
        chapter([], { troubles: [{ ...trouble(`${group}.delete`, "HTML page before"), times: 20 }] }),
      ]),
  ),
  "the response to a suite's update is lost, and its slug becomes a colleague's": history([
    chapter([suite]),
    chapter([changed(suite, { defaultBranch: "trunk" })], {
      meanwhile: [before("suites.update", act("delete and create an equal one", "Suite"), 1)],
      troubles: [trouble("suites.update", "dropped before")],
    }),
  ]),
  ...Object.fromEntries(
    [0, 1, 2, 5].map((index) => [
      `the service refuses with awkward text ${index}`,
      history([
        chapter([cluster], { troubles: [trouble("clusters.create", `422 with awkward text ${index}`)] }),
      ]),
    ]),
  ),
  "a colleague renames a cluster to half a surrogate pair": history([
    chapter([cluster]),
    refresh([cluster], { between: [act("rename awkwardly", "Cluster", 2)] }),
  ]),
  "a colleague deletes a secret team": history([
    chapter([secretTeam]),
    refresh([secretTeam], { between: [act("delete", "Team")] }),
  ]),
  "a colleague deletes an unavailable template before a destroy": history([
    chapter([hiddenTemplate]),
    destroy({ between: [act("delete", "PipelineTemplate")] }),
  ]),
  "the response to the deletion of a secret team is lost": history([
    chapter([secretTeam]),
    chapter([], { troubles: [trouble("teams.delete", "dropped after")] }),
    chapter([]),
  ]),
  "a token that loses its roles between two commands forgets nothing": history([
    chapter([secretTeam, hiddenTemplate]),
    refresh([secretTeam, hiddenTemplate], { between: [act("take a role away", "Team")] }),
  ]),
  "a refresh with a wrong base address forgets no team": history([
    chapter([team]),
    refresh([team], { settings: wrongService }),
  ]),
  "a destroy with a wrong base address forgets no default queue": history([
    chapter([cluster, queue, defaultQueue]),
    destroy({ settings: wrongService }),
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
};

/** Histories in which the provider was right, and the model of the engine or an invariant was wrong once. */
export const misjudged: Histories = {
  "a default queue moves to another cluster while the queue that it was is deleted before its replacement":
    history(
      [
        chapter([cluster, otherCluster, queue, defaultQueue]),
        chapter([otherCluster, otherQueue, changed(queue, inOther), movedDefault]),
      ],
      { order: 2 },
    ),
  "a cluster is created in spite of a 503, and a colleague renames it before the list is read":
    madeInSpite("rename"),
  "a cluster is created in spite of a 503, and a colleague changes it before the list is read":
    madeInSpite("change"),
  "a renamed team that the stack imports keeps the slug of another one in the program": history([
    chapter([team]),
    chapter([], {
      between: [act("delete and create an equal one", "Team"), act("rename", "Team")],
      imports: [importedTeam],
    }),
    chapter([team], { imports: [importedTeam] }),
  ]),
  "a colleague's team is recorded in place of one that the service creates late, and deleted later": history([
    chapter([team], {
      meanwhile: [before("teams.create", act("create an equal one", "Team"))],
      troubles: [trouble("teams.create", "504, done 5000 ms later")],
    }),
    chapter([]),
  ]),
  "a queue that is deleted before its replacement can't be paused after it is created again": history([
    chapter([cluster, otherCluster, queue]),
    chapter([cluster, otherCluster, changed(queue, { ...inOther, dispatchPaused: true })], {
      troubles: [trouble("queues.pauseDispatch", "refused")],
    }),
  ]),
  "the response to the deletion of a secret team is lost, and its token lost the role before": history([
    chapter([secretTeam]),
    chapter([], {
      between: [act("take a role away", "Team")],
      troubles: [trouble("teams.delete", "503 after")],
    }),
  ]),
  "a colleague takes the slug of a suite that was just looked at, while another suite is looked at": history([
    chapter([suite, { ...changed(suite, { name: "beta-unit" }), name: "suite-2" }]),
    destroy({ meanwhile: [before("suites.get", act("delete and create an equal one", "Suite"), 1)] }),
  ]),
};
