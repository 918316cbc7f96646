#!/usr/bin/env bash
# Deploys the plan of one project in $OUT, which a person approved. If the program, the state or the service has changed
# since, Pulumi refuses it before anything is sent, and ci/projects.sh ends with 5.
set -euo pipefail
policies=$(dirname "$0")/../../policies
[ -f "$OUT/plan.json" ] || { echo "There is no plan: its preview failed, or nobody has seen it."; exit 5; }

# Queues that the plan deletes or replaces are paused first, until no job runs in them. If that or the deployment fails,
# exactly these pauses are resumed. Without such a queue this sends nothing.
record=$OUT/drained.jsonl
resume() {
  [ ! -s "$record" ] || buildpipeline drain --resume --record "$record" ||
    echo "Resume the queues: buildpipeline drain --resume --record $record" >&2
}
# shellcheck disable=SC2154 # The trap itself sets it.
trap 'status=$?; [ "$status" = 0 ] || resume; exit "$status"' EXIT
buildpipeline drain --preview "$OUT/preview.json" --record "$record" --timeout "${DRAIN_TIMEOUT:-1800}"

[ ! -d "$policies" ] || set -- --policy-pack "$policies" --policy-pack-config "$policies/config.json"
pulumi up --yes --non-interactive --refresh --parallel 32 --plan "$OUT/plan.json" "$@"
