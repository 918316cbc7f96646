import {
  act,
  before,
  chapter,
  cluster,
  defaultQueue,
  history,
  importedTeam,
  inOther,
  otherCluster,
  queue,
  secretTeam,
  suite,
  team,
  trouble,
} from "./chapters.js";
import type { Regression } from "./regressions.js";

/** Histories in which the provider was right, and the model of the engine or an invariant was wrong once. */
export const misjudged: readonly Regression[] = [
  {
    title:
      "a default queue moves to another cluster while the queue that it was is deleted before its replacement",
    history: history(
      [
        chapter([cluster, otherCluster, queue, defaultQueue]),
        chapter([
          otherCluster,
          { ...queue, name: "queue-2", args: { ...inOther, key: "queue-2-key" } },
          { ...queue, args: { ...inOther, key: "queue-1-key" } },
          { ...defaultQueue, args: { ...inOther, queueId: { idOf: "queue-2" } } },
        ]),
      ],
      { order: 2 },
    ),
  },
  {
    title: "a cluster is created in spite of a 503, and a colleague renames it before the list is read",
    history: history([
      chapter([cluster], {
        meanwhile: [{ act: act("rename", "Cluster"), before: undefined, skip: 3, seconds: 0 }],
        troubles: [trouble("clusters.create", "503 after")],
      }),
    ]),
  },
  {
    title: "a cluster is created in spite of a 503, and a colleague changes it before the list is read",
    history: history([
      chapter([cluster], {
        meanwhile: [{ act: act("change", "Cluster"), before: undefined, skip: 3, seconds: 0 }],
        troubles: [trouble("clusters.create", "503 after")],
      }),
    ]),
  },
  {
    title: "a renamed team that the stack imports keeps the slug of another one in the program",
    history: history([
      chapter([team]),
      chapter([], {
        between: [act("delete and create an equal one", "Team"), act("rename", "Team")],
        imports: [importedTeam],
      }),
      chapter([team], { imports: [importedTeam] }),
    ]),
  },
  {
    title: "a colleague's team is recorded in place of one that the service creates late, and deleted later",
    history: history([
      chapter([team], {
        meanwhile: [before("teams.create", act("create an equal one", "Team"))],
        troubles: [trouble("teams.create", "504, done 5000 ms later")],
      }),
      chapter([]),
    ]),
  },
  {
    title: "a queue that is deleted before its replacement can't be paused after it is created again",
    history: history([
      chapter([cluster, otherCluster, queue]),
      chapter(
        [cluster, otherCluster, { ...queue, args: { ...inOther, key: "queue-1-key", dispatchPaused: true } }],
        { troubles: [trouble("queues.pauseDispatch", "refused")] },
      ),
    ]),
  },
  {
    title: "the response to the deletion of a secret team is lost, and its token lost the role before",
    history: history([
      chapter([secretTeam]),
      chapter([], {
        between: [act("take a role away", "Team")],
        troubles: [trouble("teams.delete", "503 after")],
      }),
    ]),
  },
  {
    title: "a colleague takes the slug of a suite that was just looked at, while another suite is looked at",
    history: history([
      chapter([suite, { ...suite, name: "suite-2", args: { ...suite.args, name: "beta-unit" } }]),
      chapter([], {
        meanwhile: [before("suites.get", act("delete and create an equal one", "Suite"), 1)],
        command: { what: "destroy" },
      }),
    ]),
  },
];
