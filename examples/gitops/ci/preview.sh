#!/usr/bin/env bash
# Writes what a deployment would change to report.md and report.html. Reads only.
# `ci/preview.sh --save-plan plan.json` also keeps the plan for ci/deploy.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/node_modules/.bin:$PWD/.pulumi-cli/pulumi:$PATH" BUILDPIPELINE_READ_ONLY=true

# The state shows what an earlier deployment left: pending deletions, and operations that were interrupted.
state=$(mktemp)
trap 'rm -f "$state"' EXIT
pulumi stack export --non-interactive > "$state"

status=0
pulumi preview --non-interactive --refresh --parallel 32 --show-replacement-steps --show-sames --json "$@" > preview.json || status=$?
# --impact counts jobs and agents in what would change. Without read_builds or read_agents the report names the scope.
report() { buildpipeline report preview.json --stack-export "$state" "$@"; }
report --impact --out report.md || report --out report.md
report --impact --html --out report.html || report --html --out report.html
exit "$status"
