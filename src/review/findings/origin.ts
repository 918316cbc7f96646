import { readFileSync } from "node:fs";

/** Where a report comes from, as far as it is known. */
export interface Origin {
  readonly at?: Date;
  /** The commit's full name, and `#128` or `!128`. */
  readonly commit?: string | undefined;
  readonly pullRequest?: string | undefined;
}

export function originOfRun(): Origin {
  const { commit, pullRequest } = ofSystem(process.env);
  const isCommit = /^[0-9a-f]{7,64}$/i.test(commit ?? "");
  return {
    at: new Date(),
    ...(isCommit && { commit }),
    ...(/^[!#]\d+$/.test(pullRequest ?? "") && { pullRequest }),
  };
}

function ofSystem(env: NodeJS.ProcessEnv): Pick<Origin, "commit" | "pullRequest"> {
  if (env.BUILDKITE) return { commit: env.BUILDKITE_COMMIT, pullRequest: `#${env.BUILDKITE_PULL_REQUEST}` };
  if (env.GITLAB_CI) {
    // For a merged result, this is the last commit of the branch.
    const commit = env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA;
    return { commit, pullRequest: `!${env.CI_MERGE_REQUEST_IID}` };
  }
  if (!env.GITHUB_ACTIONS) return {};
  const number = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? "")?.[1];
  // For a pull request, GITHUB_SHA is a temporary merge commit, which the repository does not contain.
  return {
    commit: headOf(env.GITHUB_EVENT_PATH) ?? (number ? undefined : env.GITHUB_SHA),
    pullRequest: `#${number}`,
  };
}

function headOf(eventFile: string | undefined): string | undefined {
  try {
    const event = JSON.parse(readFileSync(eventFile ?? "", "utf8"));
    return String(event.pull_request.head.sha);
  } catch {
    return undefined;
  }
}
