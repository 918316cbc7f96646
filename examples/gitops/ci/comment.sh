#!/usr/bin/env bash
# Puts report.md where the change is reviewed.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -n "${GITHUB_ACTIONS:-}" ]; then
  gh pr comment "$PULL_REQUEST" --edit-last --create-if-none --body-file report.md
elif [ -n "${GITLAB_CI:-}" ]; then
  # The token is read from standard input, because a process list shows arguments.
  printf 'header = "PRIVATE-TOKEN: %s"\n' "$COMMENT_TOKEN" |
    curl --config - --fail --silent --show-error --output /dev/null --data-urlencode body@report.md \
      "$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes"
elif [ -n "${BUILDKITE:-}" ]; then
  buildkite-agent annotate --context preview --style info < report.md
else
  cat report.md
fi
