#!/usr/bin/env bash
# Carries out plan.json and nothing else. If the program, the state or the service has changed since, Pulumi refuses it
# before anything is sent.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
export PATH="$root/node_modules/.bin:$root/.pulumi-cli/pulumi:$PATH"
cd "$root/${PROJECT:-.}"

# Queues that the plan deletes or replaces are paused first, until no job runs in them. If that or the deployment fails,
# they are resumed. Without such a queue this sends nothing.
resume() {
  buildpipeline drain --preview preview.json --resume || echo "Resume the queues: buildpipeline drain … --resume" >&2
}
# shellcheck disable=SC2154 # The trap itself sets it.
trap 'status=$?; [ "$status" = 0 ] || resume; exit "$status"' EXIT
buildpipeline drain --preview preview.json --timeout "${DRAIN_TIMEOUT:-1800}"

[ ! -d "$root/policies" ] || set -- --policy-pack "$root/policies" --policy-pack-config "$root/policies/config.json"
# If a plan no longer fits, the engine prints the differences, secrets in plain text. So this prints the resource alone,
# and nothing that follows.
pulumi up --yes --non-interactive --refresh --parallel 32 --plan plan.json "$@" 2>&1 | {
  refused=
  while IFS= read -r line; do
    case $line in
      *" violates plan"*)
        refused=true
        resource=${line#*resource urn:}
        echo "The plan no longer fits: urn:${resource%% violates plan*}"
        ;;
      *) [ -n "$refused" ] || printf '%s\n' "$line" ;;
    esac
  done
  [ -z "$refused" ] || echo "Run the plan job again, read its report, and deploy the new plan."
}
