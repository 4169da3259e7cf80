#!/usr/bin/env bash
# Builds what it runs with address and undefined-behaviour sanitizers, then runs the unit tests and the
# contract tests against the mock. Writes logs to build/test-logs/sanitized.
#
#   scripts/sanitized.sh [--all]
#
# Only those of contract_program_tests run that read the output of others: hostile and broken servers, TLS, foreign
# descriptions, recordings, records of runs. The others start the program hundreds of times, for its words, limits and
# repetitions of one plan, which the second stage carries out anyway; with --all they run, too.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/ctest.sh
. "$ROOT/scripts/lib/ctest.sh"

readonly LOGS="$ROOT/build/test-logs/sanitized"
# Test suites of contract_program_tests alone: no other program has one of these names.
readonly PROGRAM_ONLY=(CommandLines LargeContract LargeDescription OnATerminal ReplayedRuns RunBounds Runs
  SeveritiesOfFindings Shards SubjectsOfAShop Undo)
FILTER='*'  # of GoogleTest

leave_out_program_only() {
  local IFS=:
  FILTER="-${PROGRAM_ONLY[*]/%/.*}"
}

unit_tests() {
  GTEST_FILTER=$FILTER GTEST_SHUFFLE=1 run_and_count asan "$JOBS" "$LOGS" -L unit
}

suite() {
  local status=0 passed
  "$ROOT/build/asan/contract_tests/contract_tests" --verbose >"$LOGS/suite.log" 2>&1 || status=$?
  if [ "$status" -eq 0 ]; then
    read -r passed _ < <(tally_of <"$LOGS/suite.log")
    printf 'contract tests: %s passed\n' "$passed"
  else
    cat "$LOGS/suite.log"
  fi
  return "$status"
}

main() {
  ensure_packages build test gate
  ensure_node
  rm -rf "$LOGS"
  mkdir -p "$LOGS"
  stage_or_die "build with sanitizers" build_preset asan unit_tests mock_server contract_tests
  stage "unit tests, sanitized" unit_tests
  stage "contract tests against the mock, sanitized" suite
  closing_line "$LOGS"
  stages_passed
}

case ${1:-} in
  '')
    leave_out_program_only
    main
    ;;
  --all) main ;;
  -h | --help) usage ;;
  *) usage "unknown argument: $1" ;;
esac
