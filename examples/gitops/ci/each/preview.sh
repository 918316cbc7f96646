#!/usr/bin/env bash
# Writes what a deployment of one project would change to $OUT, with the plan for ci/each/deploy.sh. Reads only.
set -euo pipefail
export BUILDPIPELINE_READ_ONLY=true
policies=$(dirname "$0")/../../policies

# The state shows what an earlier deployment left: pending deletions, and operations that were interrupted.
state=$(mktemp)
trap 'rm -f "$state"' EXIT
pulumi stack export --non-interactive > "$state"

status=0
pulumi preview --non-interactive --refresh --parallel 32 --show-replacement-steps --show-sames --json \
  --save-plan "$OUT/plan.json" > "$OUT/preview.json" || status=$?
# --impact counts jobs and agents in what would change. Without read_builds or read_agents the report names the scope.
report() { buildpipeline report "$OUT/preview.json" --stack-export "$state" --out "$OUT" "$@"; }
report --impact || report
if [ -d "$policies" ]; then # The JSON has no violations. This preview reads no objects again.
  pulumi preview --non-interactive --refresh=false --policy-pack "$policies" \
    --policy-pack-config "$policies/config.json" || status=$?
fi
[ "$status" = 0 ] || rm -f "$OUT/plan.json"
exit "$status"
