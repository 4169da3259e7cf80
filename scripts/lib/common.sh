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

# usage [WHAT_IS_WRONG]: the comment at the head of a script says how it is used. Prints it and ends
# the script: well when nothing is wrong, else with 2 and what it is.
usage() {
  local text
  text=$(awk 'NR > 1 { if (!/^#/ || /^# shellcheck/) exit; sub(/^# ?/, ""); print }' "$0")
  if [ $# -eq 0 ]; then
    printf '%s\n' "$text"
    exit
  fi
  say "$text"
  die 2 "$*"
}

# number NAME VALUE: prints VALUE, which must be a whole number above 0.
number() {
  [[ $2 =~ ^[1-9][0-9]*$ ]] || usage "$1 must be a whole number above 0, but is \"$2\""
  printf '%s\n' "$2"
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

# leave_nothing SCRIPT_PID: waits for the end of the script, however it ends, also by SIGKILL, and ends
# what it started and left: every process that carries its mark in the environment, whatever its
# parent or group is by then. SIGTERM first, SIGKILL after 5 s. A subshell carries no mark: it ends
# with what it waits for.
leave_nothing() {
  local mark="COUNTERPART_SCRIPT=$1" signal=TERM round pid
  local -a left
  tail --pid="$1" -s 0.1 -f /dev/null
  for ((round = 0; round < 100; round++)); do
    [ "$round" -lt 50 ] || signal=KILL
    mapfile -t left < <(grep -lszxF "$mark" /proc/[0-9]*/environ)
    [ "${#left[@]}" -gt 0 ] || return 0
    for pid in "${left[@]//[^0-9]/}"; do
      kill -s "$signal" "$pid" 2>/dev/null || true
    done
    sleep 0.1
  done
}

# Scripts that scripts start are marked already. The guard hears no signal of the terminal.
if [ -z "${COUNTERPART_SCRIPT:-}" ]; then
  (
    trap '' INT TERM HUP QUIT
    leave_nothing $$
  ) </dev/null >/dev/null 2>&1 &
  disown
  export COUNTERPART_SCRIPT=$$
fi

# The files of the repository that match the given patterns, also those not committed yet; each
# ends in a NUL.
repository_files() {
  git -C "$ROOT" ls-files -z --cached --others --exclude-standard --deduplicate -- "$@"
}
