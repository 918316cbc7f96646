#!/usr/bin/env bash
# Carries out plan.json and nothing else. When the program, the state or the service has changed since, it is refused
# before anything is sent.
set -euo pipefail
cd "$(dirname "$0")/.."

# Where a plan no longer fits, the engine prints what differs, secrets in plain text. So only the resource is told,
# and nothing that comes after it.
refused=
pulumi up --yes --non-interactive --refresh --plan plan.json 2>&1 | while IFS= read -r line; do
  case $line in
    *" violates plan"*)
      refused=true
      resource=${line#*resource urn:}
      echo "The plan no longer fits: urn:${resource%% violates plan*}"
      ;;
    *) [ -n "$refused" ] || printf '%s\n' "$line" ;;
  esac
done
