# shellcheck shell=bash
# Sourced by every script: strictness, the repository's root, and how a script speaks. Everything
# said goes to standard error; standard output belongs to the program that a script runs.
set -euo pipefail

# Scripts never change the caller's working directory: arguments such as --contract FILE are
# relative to it.
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
JOBS=$(nproc)
# shellcheck disable=SC2034  # used by the scripts that source this file
readonly ROOT JOBS

say() { printf '%s\n' "$*" >&2; }

# die STATUS MESSAGE...
die() {
  local status=$1
  shift
  say "$(basename "$0"): $*"
  exit "$status"
}

STAGE_FAILURES=()

# stage NAME COMMAND...: runs it, prints how long it took, and notes a failure instead of ending
# the script. Never call it left of && or ||, nor as a condition: that would switch `set -e` off
# inside the command.
stage() {
  local name=$1 start=$SECONDS status
  shift
  say "== $name"
  set +e
  (
    set -e
    "$@"
  )
  status=$?
  set -e
  if [ "$status" -eq 0 ]; then
    say "== $name: ok, $((SECONDS - start)) s"
  else
    say "== $name: FAILED with status $status, $((SECONDS - start)) s"
    STAGE_FAILURES+=("$name")
  fi
}

# Like `stage`, but a failure ends the script: nothing after it could succeed.
stage_or_die() {
  local before=${#STAGE_FAILURES[@]}
  stage "$@"
  [ "${#STAGE_FAILURES[@]}" -eq "$before" ] && return
  stages_passed
  exit 1
}

# Says which stages failed; succeeds when none did.
stages_passed() {
  [ "${#STAGE_FAILURES[@]}" -eq 0 ] && return
  say "failed: $(printf '%s; ' "${STAGE_FAILURES[@]}")"
  return 1
}

# The files of the repository that match the given patterns, also those not committed yet; each
# ends in a NUL.
repository_files() {
  git -C "$ROOT" ls-files -z --cached --others --exclude-standard --deduplicate -- "$@"
}
