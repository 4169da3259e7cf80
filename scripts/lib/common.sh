# shellcheck shell=bash
# Sourced by every script: strict mode, the root of the repository, messages, stages, and the functions that
# install packages and build. Messages go to standard error; standard output is for the program that a script runs.
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

# usage [ERROR]: prints the comment at the head of the script and ends the script: with 0, or, if there
# is an error, with the error and 2.
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

# stage NAME COMMAND...: runs the command, prints how long it took, and records a failure instead of
# ending the script. Do not call it left of && or ||, nor as a condition: that switches `set -e` off
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

# Like `stage`, but a failure ends the script.
stage_or_die() {
  local before=${#STAGE_FAILURES[@]}
  stage "$@"
  [ "${#STAGE_FAILURES[@]}" -eq "$before" ] && return
  stages_passed
  exit 1
}

# Prints which stages failed; succeeds when none did.
stages_passed() {
  [ "${#STAGE_FAILURES[@]}" -eq 0 ] && return
  say "failed: $(printf '%s; ' "${STAGE_FAILURES[@]}")"
  return 1
}

# end_children_of SCRIPT_PID: waits until the script has ended, also by SIGKILL, and then ends every
# process that it started, whatever its parent or group: those with COUNTERPART_SCRIPT=SCRIPT_PID in
# their environment. SIGTERM first, SIGKILL after 5 s. A subshell has no such variable; it ends with the
# command that it waits for.
end_children_of() {
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

# A script that a script starts has the variable already. Signals of the terminal do not end the guard.
if [ -z "${COUNTERPART_SCRIPT:-}" ]; then
  (
    trap '' INT TERM HUP QUIT
    end_children_of $$
  ) </dev/null >/dev/null 2>&1 &
  disown
  export COUNTERPART_SCRIPT=$$
fi

# repository_files PATTERN...: prints the matching files of the repository, also uncommitted ones, each
# followed by a NUL.
repository_files() {
  git -C "$ROOT" ls-files -z --cached --others --exclude-standard --deduplicate -- "$@"
}

# Functions alone, for the scripts that install packages and build.
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/build.sh
. "$ROOT/scripts/lib/build.sh"
