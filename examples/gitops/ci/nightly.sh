#!/usr/bin/env bash
# Writes out-of-band changes to drift.md and drift.html, and unmanaged resources to unmanaged.txt. Reads only.
# Exit code 1 if there are any, 2 if a check failed.
# OTHER_STACKS: the other stacks that own objects of this organization, separated by blanks, by their full names
# (acme/infrastructure-mobile/production). Without it, their objects count as unmanaged.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/node_modules/.bin:$PWD/.pulumi-cli/pulumi:$PATH" BUILDPIPELINE_READ_ONLY=true

exports=$(mktemp -d)
trap 'rm -rf "$exports"' EXIT
for stack in "${PULUMI_STACK:-}" ${OTHER_STACKS:-}; do
  pulumi stack export ${stack:+--stack "$stack"} > "$exports/stack-${stack//\//.}.json" || exit 2
done
stack=${PULUMI_STACK:-}
own="$exports/stack-${stack//\//.}.json"

drift=0
pulumi refresh --preview-only --expect-no-changes --non-interactive --parallel 32 --json > drift.json || drift=$?
buildpipeline report drift.json --stack-export "$own" --out drift.md
buildpipeline report drift.json --stack-export "$own" --html --out drift.html
cat drift.md
case $drift in
  0 | 7) ;; # 7: there is drift.
  *) exit 2 ;;
esac

unmanaged=0
buildpipeline unmanaged --stack-export "$exports"/*.json > unmanaged.txt || unmanaged=$?
cat unmanaged.txt
case $unmanaged in
  0 | 1) ;;
  *) exit 2 ;;
esac

[ "$drift" = 0 ] && [ "$unmanaged" = 0 ]
