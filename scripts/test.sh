#!/usr/bin/env bash
# Runs all tests: under the sanitizers, then as released, one ctest case each: unit tests, the suite
# against the double, the official client, the installed programs. With arguments, ctest alone,
# with them: scripts/test.sh -R Router
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

readonly FUZZ_SECONDS=20
readonly LOGS="$ROOT/build/test-logs"

run_ctest() {
  ctest --test-dir "$ROOT/build/release" --output-on-failure --parallel "$JOBS" --no-tests=error "$@"
}

# What counts of a log that passed, all of it otherwise.
show() {
  local log=$1 status=$2 passed
  if [ "$status" -eq 0 ]; then
    read -r passed _ < <(tally_of <"$log")
    printf '%s: %s passed\n' "$(basename "$log" .log)" "$passed"
  else
    cat "$log"
  fi
}

# Each program is one process per shard, not one per case: a sanitized process starts slowly.
sanitized_unit_tests() {
  GTEST_SHUFFLE=1 "$ROOT/scripts/lib/shards.sh" "$JOBS" "$LOGS/unit" \
    "$ROOT/build/asan/unit_tests.txt"
}

sanitized_suite() {
  local status=0
  "$ROOT/build/asan/contract_tests/contract_tests" --verbose >"$LOGS/suite.log" 2>&1 || status=$?
  show "$LOGS/suite.log" "$status"
  return "$status"
}

# To ctest a test is skipped when its output says so anywhere: also one that failed after it had
# printed the output of a program that skips. Prints the names of such tests.
failed_but_called_skipped() {
  awk '
    /^<end of output>/ { failed = line ~ /FAILED TESTS?$/ }
    /^Skip regular expression found/ { skipped = 1 }
    /^".*" end time: / { if (failed && skipped) print; failed = skipped = 0 }
    { line = $0 }
  ' "$ROOT/build/release/Testing/Temporary/LastTest.log"
}

as_released() {
  local status=0 hidden
  run_ctest "$@" | tee "$LOGS/ctest.log" || status=$?
  hidden=$(failed_but_called_skipped)
  [ -z "$hidden" ] || { printf 'failed, though ctest calls it skipped: %s\n' "$hidden"; status=1; }
  return "$status"
}

# How many lies the suite caught and how often it cried wolf, summed over the shards of the run above.
rates_of_the_suite() {
  "$ROOT/build/release/contract_tests/tests/contract_lies_tests" \
    --sum "$ROOT/build/release/contract_tests/tests/rates"
}

fuzz_briefly() { "$ROOT/scripts/fuzz.sh" --seconds "$FUZZ_SECONDS"; }

# The sum over every runner; a stage that failed without naming a test counts as one.
closing_line() {
  local passed failed skipped
  read -r passed failed skipped < <(find "$LOGS" -name '*.log' -exec cat {} + | tally_of)
  [ "$failed" -ge "${#STAGE_FAILURES[@]}" ] || failed=${#STAGE_FAILURES[@]}
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
}

main() {
  ensure_packages build test
  ensure_node
  if [ $# -gt 0 ]; then
    build_preset release
    run_ctest "$@"
    return
  fi
  rm -rf "$LOGS"
  mkdir -p "$LOGS"
  stage_or_die "build with sanitizers" build_preset asan
  stage "unit tests, sanitized" sanitized_unit_tests
  stage "suite against the double, both sanitized" sanitized_suite
  stage "fuzzing, $FUZZ_SECONDS s each" fuzz_briefly
  stage_or_die "build as released" build_preset release
  stage "everything, as released" as_released
  stage "lies caught and false alarms" rates_of_the_suite
  closing_line
  stages_passed
}

main "$@"
