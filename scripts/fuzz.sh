#!/usr/bin/env bash
# Runs the libFuzzer programs, several at a time. Keeps failing inputs in build/fuzz/findings.
#
#   scripts/fuzz.sh [MINUTES | --seconds N] [NAME...]   default: every program, 5 minutes each
#
# Inputs that reach new code stay in build/fuzz/corpus/NAME, and the next run starts from them.
# Without --seconds, or with the name "pairs", also validates a million generated pairs of schema and
# instance with the validator and with its slow twin, and compares the results. COUNTERPART_PAIRS
# changes the number, COUNTERPART_FIRST_SEED the first seed.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

readonly FOLDER="$ROOT/build/fuzz"

# fuzz_one SECONDS PROGRAM SEEDS: SEEDS may be "" when there are none.
fuzz_one() {
  local seconds=$1 program=$2 seeds=$3 name log
  name=$(basename "$program")
  log="$FOLDER/logs/$name.log"
  mkdir -p "$FOLDER/corpus/$name" "$FOLDER/findings" "$FOLDER/logs"
  if "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$FOLDER/findings/$name-" "$FOLDER/corpus/$name" ${seeds:+"$seeds"} \
    >"$log" 2>&1; then
    say "$name: nothing found, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s"
  else
    tail -n 60 "$log" >&2
    say "$name: FAILED; see the inputs in ${FOLDER#"$ROOT"/}/findings and the log ${log#"$ROOT"/}"
    return 1
  fi
}

# twin_pairs: other pairs in each run, unless COUNTERPART_FIRST_SEED is set; a difference prints its seed.
twin_pairs() {
  local pairs=${COUNTERPART_PAIRS:-1000000} first=${COUNTERPART_FIRST_SEED:-$(date +%s)000000}
  local log="$FOLDER/logs/pairs.log" program="$ROOT/build/release/spec/schema/tests/twin/spec_schema_twin_tests"
  mkdir -p "$FOLDER/logs"
  if COUNTERPART_PAIRS=$pairs COUNTERPART_FIRST_SEED=$first "$program" \
    --gtest_filter='Agreement.*' --gtest_brief=1 >"$log" 2>&1; then
    say "pairs: validator and twin agree on $pairs pairs, first seed $first"
  else
    tail -n 60 "$log" >&2
    say "pairs: FAILED; see the log ${log#"$ROOT"/}"
    return 1
  fi
}

seconds=300
with_pairs=true
case ${1:-} in
  -h | --help) usage ;;
  --seconds)
    seconds=$(number "$1" "${2:-}")
    with_pairs=false
    shift 2
    ;;
  -*) usage "unknown flag: $1" ;;
  [0-9]*)
    seconds=$(number MINUTES "$1")
    seconds=$((seconds * 60))
    shift
    ;;
esac

ensure_packages build gate
programs=()
if [ $# -gt 0 ]; then
  with_pairs=false
  for name in "$@"; do
    if [ "$name" = pairs ]; then with_pairs=true; else programs+=("$name"); fi
  done
fi
mkdir -p "$FOLDER"
if [ $# -eq 0 ] || [ "${#programs[@]}" -gt 0 ]; then
  build_preset asan "${programs[@]:-fuzzers}"
fi
[ "$with_pairs" = false ] || build_preset release spec_schema_twin_tests
status=0
running=0
count=0
if [ "$with_pairs" = true ]; then
  count=1
  twin_pairs &
  running=1
fi
while IFS='|' read -r program seeds; do
  name=$(basename "$program")
  if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then
    continue
  fi
  count=$((count + 1))
  if [ "$running" -ge "$JOBS" ]; then
    wait -n || status=1
    running=$((running - 1))
  fi
  fuzz_one "$seconds" "$program" "$seeds" &
  running=$((running + 1))
done < <(cat "$ROOT/build/asan/fuzzers.txt" 2>/dev/null)
while [ "$running" -gt 0 ]; do
  wait -n || status=1
  running=$((running - 1))
done
if [ "$count" -eq 0 ]; then
  [ $# -eq 0 ] || die 2 "unknown fuzzing program: $*; build/asan/fuzzers.txt lists them"
  say "no fuzzing programs were built"
fi
exit "$status"
