#!/usr/bin/env bash
# Writes out-of-band changes to drift.md and drift.html, unmanaged resources to unmanaged.txt, and what breaks the rules
# of the folder `policies`, if there is one, to policies.txt. Reads only.
# Exit code 1 if there are any, 2 if a check failed.
# OTHER_STACKS: stacks of other repositories that own objects of this organization, separated by blanks, by their full
# names (acme/infrastructure-mobile/production). Without it, their objects count as unmanaged.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
export PATH="$root/node_modules/.bin:$root/.pulumi-cli/pulumi:$PATH" BUILDPIPELINE_READ_ONLY=true
cd "$root/${PROJECT:-.}"

state=$(mktemp)
trap 'rm -f "$state"' EXIT
pulumi stack export --non-interactive > "$state" || exit 2

drift=0
pulumi refresh --preview-only --expect-no-changes --non-interactive --parallel 32 --json > drift.json || drift=$?
buildpipeline report drift.json --stack-export "$state" --out drift.md
buildpipeline report drift.json --stack-export "$state" --html --out drift.html
cat drift.md
case $drift in
  0 | 7) ;; # 7: there is drift.
  *) exit 2 ;;
esac

unmanaged=0
# shellcheck disable=SC2086 # Several names.
(cd "$root" && buildpipeline unmanaged --all-stacks ${OTHER_STACKS:-}) > unmanaged.txt || unmanaged=$?
cat unmanaged.txt
case $unmanaged in
  0 | 1) ;;
  *) exit 2 ;;
esac

policies=0
if [ -d "$root/policies" ]; then
  pulumi policy analyze --file "$state" --policy-pack "$root/policies" \
    --policy-pack-config "$root/policies/config.json" > policies.txt || policies=$?
  cat policies.txt
fi

[ "$drift" = 0 ] && [ "$unmanaged" = 0 ] && [ "$policies" = 0 ]
