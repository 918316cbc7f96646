import type { Questions } from "./question.js";

const notMade = "a probe makes no pipelines, secrets and members";
const noServices = "a probe makes no notification services and rules";

/** Questions about pipelines and the kinds that came with them. No probe asks them. */
export const ofNewerApi = {
  newerApi: {
    asks: "Does the service have pipelines, schedules, secrets and access of teams?",
    copes: "sends no request for them to manage the other resource types",
    answer: notMade,
  },
  largestSecret: {
    asks: "How many bytes can a secret's value have?",
    document: "under 8 KB on one page, 32 KB on another",
    copes: "warns above 8 KB",
    answer: notMade,
  },
  deletePipelineWithBuilds: {
    asks: "Can a pipeline with running builds be deleted?",
    copes: "waits for the builds",
    answer: notMade,
  },
  deleteClusterWithPipelines: {
    asks: "Can a cluster with pipelines be deleted?",
    copes: "reports the refusal",
    answer: notMade,
  },
  archivedPipelinesInList: {
    asks: "Does the list of pipelines have archived ones?",
    copes: "reads an archived pipeline by its slug",
    answer: notMade,
  },
  oldPipelineSlug: {
    asks: "What does a pipeline's slug of before a rename lead to?",
    document: "redirects on the web",
    copes: "proves with the id that a slug leads to the right pipeline",
    answer: notMade,
  },
  clusterOfNewPipeline: {
    asks: "Which cluster has a pipeline that is created without one?",
    document: "requires a cluster",
    copes: "warns if a pipeline states no cluster",
    answer: notMade,
  },
  pipelineTeamsOnUpdate: {
    asks: "Do teams in a pipeline's update have an effect?",
    document: "lists them, and sends the reader to GraphQL",
    copes: "sends them when it creates a pipeline only",
    answer: notMade,
  },
  githubWebhooksAvailable: {
    asks: "Can the organization stop builds by GitHub's events?",
    document: "only one that is enrolled in expanded webhook triggers",
    copes: "explains the 404",
    answer: notMade,
  },
  suiteEditAlone: {
    asks: "Can a team edit a suite that it can't read?",
    copes: "reports the refusal",
    answer: notMade,
  },
  teamFlagsLeftOut: {
    asks: "Does a team's update reset flags that it leaves out?",
    copes: "sends every flag that it knows",
    answer: notMade,
  },
  scheduleEnvUnset: {
    asks: "How does a schedule without variables come back?",
    copes: "reads null and {} as the same",
    answer: notMade,
  },
  lastCursorLink: {
    asks: "How does the last page of a list by cursor end?",
    copes: "reads null and a missing link as the end",
    answer: noServices,
  },
  maskedSettings: {
    asks: "What does a read show of a masked setting of a notification service?",
    document: "the last four characters",
    copes: "compares what is shown, and sends no mask",
    answer: noServices,
  },
  buildStatesUpdate: {
    asks: "Does an update of a notification service keep build states that it leaves out?",
    copes: "sends no build states",
    answer: noServices,
  },
  duplicateRules: {
    asks: "Can a second rule of one type for the same two pipelines be created?",
    copes: "creates the new rule before it deletes the old one, and reports a refusal",
    answer: noServices,
  },
  deletedInScope: {
    asks: "Does a notification service still name a pipeline, team or cluster that was deleted?",
    copes: "sends the whole list when it changes",
    answer: noServices,
  },
} satisfies Partial<Questions>;
