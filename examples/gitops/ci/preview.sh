#!/usr/bin/env bash
# Writes what a deployment would change to report.md and report.html. Reads only.
# `ci/preview.sh --save-plan plan.json` also keeps the plan for ci/deploy.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/node_modules/.bin:$PWD/.pulumi-cli/pulumi:$PATH" BUILDPIPELINE_READ_ONLY=true

status=0
pulumi preview --non-interactive --refresh --json "$@" > preview.json || status=$?
# --impact counts jobs and agents in what would change. Without read_builds or read_agents the report names the scope.
buildpipeline report preview.json --impact --out report.md || buildpipeline report preview.json --out report.md
buildpipeline report preview.json --impact --html --out report.html ||
  buildpipeline report preview.json --html --out report.html
exit "$status"
