import type { QuestionName } from "./answers.js";

/** A question that the API's documentation leaves open. */
export interface Question {
  readonly asks: string;
  /** What the API's documentation says. */
  readonly document: string;
  /** What the provider or the client does, whatever the answer is. */
  readonly copes: string;
  /** Why no probe asks it. */
  readonly cannotBeAsked?: string;
}

const OPEN = "doesn't say";

/** Every question by the variation of the emulator that its answer sets. */
export const questions: { readonly [Name in QuestionName]: Question } = {
  pauseNoteField: {
    asks: "Which property sets the note of a paused queue?",
    document: "`note` in the list of properties, `dispatch_paused_note` in the example",
    copes: "sends both",
  },
  suiteTeamsField: {
    asks: "Which property assigns teams to a new suite?",
    document: "`team_ids` in the example, `teams_ids` in the list of properties",
    copes: "sends `team_ids`",
  },
  suiteTeamsRequired: {
    asks: "Does a new suite need a team?",
    document: "yes, if the organization has teams enabled",
    copes: "reports the API's refusal; `teamIds` is the argument to set",
  },
  suiteReadReturnsCreateFields: {
    asks: "Does reading a suite return `application_name`, `color` and `emoji`?",
    document: "only the creation returns them",
    copes: "keeps what the program says where the API returns nothing",
  },
  showApiTokenOnRead: {
    asks: "Does reading a suite with `show_api_token` return its API token?",
    document: "only the creation returns it",
    copes: "asks when it imports a suite; without the token, the output is undefined",
  },
  suiteSlugOnRename: {
    asks: "Does renaming a suite change its slug?",
    document: OPEN,
    copes: "finds a suite by its id before each write",
  },
  suiteErrorBody: {
    asks: "What form does the body of a refused suite request have?",
    document: OPEN,
    copes: "shows the text of any form",
  },
  teamWriteResponse: {
    asks: "Does creating or updating a team return the team, or only what was sent?",
    document: "shows only what was sent",
    copes: "finds the team in the list where the response has no id",
  },
  teamReturnsWritableFields: {
    asks: "Does a team show its default role, and whether members can create pipelines?",
    document: OPEN,
    copes: "keeps the last values that were sent where the API returns none",
  },
  teamDescriptionRequired: {
    asks: "Is a team without `description` refused?",
    document: "all six properties are required",
    copes: "sends all six",
  },
  teamUpdate: {
    asks: "Does an update of a team keep properties that it doesn't send?",
    document: "all six properties are required",
    copes: "reads the team first and sends all six",
  },
  teamSlugOnRename: {
    asks: "Does renaming a team change its slug?",
    document: OPEN,
    copes: "shows the slug as unknown in the preview of a rename",
  },
  teamScope: {
    asks: "Which scope reads a single team?",
    document: "`view_teams`",
    copes: "accepts either in its check of scopes",
  },
  clearDefaultQueue: {
    asks: "Does `default_queue_id: null` clear a cluster's default queue?",
    document: "names only the id of a queue",
    copes: "removes the resource from state with a warning if the API refuses",
  },
  deleteDefaultQueue: {
    asks: "Can a queue be deleted that is its cluster's default?",
    document: OPEN,
    copes: "repeats the deletion for some seconds while the default is cleared",
  },
  deleteQueueWithAgents: {
    asks: "Can a queue with connected agents be deleted?",
    document: OPEN,
    copes: "reports the refusal and what to do about the agents",
    cannotBeAsked: "a probe starts no agents",
  },
  unsetText: {
    asks: "How does optional text without a value come back?",
    document: OPEN,
    copes: "treats null, an empty text and a missing property as equal",
  },
  allowedAddressesUnset: {
    asks: "How do allowed addresses without a value come back?",
    document: OPEN,
    copes: "treats null, an empty text and a missing property as equal",
  },
  allowedAddressesForm: {
    asks: "Are allowed addresses a string or an array?",
    document: "describes a list, and shows a string",
    copes: "reads both, and sends a string",
  },
  allowedAddresses: {
    asks: "Does the API change the form of allowed addresses?",
    document: OPEN,
    copes: "compares the networks, not their spelling",
  },
  colorCase: {
    asks: "Does the API change the case of a color?",
    document: OPEN,
    copes: "compares colors without their case",
  },
  emojiForm: {
    asks: "Does the API change the form of an emoji's name?",
    document: "shows names between colons",
    copes: "compares names without their colons",
  },
  yamlText: {
    asks: "Does the API change the text of a template's configuration?",
    document: OPEN,
    copes: "compares the parsed YAML",
  },
  cancelState: {
    asks: "Which state does the response to canceling a build show?",
    document: "`canceled`",
    copes: "waits while a build is `canceling`",
    cannotBeAsked: "a probe cancels no builds",
  },
  waitingJobQueue: {
    asks: "Does a job that waits show the queue that it waits for?",
    document: "describes the queue that ran the job",
    copes: "finds the queue by the job's rules where the id is missing",
  },
  pullRequestUnset: {
    asks: "How does `pull_request` of a build without one come back?",
    document: OPEN,
    copes: "reads all forms",
  },
  broadBuildLists: {
    asks: "Do lists of builds across pipelines show whole pipelines?",
    document: OPEN,
    copes: "reads both forms",
  },
  webhookUrlVisible: {
    asks: "Does the access token's user see webhook addresses?",
    document: "only with permission to edit the pipeline",
    copes: "reads an empty address",
  },
  embeddedUserGraphqlId: {
    asks: "Do embedded users have a `graphql_id`?",
    document: "not everywhere",
    copes: "keeps only id, name and email",
  },
  agentPriority: {
    asks: "Is an agent's priority a number or a string?",
    document: OPEN,
    copes: "reads both",
  },
  lastJobFinishedAt: {
    asks: "What form does an agent's `last_job_finished_at` have?",
    document: OPEN,
    copes: "reads both",
  },
  agentFilter: {
    asks: "Does the filter `name` of agents match a part of a name?",
    document: OPEN,
    copes: "passes the filter on",
  },
  linkHeaderOnSinglePage: {
    asks: "Does a list that fits one page have a `Link` header?",
    document: OPEN,
    copes: "reads both",
  },
  linkRelations: {
    asks: "Which relations does a `Link` header have?",
    document: OPEN,
    copes: "follows `next` alone",
  },
  undocumentedPages: {
    asks: "Are members and templates listed in pages?",
    document: "only other lists are described as paginated",
    copes: "follows `next` wherever there is one",
  },
  largestPage: {
    asks: "How many entries does a page have at most?",
    document: OPEN,
    copes: "asks for 100 and follows `next`",
  },
  listLag: {
    asks: "Is a new object missing in the next lists?",
    document: OPEN,
    copes: "looks a second time after a lost response",
  },
  missingScope: {
    asks: "Which status does a request without the needed scope get?",
    document: OPEN,
    copes: "treats a 404 as missing only if a list confirms it",
  },
  enterprisePlan: {
    asks: "Does the organization's plan have pipeline templates?",
    document: "needs an Enterprise plan",
    copes: "reports the API's refusal",
  },
};

export const questionNames = Object.keys(questions) as QuestionName[];
