# shellcheck shell=bash
# For tests that start the mock: on a free port, ended at exit.

SERVED_URL=
SERVED_PID=

# serve LOG PROGRAM [ARGUMENT]...: starts the program, which must say where it listens on standard
# output, and sets SERVED_URL and SERVED_PID. Standard error goes to LOG.
serve() {
  local log=$1 deadline=$((SECONDS + 120))
  shift
  : >"$log.out"  # what an earlier program said is not this one's word
  "$@" >"$log.out" 2>"$log" &
  SERVED_PID=$!
  trap stop_serving EXIT
  until SERVED_URL=$(sed -n 's/^listening on //p' "$log.out") && [ -n "$SERVED_URL" ]; do
    kill -0 "$SERVED_PID" 2>/dev/null || die 1 "ended before it listened: $*"$'\n'"$(cat "$log")"
    [ "$SECONDS" -lt "$deadline" ] || die 1 "does not listen: $*"
    sleep 0.05
  done
}

# Ends what was started and demands that it ends well.
stop_serving() {
  local pid=$SERVED_PID
  SERVED_PID=
  [ -n "$pid" ] || return 0
  kill -TERM "$pid"
  wait "$pid" || die 1 "the mock did not end with 0 after SIGTERM"
}
