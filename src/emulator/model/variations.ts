/** Declares an option with its default, which is one of several values. */
const option = <Value>(usual: Value): Value => usual;

/**
 * Options for questions that the API's documentation leaves open, and for known differences between services. The defaults are
 * the known behavior of the live service, or else the documentation's examples.
 */
export const defaultVariations = {
  /** The property of a pause request that sets the queue's note. Default `dispatch_paused_note`. */
  pauseNoteField: option<"dispatch_paused_note" | "note" | "both">("dispatch_paused_note"),
  /** The property that assigns teams when a suite is created. Default `team_ids`. */
  suiteTeamsField: option<"team_ids" | "teams_ids" | "both">("team_ids"),
  /** True if the organization has teams enabled, so that a suite needs at least one. Default false. */
  suiteTeamsRequired: false,
  /**
   * True if reads and updates of a suite show the fields that are documented for the response of a creation only; `single`: all but
   * lists do. Default false.
   */
  suiteReadReturnsCreateFields: option<boolean | "single">(false),
  /** True if `?show_api_token=true` returns the API token also when a suite is read. Default true. */
  showApiTokenOnRead: true,
  /** Slug of a suite after a change of its name. Default `kept`. */
  suiteSlugOnRename: option<"kept" | "changed">("kept"),
  /** The body of a refused suite request. Default `message`, as elsewhere. */
  suiteErrorBody: option<"message" | "errors" | "empty" | "text">("message"),
  /** Response to the creation and update of a team: the team, or the submitted properties. Default `full`. */
  teamWriteResponse: option<"full" | "submitted">("full"),
  /** True if a team shows `is_default_team`, `default_member_role` and `members_can_create_pipelines`. Default false. */
  teamReturnsWritableFields: false,
  /** True if a team without `description` is refused; published clients leave an empty one out. Default false. */
  teamDescriptionRequired: false,
  /**
   * True if a team without the four permissions is refused that some of Buildkite's pages require and others lack. Default
   * false.
   */
  teamPermissionsRequired: false,
  /**
   * Meaning of missing properties in a team's update: `partial` keeps their values, `whole` refuses. Default `partial`.
   */
  teamUpdate: option<"partial" | "whole">("partial"),
  /** Slug of a team after a change of its name. Default `kept`. */
  teamSlugOnRename: option<"kept" | "changed">("kept"),
  /** The scope that reads a single team. Default `either`. */
  teamScope: option<"either" | "read_teams" | "view_teams">("either"),
  /** True if `default_queue_id: null` clears a cluster's default queue. Default `allowed`. */
  clearDefaultQueue: option<"allowed" | "refused">("allowed"),
  /** True if a queue that is its cluster's default can be deleted. Default `refused`. */
  deleteDefaultQueue: option<"allowed" | "refused">("refused"),
  /** True if a queue with connected agents can be deleted. Default `refused`. */
  deleteQueueWithAgents: option<"allowed" | "refused">("refused"),
  /** How optional text that was never set or was cleared comes back. Default null. */
  unsetText: option<null | "" | "absent">(null),
  /** How allowed addresses that were never set or were cleared come back. Default null. */
  allowedAddressesUnset: option<null | "" | "absent">(null),
  /** The type of `allowed_ip_addresses` in responses: both are documented. Default `string`. */
  allowedAddressesForm: option<"string" | "array">("string"),
  /** Form of allowed addresses: `canonical` adds `/32` and clears host bits. Default `kept`. */
  allowedAddresses: option<"kept" | "canonical" | "sorted">("kept"),
  /**
   * `expires_at` of an agent token that doesn't expire: some of Buildkite's pages lack the field. `shown`: null. Default
   * `absent`.
   */
  agentTokenExpiresAt: option<"absent" | "shown">("absent"),
  /** Blanks and line breaks at the ends of a name or description. Default `kept`. */
  textEnds: option<"kept" | "trimmed">("kept"),
  /** The case a color is stored in. Default `kept`. */
  colorCase: option<"kept" | "lower" | "upper">("kept"),
  /** Form of an emoji: `colons` adds them around a bare name, `bare` removes them. Default `kept`. */
  emojiForm: option<"kept" | "colons" | "bare">("kept"),
  /** Form of a template's YAML text. Default `kept`. */
  yamlText: option<"kept" | "trimmed" | "final-newline" | "reformatted">("kept"),
  /** The state a cancel response shows. A build shown as `canceling` is canceled when read next. Default `canceled`. */
  cancelState: option<"canceled" | "canceling">("canceled"),
  /**
   * `cluster_queue_id` of a job that has not run: documented for jobs that ran. `shown`: the queue that the job
   * waits for. Default `absent`.
   */
  waitingJobQueue: option<"absent" | "shown">("absent"),
  /** `pull_request` of a build without one. Default null. */
  pullRequestUnset: option<null | "empty" | "absent">(null),
  /** The shape of builds in the first two lists. Default `full`: as in a pipeline's list. */
  broadBuildLists: option<"full" | "reduced">("full"),
  /** True if the user may edit pipelines, and so sees `provider.webhook_url`. Default true. */
  webhookUrlVisible: true,
  /** True if users embedded in other resources have a `graphql_id`. Default true. */
  embeddedUserGraphqlId: true,
  /** The type of an agent's priority. Default `number`. */
  agentPriority: option<"number" | "string">("number"),
  /** The type of an agent's `last_job_finished_at`. Default `timestamp`. */
  lastJobFinishedAt: option<"timestamp" | "epoch">("timestamp"),
  /** How the agents' `name` and `hostname` parameters match. Default `exact`. */
  agentFilter: option<"exact" | "contains">("exact"),
  /** `Link` of a list that fits one page. Default `absent`. */
  linkHeaderOnSinglePage: option<"absent" | "empty">("absent"),
  /** Relations of a `Link` header, in addition to `next`. Default all. */
  linkRelations: option<"all" | "next-only">("all"),
  /** Members and templates are not documented as paginated: all at once, in pages when asked for, or always in pages. Default `on-request`. */
  undocumentedPages: option<"never" | "on-request" | "always">("on-request"),
  /** How many entries a page has at most, whatever is asked for. Default 100. */
  largestPage: 100,
  /** In how many lists, of those that would have it, an object is still missing after it was created. Default 0. */
  listLag: 0,
  /** The status when the access token lacks a scope. Default 403; the live service answers 404 at places. */
  missingScope: option<403 | 404>(403),
  /** True if the organization's plan has pipeline templates. Default true. */
  enterprisePlan: true,
  /**
   * True if the service has pipelines, schedules, secrets, maintainers, the teams' members, pipelines and suites, and the
   * fields added with them. False: their paths are 404, and the fields absent. Default true.
   */
  newerApi: true,
  /** Bytes that a secret's value has at most: 8 KB and 32 KB are documented. Default 8192. */
  largestSecret: 8192,
  /** Whether a pipeline with builds that are scheduled or running can be deleted. Default `refused`. */
  deletePipelineWithBuilds: option<"allowed" | "refused">("refused"),
  /** Whether a cluster with pipelines can be deleted; `allowed` takes them out of it. Default `refused`. */
  deleteClusterWithPipelines: option<"allowed" | "refused">("refused"),
  /** True if the list of pipelines has archived ones. Default false. */
  archivedPipelinesInList: false,
  /** What a pipeline's slug of before a rename leads to: 404, a redirect (301), or the pipeline. Default `missing`. */
  oldPipelineSlug: option<"missing" | "redirected" | "resolved">("missing"),
  /** The cluster of a pipeline created without `cluster_id`: none, the first one, or a refusal. Default null. */
  clusterOfNewPipeline: option<null | "default" | "refused">(null),
  /** Whether `teams` in an update of a pipeline has an effect. Default `ignored`. */
  pipelineTeamsOnUpdate: option<"ignored" | "applied">("ignored"),
  /** True if the organization can stop and resume builds by GitHub's events. False: these paths are 404. Default true. */
  githubWebhooksAvailable: true,
  /** Whether a team can have a suite's level `edit` without `read`. Default `refused`. */
  suiteEditAlone: option<"allowed" | "refused">("refused"),
  /** The newer flags that a team's update leaves out: false, or as they were. Default `reset`. */
  teamFlagsLeftOut: option<"reset" | "kept">("reset"),
  /** `links.next` of the last page of a list by cursor. Default `absent`. */
  lastCursorLink: option<null | "absent">("absent"),
  /** What reads show of a masked setting of a notification service: its last four characters, or none. Default `ending`. */
  maskedSettings: option<"ending" | "whole">("ending"),
  /** What an update of a notification service does to build states that it leaves out: they stay, or go. Default `merged`. */
  buildStatesUpdate: option<"merged" | "replaced">("merged"),
  /** Whether a second rule of one type for the same two pipelines can be created. Default `refused`. */
  duplicateRules: option<"allowed" | "refused">("refused"),
  /** What a notification service's list has of a pipeline, team or cluster that was deleted. Default `kept`. */
  deletedInScope: option<"kept" | "removed">("kept"),
  /** `env` of a schedule without variables. Default null. */
  scheduleEnvUnset: option<null | "empty">(null),
};

/** A value for each option. */
export type Variations = typeof defaultVariations;

/** Returns the variations of a service that was probed. A question without an answer has its default. */
export function variationsLike(
  probed: { readonly answers: Readonly<Record<string, unknown>> } | undefined,
): Variations {
  const answers = Object.entries(probed?.answers ?? {});
  const other = answers.find(([name]) => !Object.hasOwn(defaultVariations, name));
  if (other !== undefined) throw new Error(`like.answers.${other[0]} is not a variation of the emulator.`);
  // A wrong value would show in the responses.
  return { ...defaultVariations, ...Object.fromEntries(answers.filter(([, answer]) => answer !== null)) };
}
