#!/usr/bin/env bash
# Runs a script of ci/each for several projects, and writes one report of all to review/report.md:
#   ci/projects.sh preview --affected-by origin/main             what a pull request would change, and nothing is written
#   ci/projects.sh preview --since-deployment                    the plans of the main branch
#   ci/projects.sh deploy --listing review/projects.json --waves deploys these plans, and nothing else
#   ci/projects.sh drift --all-stacks                            what was changed outside of the programs
# PROJECT: one project's folder, for a job that has the state and the key of this project alone.
# ALL: if it is set, plans every project, for example to undo drift.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/node_modules/.bin:$PWD/.pulumi-cli/pulumi:$PATH"
script=$PWD/ci/each/$1.sh
shift
status=0
buildpipeline projects "$@" ${ALL:+--all} ${PROJECT:+--only "$PROJECT"} -- "$script" || status=$?
buildpipeline report review --out review/report.md
tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}" < review/report.md
exit "$status"
