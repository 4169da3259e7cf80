#!/usr/bin/env bash
# Builds the release preset and runs every test: unit tests, contract tests against the mock, mutants and
# conforming variants, recipes, the official client, installed programs.
# With arguments, builds and runs ctest with them: scripts/test.sh -R mock_story. An entry of ctest is a whole test
# program, or a share of its tests; for one test: build/release/spec/spec_tests --gtest_filter='Router*'.
# For sanitizers and fuzzing: scripts/sanitized.sh, scripts/fuzz.sh. For everything: .ci/run.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/ctest.sh
. "$ROOT/scripts/lib/ctest.sh"

readonly LOGS="$ROOT/build/test-logs/released"
# Many tests wait more than they compute: four more than there are cores run at a time.
readonly PARALLEL=$((JOBS + 4))

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
    run_ctest release "$PARALLEL" "$@"
    return
  fi
  rm -rf "$LOGS"
  mkdir -p "$LOGS"
  stage_or_die "build release" build_preset release
  stage "tests, release" run_and_count release "$PARALLEL" "$LOGS"
  stage "mutants and false alarms" summary_of_mutants
  closing_line "$LOGS"
  stages_passed
}

main "$@"
