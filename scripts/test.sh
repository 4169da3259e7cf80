#!/usr/bin/env bash
# Builds the release preset and runs every test: unit tests, contract tests against the mock, mutants and
# conforming variants, recipes, the official client, installed programs.
# With arguments, builds and runs ctest with them: scripts/test.sh -R Story. Unit tests of folders with few are one
# entry (spec_tests, mock_tests, suite_tests), whose program takes a filter: --gtest_filter='Router*'.
# For sanitizers and fuzzing: scripts/sanitized.sh, scripts/fuzz.sh. For everything: .ci/run.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/build.sh
. "$ROOT/scripts/lib/build.sh"
# shellcheck source=scripts/lib/tally.sh
. "$ROOT/scripts/lib/tally.sh"

readonly LOGS="$ROOT/build/test-logs/released"
readonly LOG="$ROOT/build/release/Testing/Temporary/LastTest.log"

# ctest calls a test skipped when its output matches the skip expression, even if it failed. Prints the
# names of tests that failed and were called skipped.
failed_but_called_skipped() {
  awk '
    /^<end of output>/ { failed = line ~ /FAILED TESTS?$/ }
    /^Skip regular expression found/ { skipped = 1 }
    /^".*" end time: / { if (failed && skipped) print; failed = skipped = 0 }
    { line = $0 }
  ' "$LOG"
}

# Many tests wait more than they compute: one more than there are cores runs at a time.
run_ctest() {
  local status=0 hidden
  rm -f "$LOG"
  ctest --test-dir "$ROOT/build/release" --output-on-failure --parallel $((JOBS + 1)) --no-tests=error "$@" ||
    status=$?
  [ -f "$LOG" ] || return "$status"  # -N, say
  hidden=$(failed_but_called_skipped)
  [ -z "$hidden" ] || { printf 'failed, although ctest reports it as skipped: %s\n' "$hidden"; status=1; }
  return "$status"
}

as_released() {
  local status=0
  run_ctest | tee "$LOGS/ctest.log" || status=$?
  [ -f "$LOG" ] || return "$status"
  tests_within <"$LOG" >"$LOGS/within.log"
  # Of entries with many tests, which ctest calls passed.
  grep -aE '^\[  SKIPPED \] [^0-9]' "$LOG" | sort -u || true
  return "$status"
}

# Prints how many mutants the suite killed and how many false alarms it raised, over all shards.
summary_of_mutants() {
  "$ROOT/build/release/contract_tests/tests/contract_mutants_tests" \
    --summary "$ROOT/build/release/contract_tests/tests/outcomes"
}

main() {
  case ${1:-} in -h | --help) usage ;; esac
  ensure_packages build test
  ensure_node
  if [ $# -gt 0 ]; then
    build_preset release
    run_ctest "$@"
    return
  fi
  rm -rf "$LOGS"
  mkdir -p "$LOGS"
  stage_or_die "build release" build_preset release
  stage "tests, release" as_released
  stage "mutants and false alarms" summary_of_mutants
  closing_line "$LOGS"
  stages_passed
}

main "$@"
