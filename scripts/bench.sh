#!/usr/bin/env bash
# Runs the benchmarks, with other servers for comparison in the same run. Prints the machine, every
# measurement and whether each target is reached; ends with 1 if one is missed.
#
#   scripts/bench.sh [--rounds N] [--seconds N] [--requests N] [--busy] [SECTION]...
#
#   customer   Get Customer Detail with 16 and 64 connections, compared with nginx `return 200`
#   invoice    Get Invoice, compared with nginx serving the same file
#   start      time from the start of the program to its first response
#   memory     memory with a full journal, after a tenth of --requests (1,000,000) and after all of them
#   crowd      memory and response time with 10,000 idle connections, 2,000 slow ones, many 429s; 1,000 streams
#   console    what one reader of /_mock/events costs those who are served; memory of a reader
#   upstream   latency that the mock adds in front of a service, compared with nginx as a reverse proxy
#   state      reads and acknowledged changes with --state sqlite:FILE, compared with memory; start with
#              10,000 sessions; reads and changes with Redis, in one replica and in four
#   redis      the part of it with Redis alone
#   others     Get Customer Detail, compared with Steady and Prism (npm)
#   load       loading contracts of 90 to 10,000 operations, YAML and JSON; finding an operation by path
#   validate   time of validation against time of parsing, and against ajv (npm)
#   sample     generating example responses
#
# Without a section, runs all. --busy allows three times the milliseconds, for a machine that others
# use; limits on ratios stay. Servers are measured in turns, --rounds (5) of --seconds (3) each, and the
# medians count.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/bench/measure.sh
. "$ROOT/scripts/bench/measure.sh"
# shellcheck source=scripts/bench/servers.sh
. "$ROOT/scripts/bench/servers.sh"
# shellcheck source=scripts/bench/state.sh
. "$ROOT/scripts/bench/state.sh"
# shellcheck source=scripts/bench/validation.sh
. "$ROOT/scripts/bench/validation.sh"

readonly BENCH_BUILD="$ROOT/build/bench" BENCH_LOGS="$ROOT/build/bench/logs"
readonly AUTHORIZATION='Authorization: Bearer dodo_test_bench'
readonly CUSTOMER=/customers/cus_L9xVQ2zg4mZaouqKLiMcV
readonly INVOICE=/invoices/payments/pay_dr0UwfMpf5rg7wOojmCUu
BENCH_ROUNDS=5
BENCH_SECONDS=3
BENCH_REQUESTS=1000000
BUSY_FACTOR=1

print_machine() {
  printf 'machine: %s, %s cores, %s MB of memory, Linux %s\n' \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$JOBS" \
    "$(awk '/^MemTotal:/ { printf "%d", $2 / 1024 }' /proc/meminfo)" "$(uname -r)"
  printf 'built by: %s; measured with %s; %s\n' "$(c++ --version | head -n 1)" \
    "$(wrk --version 2>&1 | awk 'NR == 1 { print $1, $2 }')" \
    "$(PATH=$PATH:/usr/sbin nginx -v 2>&1 | sed 's/^nginx version: //')"
  printf 'mock: %s\n\n' "$("$BENCH_BUILD/mock_server/mock_server" --version)"
}

# nginx serves the bytes that the mock sends.
start_all() {
  local folder="$BENCH_LOGS/files"
  mkdir -p "$folder"
  start_mock
  curl -sf -H "$AUTHORIZATION" "http://127.0.0.1:$MOCK_PORT$CUSTOMER" -o "$BENCH_LOGS/customer.json"
  curl -sf "http://127.0.0.1:$MOCK_PORT$INVOICE" -o "$folder/invoice.pdf"
  start_nginx "$BENCH_LOGS/customer.json" "$folder"
}

bench_customer() {
  local connections
  start_all
  for connections in 16 64; do
    printf 'Get Customer, %s connections, all checks on\n' "$connections"
    rounds "$connections" "mock=http://127.0.0.1:$MOCK_PORT$CUSTOMER" \
      "nginx=http://127.0.0.1:$NGINX_PORT$CUSTOMER"
    aim 'share of nginx' "${SHARE[mock]}" '>=' 0.85
    if [ "$connections" -eq 64 ]; then
      aim 'p99 against nginx, times' "$(ratio "${P99[mock]}" "${P99[nginx]}")" '<=' 1.5
    fi
    echo
  done
  stop_servers
}

bench_invoice() {
  start_all
  printf 'Get Invoice, 16 connections, %s bytes\n' "$(stat -c %s "$BENCH_LOGS/files/invoice.pdf")"
  rounds 16 "mock=http://127.0.0.1:$MOCK_PORT$INVOICE" \
    "nginx=http://127.0.0.1:$NGINX_PORT/files/invoice.pdf"
  aim 'share of nginx' "${SHARE[mock]}" '>=' 0.6
  echo
  stop_servers
}

bench_start() {
  local i
  local -a times=()
  for ((i = 0; i < 21; i++)); do
    times+=("$("$BENCH_BUILD/scripts/first_response" "$MOCK_PORT" "$CUSTOMER" "$AUTHORIZATION" -- \
      "$BENCH_BUILD/mock_server/mock_server" --port "$MOCK_PORT" --quiet)")
  done
  printf 'Start to first response, %s starts: %s to %s ms\n' "${#times[@]}" \
    "$(printf '%s\n' "${times[@]}" | sort -g | head -n 1)" \
    "$(printf '%s\n' "${times[@]}" | sort -g | tail -n 1)"
  aim 'start to first response, ms' "$(median "${times[@]}")" '<=' "$(in_time 20)"
  echo
}

# Sends at least this many requests of Get Customer.
send_requests() {
  local wanted=$1 requests
  while [ "$wanted" -gt 0 ]; do
    read -r _ _ requests < <(load 16 2 "http://127.0.0.1:$MOCK_PORT$CUSTOMER" "$AUTHORIZATION")
    wanted=$((wanted - requests))
  done
}

# 40,000 requests fill the journal (3 MiB).
bench_memory() {
  local at_start at_rest before after
  start_mock
  at_start=$(resident "$MOCK_PID")
  send_requests 40000
  at_rest=$(resident "$MOCK_PID")
  send_requests $((BENCH_REQUESTS / 10))
  before=$(resident "$MOCK_PID")
  send_requests "$BENCH_REQUESTS"
  after=$(resident "$MOCK_PID")
  printf 'Memory: %s MB at start, %s MB with its journal full, %s MB after %s requests, %s MB after %s more\n' \
    "$at_start" "$at_rest" "$before" $((BENCH_REQUESTS / 10)) "$after" "$BENCH_REQUESTS"
  aim 'memory with a full journal, MB' "$at_rest" '<=' 20
  aim 'growth, MB' "$(awk -v a="$after" -v b="$before" 'BEGIN { printf "%.1f", a - b }')" '<=' 1
  echo
  stop_servers
}

# crowd_aims TEXT IDLE SLOW: opens that many connections to the mock and measures new clients.
crowd_aims() {
  local text=$1 megabytes median p99 worst
  read -r megabytes median p99 worst < <("$BENCH_BUILD/scripts/crowd" "$MOCK_PORT" "$CUSTOMER" \
    "$AUTHORIZATION" "$MOCK_PID" "$2" "$3" 300)
  [ -n "$worst" ] || die 1 "a client got no response within 10 s"
  printf '%s: %s MB; a new client waits %s ms (median), %s ms (p99), %s ms (maximum)\n' \
    "$text" "$megabytes" "$median" "$p99" "$worst"
  aim 'memory, MB' "$megabytes" '<=' 30
  aim 'a new client, p99, ms' "$p99" '<=' "$(in_time 10)"
}

bench_crowd() {
  [ "$(ulimit -n)" -ge 13000 ] || ulimit -n 13000 2>/dev/null ||
    die 2 "too few file descriptors: this section needs 13,000; raise the hard limit of ulimit -n"
  start_mock
  crowd_aims '10,000 idle connections' 10000 0
  stop_servers
  start_mock
  crowd_aims '10,000 idle connections, 2,000 slow ones' 10000 2000
  stop_servers
  start_mock --rate-limit 1/3600
  wrk --threads 1 --connections 8 --duration 20s -H "$AUTHORIZATION" \
    "http://127.0.0.1:$MOCK_PORT$CUSTOMER" >"$BENCH_LOGS/storm.log" &
  SERVER_PIDS+=($!)
  crowd_aims '10,000 idle connections, many 429s' 10000 0
  stop_servers
  cat >"$BENCH_LOGS/news.yaml" <<'CONTRACT'
openapi: 3.1.0
info: {title: News, version: "1"}
paths: {/news: {get: {responses: {"200": {description: d, content: {text/event-stream: {schema: {type: object}, example: [{n: 1}]}}}}}}}
CONTRACT
  start_mock --contract "$BENCH_LOGS/news.yaml"
  memory_of_streams '/news?__end=open' 1000 'memory of an open stream of items, kB'
  echo
  stop_servers
}

# The mock without a reader, the same with one, and nginx, in turns. A reader takes all that it is sent.
bench_console() {
  local url="http://127.0.0.1:$OTHER_PORT" reader
  start_all
  start_other watched "$BENCH_BUILD/mock_server/mock_server" --port "$OTHER_PORT" --quiet \
    --requests-per-connection 1000000000
  curl -sN "$url/_mock/events?session=*" -o /dev/null &
  reader=$!
  SERVER_PIDS+=("$reader")
  wait_for_streams "$url" 1
  printf 'Get Customer, 16 connections, with and without one reader of the events of all sessions\n'
  rounds 16 "mock=http://127.0.0.1:$MOCK_PORT$CUSTOMER" "watched=$url$CUSTOMER" \
    "nginx=http://127.0.0.1:$NGINX_PORT$CUSTOMER"
  kill -0 "$reader" 2>/dev/null || die 1 "the reader was cut off"
  aim 'share of nginx that a reader costs' \
    "$(awk -v a="${RATE[mock]}" -v b="${RATE[watched]}" -v n="${RATE[nginx]}" \
      'BEGIN { printf "%.3f", (a - b) / n }')" '<=' 0.05
  memory_of_streams /_mock/events 500 'memory of an idle reader, kB'
  echo
  stop_servers
}

# The latency that each adds to that of the service, which is nginx. With a fixed number of connections
# that are never idle, the mean latency is their number divided by the rate.
bench_upstream() {
  local added_by_mock added_by_nginx
  start_all
  start_proxy
  start_other front "$BENCH_BUILD/mock_server/mock_server" --port "$OTHER_PORT" --quiet \
    --requests-per-connection 1000000000 --upstream "http://127.0.0.1:$NGINX_PORT"
  printf 'Get Customer, 16 connections, the service alone, behind nginx, and behind the mock (--mode observe)\n'
  rounds 16 "service=http://127.0.0.1:$NGINX_PORT$CUSTOMER" "nginx=http://127.0.0.1:$PROXY_PORT$CUSTOMER" \
    "mock=http://127.0.0.1:$OTHER_PORT$CUSTOMER"
  added_by_nginx=$(added_latency 16 nginx)
  added_by_mock=$(added_latency 16 mock)
  printf '  added: %s ms by nginx, %s ms by the mock\n' "$added_by_nginx" "$added_by_mock"
  aim 'latency added by the mock, times that of nginx' "$(ratio "$added_by_mock" "$added_by_nginx")" '<=' 2
  echo
  stop_servers
  slow_resource
}

# 100 fast requests alone and beside 70 for a resource of the service that drips, each on a connection of
# its own: medians.
slow_resource() {
  local url alone beside
  ensure_node
  coproc SLOW_SERVICE { exec node "$ROOT/scripts/soak/slow_service.mjs"; }
  read -r url <&"${SLOW_SERVICE[0]}"
  "$BENCH_BUILD/mock_server/mock_server" --port "$OTHER_PORT" --quiet --upstream "$url" >"$BENCH_LOGS/slow.log" 2>&1 &
  SERVER_PIDS+=($!)
  wait_for "http://127.0.0.1:$OTHER_PORT/_mock/health" "$AUTHORIZATION"
  read -r alone beside < <(node "$ROOT/scripts/bench/slow_peers.mjs" "http://127.0.0.1:$OTHER_PORT" 70 100)
  printf 'a fast request, alone: %s ms, beside 70 slow ones: %s ms\n' "$alone" "$beside"
  aim 'ms of a fast request beside 70 slow ones' "$beside" '<=' \
    "$(awk -v a="$alone" -v f="$BUSY_FACTOR" 'BEGIN { print 2 * a + 5 * f }')"
  echo
  stop_servers
}

# added_latency CONNECTIONS NAME: milliseconds, beside RATE[service].
added_latency() {
  awk -v n="$1" -v own="${RATE[$2]}" -v service="${RATE[service]}" \
    'BEGIN { printf "%.3f\n", 1000 * n / own - 1000 * n / service }'
}

# wait_for_streams URL COUNT: waits until so many streams of events are open.
wait_for_streams() {
  local deadline=$((SECONDS + 60))
  until curl -sf "$1/_mock/health" | grep -q "\"streams\":$2[,}]"; do
    [ "$SECONDS" -lt "$deadline" ] || die 1 "$1 has not got $2 streams within 60 s"
    sleep 0.05
  done
}

# memory_of_streams PATH COUNT TEXT: the memory of so many clients that wait on a stream.
memory_of_streams() {
  local path=$1 count=$2 before after i connection
  local -a connections=()
  before=$(resident "$MOCK_PID")
  for ((i = 0; i < count; i++)); do
    exec {connection}<>"/dev/tcp/127.0.0.1/$MOCK_PORT"
    printf 'GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n' "$path" >&"$connection"
    connections+=("$connection")
  done
  wait_for_streams "http://127.0.0.1:$MOCK_PORT" "$count"
  after=$(resident "$MOCK_PID")
  for connection in "${connections[@]}"; do
    exec {connection}>&-
  done
  aim "$3" \
    "$(awk -v a="$before" -v b="$after" -v n="$count" 'BEGIN { printf "%.1f", (b - a) * 1024 / n }')" '<=' 16
}

# start_other NAME COMMAND...: starts another mock server, from npm, with the same contract.
start_other() {
  local name=$1
  shift
  "$@" >"$BENCH_LOGS/$name.log" 2>&1 &
  SERVER_PIDS+=($!)
  wait_for "http://127.0.0.1:$OTHER_PORT$CUSTOMER" "$AUTHORIZATION"
}

bench_others() {
  local contract="$ROOT/spec/payments.openapi.yaml" tools="$ROOT/scripts/bench/node_modules/.bin"
  ensure_node
  npm_packages "$ROOT/scripts/bench"
  printf 'Get Customer, 16 connections, compared with other mock servers of the same contract\n'
  start_mock
  start_other steady "$tools/steady" --host 127.0.0.1 --port "$OTHER_PORT" --quiet "$contract"
  rounds 16 "mock=http://127.0.0.1:$MOCK_PORT$CUSTOMER" "steady=http://127.0.0.1:$OTHER_PORT$CUSTOMER"
  aim 'times Steady' "$(ratio "${RATE[mock]}" "${RATE[steady]}")" '>=' 3
  stop_servers
  start_mock
  start_other prism "$tools/prism" mock --host 127.0.0.1 --port "$OTHER_PORT" --verboseLevel error \
    "$contract"
  rounds 16 "mock=http://127.0.0.1:$MOCK_PORT$CUSTOMER" "prism=http://127.0.0.1:$OTHER_PORT$CUSTOMER"
  stop_servers
  aim 'times Prism' "$(ratio "${RATE[mock]}" "${RATE[prism]}")" '>=' 20
  echo
}

main() {
  local section
  local -a sections=()
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help) usage ;;
      --rounds) BENCH_ROUNDS=$(number "$1" "${2:-}") ;;
      --seconds) BENCH_SECONDS=$(number "$1" "${2:-}") ;;
      --requests) BENCH_REQUESTS=$(number "$1" "${2:-}") ;;
      --busy) BUSY_FACTOR=3 ;;
      *)
        declare -F "bench_$1" >/dev/null || usage "unknown section or flag: $1"
        sections+=("$1")
        ;;
    esac
    case $1 in --rounds | --seconds | --requests) shift ;; esac
    shift
  done
  [ "${#sections[@]}" -gt 0 ] || sections=(customer invoice start memory crowd console upstream state others load validate sample)
  ensure_packages build test bench
  build_preset bench mock_server first_response crowd contract_bench validator_bench generate_bench
  mkdir -p "$BENCH_LOGS"
  trap stop_servers EXIT
  print_machine
  for section in "${sections[@]}"; do
    "bench_$section"
  done
  [ "$AIMS_MISSED" -eq 0 ] || die 1 "$AIMS_MISSED targets missed"
}

main "$@"
