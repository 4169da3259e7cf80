# shellcheck shell=bash
# Measuring: requests with wrk, memory, medians, and the comparison with each target.

# median NUMBER...
median() {
  printf '%s\n' "$@" | sort -g | awk '{ v[NR] = $1 } END {
    print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f\n", (b > 0 ? a / b : 0) }'; }

# load CONNECTIONS SECONDS URL [HEADER]...: requests as LOAD_SCRIPT says, if it is set; prints "REQUESTS_PER_SECOND P99_MS REQUESTS". A status
# other than 2xx or a broken connection ends the benchmark, for error responses are cheap.
load() {
  local connections=$1 seconds=$2 url=$3 report header
  local -a headers=()
  shift 3
  for header in "$@"; do
    headers+=(-H "$header")
  done
  [ -z "${LOAD_SCRIPT:-}" ] || headers+=(--script "$LOAD_SCRIPT")
  report=$(wrk --threads 2 --connections "$connections" --duration "${seconds}s" --latency \
    "${headers[@]}" "$url")
  if grep -qE 'Non-2xx|Socket errors' <<<"$report"; then
    die 1 "some requests to $url failed:"$'\n'"$report"
  fi
  awk '
    function in_ms(text) {
      if (text ~ /us$/) return text / 1000
      if (text ~ /ms$/) return text + 0
      return text * 1000
    }
    $1 == "99%" { p99 = in_ms($2) }
    / requests in / { requests = $1 }
    $1 == "Requests/sec:" { rate = $2 }
    END { printf "%.0f %.2f %d\n", rate, p99, requests }' <<<"$report"
}

# load_each CONNECTIONS SECONDS URL[,URL]... [HEADER]...: as load, with a wrk for each URL, all at once, which share
# the connections; prints the sum of the rates, the worst p99, the sum of the requests.
load_each() {
  local connections=$1 seconds=$2 folder url
  local -a urls pids=()
  IFS=, read -ra urls <<<"$3"
  shift 3
  if [ "${#urls[@]}" -eq 1 ]; then
    load "$connections" "$seconds" "${urls[0]}" "$@"
    return
  fi
  folder=$(mktemp -d)
  for url in "${urls[@]}"; do
    load $((connections / ${#urls[@]})) "$seconds" "$url" "$@" >"$folder/${#pids[@]}" &
    pids+=($!)
  done
  for url in "${pids[@]}"; do
    wait "$url" || die 1 "one of the loads failed"
  done
  awk '{ rate += $1; p99 = $2 > p99 ? $2 : p99; requests += $3 } END { print rate, p99, requests }' "$folder"/*
  rm -rf "$folder"
}

# cpu_us PID...: microseconds of CPU time that these took so far.
cpu_us() {
  local pid
  for pid in "$@"; do
    sed 's/.*) //' "/proc/$pid/stat"
  done | awk -v hz="$(getconf CLK_TCK)" '{ ticks += $12 + $13 } END { printf "%.0f\n", ticks * 1e6 / hz }'
}

# resident PID: megabytes of memory in use.
resident() { awk '/^VmRSS:/ { printf "%.1f\n", $2 / 1024 }' "/proc/$1/status"; }

AIMS_MISSED=0

# aim TEXT VALUE OPERATOR LIMIT: prints whether VALUE reaches the target, and counts it if not.
aim() {
  local text=$1 value=$2 operator=$3 limit=$4
  if awk -v v="$value" -v l="$limit" "BEGIN { exit !(v $operator l) }"; then
    printf '  ok      %s: %s (target: %s %s)\n' "$text" "$value" "$operator" "$limit"
  else
    printf '  MISSED  %s: %s (target: %s %s)\n' "$text" "$value" "$operator" "$limit"
    AIMS_MISSED=$((AIMS_MISSED + 1))
  fi
}

# rounds CONNECTIONS NAME=URL[,URL]...: measures the servers in turns, BENCH_ROUNDS times, because they share
# the cores with wrk and with other programs; sets RATE[NAME] and P99[NAME] to the medians and prints
# a line for each. SHARE[NAME] is the median of its shares of the last server's rate in the same turn: a machine may
# be a third slower in the next. Every request carries the token.
declare -A RATE P99 SHARE
rounds() {
  local connections=$1 round target name rate p99
  local -A rates=() p99s=() shares=() turn=()
  shift
  for ((round = 0; round < BENCH_ROUNDS; round++)); do
    for target in "$@"; do
      name=${target%%=*}
      read -r rate p99 _ < <(load_each "$connections" "$BENCH_SECONDS" "${target#*=}" "$AUTHORIZATION")
      [ -n "$p99" ] || exit 1
      rates[$name]+="$rate "
      p99s[$name]+="$p99 "
      turn[$name]=$rate
    done
    for target in "$@"; do
      shares[${target%%=*}]+="$(ratio "${turn[${target%%=*}]}" "$rate") "
    done
  done
  for target in "$@"; do
    name=${target%%=*}
    # shellcheck disable=SC2034,SC2086  # SHARE is for bench.sh; lists of numbers
    RATE[$name]=$(median ${rates[$name]}) P99[$name]=$(median ${p99s[$name]}) SHARE[$name]=$(median ${shares[$name]})
    printf '  %-12s %8.0f requests/s, p99 %6.2f ms\n' "$name" "${RATE[$name]}" "${P99[$name]}"
  done
}
