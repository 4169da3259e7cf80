# shellcheck shell=bash
# Running the tests of a built preset.
# shellcheck source=scripts/lib/tally.sh
. "$ROOT/scripts/lib/tally.sh"

# run_ctest PRESET PARALLEL [FLAG...]: runs the entries of ctest that the flags select, all if there are none.
run_ctest() {
  local preset=$1 parallel=$2
  shift 2
  ctest --test-dir "$ROOT/build/$preset" --output-on-failure --parallel "$parallel" --no-tests=error "$@"
}

# run_and_count PRESET PARALLEL LOGS [FLAG...]: the same. Writes into the folder LOGS what closing_line reads, and
# what failed (failures.txt); prints what was skipped within entries, which ctest does not say.
run_and_count() {
  local log="$ROOT/build/$1/Testing/Temporary/LastTest.log" logs=$3 status=0
  rm -f "$log"
  run_ctest "$1" "$2" "${@:4}" | tee "$logs/ctest.txt" || status=$?
  # Its summary alone: above it is the output of entries that failed, whose tests are counted below.
  grep -a ' tests failed out of ' "$logs/ctest.txt" | tail -n 1 >"$logs/ctest.log" || true
  [ -f "$log" ] || return "$status"
  tests_within <"$log" >"$logs/within.log"
  failures_within <"$log" >"$logs/failures.txt"
  grep -aE '^\[  SKIPPED \] [^0-9][^(]*$' "$log" | sort -u || true
  return "$status"
}
