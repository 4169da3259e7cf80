# shellcheck shell=bash
# Starts the mock server for tests and ends it at exit.

SERVED_URL=
SERVED_PID=

# serve LOG PROGRAM [ARGUMENT]...: starts the program, waits for its line "listening on URL", and sets
# SERVED_URL and SERVED_PID. Standard error goes to LOG.
serve() {
  local log=$1 deadline=$((SECONDS + 120))
  shift
  : >"$log.out"  # not the line of an earlier program
  "$@" >"$log.out" 2>"$log" &
  SERVED_PID=$!
  trap stop_serving EXIT
  until SERVED_URL=$(sed -n 's/^listening on //p' "$log.out") && [ -n "$SERVED_URL" ]; do
    kill -0 "$SERVED_PID" 2>/dev/null || die 1 "the program ended before it listened: $*"$'\n'"$(cat "$log")"
    [ "$SECONDS" -lt "$deadline" ] || die 1 "the program does not listen after 120 s: $*"
    sleep 0.05
  done
}

# Ends the program with SIGTERM; its exit code must be 0.
stop_serving() {
  local pid=$SERVED_PID
  SERVED_PID=
  [ -n "$pid" ] || return 0
  kill -TERM "$pid"
  wait "$pid" || die 1 "the mock server must end with 0 after SIGTERM, but ended with $?"
}
