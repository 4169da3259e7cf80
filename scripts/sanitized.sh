#!/usr/bin/env bash
# Builds what it runs with address and undefined-behaviour sanitizers, then runs the unit tests and the
# contract tests against the mock. Writes logs to build/test-logs/sanitized.
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

readonly LOGS="$ROOT/build/test-logs/sanitized"

# The programs that are run here, without the mutants.
build_sanitized() {
  local -a programs
  (flock 9 && configure_preset asan) 9>"$ROOT/build/.asan.lock"
  mapfile -t programs < <(sed 's|.*/||' "$ROOT/build/asan/unit_tests.txt")
  build_preset asan "${programs[@]}" mock_server contract_tests
}

# One process for each shard, not for each test: with sanitizers, programs start slowly.
unit_tests() {
  GTEST_SHUFFLE=1 "$ROOT/scripts/lib/shards.sh" "$JOBS" "$LOGS/unit" \
    "$ROOT/build/asan/unit_tests.txt"
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
  mkdir -p "$LOGS" "$ROOT/build"
  stage_or_die "build with sanitizers" build_sanitized
  stage "unit tests, sanitized" unit_tests
  stage "contract tests against the mock, sanitized" suite
  closing_line "$LOGS"
  stages_passed
}

case ${1:-} in
  '') main ;;
  -h | --help) usage ;;
  *) usage "unknown argument: $1; this script takes none" ;;
esac
