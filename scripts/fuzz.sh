#!/usr/bin/env bash
# Runs every libFuzzer program for a while, several at a time; what they find is kept and named.
#   scripts/fuzz.sh [MINUTES | --seconds N] [NAME...]   5 minutes each, and all programs, by default
# Inputs that reached new code stay in build/fuzz/corpus/NAME and are the start of the next run.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/build.sh
. "$ROOT/scripts/lib/build.sh"

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
    say "$name: clean, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s"
  else
    tail -n 60 "$log" >&2
    say "$name: FAILED; the inputs are in ${FOLDER#"$ROOT"/}/findings, all output in ${log#"$ROOT"/}"
    return 1
  fi
}

seconds=300
case ${1:-} in
  --seconds)
    [ $# -ge 2 ] || die 2 "--seconds needs a number"
    seconds=$2
    shift 2
    ;;
  [0-9]*)
    seconds=$(($1 * 60))
    shift
    ;;
esac
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die 2 "the time must be a whole number, but is $seconds"

ensure_packages build test
build_preset fuzz fuzzers
status=0
running=0
count=0
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
done <"$FOLDER/fuzzers.txt"
while [ "$running" -gt 0 ]; do
  wait -n || status=1
  running=$((running - 1))
done
if [ "$count" -eq 0 ]; then
  [ $# -eq 0 ] || die 2 "no fuzzing program is called $*"
  say "there are no fuzzing programs"
fi
exit "$status"
