#!/usr/bin/env bash
# Soak test: correct and hostile clients send requests to one mock server at the same time, and the
# server reloads every 3 seconds. Four tenths of the time run with the default limits, one in front of a
# service that is slow or sends more than it seems, five in front of it with the smallest limits. Fails if
# a correct request is lost, if the server uses more than 60 MB with the default limits or 300 MB in front
# of the service, if memory or connections are not freed when the clients are gone, or if it does not end
# with 0.
#
#   scripts/soak.sh [--preset NAME] [MINUTES | --seconds N]
#                                         10 minutes of the release preset by default; asan and tsan fail
#                                         on findings of the sanitizer and do not check the megabytes
#   scripts/soak.sh sessions [ROUNDS]     64 official clients in 64 sessions, 1,000 rounds by default
#   scripts/soak.sh --tsan [ROUNDS]       the concurrency tests, and 64 official clients for 2 rounds,
#                                         with the thread sanitizer
#   scripts/soak.sh --journal [REQUESTS]  a million requests with bodies of 100 kB: the journal stays
#                                         within its limit and its counts are right
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/tests/serving.sh
. "$ROOT/scripts/tests/serving.sh"

readonly MAX_RESIDENT_MB=60 MAX_BESIDE_SERVICE_MB=300

preset=release
case ${1:-} in
  -h | --help) usage ;;
  --preset)
    preset=${2:-}
    [ -n "$preset" ] || usage "--preset needs a name: release, asan or tsan"
    shift 2
    ;;
esac

# COUNTERPART_SOAKED names another mock_server program to test.
program=${COUNTERPART_SOAKED:-$ROOT/build/$preset/mock_server/mock_server}

if [ "${1:-}" = sessions ]; then
  [ -n "${COUNTERPART_SOAKED:-}" ] || { ensure_packages build && build_preset release mock_server; }
  COUNTERPART_MOCK_SERVER=$program COUNTERPART_ROUNDS=${2:-1000} \
    exec "$ROOT/contract_tests/tests/official_client/run.sh" sessions
fi

if [ "${1:-}" = --journal ]; then
  ensure_packages build
  build_preset release mock_program_tests
  COUNTERPART_JOURNAL_REQUESTS=${2:-1000000} \
    exec "$ROOT/build/release/mock_server/mock_program_tests" --gtest_filter='JournalLoad.*'
fi

if [ "${1:-}" = --tsan ]; then
  ensure_packages build test
  ensure_node
  build_preset tsan mock_state_tests mock_service_tests mock_program_tests mock_server
  export TSAN_OPTIONS="suppressions=$ROOT/scripts/cmake/tsan.supp"
  built="$ROOT/build/tsan/mock_server"
  "$built/state/mock_state_tests"
  "$built/service/mock_service_tests" --gtest_filter='Concurrency.*:Scenarios.*:Revalidation*'
  "$built/mock_program_tests" --gtest_filter='Reload.*:ProgramLife.*ready*'
  COUNTERPART_MOCK_SERVER=$built/mock_server COUNTERPART_ROUNDS=${2:-2} \
    "$ROOT/contract_tests/tests/official_client/run.sh" sessions
  exit
fi

case ${1:-} in
  --seconds) seconds=$(number "$1" "${2:-}") ;;
  -*) usage "unknown flag: $1" ;;
  *)
    minutes=$(number MINUTES "${1:-10}")
    seconds=$((minutes * 60))
    ;;
esac

ensure_packages build gate  # clang, for asan
ensure_node
[ -n "${COUNTERPART_SOAKED:-}" ] || build_preset "$preset" mock_server
export TSAN_OPTIONS="suppressions=$ROOT/scripts/cmake/tsan.supp ${TSAN_OPTIONS:-}"
ulimit -n "$(ulimit -Hn)"
readonly LOG="$ROOT/build/soak.log" CONTRACT="$ROOT/build/soak.openapi.yaml"
sed '/^paths:/a\  /hard: {get: {operationId: hard, parameters: [{name: text, in: query, schema: {type: string, pattern: "^(a|aa)+$"}}], responses: {"200": {description: matched}, default: {description: an error}}}}' \
  "$ROOT/spec/payments.openapi.yaml" >"$CONTRACT"
coproc SERVICE { exec node "$ROOT/scripts/soak/slow_service.mjs"; }
read -r SERVICE_URL <&"${SERVICE[0]}"
readonly IN_FRONT=(--upstream "$SERVICE_URL" --upstream-timeout-ms 5000)

readonly MIN_MEMORY=(--memory-bytes 1048576)
readonly FEW_CONNECTIONS=(--connections 40)
readonly SHORT_DEADLINES=(--first-byte-ms 300 --head-ms 300 --body-ms 500 --rate-window-ms 50
  --handler-ms 20 --write-progress-ms 300 --idle-ms 300 --linger-ms 20 --stall-ms 100
  --slow-close-ms 100)
readonly SMALL_SIZES=(--unsent-bytes 1024 --unread-bytes 1024 --linger-bytes 0
  --requests-per-connection 3 --body-bytes 2000000)

no_finding() {
  ! grep -E -A 20 'WARNING: ThreadSanitizer|ERROR: [A-Za-z]*Sanitizer|runtime error:' "$LOG" >&2 ||
    die 1 "the sanitizer found an error; the whole log: $LOG"
}

# soak SECONDS MODE [FLAG]...: starts a server with the flags and the clients for so long.
soak() {
  local lasting=$1 mode=$2
  shift 2
  serve "$LOG" "$program" --port 0 --quiet --contract "$CONTRACT" --fixtures "$ROOT/fixtures" "$@"
  say "testing $SERVED_URL for $lasting s${*:+ with $*}"
  node "$ROOT/scripts/soak/soak.mjs" "$SERVED_URL" "$lasting" "$SERVED_PID" "$mode" || {
    no_finding
    die 1 "correct requests were lost, a reload failed, or memory or connections were not freed (see above)"
  }
  resident=$(awk '/^VmHWM:/ { print int($2 / 1024) }' "/proc/$SERVED_PID/status")
  say "memory: at most $resident MB"
  stop_serving
  no_finding
}

# check_memory MEGABYTES: that the last server used no more.
check_memory() {
  [ -n "${COUNTERPART_SOAKED:-}" ] || [ "$preset" != release ] || [ "$resident" -le "$1" ] ||
    die 1 "memory must be at most $1 MB, but was $resident MB"
}

tenth=$((seconds / 10))
soak "$((4 * tenth))" normal
check_memory "$MAX_RESIDENT_MB"
soak "$tenth" service "${IN_FRONT[@]}" --memory-bytes 67108864
check_memory "$MAX_BESIDE_SERVICE_MB"
soak "$tenth" tight "${IN_FRONT[@]}" "${MIN_MEMORY[@]}"
soak "$tenth" tight "${IN_FRONT[@]}" "${FEW_CONNECTIONS[@]}"
soak "$tenth" tight "${IN_FRONT[@]}" "${SHORT_DEADLINES[@]}"
soak "$tenth" tight "${IN_FRONT[@]}" "${SMALL_SIZES[@]}"
soak "$tenth" tight "${IN_FRONT[@]}" "${MIN_MEMORY[@]}" "${FEW_CONNECTIONS[@]}" "${SHORT_DEADLINES[@]}" \
  "${SMALL_SIZES[@]}"
say "passed: $seconds s, no correct request was lost"
