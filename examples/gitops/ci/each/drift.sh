#!/usr/bin/env bash
# Writes to $OUT how one stack differs from the service, and what in it breaks the rules of the folder `policies`. Reads
# only. Exit code 1 if there is any of it, 2 if a check failed.
set -euo pipefail
export BUILDPIPELINE_READ_ONLY=true
policies=$(dirname "$0")/../../policies
state=$(mktemp)
trap 'rm -f "$state"' EXIT
pulumi stack export --non-interactive > "$state" || exit 2
drift=0 broken=0
pulumi refresh --preview-only --expect-no-changes --non-interactive --parallel 32 --json > "$OUT/drift.json" || drift=$?
if [ -d "$policies" ]; then
  pulumi policy analyze --json --file "$state" --policy-pack "$policies" \
    --policy-pack-config "$policies/config.json" > "$OUT/policies.json" || broken=$?
  set -- --policies "$OUT/policies.json"
fi
buildpipeline report "$OUT/drift.json" --stack-export "$state" --out "$OUT" "$@"
case $drift in 0 | 7) ;; *) exit 2 ;; esac # 7: there is drift.
[ "$drift" = 0 ] && [ "$broken" = 0 ]
