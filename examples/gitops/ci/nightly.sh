#!/usr/bin/env bash
# Writes out-of-band changes to drift.md and drift.html, and unmanaged resources to unmanaged.txt. Reads only.
# Exit code 1 if there are any, 2 if a check failed.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/node_modules/.bin:$PWD/.pulumi-cli/pulumi:$PATH" BUILDPIPELINE_READ_ONLY=true

drift=0
pulumi refresh --preview-only --expect-no-changes --non-interactive --json > drift.json || drift=$?
buildpipeline report drift.json --out drift.md
buildpipeline report drift.json --html --out drift.html
cat drift.md
case $drift in
  0 | 7) ;; # 7: there is drift.
  *) exit 2 ;;
esac

unmanaged=0
buildpipeline unmanaged > unmanaged.txt || unmanaged=$?
cat unmanaged.txt
case $unmanaged in
  0 | 1) ;;
  *) exit 2 ;;
esac

[ "$drift" = 0 ] && [ "$unmanaged" = 0 ]
