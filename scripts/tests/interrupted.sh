#!/usr/bin/env bash
# A script that is ended by any signal leaves no process behind: no child, no grandchild, and none that
# left its process group.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

cat >"$scratch/script.sh" <<END
. "$ROOT/scripts/lib/common.sh"
sleep 987 &
setsid sleep 987 &
(bash -c 'sleep 987 & wait' & wait) &
printf 'started\n' >"$scratch/\$1"
wait
END

# marked SCRIPT_PID: prints how many processes this script started.
marked() { grep -lszxF "COUNTERPART_SCRIPT=$1" /proc/[0-9]*/environ | wc -l || true; }

# within SECONDS COMMAND...: waits until the command succeeds.
within() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 0.05
  done
}

# shellcheck disable=SC2317  # both are called by within
none_left() { [ "$(marked "$1")" -eq 0 ]; }
# shellcheck disable=SC2317
all_there() { [ -f "$scratch/$2" ] && [ "$(marked "$1")" -eq 4 ]; }

for signal in INT TERM HUP KILL; do
  # A background process ignores SIGINT unless the signal is set to its default.
  setsid env -u COUNTERPART_SCRIPT --default-signal=INT bash "$scratch/script.sh" "$signal" &
  script=$!
  within 60 all_there "$script" "$signal" || { say "SIG$signal: the script did not start within 60 s"; status=1; }
  kill -s "$signal" "$script"
  within 60 none_left "$script" || {
    say "SIG$signal left $(marked "$script") processes behind"
    status=1
  }
  wait "$script" 2>/dev/null || true
done
exit "$status"
