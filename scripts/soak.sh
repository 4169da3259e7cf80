#!/usr/bin/env bash
# Serves honest and hostile clients together for a while, with reloads in between: no honest request
# may be lost, memory must stay within bounds, all of it must be given back when the clients are gone,
# and the mock server must end well. Half of the time with the default limits, half of it with others
# at their least, of memory, connections, deadlines and sizes, and with all of these.
#   scripts/soak.sh [--preset NAME] [MINUTES | --seconds N]
#                                               10 minutes of the release by default; "asan" and
#                                               "tsan" end with what those sanitizers find, and
#                                               their memory says nothing
#   scripts/soak.sh sessions [ROUNDS]           64 official clients in 64 sessions, 1,000 rounds
#   scripts/soak.sh --tsan [ROUNDS]             the tests of many callers at once, and 64 official
#                                               clients for 2 rounds, under the thread sanitizer
#   scripts/soak.sh --journal [REQUESTS]        a million requests with bodies of 100 kB instead: the
#                                               journal keeps its bounds and never miscounts
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/build.sh
. "$ROOT/scripts/lib/build.sh"
# shellcheck source=scripts/tests/serving.sh
. "$ROOT/scripts/tests/serving.sh"

readonly MAX_RESIDENT_MB=60

preset=release
case ${1:-} in
  -h | --help) usage ;;
  --preset)
    preset=${2:-}
    [ -n "$preset" ] || usage "--preset needs a name: release, asan or tsan"
    shift 2
    ;;
esac

# COUNTERPART_SOAKED names another program to soak, say one built with a sanitizer.
program=${COUNTERPART_SOAKED:-$ROOT/build/$preset/mock_server/mock_server}

if [ "${1:-}" = sessions ]; then
  [ -n "${COUNTERPART_SOAKED:-}" ] || { ensure_packages build && build_preset release mock_server; }
  COUNTERPART_MOCK_SERVER=$program COUNTERPART_ROUNDS=${2:-1000} \
    exec "$ROOT/contract_tests/tests/official_client/run.sh" sessions
fi

if [ "${1:-}" = --journal ]; then
  ensure_packages build
  build_preset release mock_journal_load_tests
  COUNTERPART_JOURNAL_REQUESTS=${2:-1000000} \
    exec "$ROOT/build/release/mock_server/tests/mock_journal_load_tests"
fi

if [ "${1:-}" = --tsan ]; then
  ensure_packages build test
  ensure_node
  build_preset tsan mock_state_tests mock_service_tests mock_program_tests mock_server
  export TSAN_OPTIONS="suppressions=$ROOT/scripts/cmake/tsan.supp"
  built="$ROOT/build/tsan/mock_server"
  "$built/state/mock_state_tests"
  "$built/service/mock_service_tests" --gtest_filter='Concurrency.*:Scenarios.*:Refit*'
  "$built/program/mock_program_tests" --gtest_filter='Reload.*:ProgramLife.*ready*'
  COUNTERPART_MOCK_SERVER=$built/mock_server COUNTERPART_ROUNDS=${2:-2} \
    "$ROOT/contract_tests/tests/official_client/run.sh" sessions
  exit
fi

case ${1:-} in
  --seconds) seconds=$(number "$1" "${2:-}") ;;
  -*) usage "there is no flag $1" ;;
  *)
    minutes=$(number MINUTES "${1:-10}")
    seconds=$((minutes * 60))
    ;;
esac

ensure_packages build
ensure_node
[ -n "${COUNTERPART_SOAKED:-}" ] || build_preset "$preset" mock_server
export TSAN_OPTIONS="suppressions=$ROOT/scripts/cmake/tsan.supp ${TSAN_OPTIONS:-}"
ulimit -n "$(ulimit -Hn)"
readonly LOG="$ROOT/build/soak.log"

readonly LEAST_MEMORY=(--memory-bytes 1048576)
readonly FEW_CONNECTIONS=(--connections 40)
readonly SHORT_DEADLINES=(--first-byte-ms 300 --head-ms 300 --body-ms 500 --rate-window-ms 50
  --handler-ms 20 --write-progress-ms 300 --idle-ms 300 --linger-ms 20 --stall-ms 100
  --slow-close-ms 100)
readonly SMALL_SIZES=(--unsent-bytes 1024 --unread-bytes 1024 --linger-bytes 0
  --requests-per-connection 3 --body-bytes 2000000)

no_finding() {
  ! grep -E -A 20 'WARNING: ThreadSanitizer|ERROR: [A-Za-z]*Sanitizer|runtime error:' "$LOG" >&2 ||
    die 1 "a sanitizer reported: $LOG"
}

# soak SECONDS MODE [FLAG]...: one server, started with the flags.
soak() {
  local lasting=$1 mode=$2
  shift 2
  serve "$LOG" "$program" --port 0 --quiet "$@"
  say "soaking $SERVED_URL for $lasting s${*:+ with $*}"
  node "$ROOT/scripts/soak/soak.mjs" "$SERVED_URL" "$lasting" "$SERVED_PID" "$mode" || {
    no_finding
    die 1 "honest requests were lost, a reload was rejected, or what clients held was not given back"
  }
  resident=$(awk '/^VmHWM:/ { print int($2 / 1024) }' "/proc/$SERVED_PID/status")
  say "at most $resident MB were in use"
  stop_serving
  no_finding
}

soak "$((seconds / 2))" normal
[ -n "${COUNTERPART_SOAKED:-}" ] || [ "$preset" != release ] || [ "$resident" -le "$MAX_RESIDENT_MB" ] ||
  die 1 "that is more than $MAX_RESIDENT_MB MB"
tight=$((seconds / 10))
soak "$tight" tight "${LEAST_MEMORY[@]}"
soak "$tight" tight "${FEW_CONNECTIONS[@]}"
soak "$tight" tight "${SHORT_DEADLINES[@]}"
soak "$tight" tight "${SMALL_SIZES[@]}"
soak "$tight" tight "${LEAST_MEMORY[@]}" "${FEW_CONNECTIONS[@]}" "${SHORT_DEADLINES[@]}" "${SMALL_SIZES[@]}"
say "soaked $seconds s: nothing was lost"
