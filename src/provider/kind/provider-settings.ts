import { similarNames } from "../../shared/messages/nearest-name.js";
import { quoted } from "../../shared/messages/quoted.js";
import { withCode } from "../../shared/protocol/message-codes.js";
import type { ValueMismatch } from "./mismatch.js";
import { type ArgumentReview, branches, opens, opensInside, RUN_BY_MORE, slows, when } from "./review.js";
import { map } from "./shape.js";

/** A map of settings whose names programs write in camelCase, and the API in snake_case. */

type Settings<Value> = { [setting: string]: Value };

/** The values may be of any type, which is why they have none. */
function isSettings(value: unknown): value is Settings<never> {
  return typeof value === "object" && value !== null;
}

export function withKeys<Value>(
  settings: Settings<Value>,
  spelled: (key: string) => string,
): Settings<Value> {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [spelled(key), value]));
}

export function camelCase(key: string): string {
  return key.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Returns the settings in the API's answer, with the names that programs write. The answer repeats the repository,
 * and which account of the source provider reaches it: neither is a setting.
 */
export function settingsIn(answer: unknown): Settings<never> | undefined {
  if (!isSettings(answer)) return undefined;
  const { repository: _, account: __, ...settings } = withKeys(answer, camelCase);
  return settings;
}

export function onlyNamed<Value>(found: Settings<Value>, wanted: Settings<Value>): Settings<Value> {
  return Object.fromEntries(Object.entries(found).filter(([key]) => key in wanted));
}

/** Settings whose names are written as arguments are. */
export function settingsShape(value: unknown): ValueMismatch[] {
  const mismatches = map(value);
  if (mismatches.length > 0) return mismatches;
  return Object.keys(Object(value))
    .filter((key) => camelCase(key) !== key)
    .map((key) => ({
      place: `.${key}`,
      value: key,
      problem: `is not in camelCase: write ${camelCase(key)}`,
    }));
}

/** Events that start builds, besides pushes to branches. */
const EVENTS = [
  "buildCheckRunCompleted",
  "buildCreateEvent",
  "buildDeploymentStatusCreated",
  "buildIssueCommentCreated",
  "buildMergeGroupChecksRequested",
  ...["BaseBranchChanged", "LabelsChanged", "ReadyForReview", "Reopened", "Edited", "ConvertedToDraft"].map(
    (event) => `buildPullRequest${event}`,
  ),
  ...["ReviewRequested", "ReviewSubmitted", "ReviewDismissed", "Dequeued", "ReviewCommentCreated"].map(
    (event) => `buildPullRequest${event}`,
  ),
  ...["Published", "Created", "Released"].map((event) => `buildRelease${event}`),
];

/** Values beside which a pipeline builds nothing that its repository announces, and no pull request. */
export const OFF = {
  archived: [true],
  githubWebhooks: [false],
  triggerMode: ["none", "deployment", "fork"],
};
const NO_PULLS = { ...OFF, buildPullRequests: [false] };

const builds = (what: string, unless: ArgumentReview["unless"] = OFF) =>
  when(
    {
      true: opensInside(`{builds|build} ${what}`, RUN_BY_MORE),
      false: slows(`no longer {builds|build} ${what}`),
    },
    { unless },
  );

/** What decides, beside the setting of forks itself, whether a pipeline builds pull requests, and which. */
const OF_FORKS = {
  opensWith: [
    "archived",
    "githubWebhooks",
    "createWebhook",
    "configuration",
    "triggerMode",
    "buildPullRequests",
    "filterEnabled",
    "filterCondition",
    "pullRequestBranchFilterEnabled",
    "pullRequestBranchFilterConfiguration",
  ],
  unless: NO_PULLS,
  isLeftOut: leavesForksOut,
};

/**
 * Returns whether a filter surely lets no branch of a fork through, such as `mallory:main`. Builds of pull requests ignore
 * `branchConfiguration`.
 */
function leavesForksOut(valueNamed: (name: string) => unknown): boolean {
  const condition = valueNamed("filterCondition");
  // Without the prefix, whoever has a fork chooses the name of its branch.
  const isPrefixed = valueNamed("prefixPullRequestForkBranchNames") === true;
  return (
    valueNamed("filterEnabled") === true &&
    typeof condition === "string" &&
    needsNoFork(condition, isPrefixed)
  );
}

/** Returns whether each way to fulfil a condition needs what no branch of a fork has. Parentheses aren't read. */
function needsNoFork(condition: string, isPrefixed: boolean): boolean {
  const isName = (literal: string) => /^["'][\w./-]+["']$/.test(literal);
  const words = condition.replace(/"[^"]*"|'[^']*'|\/(?:\\.|[^/\\])*\//g, (one) => (isName(one) ? one : "…"));
  const isOwn = /^build\.branch\s*==\s*["'][^"']+["']$/;
  const isNoFork =
    /^(?:!\s*build\.pull_request\.repository\.fork|build\.pull_request\.repository\.fork\s*==\s*false)$/;
  const needs = (part: string) => isNoFork.test(part) || (isPrefixed && isOwn.test(part));
  return (
    !/\/\/|[()#]/.test(condition) &&
    words.split("||").every((way) => way.split("&&").some((part) => needs(part.trim())))
  );
}

export const settingsReview: ArgumentReview = when(
  {},
  {
    entries: {
      ...Object.fromEntries(
        EVENTS.map((event) => [
          event,
          builds(`on ${event}`, event.startsWith("buildPullRequest") ? NO_PULLS : OFF),
        ]),
      ),
      buildBranches: builds("pushes to branches"),
      buildTags: builds("tags"),
      buildPullRequests: builds("pull requests"),
      buildPullRequestForks: when(
        {
          true: opens(
            "{builds|build} pull requests from forks: whoever opens one runs code on the agents of {this pipeline|these pipelines}",
            { todo: "Leave it off, or make sure that these agents have no secrets.", runsCode: true },
          ),
          false: slows("no longer {builds|build} pull requests from forks"),
        },
        { ...OF_FORKS, runsOutsiders: true },
      ),
      prefixPullRequestForkBranchNames: when(
        {
          false: opens("{takes|take} a branch of a fork for {its|their} own branch of the same name", {
            todo: "Leave it on, because anybody can give a branch of a fork the name of a trusted one.",
          }),
        },
        {
          opensWith: [...OF_FORKS.opensWith, "buildPullRequestForks"],
          unless: { ...NO_PULLS, buildPullRequestForks: [false, undefined] },
        },
      ),
      triggerMode: when({
        none: slows("no longer {starts|start} builds for changes of {its|their} repository"),
        changed: opensInside("{starts|start} builds for other events: {after} instead of {before}"),
      }),
      filterEnabled: when(
        {
          true: slows("{builds|build} only what {its|their} filter lets through"),
          false: opensInside("no longer {filters|filter} what {it builds|they build}", RUN_BY_MORE),
        },
        { unless: OFF, unlessWas: { filterCondition: [""] } },
      ),
      filterCondition: when(
        {
          set: slows("{builds|build} only what {its|their} filter lets through: {after}"),
          cleared: opensInside("no longer {filters|filter} what {it builds|they build}", RUN_BY_MORE),
          changed: opensInside("{builds|build} by another filter: {after} instead of {before}"),
        },
        { unless: OFF, unlessWas: { filterEnabled: [false] } },
      ),
      pullRequestBranchFilterEnabled: when(
        {
          true: slows("{builds|build} only pull requests of branches that {its|their} filter lets through"),
          false: opensInside("{builds|build} pull requests of every branch", RUN_BY_MORE),
        },
        { unless: NO_PULLS, unlessWas: { pullRequestBranchFilterConfiguration: [""] } },
      ),
      pullRequestBranchFilterConfiguration: {
        ...branches("branches of pull requests"),
        ...{ unless: NO_PULLS, unlessWas: { pullRequestBranchFilterEnabled: [false] } },
      },
    },
  },
);

/** The settings of all source providers that Buildkite documents. It takes others as well. */
const KNOWN = (
  "build_branches build_check_run_completed build_create_event build_deployment_status_created build_issue_comment_created " +
  "build_merge_group_checks_requested build_pull_request_base_branch_changed build_pull_request_converted_to_draft " +
  "build_pull_request_dequeued build_pull_request_edited build_pull_request_forks build_pull_request_labels_changed " +
  "build_pull_request_merge build_pull_request_merge_commits build_pull_request_ready_for_review " +
  "build_pull_request_reopened build_pull_request_review_comment_created build_pull_request_review_dismissed " +
  "build_pull_request_review_requested build_pull_request_review_submitted build_pull_request_stacks build_pull_requests " +
  "build_release_created build_release_published build_release_released build_tags cancel_deleted_branch_builds " +
  "cancel_when_merge_group_destroyed filter_condition filter_enabled github_workflow_access_tokens_enabled " +
  "ignore_default_branch_pull_requests issue_comment_command_word issue_comment_match_mode " +
  "prefix_pull_request_fork_branch_names prevent_custom_statuses_from_using_buildkite_prefix publish_blocked_as_pending " +
  "publish_commit_status publish_commit_status_per_step pull_request_branch_filter_configuration " +
  "pull_request_branch_filter_enabled review_comment_command_word review_comment_match_mode separate_pull_request_statuses " +
  "skip_builds_for_closed_pull_requests skip_builds_for_existing_commits skip_pull_request_builds_for_existing_commits " +
  "trigger_mode use_merge_group_base_commit_for_git_diff_base use_step_key_as_commit_status"
)
  .split(" ")
  .map(camelCase);

/** Returns which settings have no effect as a program gives them; undefined if all may have one. */
export function doubtOfSettings(settings: Settings<unknown>): string | undefined {
  const { triggerMode, filterEnabled, filterCondition } = settings;
  const mistyped = Object.keys(settings).flatMap((key) => {
    const [near] = KNOWN.includes(key) ? [] : similarNames(key, KNOWN, 1);
    return near === undefined
      ? []
      : // Warning setting-undocumented: Buildkite ignores the setting, or the filter matches nothing.
        // Fix: Write it as the message says.
        [`has ${key}, which is no setting that Buildkite documents. Did you mean ${near}?`];
  });
  const found = [
    ...mistyped,
    ...(typeof triggerMode === "string" && triggerMode !== "code" && filterCondition
      ? [
          `has a filterCondition, which has no effect with triggerMode ${quoted(triggerMode)}, but with "code".`,
        ]
      : []),
    ...(filterEnabled === false && filterCondition
      ? ["has a filterCondition, which has no effect while filterEnabled is false."]
      : []),
    ...(settings.pullRequestBranchFilterEnabled === false && settings.pullRequestBranchFilterConfiguration
      ? [
          "has a pullRequestBranchFilterConfiguration, which has no effect while pullRequestBranchFilterEnabled is false.",
        ]
      : []),
    ...(typeof filterCondition === "string" && /[!=]~\s*[^\s/]/.test(filterCondition)
      ? [
          "has a filterCondition with a regular expression that isn't between slashes, so that it may match nothing. Write " +
            "/…/, as in build.branch =~ /^release/.",
        ]
      : []),
  ];
  return found.length === 0 ? undefined : withCode(found.join(" "), "setting-undocumented");
}
