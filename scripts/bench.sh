#!/usr/bin/env bash
# Measures what users run, on this machine, beside other servers in the same run: prints the
# machine, every number, the ratios, and whether each aim is kept; ends with 1 if one is missed.
#
#   scripts/bench.sh [--rounds N] [--seconds N] [--requests N] [SECTION]...
#
#   customer   Get Customer, 16 and 64 connections: bare cpp-httplib, nginx `return 200`
#   invoice    the invoice's PDF: nginx serving the same file
#   start      from being started to the first answer
#   memory     at rest, and after --requests requests (100,000)
#   others     Get Customer: Steady and Prism, from npm (not part of a run without sections)
#
# The cores are shared with the load and whatever else runs, so servers take turns: --rounds (5)
# turns of --seconds (3), and the medians count.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/build.sh
. "$ROOT/scripts/lib/build.sh"
# shellcheck source=scripts/bench/measure.sh
. "$ROOT/scripts/bench/measure.sh"
# shellcheck source=scripts/bench/servers.sh
. "$ROOT/scripts/bench/servers.sh"

readonly BENCH_BUILD="$ROOT/build/bench" BENCH_LOGS="$ROOT/build/bench/logs"
readonly AUTHORIZATION='Authorization: Bearer dodo_test_bench'
readonly CUSTOMER=/customers/cus_L9xVQ2zg4mZaouqKLiMcV
readonly INVOICE=/invoices/payments/pay_dr0UwfMpf5rg7wOojmCUu
BENCH_ROUNDS=5
BENCH_SECONDS=3
BENCH_REQUESTS=100000

print_machine() {
  printf 'machine: %s, %s cores, %s MB of memory, Linux %s\n' \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$JOBS" \
    "$(awk '/^MemTotal:/ { printf "%d", $2 / 1024 }' /proc/meminfo)" "$(uname -r)"
  printf 'built by: %s; measured with %s; %s\n' "$(c++ --version | head -n 1)" \
    "$(wrk --version 2>&1 | awk 'NR == 1 { print $1, $2 }')" \
    "$(PATH=$PATH:/usr/sbin nginx -v 2>&1 | sed 's/^nginx version: //')"
  printf 'double: %s\n\n' "$("$BENCH_BUILD/mock_server/mock_server" --version)"
}

# The double's own answer is what the others answer too.
start_all() {
  local folder="$BENCH_LOGS/files"
  mkdir -p "$folder"
  start_double
  curl -sf -H "$AUTHORIZATION" "http://127.0.0.1:$DOUBLE_PORT$CUSTOMER" -o "$BENCH_LOGS/customer.json"
  curl -sf "http://127.0.0.1:$DOUBLE_PORT$INVOICE" -o "$folder/invoice.pdf"
  start_bare "$BENCH_LOGS/customer.json" application/json
  start_nginx "$BENCH_LOGS/customer.json" "$folder"
}

bench_customer() {
  local connections
  start_all
  for connections in 16 64; do
    printf 'Get Customer, %s connections, all checks on\n' "$connections"
    rounds "$connections" "double=http://127.0.0.1:$DOUBLE_PORT$CUSTOMER" \
      "bare=http://127.0.0.1:$BARE_PORT$CUSTOMER" "nginx=http://127.0.0.1:$NGINX_PORT$CUSTOMER"
    if [ "$connections" -eq 16 ]; then
      aim 'share of bare cpp-httplib' "$(ratio "${RATE[double]}" "${RATE[bare]}")" '>=' 0.85
    fi
    printf '  share of nginx: %s, p99 against nginx: %s times\n\n' \
      "$(ratio "${RATE[double]}" "${RATE[nginx]}")" "$(ratio "${P99[double]}" "${P99[nginx]}")"
  done
  stop_servers
}

bench_invoice() {
  start_all
  printf 'Get Invoice, 16 connections, %s bytes\n' "$(stat -c %s "$BENCH_LOGS/files/invoice.pdf")"
  rounds 16 "double=http://127.0.0.1:$DOUBLE_PORT$INVOICE" \
    "nginx=http://127.0.0.1:$NGINX_PORT/files/invoice.pdf"
  printf '  share of nginx: %s\n\n' "$(ratio "${RATE[double]}" "${RATE[nginx]}")"
  stop_servers
}

bench_start() {
  local i
  local -a times=()
  for ((i = 0; i < 21; i++)); do
    times+=("$("$BENCH_BUILD/scripts/first_answer" "$DOUBLE_PORT" "$CUSTOMER" "$AUTHORIZATION" -- \
      "$BENCH_BUILD/mock_server/mock_server" --port "$DOUBLE_PORT" --quiet)")
  done
  printf 'Start to first answer, median of %s: %s to %s ms\n' "${#times[@]}" \
    "$(printf '%s\n' "${times[@]}" | sort -g | head -n 1)" \
    "$(printf '%s\n' "${times[@]}" | sort -g | tail -n 1)"
  aim 'start to first answer, ms' "$(median "${times[@]}")" '<=' 30
  echo
}

# Sends at least this many requests of Get Customer.
send_requests() {
  local wanted=$1 requests
  while [ "$wanted" -gt 0 ]; do
    read -r _ _ requests < <(load 16 2 "http://127.0.0.1:$DOUBLE_PORT$CUSTOMER" "$AUTHORIZATION")
    wanted=$((wanted - requests))
  done
}

bench_memory() {
  local at_rest before after
  start_double
  at_rest=$(resident "$DOUBLE_PID")
  # The journal fills within the first tenth; growth after that would be a leak.
  send_requests $((BENCH_REQUESTS / 10))
  before=$(resident "$DOUBLE_PID")
  send_requests "$BENCH_REQUESTS"
  after=$(resident "$DOUBLE_PID")
  printf 'Memory: %s MB at rest, %s MB after %s requests, %s MB after %s more\n' \
    "$at_rest" "$before" $((BENCH_REQUESTS / 10)) "$after" "$BENCH_REQUESTS"
  aim 'memory, MB' "$after" '<=' 30
  aim 'growth, MB' "$(awk -v a="$after" -v b="$before" 'BEGIN { printf "%.1f", a - b }')" '<=' 1
  echo
  stop_servers
}

# start_other NAME COMMAND...: one of the npm packages, serving our contract.
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
  printf 'Get Customer, 16 connections, beside other doubles of the same contract\n'
  start_double
  start_other steady "$tools/steady" --host 127.0.0.1 --port "$OTHER_PORT" --quiet "$contract"
  rounds 16 "double=http://127.0.0.1:$DOUBLE_PORT$CUSTOMER" "steady=http://127.0.0.1:$OTHER_PORT$CUSTOMER"
  stop_servers
  start_double
  start_other prism "$tools/prism" mock --host 127.0.0.1 --port "$OTHER_PORT" --verboseLevel error \
    "$contract"
  rounds 16 "double=http://127.0.0.1:$DOUBLE_PORT$CUSTOMER" "prism=http://127.0.0.1:$OTHER_PORT$CUSTOMER"
  stop_servers
  printf '  %s times Steady, %s times Prism\n\n' \
    "$(ratio "${RATE[double]}" "${RATE[steady]}")" "$(ratio "${RATE[double]}" "${RATE[prism]}")"
}

main() {
  local section
  local -a sections=()
  while [ $# -gt 0 ]; do
    case $1 in
      --rounds) BENCH_ROUNDS=$2 && shift ;;
      --seconds) BENCH_SECONDS=$2 && shift ;;
      --requests) BENCH_REQUESTS=$2 && shift ;;
      *)
        declare -F "bench_$1" >/dev/null || die 2 "no section is called $1"
        sections+=("$1")
        ;;
    esac
    shift
  done
  [ "${#sections[@]}" -gt 0 ] || sections=(customer invoice start memory)
  ensure_packages build test bench
  build_preset bench mock_server bare_httplib first_answer
  mkdir -p "$BENCH_LOGS"
  trap stop_servers EXIT
  print_machine
  for section in "${sections[@]}"; do
    "bench_$section"
  done
  [ "$AIMS_MISSED" -eq 0 ] || die 1 "$AIMS_MISSED aims missed"
}

main "$@"
