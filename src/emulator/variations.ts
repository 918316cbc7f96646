/**
 * Options for questions that the API's documentation leaves open, and for known differences between services. The defaults are
 * the known behavior of the live service, or else the document's examples.
 */
export interface Variations {
  /** The property of a pause request that sets the queue's note. Default `dispatch_paused_note`. */
  pauseNoteField: "dispatch_paused_note" | "note" | "both";
  /** The property that assigns teams when a suite is created. Default `team_ids`. */
  suiteTeamsField: "team_ids" | "teams_ids" | "both";
  /** True if the organization has teams enabled, so that a suite needs at least one. Default false. */
  suiteTeamsRequired: boolean;
  /**
   * True if reads and updates of a suite show the fields that are documented for the response of a creation only; `single`: all but
   * lists do. Default false.
   */
  suiteReadReturnsCreateFields: boolean | "single";
  /** True if `?show_api_token=true` returns the API token also when a suite is read. Default true. */
  showApiTokenOnRead: boolean;
  /** Slug of a suite after a change of its name. Default `kept`. */
  suiteSlugOnRename: "kept" | "changed";
  /** The body of a refused suite request. Default `message`, as elsewhere. */
  suiteErrorBody: "message" | "errors" | "empty" | "text";
  /**
   * Response to the creation and update of a team: the team, or the submitted properties. Default `full`.
   */
  teamWriteResponse: "full" | "submitted";
  /** True if a team shows `is_default_team`, `default_member_role` and `members_can_create_pipelines`. Default false. */
  teamReturnsWritableFields: boolean;
  /** True if a team without `description` is refused; published clients leave an empty one out. Default false. */
  teamDescriptionRequired: boolean;
  /**
   * Meaning of missing properties in a team's update: `partial` keeps their values, `whole` refuses. Default `partial`.
   */
  teamUpdate: "partial" | "whole";
  /** Slug of a team after a change of its name. Default `kept`. */
  teamSlugOnRename: "kept" | "changed";
  /** The scope that reads a single team. Default `either`. */
  teamScope: "either" | "read_teams" | "view_teams";
  /** True if `default_queue_id: null` clears a cluster's default queue. Default `allowed`. */
  clearDefaultQueue: "allowed" | "refused";
  /** True if a queue that is its cluster's default can be deleted. Default `refused`. */
  deleteDefaultQueue: "allowed" | "refused";
  /** True if a queue with connected agents can be deleted. Default `refused`. */
  deleteQueueWithAgents: "allowed" | "refused";
  /** How optional text that was never set or was cleared comes back. Default null. */
  unsetText: null | "" | "absent";
  /** How allowed addresses that were never set or were cleared come back. Default null. */
  allowedAddressesUnset: null | "" | "absent";
  /** The type of `allowed_ip_addresses` in responses: both are documented. Default `string`. */
  allowedAddressesForm: "string" | "array";
  /** Form of allowed addresses: `canonical` adds `/32` and clears host bits. Default `kept`. */
  allowedAddresses: "kept" | "canonical" | "sorted";
  /** The case a color is stored in. Default `kept`. */
  colorCase: "kept" | "lower" | "upper";
  /** Form of an emoji: `colons` adds them around a bare name, `bare` removes them. Default `kept`. */
  emojiForm: "kept" | "colons" | "bare";
  /** Form of a template's YAML text. Default `kept`. */
  yamlText: "kept" | "trimmed" | "final-newline" | "reformatted";
  /** The state a cancel response shows. A build shown as `canceling` is canceled when read next. Default `canceled`. */
  cancelState: "canceled" | "canceling";
  /**
   * `cluster_queue_id` of a job that has not run: documented for jobs that ran. `shown`: the queue that the job
   * waits for. Default `absent`.
   */
  waitingJobQueue: "absent" | "shown";
  /** `pull_request` of a build without one. Default null. */
  pullRequestUnset: null | "empty" | "absent";
  /** The shape of builds in the first two lists. Default `full`: as in a pipeline's list. */
  broadBuildLists: "full" | "reduced";
  /** True if the user may edit pipelines, and so sees `provider.webhook_url`. Default true. */
  webhookUrlVisible: boolean;
  /** True if users embedded in other resources have a `graphql_id`. Default true. */
  embeddedUserGraphqlId: boolean;
  /** The type of an agent's priority. Default `number`. */
  agentPriority: "number" | "string";
  /** The type of an agent's `last_job_finished_at`. Default `timestamp`. */
  lastJobFinishedAt: "timestamp" | "epoch";
  /** How the agents' `name` and `hostname` parameters match. Default `exact`. */
  agentFilter: "exact" | "contains";
  /** `Link` of a list that fits one page. Default `absent`. */
  linkHeaderOnSinglePage: "absent" | "empty";
  /** Relations of a `Link` header, in addition to `next`. Default all. */
  linkRelations: "all" | "next-only";
  /** Members and templates are not documented as paginated: all at once, in pages when asked for, or always in pages. Default `on-request`. */
  undocumentedPages: "never" | "on-request" | "always";
  /** How many entries a page has at most, whatever is asked for. Default 100. */
  largestPage: number;
  /** In how many lists, of those that would have it, an object is still missing after it was created. Default 0. */
  listLag: number;
  /** The status when the access token lacks a scope. Default 403; the live service answers 404 at places. */
  missingScope: 403 | 404;
  /** True if the organization's plan has pipeline templates. Default true. */
  enterprisePlan: boolean;
}

/** The value each variation has when nothing is said. */
export const defaultVariations: Variations = {
  pauseNoteField: "dispatch_paused_note",
  suiteTeamsField: "team_ids",
  suiteTeamsRequired: false,
  suiteReadReturnsCreateFields: false,
  showApiTokenOnRead: true,
  suiteSlugOnRename: "kept",
  suiteErrorBody: "message",
  teamWriteResponse: "full",
  teamReturnsWritableFields: false,
  teamDescriptionRequired: false,
  teamUpdate: "partial",
  teamSlugOnRename: "kept",
  teamScope: "either",
  clearDefaultQueue: "allowed",
  deleteDefaultQueue: "refused",
  deleteQueueWithAgents: "refused",
  unsetText: null,
  allowedAddressesUnset: null,
  allowedAddressesForm: "string",
  allowedAddresses: "kept",
  colorCase: "kept",
  emojiForm: "kept",
  yamlText: "kept",
  cancelState: "canceled",
  waitingJobQueue: "absent",
  pullRequestUnset: null,
  broadBuildLists: "full",
  webhookUrlVisible: true,
  embeddedUserGraphqlId: true,
  agentPriority: "number",
  lastJobFinishedAt: "timestamp",
  agentFilter: "exact",
  linkHeaderOnSinglePage: "absent",
  linkRelations: "all",
  undocumentedPages: "on-request",
  largestPage: 100,
  listLag: 0,
  missingScope: 403,
  enterprisePlan: true,
};

/**
 * Returns the variations of a service that was probed. A question without an answer has its default.
 *
 * @throws if an answer isn't one of a variation
 */
export function variationsLike(
  probed: { readonly answers: Readonly<Record<string, unknown>> } | undefined,
): Variations {
  const variations: Record<string, unknown> = { ...defaultVariations };
  for (const [name, answer] of Object.entries(probed?.answers ?? {})) {
    if (!Object.hasOwn(defaultVariations, name))
      throw new Error(`like.answers.${name} is not a variation of the emulator.`);
    if (answer !== null) variations[name] = answer;
  }
  // The names are those of the variations. A wrong value would show in the responses.
  return variations as unknown as Variations;
}
