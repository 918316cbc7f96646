#!/usr/bin/env bash
# Writes what a deployment would change to report.md and report.html. Reads only.
# `ci/preview.sh --save-plan plan.json` also keeps the plan for ci/deploy.sh.
# PROJECT: the project's folder, where the repository has several. ci/deploy.sh and ci/nightly.sh take it, too.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
export PATH="$root/node_modules/.bin:$root/.pulumi-cli/pulumi:$PATH" BUILDPIPELINE_READ_ONLY=true
cd "$root/${PROJECT:-.}"

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
if [ -d "$root/policies" ]; then # The JSON has no violations. This preview reads no objects again.
  pulumi preview --non-interactive --refresh=false --policy-pack "$root/policies" \
    --policy-pack-config "$root/policies/config.json" || status=$?
fi
exit "$status"
