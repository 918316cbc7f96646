#!/usr/bin/env bash
# Reports the drift of all stacks of this repository with what breaks the rules in `policies`, in review/report.md, and
# objects that none of them owns, in review/unmanaged.txt. Reads only. Exit code 1 if there are any, 2 if a check failed.
# OTHER_STACKS: stacks of other repositories that own objects of this organization, separated by blanks, by their full
# names (acme/infrastructure-mobile/production). Without it, their objects count as unmanaged.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0 unmanaged=0
ci/projects.sh drift --all-stacks || status=$?
# shellcheck disable=SC2086 # Several names.
PATH="$PWD/node_modules/.bin:$PWD/.pulumi-cli/pulumi:$PATH" buildpipeline unmanaged --all-stacks ${OTHER_STACKS:-} \
  > review/unmanaged.txt || unmanaged=$?
cat review/unmanaged.txt
exit $((status > unmanaged ? status : unmanaged))
