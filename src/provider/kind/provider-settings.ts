import type { Mismatch } from "./mismatch.js";
import { type ArgumentReview, branches, opens, opensInside, slows, when } from "./review.js";
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
export function settingsShape(value: unknown): Mismatch[] {
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

const builds = (what: string) =>
  when({
    true: opensInside(`{builds|build} ${what}`),
    false: slows(`no longer {builds|build} ${what}`),
  });

export const settingsReview: ArgumentReview = when(
  {},
  {
    entries: {
      ...Object.fromEntries(EVENTS.map((event) => [event, builds(`on ${event}`)])),
      buildBranches: builds("pushes to branches"),
      buildTags: builds("tags"),
      buildPullRequests: builds("pull requests"),
      buildPullRequestForks: when({
        true: opens(
          "{builds|build} pull requests from forks: who opens one runs code on {its|their} agents",
          {
            todo: "Make sure that these agents have no secrets, or leave it off.",
          },
        ),
        false: slows("no longer {builds|build} pull requests from forks"),
      }),
      prefixPullRequestForkBranchNames: when({
        false: opens("{takes|take} a branch of a fork for {its|their} own branch of the same name"),
      }),
      triggerMode: when({
        none: slows("no longer {starts|start} builds for changes of {its|their} repository"),
        changed: opensInside("{starts|start} builds for other events: {after} instead of {before}"),
      }),
      filterEnabled: when({
        true: slows("{builds|build} only what {its|their} filter lets through"),
        false: opensInside("no longer {filters|filter} what {it builds|they build}"),
      }),
      filterCondition: when({
        cleared: opensInside("no longer {filters|filter} what {it builds|they build}"),
        changed: opensInside("{builds|build} by another filter: {after} instead of {before}"),
      }),
      pullRequestBranchFilterEnabled: when({
        true: slows("{builds|build} only pull requests of branches that {its|their} filter lets through"),
        false: opensInside("{builds|build} pull requests of every branch"),
      }),
      pullRequestBranchFilterConfiguration: branches("branches of pull requests"),
    },
  },
);
