# shellcheck shell=bash
# Sections without a server: loading, validation, generated examples. They measure CPU time, which other
# programs on the machine change less.

# in_time MILLISECONDS: the limit, three times as long with --busy.
in_time() { awk -v ms="$1" -v factor="$BUSY_FACTOR" 'BEGIN { print ms * factor }'; }

# micro PROGRAM FILTER [OPTION]...: runs benchmarks; sets CPU_NS[NAME] and COUNTER[NAME], in
# nanoseconds and in bytes, to the medians of three.
declare -A CPU_NS COUNTER
micro() {
  local program=$1 filter=$2 name ns bytes report
  shift 2
  report=$("$BENCH_BUILD/spec/bench/$program" --benchmark_filter="$filter" \
    --benchmark_repetitions=3 --benchmark_report_aggregates_only=true --benchmark_format=csv "$@" \
    2>/dev/null) || die 1 "$program failed"
  while read -r name ns bytes; do
    CPU_NS[$name]=$ns COUNTER[$name]=$bytes
  done < <(awk -F, '
    BEGIN { unit["ns"] = 1; unit["us"] = 1e3; unit["ms"] = 1e6 }
    $1 == "name" { for (i = 1; i <= NF; ++i) if ($i == "\"bytes\"") bytes = i }
    gsub(/"/, "", $1) && sub(/_median$/, "", $1) {
      printf "%s %.0f %.0f\n", $1, $4 * unit[$5], (bytes ? $bytes : 0)
    }' <<<"$report")
}

milliseconds() { awk -v ns="$1" 'BEGIN { printf "%.1f\n", ns / 1e6 }'; }

microseconds() { awk -v ns="$1" 'BEGIN { printf "%.2f\n", ns / 1e3 }'; }

bench_load() {
  local count
  micro contract_bench '^(load_description|load_json_description|route_in_description)/'
  for count in 90 100 1000 10000; do
    printf 'A YAML contract of %s operations, %s kB: loaded in %s ms\n' "$count" \
      $((COUNTER[load_description/$count] / 1000)) \
      "$(milliseconds "${CPU_NS[load_description/$count]}")"
  done
  printf 'A JSON contract of 900 operations, %s kB: loaded in %s ms\n' \
    $((COUNTER[load_json_description/900] / 1000)) \
    "$(milliseconds "${CPU_NS[load_json_description/900]}")"
  aim 'YAML, 90 operations, ms' "$(milliseconds "${CPU_NS[load_description/90]}")" '<=' \
    "$(in_time 80)"
  aim 'JSON, 4 MB, ms' "$(milliseconds "${CPU_NS[load_json_description/900]}")" '<=' \
    "$(in_time 300)"
  aim 'loading, 10,000 operations against 100, times' \
    "$(ratio "${CPU_NS[load_description/10000]}" "${CPU_NS[load_description/100]}")" '<=' 150
  aim 'routing, 10,000 operations against 100, times' \
    "$(ratio "${CPU_NS[route_in_description/10000]}" "${CPU_NS[route_in_description/100]}")" '<=' 1.5
  echo
}

bench_validate() {
  local report share to_ajv
  ensure_node
  npm_packages "$ROOT/scripts/bench"
  "$BENCH_BUILD/spec/bench/validator_bench" --benchmark_min_time=0.05 --benchmark_repetitions=5 \
    --benchmark_enable_random_interleaving=true --benchmark_out="$BENCH_LOGS/validate.json" \
    --benchmark_out_format=json >"$BENCH_LOGS/validate.log" 2>&1 || die 1 "validator_bench failed"
  printf 'Validation, compared with parsing the same text and with ajv\n'
  report=$(node "$ROOT/scripts/bench/validation.mjs" "$ROOT" "$ROOT/spec/bench/validation/pairs.txt" \
    "$BENCH_LOGS/validate.json") || die 1 "scripts/bench/validation.mjs failed"
  head -n -1 <<<"$report"
  read -r share to_ajv < <(tail -n 1 <<<"$report")
  aim 'validation time divided by parsing time, all documents' "$share" '<=' 0.30
  printf '  %s times the time of ajv (scripts/bench/NOTES.md says why)\n\n' "$to_ajv"
}

bench_sample() {
  local name
  micro generate_bench .
  for name in usual_customer usual_brand usual_usage_page three_nested_arrays; do
    printf 'A generated example, %s: %s us, %s bytes\n' "${name//_/ }" "$(microseconds "${CPU_NS[$name]}")" \
      "${COUNTER[$name]}"
  done
  for name in usual_customer usual_brand usual_usage_page; do
    aim "a generated example, ${name//_/ }, us" "$(microseconds "${CPU_NS[$name]}")" '<=' "$(in_time 500)"
  done
  aim 'three nested arrays, ms' "$(milliseconds "${CPU_NS[three_nested_arrays]}")" '<=' "$(in_time 1)"
  aim 'three nested arrays, bytes' "${COUNTER[three_nested_arrays]}" '<=' 65536
  echo
}
