# shellcheck shell=bash
# State in memory, in a file and in Redis, side by side.

STATE_FILE=
STATE_PID=
REDIS_PID=
REDIS_URL=
REPLICA_PIDS=()
REPLICA_URLS=()

# The mock with its state in STATE_FILE, on OTHER_PORT.
start_kept() {
  start_other kept "$BENCH_BUILD/mock_server/mock_server" --port "$OTHER_PORT" --quiet \
    --requests-per-connection 1000000000 --state "sqlite:$STATE_FILE"
  STATE_PID=${SERVER_PIDS[-1]}
}

# state_rounds METHOD CONNECTIONS: requests to 64 sessions of both.
state_rounds() {
  METHOD=$1 LOAD_SCRIPT="$ROOT/scripts/bench/state.lua" rounds "$2" \
    "memory=http://127.0.0.1:$MOCK_PORT" "sqlite=http://127.0.0.1:$OTHER_PORT"
}

session_count() { curl -sf "http://127.0.0.1:$OTHER_PORT/_mock/sessions" | grep -o '"name"' | wc -l; }

# Changes records in 10,000 sessions.
fill_sessions() {
  local deadline=$((SECONDS + 120))
  while [ "$(session_count)" -lt 10001 ]; do
    [ "$SECONDS" -lt "$deadline" ] || die 1 "there are no 10,000 sessions within 120 s"
    METHOD=PATCH SESSIONS=10000 LOAD_SCRIPT="$ROOT/scripts/bench/state.lua" \
      load 16 2 "http://127.0.0.1:$OTHER_PORT" "$AUTHORIZATION" >/dev/null
  done
}

start_with_sessions() {
  local i
  local -a times=()
  for ((i = 0; i < BENCH_ROUNDS; i++)); do
    times+=("$("$BENCH_BUILD/scripts/first_response" "$OTHER_PORT" "$CUSTOMER" "$AUTHORIZATION" -- \
      "$BENCH_BUILD/mock_server/mock_server" --port "$OTHER_PORT" --quiet --state "sqlite:$STATE_FILE")")
  done
  aim 'start with 10,000 sessions to first response, ms' "$(median "${times[@]}")" '<=' "$(in_time 300)"
}

# Redis on a port of its own, keeping nothing on the disk.
start_redis() {
  local port=$REDIS_PORT
  while (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    port=$((port + 1))
  done
  redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no --daemonize no \
    >"$BENCH_LOGS/redis.log" 2>&1 &
  REDIS_PID=$!
  REDIS_URL=redis://127.0.0.1:$port/0
  SERVER_PIDS+=("$REDIS_PID")
  until (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    kill -0 "$REDIS_PID" 2>/dev/null || die 1 "redis-server did not start: $BENCH_LOGS/redis.log says why"
    sleep 0.05
  done
}

# Four mocks that share the state in it; REPLICA_URLS are theirs.
start_replicas() {
  local at port
  REPLICA_PIDS=() REPLICA_URLS=()
  for ((at = 0; at < 4; at++)); do
    port=$((REPLICA_PORT + at))
    "$BENCH_BUILD/mock_server/mock_server" --port "$port" --quiet --requests-per-connection 1000000000 \
      --state "$REDIS_URL" >"$BENCH_LOGS/replica$at.log" 2>&1 &
    REPLICA_PIDS+=($!)
    SERVER_PIDS+=("${REPLICA_PIDS[-1]}")
    REPLICA_URLS+=("http://127.0.0.1:$port")
  done
  for ((at = 0; at < 4; at++)); do
    wait_for "${REPLICA_URLS[at]}/_mock/ready"
  done
}

# redis_rounds METHOD CONNECTIONS: requests to 64 sessions in memory, in one replica and in four. Each of the four
# has a wrk of its own: a wrk has one host for all its connections, and a balancer would take a core that
# is to be measured.
redis_rounds() {
  local four
  four=$(IFS=, && echo "${REPLICA_URLS[*]}")
  METHOD=$1 LOAD_SCRIPT="$ROOT/scripts/bench/state.lua" rounds "$2" \
    "memory=http://127.0.0.1:$MOCK_PORT" "redis=${REPLICA_URLS[0]}" "redis_four=$four"
}

# cost_of_reads NAME REPLICAS: CPU time of one read, by program, and how many of them all cores allow.
cost_of_reads() {
  local urls mock redis before_mock before_redis requests rate
  local -a pids=("${REPLICA_PIDS[@]:0:$2}")
  urls=$(IFS=, && echo "${REPLICA_URLS[*]:0:$2}")
  before_mock=$(cpu_us "${pids[@]}") before_redis=$(cpu_us "$REDIS_PID")
  read -r rate _ requests < <(METHOD=GET LOAD_SCRIPT="$ROOT/scripts/bench/state.lua" \
    load_each 16 "$BENCH_SECONDS" "$urls" "$AUTHORIZATION")
  mock=$(($(cpu_us "${pids[@]}") - before_mock)) redis=$(($(cpu_us "$REDIS_PID") - before_redis))
  awk -v name="$1" -v n="$requests" -v mock="$mock" -v redis="$redis" -v cores="$JOBS" -v measured="$rate" \
    'BEGIN {
      each = (mock + redis) / n
      printf "  %s: %.0f us of CPU time for each read in the mock, %.0f us in Redis: %d cores allow %.0f/s without the client; measured %.0f/s\n",
        name, mock / n, redis / n, cores, cores * 1e6 / each, measured
    }'
}

bench_redis() {
  local reads
  start_mock
  start_redis
  start_replicas
  printf 'The same with Redis: Get Customer in 64 sessions, 16 connections\n'
  redis_rounds GET 16
  # shellcheck disable=SC2153  # of measure.sh
  reads=${RATE[redis]}
  aim 'reads with Redis in one replica, 1/s' "${RATE[redis]}" '>=' 10000
  cost_of_reads 'one replica' 1
  cost_of_reads 'four replicas' 4
  printf 'Changes of a brand in 64 sessions, 64 connections; each is in Redis before its response\n'
  redis_rounds PATCH 64
  aim 'changes with Redis in one replica, share of its reads' \
    "$(ratio "${RATE[redis]}" "$reads")" '>=' 0.5
  aim 'changes in four replicas, share of one' "$(ratio "${RATE[redis_four]}" "${RATE[redis]}")" '>=' 0.5
  stop_servers
  echo
}

bench_state() {
  STATE_FILE="$BENCH_LOGS/state.db"
  rm -f "$STATE_FILE" "$STATE_FILE"-*
  start_mock
  start_kept
  printf 'Get Customer in 64 sessions, 16 connections\n'
  state_rounds GET 16
  aim 'reads with SQLite, share of memory' "$(ratio "${RATE[sqlite]}" "${RATE[memory]}")" '>=' 0.5
  printf 'Changes of a brand in 64 sessions, 64 connections; each is in the file before its response\n'
  state_rounds PATCH 64
  aim 'acknowledged changes with SQLite, 1/s' "${RATE[sqlite]}" '>=' 5000
  printf 'Memory: %s MB with state in memory, %s MB with SQLite; file: %s MB\n' "$(resident "$MOCK_PID")" \
    "$(resident "$STATE_PID")" "$(du -cm "$STATE_FILE"* | awk 'END { print $1 }')"
  fill_sessions
  stop_servers
  start_with_sessions
  rm -f "$STATE_FILE" "$STATE_FILE"-*
  echo
  bench_redis
}
