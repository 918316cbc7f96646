import { Refusal } from "../model/refusals.js";

type Settings = Readonly<Record<string, boolean | string>>;

const builds = ["build_branches", "build_pull_requests", "build_tags"];
const statuses = [
  "ignore_default_branch_pull_requests",
  "publish_commit_status",
  "publish_commit_status_per_step",
  "pull_request_branch_filter_enabled",
  "skip_pull_request_builds_for_existing_commits",
];
const pullRequests = [
  "base_branch_changed",
  "forks",
  "labels_changed",
  "ready_for_review",
  "reopened",
  "edited",
  "converted_to_draft",
  "review_requested",
  "review_submitted",
  "review_dismissed",
  "dequeued",
  "review_comment_created",
  "stacks",
  "merge_commits",
].map((event) => `build_pull_request_${event}`);
const gitlab = [
  ...builds,
  "build_pull_request_merge",
  "build_pull_request_base_branch_changed",
  "publish_commit_status",
];
const github = [
  ...builds,
  ...statuses,
  ...pullRequests,
  "prefix_pull_request_fork_branch_names",
  "build_check_run_completed",
  "build_create_event",
  "build_release_published",
  "build_release_created",
  "build_release_released",
  "build_issue_comment_created",
  "build_deployment_status_created",
  "build_merge_group_checks_requested",
  "cancel_when_merge_group_destroyed",
  "use_merge_group_base_commit_for_git_diff_base",
  "cancel_deleted_branch_builds",
  "publish_blocked_as_pending",
  "separate_pull_request_statuses",
  "use_step_key_as_commit_status",
  "skip_builds_for_existing_commits",
  "skip_builds_for_closed_pull_requests",
  "prevent_custom_statuses_from_using_buildkite_prefix",
];

const flagsOf: Readonly<Record<string, readonly string[]>> = {
  github: [...github, "github_workflow_access_tokens_enabled"],
  github_enterprise: github,
  bitbucket: [...builds, ...statuses],
  bitbucket_server: builds,
  gitlab,
  gitlab_ee: gitlab,
};

const branchFilter = "pull_request_branch_filter_configuration";
const words = ["trigger_mode", "issue_comment_match_mode", "review_comment_match_mode"];
const githubTexts = [...words, "issue_comment_command_word", "review_comment_command_word", branchFilter];
const textsOf: Readonly<Record<string, readonly string[]>> = {
  github: githubTexts,
  github_enterprise: githubTexts,
  bitbucket: [branchFilter],
};

const choices: Readonly<Record<string, readonly string[]>> = {
  trigger_mode: ["code", "deployment", "fork", "none"],
  issue_comment_match_mode: ["exact", "contains"],
  review_comment_match_mode: ["exact", "contains"],
};

/** What a pipeline has that was created through the API, as far as its provider has the setting. */
const defaults: Settings = {
  trigger_mode: "code",
  build_branches: true,
  build_pull_requests: true,
  prefix_pull_request_fork_branch_names: true,
  publish_commit_status: true,
  skip_pull_request_builds_for_existing_commits: true,
  build_merge_group_checks_requested: false,
  build_pull_request_base_branch_changed: false,
  build_pull_request_forks: false,
  build_pull_request_labels_changed: false,
  build_pull_request_ready_for_review: false,
  build_tags: false,
  cancel_deleted_branch_builds: false,
  filter_enabled: false,
  publish_blocked_as_pending: false,
  publish_commit_status_per_step: false,
  pull_request_branch_filter_enabled: false,
  separate_pull_request_statuses: false,
  skip_builds_for_existing_commits: false,
  use_step_key_as_commit_status: false,
};

const byHost: readonly (readonly [RegExp, string])[] = [
  [/^github\.com$/, "github"],
  [/^bitbucket\.org$/, "bitbucket"],
  [/^gitlab\.com$/, "gitlab"],
  [/^github\./, "github_enterprise"],
  [/^bitbucket\./, "bitbucket_server"],
  [/^gitlab\./, "gitlab_ee"],
  [/\.beanstalkapp\.com$/, "beanstalk"],
  [/(^|\.)codebasehq\.com$/, "codebase"],
];

/** Returns the source host of a repository: `https://github.com/…`, `git@github.com:…`. */
export function providerIdOf(repository: string): string {
  const [, host = ""] = /^(?:\w+:\/\/)?(?:[^@/]*@)?([^:/]+)/.exec(repository) ?? [];
  return byHost.find(([pattern]) => pattern.test(host.toLowerCase()))?.[1] ?? "unknown";
}

/** Returns the settings of a pipeline with this repository: its own, those given, and else the defaults. */
export function settingsFor(
  repository: string,
  own: Settings,
  given: Readonly<Record<string, unknown>> = {},
): Settings {
  const id = providerIdOf(repository);
  const flags = ["filter_enabled", ...(flagsOf[id] ?? [])];
  const texts = ["filter_condition", ...(textsOf[id] ?? [])];
  for (const [name, value] of Object.entries(given)) {
    const isText = texts.includes(name);
    const isKnown = isText || flags.includes(name);
    const isRight = isText ? typeof value === "string" || value === null : typeof value === "boolean";
    const isChoice = choices[name] === undefined || choices[name].includes(String(value));
    if (!isKnown || (isRight && isChoice)) continue;
    const errors = [{ field: "provider_settings", code: `${name} is invalid`, value }];
    throw new Refusal(422, "Validation Failed", { errors });
  }
  // A setting that the provider doesn't have is taken, and comes back absent.
  const all = Object.entries({ ...defaults, ...own, ...given });
  return Object.fromEntries(
    all.flatMap(([name, value]) => {
      const isKept = typeof value === "boolean" ? flags.includes(name) : texts.includes(name);
      return isKept && value !== null ? [[name, value as boolean | string]] : [];
    }),
  );
}
