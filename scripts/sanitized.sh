#!/usr/bin/env bash
# Builds what it runs with address and undefined-behaviour sanitizers, then runs the unit tests and the
# contract tests against the mock. Writes logs to build/test-logs/sanitized.
#
#   scripts/sanitized.sh [--all]
#
# contract_program_tests start the program hundreds of times, which took a third of the time: a quarter of them runs,
# the next one with each commit; with --all, all of them.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/ctest.sh
. "$ROOT/scripts/lib/ctest.sh"

readonly LOGS="$ROOT/build/test-logs/sanitized"
readonly QUARTERS=4  # the shards of contract_program_tests
LEFT_OUT=()          # flags of ctest

leave_out_three_quarters() {
  local commits
  commits=$(git -C "$ROOT" rev-list --count HEAD)
  LEFT_OUT=(--exclude-regex "contract_program_tests_[^$((commits % QUARTERS))]")
}

unit_tests() {
  GTEST_SHUFFLE=1 run_and_count asan "$JOBS" "$LOGS" -L unit "${LEFT_OUT[@]}"
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
    leave_out_three_quarters
    main
    ;;
  --all) main ;;
  -h | --help) usage ;;
  *) usage "unknown argument: $1" ;;
esac
